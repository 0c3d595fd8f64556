import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const script = new URL('./priority.ts', import.meta.url).href;

test.runIf(process.platform === 'linux')('a thread lowers only its own priority', async () => {
  const before = getPriority();
  const priorities = await Promise.all(
    ['helper', 'aside'].map(async (kind) => {
      const worker = new Worker(
        `Promise.all([import(${JSON.stringify(script)}), import('node:os')]).then(([priority, os]) => {
          priority.lowerThreadPriority('${kind}');
          require('node:worker_threads').parentPort.postMessage(os.getPriority());
        })`,
        { eval: true },
      );
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      worker.once('message', resolve).once('error', reject);
      return promise.finally(() => worker.terminate());
    }),
  );
  expect(priorities).toEqual([Math.min(19, before + 10), Math.min(19, before + 15)]);
  expect(getPriority()).toBe(before);
});
