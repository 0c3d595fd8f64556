/** A busy machine does not make a page take longer. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createThreadedLanguage } from '#markup/language.ts';
import { draw } from '../support/draw.ts';

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
