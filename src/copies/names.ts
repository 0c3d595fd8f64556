/**
 * Objects of a continuous copy of a database. A run begins whenever the changes before are not known, such as at a start:
 *
 * - `runs/<time>-<random>/<number>-<ms>.pages`: pages that changed, numbered from 1 without a gap. With all before, it gives the
 *   database as it was at that time.
 * - `runs/<run>/base-<from>`: the file of the database, read while it was written. What is torn or older is in the changes from
 *   `from` on.
 * - `runs/<run>/base-<from>-<until>-<ms>.whole`: says that the base is complete, and becomes the database of that time with the changes
 *   up to `until`.
 *
 * Beside them lie `files/ab/cd/<SHA-256>`, the key encrypted to its recipient as `key.age`, and `owner`.
 */
import { randomBytes } from 'node:crypto';

/** Files in the data folder. Their times of modification say up to when everything is copied, and when the copy was checked. */
export const copiedFile = 'last-copy';
export const checkedFile = 'last-copy-check';
export const runsPrefix = 'runs/';
export const ownerName = 'owner';
export const keyName = 'key.age';
export const filesPrefix = 'files/';

export interface Base {
  run: string;
  from: number;
  until: number;
  at: number;
}

interface Changes {
  number: number;
  at: number;
}

/** Found objects of a run. */
export interface Run {
  bases: Base[];
  changes: Changes[];
}

/** Its name follows that of the run before, although the clock may have been ahead then. */
export function newRun(at: number, before: string | undefined): string {
  const time = Math.max(at, before === undefined ? 0 : beginOf(before) + 1);
  return `${new Date(time).toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`;
}

function beginOf(run: string): number {
  return Date.parse(
    run.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-.*$/s, '$1-$2-$3T$4:$5:$6.$7Z'),
  );
}

export function changesName(run: string, { number, at }: Changes): string {
  return `${runsPrefix}${run}/${String(number).padStart(9, '0')}-${at}.pages`;
}

export function baseName({ run, from }: Pick<Base, 'run' | 'from'>): string {
  return `${runsPrefix}${run}/base-${from}`;
}

export function wholeName(base: Base): string {
  return `${baseName(base)}-${base.until}-${base.at}.whole`;
}

export function fileName(hash: string): string {
  return `${filesPrefix}${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** Runs by name and their bases by number, in the order in which they were made, whatever the clock said. */
export async function readRuns(names: AsyncIterable<string>): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>();
  for await (const name of names) {
    const [, run = '', object = ''] = /^runs\/(\d{8}T\d{9}Z-[0-9a-f]{6})\/(.+)$/.exec(name) ?? [];
    if (run === '') continue;
    const found = runs.get(run) ?? { bases: [], changes: [] };
    runs.set(run, found);
    const base = /^base-(\d+)-(\d+)-(\d+)\.whole$/.exec(object)?.slice(1).map(Number);
    if (base) found.bases.push({ run, from: base[0] ?? 0, until: base[1] ?? 0, at: base[2] ?? 0 });
    const changes = /^(\d+)-(\d+)\.pages$/.exec(object)?.slice(1).map(Number);
    if (changes) found.changes.push({ number: changes[0] ?? 0, at: changes[1] ?? 0 });
  }
  for (const { bases, changes } of runs.values()) {
    bases.sort((a, b) => a.from - b.from || a.until - b.until);
    changes.sort((a, b) => a.number - b.number);
  }
  return new Map([...runs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Objects that give the last state up to `at`, and the time of that state. Undefined if no base is that old. A later run counts
 * for more than one that a clock has dated later. */
export function planRestore(
  runs: ReadonlyMap<string, Run>,
  at: number,
): { base: Base; changes: Changes[]; at: number } | undefined {
  let best: { base: Base; changes: Changes[]; at: number } | undefined;
  for (const { bases, changes } of runs.values()) {
    const base = bases.findLast((base) => base.at <= at);
    if (!base) continue;
    const following: Changes[] = [];
    for (const one of changes) {
      if (one.number < base.from) continue;
      // Up to `until`, changes belong to the base, whatever the clock said.
      const isNext =
        one.number === base.from + following.length && (one.number <= base.until || one.at <= at);
      if (!isNext) break;
      following.push(one);
    }
    if (base.from + following.length <= base.until) continue;
    best = { base, changes: following, at: Math.max(base.at, following.at(-1)?.at ?? 0) };
  }
  return best;
}

/** Whole runs, and single objects, that no state since `keptFrom` needs. */
export function superseded(
  runs: ReadonlyMap<string, Run>,
  keptFrom: number,
): { runs: string[]; objects: string[] } {
  const all = [...runs];
  const latest = all.findLastIndex(([, { bases }]) => bases.some(({ at }) => at <= keptFrom));
  const [run = '', found] = all[latest] ?? [];
  const kept = found?.bases.findLast(({ at }) => at <= keptFrom);
  if (!found || !kept) return { runs: [], objects: [] };
  const bases = found.bases.filter(({ from }) => from < kept.from);
  return {
    runs: all.slice(0, latest).map(([name]) => name),
    objects: [
      // The statement that a base is whole goes first.
      ...bases.flatMap((base) => [wholeName(base), baseName(base)]),
      ...found.changes.filter(({ number }) => number < kept.from).map((one) => changesName(run, one)),
    ],
  };
}
