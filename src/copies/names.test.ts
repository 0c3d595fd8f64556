/** Choice of the run and base for a restore, and of superseded ones, also if the clock jumped. */
import { expect, test } from 'vitest';
import { baseName, changesName, newRun, planRestore, readRuns, superseded, wholeName } from './names.ts';

const now = Date.parse('2026-05-01T10:00:00Z');
const day = 24 * 60 * 60 * 1000;

/** A run with a base, and changes at these times. */
function objectsOf(run: string, times: number[]): string[] {
  const base = { run, from: 1, until: 1, at: times[0] ?? 0 };
  const changes = times.map((at, i) => changesName(run, { number: i + 1, at }));
  return [baseName(base), wholeName(base), ...changes];
}

async function* listed(names: string[]): AsyncIterable<string> {
  yield* names;
}

test('a run follows the one before, which a clock that was ahead has dated later, and is restored', async () => {
  const ahead = newRun(now + day, undefined);
  const later = newRun(now, ahead);
  expect(later > ahead).toBe(true);
  expect(newRun(now + 2 * day, ahead).startsWith('20260503T100000000Z-')).toBe(true);
  const runs = await readRuns(
    listed([...objectsOf(later, [now, now + 1000]), ...objectsOf(ahead, [now + day, now + day + 1000])]),
  );
  expect([...runs.keys()]).toEqual([ahead, later]);
  expect(planRestore(runs, Number.POSITIVE_INFINITY)).toMatchObject({
    base: { run: later },
    at: now + 1000,
  });
  expect(planRestore(runs, now - 1)).toBeUndefined();
});

test('in a run whose clock went back, the base that was made last is the latest', async () => {
  const run = newRun(now, undefined);
  const [first, second, third] = [
    { run, from: 1, until: 1, at: now + 3 * day },
    { run, from: 4, until: 5, at: now },
    { run, from: 7, until: 8, at: now + day },
  ] as const;
  const bases = [first, second, third].flatMap((base) => [baseName(base), wholeName(base)]);
  const changes = Array.from({ length: 9 }, (_, i) => changesName(run, { number: i + 1, at: now + i }));
  const runs = await readRuns(listed([...bases, ...changes]));
  expect(planRestore(runs, Number.POSITIVE_INFINITY)?.base).toEqual(third);
  const old = superseded(runs, now + 12 * day);
  expect(old.objects).toEqual([
    ...[first, second].flatMap((base) => [wholeName(base), baseName(base)]),
    ...changes.slice(0, 6),
  ]);
  expect(old.runs).toEqual([]);
});
