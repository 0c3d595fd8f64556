/**
 * Runs the languages on several threads. Small work is done on the main thread, because handing it over would cost more. Work
 * that is larger, or turns out to take long, goes to one of two threads: current versions of pages, which readers and saves
 * wait for, to the first; previews, old versions and comparisons to the second, which has a lower priority. On each thread,
 * members come before anonymous callers, and callers take turns. All steps of one task share a limit of CPU time and throw
 * `TooCostly` above it. A thread parses the text again for each step. Pages that call modules are always expanded on a thread.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { moduleName } from '@coppice/scribunto/names';
import type { References, Rendered } from '@coppice/wikitext';
import type { Dialect } from '@coppice/wikitext/dialect';
import type { Carried } from '#core/content/carry-quotes.ts';
import { deriveAndRead } from '#core/content/derive.ts';
import type { Comparison } from '#core/content/diff.ts';
import type { Patched } from '#core/content/documents.ts';
import {
  type Behalf,
  createLanguage,
  type ExpandedBody,
  type ExpandedText,
  type Language,
  type ModuleRunner,
  type Output,
  type PlainContext,
  type PlainResolved,
  type RenderingsWaiting,
  TooCostly,
} from '#core/content/language.ts';
import type { SourceParts } from '#core/content/page-sections.ts';
import type { Untranslated } from '#core/content/paragraphs.ts';
import { type DerivedContent, type DerivedFields, derivedFields } from '#core/model/derived.ts';
import type { Format } from '#core/model/page.ts';
import { Problem, tooManyRequests } from '#core/model/problem.ts';
import { FairQueue, type Refusals } from '#scheduling/fair-queue.ts';
import { CpuLimitReached, Thread } from '#scheduling/thread.ts';
import { say } from '#words/say.ts';
import { threadCpuMs } from './cpu-clock.ts';
import { estimate, estimateExpanded } from './estimate.ts';
import type { Answer, Task } from './language-worker.ts';
import { RecentDocuments } from './recent-documents.ts';

/** Limits of work on the main thread, which answers requests: all steps together take at most some 40 ms. */
interface Here {
  /** Characters of an expanded text. */
  maxLength: number;
  maxCalls: number;
  /** Estimated microseconds for reading a text. */
  readMicroseconds: number;
  /** CPU time of all steps of one task on the main thread. Afterwards, the rest goes to another thread. */
  cpuMs: number;
}

const pageHere: Here = { maxLength: 150_000, maxCalls: 2000, readMicroseconds: 12_000, cpuMs: 20 };
const asideHere: Here = { maxLength: 20_000, maxCalls: 500, readMicroseconds: 4000, cpuMs: 10 };

/** CPU time of short contents that are derived in a row before others get their turn. */
const derivingMs = 10;

/** Writing Markdown takes this many times as long as writing HTML: some 2 ms for 1,000 characters. */
const markdownWeight = 8;

/** Reading a document takes this many times as long as parsing its body. */
const documentTimes = 4;

/** Characters of both bodies. Comparing two bodies of 500 lines without a common line takes 75 ms. */
const maxComparedHere = 5000;
/** Quotes that are carried through a change of such a text. */
const maxCarriedHere = 10;

/** Limits on templates in a preview of an anonymous caller. A page may have four times as much. */
const strangersBounds = { expandedLength: 500_000, calls: 20_000 };

export interface CpuLimits {
  memberMs: number;
  strangerMs: number;
}

/** CPU time of the thread itself, so a busy machine takes longer but does not refuse more. */
const defaultLimits: CpuLimits = { memberMs: 15_000, strangerMs: 3000 };
/** Wall-time limit for a thread whose CPU time cannot be read, because it runs no JavaScript at the time. */
const wallMs = 300_000;

/** Bounds of members, then of anonymous callers. A refused rendering never loses a save, because the page is stored by then. */
const pageBounds = [
  { maxWaiting: 10_000, maxPerCaller: 10_000 },
  { maxWaiting: 64, maxPerCaller: 32 },
];
const asideBounds = [
  { maxWaiting: 32, maxPerCaller: 8 },
  { maxWaiting: 32, maxPerCaller: 4 },
];

const memberAtPage: Behalf = {
  isAside: false,
  isAnonymous: false,
  caller: undefined,
  admit: () => {},
  spend: () => {},
};

interface ThreadedLanguage extends Language, AsyncDisposable {
  /** Returns the number of steps that wait for a thread. */
  waiting(): RenderingsWaiting;
}

/** Seconds after which a refused caller may try again; most work takes less. */
const retryAfter = 2;

const refusals: Refusals = {
  caller: (held) =>
    tooManyRequests(say('problem.longTextsOfYoursAreAlreadyBeing2', { held, retryAfter }), retryAfter),
  all: () => new Problem('unavailable', say('problem.tooManyLongTextsAreBeingProcessed')),
};

