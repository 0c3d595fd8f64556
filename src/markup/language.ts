/**
 * The language on two threads: what is small is done here at once, as handing it over would cost more than doing it; what is
 * large, or has code or formulas that take long, goes to a worker, one at a time, with an end to our patience: then the page
 * is shown as it was written, with a notice. The worker reads a text anew for each step.
 */
import { escapeHtml, type Rendered } from '@coppice/wikitext';
import { createLanguage, type Language, type PlainResolved } from '#domain/language.ts';
import { takeTurns } from '#domain/turns.ts';
import { Thread } from '#threads/thread.ts';
import type { Answer, Task } from './language-worker.ts';

/** Characters that take some tens of milliseconds at the most. */
const maxHere = 150_000;
const maxWaiting = 64;
const defaultPatienceMs = 15_000;
const notice =
  'This page takes too long to draw, so it is shown as it was written. Shorter parts would be drawn.';

export interface ThreadedLanguage extends Language, AsyncDisposable {}

export function createThreadedLanguage({ patienceMs = defaultPatienceMs } = {}): ThreadedLanguage {
  const plain = createLanguage();
  let here: ReturnType<typeof loadHere> | undefined;
  const inTurn = takeTurns(
    1,
    maxWaiting,
    'Too many large pages are being drawn at this moment: try again in a minute.',
  );
  const thread = new Thread<Task, Answer>(new URL('./language-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });

  function ask<R>(task: Task): Promise<R> {
    return inTurn(async () => {
      const signal = AbortSignal.timeout(patienceMs);
      try {
        return (await thread.run(task, { signal })) as R;
      } catch (error) {
        const isTooMuch = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
        if (signal.aborted || isTooMuch) return asWritten(task) as R;
        throw error;
      }
    });
  }

  return {
    expand: (body, format, context) =>
      body.length <= maxHere
        ? plain.expand(body, format, context)
        : ask({ step: 'expand', body, format, context }),
    async open(text, path, read) {
      const drawThere = (resolved: PlainResolved): Promise<Rendered> =>
        ask({ step: 'draw', text, path, resolved });
      if (text.length > maxHere)
        return { references: await ask({ step: 'references', text, path }), draw: drawThere };
      here ??= loadHere();
      const { language, TakesLong } = await here;
      const { references, draw } = await language.open(text, path, read);
      return {
        references,
        draw: (resolved) =>
          draw(resolved).catch((error: unknown) => {
            if (error instanceof TakesLong) return drawThere(resolved);
            throw error;
          }),
      };
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

/** For the first page and not for the start, as it takes a tenth of a second. */
async function loadHere() {
  const [{ hooksHere }, { TakesLong }] = await Promise.all([import('./hooks.ts'), import('./allowance.ts')]);
  return { language: createLanguage(hooksHere), TakesLong };
}

/** What each step answers when it took too long. */
function asWritten(task: Task): Answer {
  const nothing = { links: [], templates: [], files: [], tags: [], sections: [], followsPath: false };
  if (task.step === 'references') return nothing;
  if (task.step === 'expand') {
    return {
      text: task.body,
      needs: { templates: [], exists: [], listings: [] },
      notices: [notice],
      usedTime: false,
    };
  }
  const html = `<p class="error wikitext-notice">${notice}</p><pre>${escapeHtml(task.text)}</pre>`;
  return { html, outline: [], notices: [notice] };
}
