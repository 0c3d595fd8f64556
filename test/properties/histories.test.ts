/** The checker of histories: agrees with a search of all orders, accepts what a true register does, and finds planted faults. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { checkRegister, checkSet, type Read, type Write } from './histories.ts';

const write = (value: string, startedAt: number, endedAt: number, outcome: Write['outcome'] = 'done') => ({
  ...{ value, startedAt, endedAt, outcome },
});
const read = <Seen>(seen: Seen, startedAt: number, endedAt: number, lateByMs = 0): Read<Seen> => ({
  ...{ seen, startedAt, endedAt, lateByMs },
});

/** Tries every order of the operations that respects real time. */
function hasOrder(initial: string, writes: readonly Write[], reads: readonly Read<string>[]): boolean {
  const operations = [
    ...writes
      .filter(({ outcome }) => outcome !== 'failed')
      .map(({ value, startedAt, endedAt, outcome }) => ({
        ...{ value, startedAt, isWrite: true, mayBeLeftOut: outcome === 'unknown' },
        endedAt: outcome === 'unknown' ? Number.POSITIVE_INFINITY : endedAt,
      })),
    ...reads.map(({ seen, startedAt, endedAt, lateByMs = 0 }) => ({
      ...{ value: seen, startedAt: startedAt - lateByMs, endedAt, isWrite: false, mayBeLeftOut: false },
    })),
  ];
  const search = (left: typeof operations, value: string): boolean =>
    left.every(({ mayBeLeftOut }) => mayBeLeftOut) ||
    left.some((next) => {
      const others = left.filter((other) => other !== next);
      // Nothing comes after an operation that started when it had ended.
      if (others.some((other) => other.endedAt < next.startedAt)) return false;
      if (!next.isWrite && next.value !== value) return false;
      return search(others, next.isWrite ? next.value : value);
    });
  return search(operations, initial);
}

const interval = fc.tuple(fc.integer({ max: 12, min: 0 }), fc.integer({ min: 0, max: 6 }));

describe('a register', () => {
  test('has a violation exactly if no order of the operations explains the reads', () => {
    const outcomes = fc.constantFrom<Write['outcome']>('done', 'done', 'done', 'failed', 'unknown');
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(interval, outcomes), { maxLength: 4 }),
        fc.array(
          fc.tuple(interval, fc.constantFrom('0', '1', '2', '3', '4'), fc.integer({ min: 0, max: 2 })),
          {
            maxLength: 4,
          },
        ),
        (written, seen) => {
          const writes = written.map(([[at, long], outcome], n) =>
            write(String(n + 1), at, at + long, outcome),
          );
          const reads = seen.map(([[at, long], value, late]) => read(value, at, at + long, late));
          const isRight = hasOrder('0', writes, reads);
          verdicts.add(isRight);
          expect(checkRegister('0', writes, reads).length === 0).toBe(isRight);
        },
      ),
      { numRuns: effort(3000, 100_000) },
    );
    expect(verdicts.size).toBe(2);
  });

  test.each([
    ['an acknowledged write that was lost', [write('a', 1, 2)], [read('0', 3, 4)]],
    ['a stale read', [write('a', 1, 2), write('b', 3, 4)], [read('a', 5, 6)]],
    ['a value that comes and goes', [write('a', 1, 9)], [read('a', 2, 3), read('0', 4, 5)]],
    [
      'two readers who see two writes in different orders',
      [write('a', 1, 9), write('b', 1, 9)],
      [read('a', 2, 3), read('b', 4, 5), read('a', 6, 7)],
    ],
    ['a value that nobody wrote', [], [read('a', 1, 2)]],
    ['a refused write that was done', [write('a', 1, 2, 'failed')], [read('a', 3, 4)]],
    ['a value before its write', [write('a', 3, 4)], [read('a', 1, 2)]],
    ['an unknown write that was undone', [write('a', 1, 2, 'unknown')], [read('a', 3, 4), read('0', 5, 6)]],
    ['a read later than it may be', [write('a', 0, 1), write('b', 2, 3)], [read('a', 10, 11, 5)]],
  ])('shows %s', (_name, writes: Write[], reads: Read<string>[]) => {
    expect(checkRegister('0', writes, reads)).not.toEqual([]);
  });

  test('may be read late within the bound, and do what is unknown at any later time', () => {
    const late = [read('0', 6, 7, 5), read('a', 8, 9)];
    expect(checkRegister('0', [write('a', 1, 2)], late)).toEqual([]);
    const unknown = [write('a', 1, 2, 'unknown'), write('b', 3, 4)];
    expect(checkRegister('0', unknown, [read('b', 5, 6), read('a', 7, 8)])).toEqual([]);
  });

  test('with 20,000 operations is checked, and one wrong read among them is found', () => {
    const writes = Array.from({ length: 10_000 }, (_, n) => write(`v${n}`, 10 * n, 10 * n + 3));
    const reads = writes.map(({ value, startedAt }) => read(value, startedAt + 4, startedAt + 6));
    expect(checkRegister('0', writes, reads)).toEqual([]);
    expect(checkRegister('0', writes, reads.with(5000, read('v4998', 50_004, 50_006)))).toHaveLength(1);
  });
});

describe('a set', () => {
  const adds = [write('a', 1, 2), write('b', 3, 4), write('c', 5, 6, 'unknown'), write('d', 5, 6, 'failed')];

  test('whose reads have what was acknowledged before, and perhaps what was not, is right', () => {
    const reads = [read(['a'], 3, 3), read(['b', 'a'], 5, 6), read(['a', 'b', 'c'], 7, 8)];
    expect(checkSet(adds, [...reads, read(['a'], 8, 9, 5)])).toEqual([]);
  });

  test.each([
    ['a lost element', [read(['a'], 5, 6)], 'b was acknowledged at 4 and is missing'],
    ['an element twice', [read(['a', 'a'], 3, 3)], 'an element twice'],
    ['an element of nobody', [read(['a', 'x'], 3, 3)], 'nobody added it'],
    ['a refused element', [read(['a', 'b', 'd'], 7, 8)], 'refused'],
    ['an element too early', [read(['a', 'b', 'c'], 3, 4)], 'ended before it was added'],
    [
      'an element that was seen and is gone',
      [read(['a', 'b', 'c'], 7, 8), read(['a', 'b'], 9, 10)],
      'c was seen at 8 and is missing',
    ],
    ['a read that is later than it may be', [read(['a'], 9, 10, 4)], 'b was acknowledged'],
  ])('shows %s', (_name, reads: Read<string[]>[], sentence) => {
    expect(checkSet(adds, reads).join()).toContain(sentence);
  });
});
