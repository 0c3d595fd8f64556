import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CpuLimitReached, Thread } from './thread.ts';

const script = new URL(`data:text/javascript,
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (task) => {
    if (task === 'forever') for (;;);
    if (task === 'fail') throw new Error('on purpose');
    if (task !== 'silence') parentPort.postMessage(task === 'who' ? threadId : task);
  });`);

test('one thread does task after task', async () => {
  await using thread = new Thread<string, unknown>(script);
  expect(await thread.run('who')).toBe(await thread.run('who'));
});

test('one that is idle ends, and another does the next task', async () => {
  await using thread = new Thread<string, unknown>(script, {}, 1);
  const first = await thread.run('who');
  await sleep(50);
  expect(await thread.run('who')).not.toBe(first);
});

test('one that fails says so, and another does the next task', async () => {
  await using thread = new Thread<string, unknown>(script);
  const first = await thread.run('who');
  await expect(thread.run('fail')).rejects.toThrow('on purpose');
  expect(await thread.run('who')).not.toBe(first);
});

test('tasks that come before the answers are answered in order', async () => {
  await using thread = new Thread<string, unknown>(script);
  const answers = ['a', 'b', 'c'].map((task) => thread.run(task));
  expect(thread.tasks).toBe(3);
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  expect(thread.tasks).toBe(0);
});

test('all tasks of one that fails say so, and those that come then are done by another', async () => {
  await using thread = new Thread<string, unknown>(script);
  const outcomes = await Promise.allSettled(['fail', 'a'].map((task) => thread.run(task)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { message: 'on purpose' } });
  expect(await thread.run('b')).toBe('b');
});

test('nobody waits longer than they want to for one that says nothing', async () => {
  await using thread = new Thread<string, unknown>(script);
  const first = await thread.run('who');
  const signal = AbortSignal.timeout(20);
  await expect(thread.run('silence', { signal })).rejects.toThrow('timeout');
  await expect(thread.run('who', { signal })).rejects.toThrow('timeout');
  expect(await thread.run('who')).not.toBe(first);
});

test('what one that was ended had to do is told, and nobody else is given its answer', async () => {
  await using thread = new Thread<string, unknown>(script);
  const left = expect(thread.run('silence')).rejects.toThrow('has ended');
  await thread[Symbol.asyncDispose]();
  expect(await thread.run('a')).toBe('a');
  await left;
});

test('what cannot be handed over is told, and counts as no task', async () => {
  await using thread = new Thread<unknown, unknown>(script);
  await expect(thread.run(() => 'a function')).rejects.toThrow('could not be cloned');
  expect(thread.tasks).toBe(0);
  expect(await thread.run('a')).toBe('a');
});

test('a limit of CPU time ends a task that computes, and never one that waits', async () => {
  await using thread = new Thread<string, unknown>(script);
  const first = await thread.run('who', { cpuLimitMs: 5000 });
  // Waits many times the limit while the thread does nothing.
  const waiting = await Promise.race([thread.run('silence', { cpuLimitMs: 20 }), sleep(500, 'waits')]);
  expect(waiting).toBe('waits');
  await thread[Symbol.asyncDispose]();
  await expect(thread.run('forever', { cpuLimitMs: 100 })).rejects.toThrow(CpuLimitReached);
  expect(await thread.run('who')).not.toBe(first);
});
