import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const bounds = [
  { maxWaiting: 10, maxPerCaller: 10 },
  { maxWaiting: 4, maxPerCaller: 3 },
];

const refusals = {
  caller: (held: number) => new Error(`${held} of one caller`),
  all: () => new Error('crowded'),
};

/** Runs tasks one at a time, each until the next tick, and records their order. */
function recorder(queue: FairQueue) {
  const order: string[] = [];
  const add = (rank: number, caller: string | undefined, name: string) =>
    queue.run({ rank, caller }, async () => {
      order.push(name);
      await turn();
    });
  return { order, add };
}

test('a lower rank goes first, whenever it arrived, and callers alternate within a rank', async () => {
  const { order, add } = recorder(new FairQueue(bounds, refusals));
  await Promise.all([
    add(1, 'a', 'a1'),
    add(1, 'a', 'a2'),
    add(1, 'a', 'a3'),
    add(1, 'b', 'b1'),
    add(0, 'c', 'c1'),
    add(0, 'c', 'c2'),
  ]);
  expect(order).toEqual(['a1', 'c1', 'c2', 'a2', 'b1', 'a3']);
});

test('a caller has few slots, and a refusal says when to retry', async () => {
  const { order, add } = recorder(new FairQueue(bounds, refusals));
  const under = [add(1, 'a', 'a1'), add(1, 'a', 'a2'), add(1, 'a', 'a3')];
  await expect(add(1, 'a', 'a4')).rejects.toThrow('3 of one caller');
  under.push(add(1, 'b', 'b1'));
  await Promise.all(under);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  await add(1, 'a', 'a5');
  expect(order.at(-1)).toBe('a5');
});

test('in a full rank the caller with most waiting requests gives way to one with fewer', async () => {
  const { order, add } = recorder(new FairQueue(bounds, refusals));
  const under = [
    add(1, 'x', 'x1'),
    add(1, 'a', 'a1'),
    add(1, 'a', 'a2'),
    add(1, 'a', 'a3'),
    add(1, 'b', 'b1'),
  ];
  const outcomes = Promise.allSettled(under);
  under.push(add(1, 'c', 'c1'), add(1, 'd', 'd1'));
  // Each caller has one task waiting now.
  await expect(add(1, 'e', 'e1')).rejects.toThrow('crowded');
  under.push(add(0, 'e', 'e0'));
  const [, , a2, a3] = await outcomes;
  expect([a2, a3]).toMatchObject([{ reason: { message: 'crowded' } }, { reason: { message: 'crowded' } }]);
  await Promise.allSettled(under);
  expect(order).toEqual(['x1', 'e0', 'a1', 'b1', 'c1', 'd1']);
});

test('callers that cannot be distinguished have only the limit of the rank', async () => {
  const { order, add } = recorder(new FairQueue(bounds, refusals));
  const under = [1, 2, 3, 4, 5].map((n) => add(1, undefined, `${n}`));
  await expect(add(1, undefined, '6')).rejects.toThrow('crowded');
  await Promise.all(under);
  expect(order).toEqual(['1', '2', '3', '4', '5']);
});

test('failed work passes its turn to the next', async () => {
  const queue = new FairQueue(bounds, refusals);
  const failing = queue.run({ rank: 1, caller: 'a' }, () => Promise.reject(new Error('on purpose')));
  const next = queue.run({ rank: 1, caller: 'a' }, async () => 'done');
  await expect(failing).rejects.toThrow('on purpose');
  expect(await next).toBe('done');
});

test('reports how many wait in each rank, without running and finished ones', async () => {
  const queue = new FairQueue(bounds, refusals);
  const { add } = recorder(queue);
  const under = [add(1, 'a', 'a1'), add(1, 'a', 'a2'), add(1, 'b', 'b1'), add(0, 'c', 'c1')];
  expect(queue.waiting).toEqual([1, 2]);
  await Promise.all(under);
  expect(queue.waiting).toEqual([0, 0]);
});