export function createThreadedLanguage(limits: Partial<CpuLimits> = {}): ThreadedLanguage {
  const plain = createLanguage(undefined, threadCpuMs, modulesThere);
  const { memberMs, strangerMs } = { ...defaultLimits, ...limits };
  const pages = { thread: newThread('helper'), queue: new FairQueue(pageBounds, refusals) };
  const aside = { thread: newThread('aside'), queue: new FairQueue(asideBounds, refusals) };
  const recent = new RecentDocuments<Dialect>();
  let loaded: ReturnType<typeof load> | undefined;
  let derivedMs = 0;

  function languageFor(behalf: Behalf): Language {
    const { isAside, isAnonymous, caller, admit, spend } = behalf;
    const { thread, queue } = isAside ? aside : pages;
    const { maxLength, maxCalls, readMicroseconds, cpuMs } = isAside ? asideHere : pageHere;
    const bounds = isAside && isAnonymous ? strangersBounds : undefined;
    // Anonymous callers who read or save pages share one account.
    const isShared = behalf === memberAtPage;
    let hereMs = isShared ? Number.POSITIVE_INFINITY : cpuMs;
    const limitMs = isAside && isAnonymous ? strangerMs : memberMs;
    let thereMs = limitMs;

    const taken = (ms: number) => {
      hereMs -= ms;
      spend(ms);
    };
    /** Steps on the main thread run without interruption, so its clock measures them alone. */
    const here = <R>(step: () => Promise<R>): Promise<R> => {
      const since = threadCpuMs();
      const result = step();
      taken(threadCpuMs() - since);
      return result;
    };
    const onThread = async <R extends Answer['value']>(task: Task, ownLimitMs?: number): Promise<R> => {
      admit();
      return queue.run({ rank: isAnonymous ? 1 : 0, caller }, async () => {
        const cpuLimitMs = ownLimitMs ?? (isShared ? limitMs : thereMs);
        if (cpuLimitMs <= 0) throw new TooCostly();
        const signal = AbortSignal.timeout(wallMs);
        try {
          const { value, cpuMs } = await thread.run(task, { signal, cpuLimitMs });
          thereMs -= cpuMs;
          spend(cpuMs);
          return value as R;
        } catch (error) {
          const isTooMuch = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
          if (!(error instanceof CpuLimitReached) && !isTooMuch && !signal.aborted) throw error;
          thereMs = 0;
          spend(cpuLimitMs);
          throw new TooCostly();
        }
      });
    };

    const isShort = (text: string, format: Format) =>
      hereMs > 0 && estimate(text, format, readMicroseconds) <= readMicroseconds;
    const isShortExpanded = (text: ExpandedText, times = 1) =>
      hereMs > 0 && times * estimateExpanded(text, readMicroseconds) <= readMicroseconds;

    return {
      async expand(body, format, context) {
        if (isShort(body, format)) {
          const few = { expandedLength: maxLength, calls: maxCalls };
          const expanded = await here(() => plain.expand(body, format, { ...context, bounds: few })).catch(
            (error: unknown) => {
              if (!(error instanceof RunsModule)) throw error;
            },
          );
          if (expanded && !expanded.isCut) return expanded;
        }
        const bounded: PlainContext = { ...context, ...(bounds ? { bounds } : {}) };
        return onThread<ExpandedBody>({ step: 'expand', body, format, context: bounded });
      },
      async open(text, path, read) {
        const drawThere = (resolved: PlainResolved, output: Output | undefined) =>
          onThread<Rendered>({ step: 'draw', text, path, resolved, output, patienceMs: limitMs / 3 });
        // A text that was parsed already is drawn from its tree.
        if (!read && !isShortExpanded(text))
          return {
            references: await onThread<References>({ step: 'references', text, path }),
            draw: drawThere,
          };
        loaded ??= load();
        const { languages, TakesLong } = await loaded;
        const language = languages[isAside ? 'aside' : 'page'];
        const { references, draw } = await here(() => language.open(text, path, read));
        return {
          references,
          draw: (resolved, output) =>
            output === 'markdown' && !isShortExpanded(text, markdownWeight)
              ? drawThere(resolved, output)
              : here(() => draw(resolved, output)).catch((error: unknown) => {
                  if (error instanceof TakesLong) return drawThere(resolved, output);
                  throw error;
                }),
        };
      },
      parts: (source, dialect) =>
        isShort(source.body, source.format)
          ? here(() => plain.parts(source, dialect))
          : onThread<SourceParts>({ step: 'parts', source, dialect }),
      compare: (from, to) =>
        from.length + to.length <= maxComparedHere
          ? here(() => plain.compare(from, to))
          : onThread<Comparison>({ step: 'compare', from, to }).catch(refuseComparison),
      compareParagraphs(texts) {
        const { before, after, translation = '' } = texts;
        return before.length + after.length + translation.length <= maxComparedHere
          ? here(() => plain.compareParagraphs(texts))
          : onThread<Untranslated[]>({ step: 'compare paragraphs', texts }).catch(refuseComparison);
      },
      compareShown: (from, to) =>
        from.length + to.length <= maxComparedHere
          ? here(() => plain.compareShown(from, to))
          : onThread<string>({ step: 'compare shown', from, to }).catch(refuseComparison),
      copyLinks: (source, copied, dialect) =>
        isShort(source.body, source.format)
          ? here(() => plain.copyLinks(source, copied, dialect))
          : onThread<string>({ step: 'copy links', source, copied, dialect }).catch(refuseCostly),
      carryQuotes(...given) {
        const [{ before, after }, quotes, changeId] = given;
        return before.length + after.length <= maxComparedHere && quotes.length <= maxCarriedHere
          ? here(() => plain.carryQuotes(...given))
          : onThread<Carried>({ step: 'carry quotes', given }).catch((error: unknown) => {
              if (!(error instanceof TooCostly)) throw error;
              const at = { start: 0, end: 0, state: 'gone' as const };
              const gone = quotes.map((quote) => ({ ...quote, ...at, goneId: quote.goneId ?? changeId }));
              return { quotes: gone, left: 0 };
            });
      },
      document(source, dialect) {
        if (isShort(source.body.repeat(documentTimes), source.format))
          return here(() => plain.document(source, dialect));
        const read = () => onThread<string>({ step: 'document', source, dialect }).catch(refuseCostly);
        // Strangers pay for each one.
        return isAnonymous ? read() : recent.of(source, dialect, read);
      },
      // Whatever the length of the body is, the document may be long.
      patch: (source, document, dialect) =>
        onThread<Patched>({ step: 'patch', source, document, dialect }).catch(refuseCostly),
      async derive(content, dialect) {
        const { body, format } = content;
        if (isShort(body, format) && body.length <= maxLength) {
          const since = threadCpuMs();
          const derived = deriveAndRead(content, dialect);
          derivedMs += threadCpuMs() - since;
          if (derivedMs > derivingMs) {
            derivedMs = 0;
            await yieldToEventLoop();
          }
          return derived;
        }
        const fields = Object.fromEntries(derivedFields.map((field) => [field, content[field]]));
        const task: Task = { step: 'derive', content: fields as unknown as DerivedFields, dialect };
        // A save has a limit of its own, which no page within the limits of the languages exceeds.
        return onThread<DerivedContent>(task, defaultLimits.memberMs).catch(refuseCostly);
      },
      on: languageFor,
    };
  }

  return {
    ...languageFor(memberAtPage),
    waiting() {
      const [members = 0, strangers = 0] = aside.queue.waiting;
      const pagesWaiting = pages.queue.waiting.reduce((sum, waiting) => sum + waiting, 0);
      return { pages: pagesWaiting, 'member previews': members, 'stranger previews': strangers };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pages, aside].map(({ thread }) => thread[Symbol.asyncDispose]()));
    },
  };
}

