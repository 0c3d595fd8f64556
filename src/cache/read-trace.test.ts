import { expect, test } from 'vitest';
import { ReadTrace } from './read-trace.ts';

test('without a recorded read, a response depends on anything and is shared with nobody', () => {
  const trace = new ReadTrace();
  expect([trace.dependencies, trace.sharedWith]).toEqual([undefined, undefined]);
});

test('a response is shared with readers allowed by each of its reads, and stays fresh if nothing it depends on changes', () => {
  const trace = new ReadTrace();
  trace.record([1, 2], 0);
  expect([trace.dependencies, trace.sharedWith]).toEqual([[1, 2], 0]);
  trace.record([2, 3], 1);
  expect([trace.dependencies, trace.sharedWith]).toEqual([[1, 2, 3], 1]);
  trace.record([], undefined);
  trace.record([4], 0);
  expect([trace.dependencies, trace.sharedWith]).toEqual([[1, 2, 3, 4], undefined]);
  trace.record('anything', 0);
  trace.record([5], 0);
  expect(trace.dependencies).toBeUndefined();
});

test('pages are named in the same order, whichever of two reads ends first', () => {
  const traced = (...reads: { id: number }[][]) => {
    const trace = new ReadTrace();
    for (const pages of reads) trace.show(pages);
    return trace.shows;
  };
  const [some, others] = [
    [{ id: 10 }, { id: 9 }],
    [{ id: 2 }, { id: 10 }],
  ];
  expect(traced(some, others)).toEqual([2, 9, 10]);
  expect(traced(others, some)).toEqual([2, 9, 10]);
});

test('the requested page comes before pages that are named beside it', () => {
  const trace = new ReadTrace();
  trace.show(Array.from({ length: 300 }, (_, id) => ({ id })));
  trace.showSubject({ id: 999 });
  trace.showSubject({ id: 7 });
  expect(trace.shows.slice(0, 4)).toEqual([7, 999, 0, 1]);
  expect(trace.shows).toHaveLength(301);
});

test('a cached read is recorded again, and the shortest time counts', () => {
  const trace = new ReadTrace();
  trace.replay({ dependencies: [7], sharedWith: 1, shows: [7] });
  expect([trace.dependencies, trace.sharedWith, trace.shows]).toEqual([[7], 1, [7]]);
  trace.replay({ dependencies: undefined, sharedWith: 0, shows: [] });
  expect(trace.dependencies).toBeUndefined();
  trace.expireIn(50);
  trace.expireIn(20);
  trace.expireIn(90);
  expect(trace.maxAgeMs).toBe(20);
});
