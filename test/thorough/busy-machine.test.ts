/** A busy machine does not make a page take longer. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import type { Language } from '#core/content/language.ts';
import { createThreadedLanguage } from '#markup/language.ts';

const page = { title: 'Start', path: '/start' };
const nothing = { templates: new Map(), exists: new Map(), listings: new Map() };

async function draw(language: Language, body: string, templates = new Map<string, string | null>()) {
  const expanded = await language.expand(body, 'wikitext', {
    ...nothing,
    templates,
    page,
    now: 0,
    dialect: defaultDialect,
  });
  const text = await language.open(expanded, page.path);
  const drawn = await text.draw({
    pages: new Map([['Mill', { path: '/mill', title: 'Mill' }]]),
    files: new Map(),
    page,
  });
  return { expanded, references: text.references, drawn };
}

const stranger = { isAside: true, isAnonymous: true, caller: '192.0.2.1', admit: () => {} };

test('a busy machine does not make a page take longer: only CPU time of the thread counts', async () => {
  const body = "'''a''b[[".repeat(6_000);
  await using unhurried = createThreadedLanguage();
  await draw(unhurried, body);
  let longestMs = 0;
  const spend = (ms: number) => {
    longestMs = Math.max(longestMs, ms);
  };
  await draw(unhurried.on({ ...stranger, isAside: false, spend }), body);
  // The start of a thread counts towards the limit as well.
  await using threaded = createThreadedLanguage({ memberMs: 1000 + 1.5 * longestMs });
  await draw(threaded, 'x '.repeat(100_000));
  const others = Array.from(
    { length: 4 * availableParallelism() },
    () => new Worker('for (;;);', { eval: true }),
  );
  try {
    const { drawn } = await draw(threaded, body);
    expect(drawn.html.slice(0, 100)).toContain('<b>a');
  } finally {
    await Promise.all(others.map((other) => other.terminate()));
  }
});