function refuseComparison(error: unknown): never {
  if (!(error instanceof TooCostly)) throw error;
  throw new Problem('timeout', say('problem.comparingTheseVersionsTakesTooLongBecause'));
}

function refuseCostly(error: unknown): never {
  if (!(error instanceof TooCostly)) throw error;
  throw new Problem('too-large', say('problem.thisTextTakesTooLongToProcess'));
}

/** Thrown if a page calls a module, which needs a thread. */
class RunsModule extends Error {}

/** Modules never run on the main thread. Until the modules of a page have been fetched, there is nothing to run. */
const modulesThere: ModuleRunner = {
  begin: () => ({
    invoke: ({ arguments: [name], frame }) => {
      const module = moduleName(`Module:${name?.value}`);
      if (module === undefined) return undefined;
      if (frame.source(module) === undefined) return '';
      throw new RunsModule();
    },
    problems: () => [],
  }),
};

/** A caller who reads or writes a long page often does so again soon, and a new thread takes some 300 ms to start. */
const idleMs = 60_000;

function newThread(priority: 'helper' | 'aside'): Thread<Task, Answer> {
  const options = { workerData: priority, resourceLimits: { maxOldGenerationSizeMb: 512 } };
  return new Thread(new URL('./language-worker.ts', import.meta.url), options, idleMs);
}

/** Loaded for the first page instead of at the start, because it takes a tenth of a second. */
async function load() {
  const [{ hooksOnThisThread }, { TakesLong }] = await Promise.all([
    import('./hooks.ts'),
    import('./allowance.ts'),
  ]);
  const languages = {
    page: createLanguage(() => hooksOnThisThread(20), threadCpuMs),
    aside: createLanguage(() => hooksOnThisThread(10), threadCpuMs),
  };
  return { languages, TakesLong };
}
