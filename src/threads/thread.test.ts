import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Thread } from './thread.ts';

const script = new URL(`data:text/javascript,
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (task) => {
    if (task === 'fail') throw new Error('on purpose');
    parentPort.postMessage(threadId);
  });`);

test('one thread does task after task', async () => {
  await using thread = new Thread<string, number>(script);
  expect(await thread.run('first')).toBe(await thread.run('second'));
});

test('one that is idle ends, and another does the next task', async () => {
  await using thread = new Thread<string, number>(script, {}, 1);
  const first = await thread.run('first');
  await sleep(50);
  expect(await thread.run('second')).not.toBe(first);
});

test('one that fails says so, and another does the next task', async () => {
  await using thread = new Thread<string, number>(script);
  const first = await thread.run('first');
  await expect(thread.run('fail')).rejects.toThrow('on purpose');
  expect(await thread.run('second')).not.toBe(first);
});
