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

test('an idle thread ends, and another does the next task', async () => {
  await using thread = new Thread<string, unknown>(script, {}, 1);
  const first = await thread.run('who');
  await sleep(50);
  expect(await thread.run('who')).not.toBe(first);
});

test('a failing thread reports its error, and another does the next task', async () => {
  await using thread = new Thread<string, unknown>(script);
  const first = await thread.run('who');
  await expect(thread.run('fail')).rejects.toThrow('on purpose');
  expect(await thread.run('who')).not.toBe(first);
});

test('queued tasks are answered in order', async () => {
  await using thread = new Thread<string, unknown>(script);
  const answers = ['a', 'b', 'c'].map((task) => thread.run(task));
  expect(thread.tasks).toBe(3);
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  expect(thread.tasks).toBe(0);
});

test('all tasks of a failing thread report its error, and later tasks run on another', async () => {
  await using thread = new Thread<string, unknown>(script);
  const outcomes = await Promise.allSettled(['fail', 'a'].map((task) => thread.run(task)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { message: 'on purpose' } });
  expect(await thread.run('b')).toBe('b');
});

test('nobody waits for a silent thread longer than their limit', async () => {
  await using thread = new Thread<string, unknown>(script);
  const first = await thread.run('who');
  const signal = AbortSignal.timeout(20);
  await expect(thread.run('silence', { signal })).rejects.toThrow('timeout');
  await expect(thread.run('who', { signal })).rejects.toThrow('timeout');
  expect(await thread.run('who')).not.toBe(first);
});

test('tasks of a terminated thread are reported, and nobody gets another task’s result', async () => {
  await using thread = new Thread<string, unknown>(script);
  const left = expect(thread.run('silence')).rejects.toThrow('has ended');
  await thread[Symbol.asyncDispose]();
  expect(await thread.run('a')).toBe('a');
  await left;
});

test('a task that cannot be sent is reported, and does not count', async () => {
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
