/** Writes that share a commit have the same outcome as if each had its own. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Database } from '../engine.ts';
import { CommitQueue } from './commit-queue.ts';

/** A table of unique numbers, with a check at commit that none exceeds 1,000. `sync` stands for syncing to disk. */
function open(sync = async () => {}) {
  const db = new DatabaseSync(':memory:');
  db.exec(`pragma foreign_keys = on; create table allowed (n integer primary key);
    create table numbers (n integer primary key references allowed (n) deferrable initially deferred)`);
  for (let n = 1; n <= 1000; n++) db.prepare('insert into allowed values (?)').run(n);
  let commits = 0;
  const changes = db.prepare('select total_changes() as count');
  const commitQueue = new CommitQueue(
    {
      tryBegin: () => {
        db.exec('begin immediate');
        return true;
      },
      commit: async () => {
        db.exec('commit');
        commits++;
      },
      sync,
      rollback: () => {
        if (db.isTransaction) db.exec('rollback');
      },
      writeCount: () => Number(changes.get()?.count),
    },
    {} as Database,
    Number.POSITIVE_INFINITY,
  );
  const insert = db.prepare('insert into numbers values (?)');
  return {
    /** Inserts all of them in one transaction, then rejects if told to. */
    add: (numbers: number[], refusal?: string) =>
      commitQueue.transact(async () => {
        for (const n of numbers) insert.run(n);
        if (refusal) throw new Error(refusal);
        return numbers.length;
      }),
    /** Counts after an insertion that is not kept. */
    try: (n: number, tried: number[]) =>
      commitQueue.transact(
        async () => {
          insert.run(n);
          tried.push(Number(db.prepare('select count(*) as n from numbers').get()?.n));
          throw new Error('tried');
        },
        { isTrial: true },
      ),
    count: () => db.prepare('select count(*) as n from numbers').get()?.n,
    commits: () => commits,
    close: async () => {
      await commitQueue[Symbol.asyncDispose]();
      db.close();
    },
  };
}

test('concurrent writes share a commit, and a single one has its own', async () => {
  const { add, count, commits } = open();
  expect(await Promise.all(Array.from({ length: 10 }, (_, i) => add([i + 1])))).toHaveLength(10);
  expect(commits()).toBe(1);
  expect(await add([11, 12])).toBe(2);
  expect([commits(), count()]).toEqual([2, 12]);
});

test('a group is limited, and all waiting writes get their turn', async () => {
  const { add, count, commits } = open();
  await Promise.all(Array.from({ length: 1000 }, (_, i) => add([i + 1])));
  expect(count()).toBe(1000);
  expect(commits()).toBeGreaterThan(1000 / 20);
});

test('several writes run between the time slices of other work', async () => {
  const { add } = open();
  let [turns, written] = [0, 0];
  const other = () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    turns++;
    if (written < 64) setImmediate(other);
  };
  setImmediate(other);
  await Promise.all(Array.from({ length: 64 }, (_, i) => add([i + 1]).then(() => written++)));
  expect(turns).toBeLessThan(32);
});

test('a write refused before it wrote leaves the others in their commit', async () => {
  const { add, count, commits } = open();
  const ends = await Promise.allSettled([add([1]), add([], 'no'), add([1]), add([2])]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(ends[1]).toMatchObject({ reason: { message: 'no' } });
  expect(ends[2]).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } });
  expect([commits(), count()]).toEqual([1, 2]);
});

test('a write refused after it wrote leaves nothing, and all others succeed', async () => {
  const { add, count } = open();
  const late = Array.from({ length: 9 }, (_, i) => add([100 + i]));
  const ends = await Promise.allSettled([add([1]), add([2, 3], 'late'), add([4]), add([5, 1]), ...late]);
  expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    false,
    ...late.map(() => true),
  ]);
  expect(count()).toBe(2 + late.length);
});

test('a dry run sees earlier writes, runs once, leaves nothing behind, and repeats no write', async () => {
  const { add, try: attempt, count, commits } = open();
  const tried: number[] = [];
  const ends = await Promise.allSettled([add([1]), add([2]), attempt(3, tried), add([4]), add([5])]);
  expect(ends.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect([tried, count(), commits()]).toEqual([[3], 4, 2]);
});

test('a write that makes the commit fail is the only one to fail', async () => {
  const { add, count } = open();
  const ends = await Promise.allSettled([add([1]), add([2000]), add([2])]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(count()).toBe(2);
  await add([3]);
  expect(count()).toBe(3);
});

test('each write sees the earlier ones in its group', async () => {
  const { add } = open();
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => add([7])));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('nobody is answered before the data is on disk, and new writes run meanwhile', async () => {
  const disk = Promise.withResolvers<void>();
  const { add, count } = open(() => disk.promise);
  const told: number[] = [];
  const ends = [1, 2, 3].map((n) => add([n]).then(() => told.push(n)));
  await expect.poll(count).toBe(3);
  ends.push(add([4]).then(() => told.push(4)));
  await expect.poll(count).toBe(4);
  expect(told).toEqual([]);
  disk.resolve();
  await Promise.all(ends);
  expect(told).toEqual([1, 2, 3, 4]);
});

test('after the disk has failed once no further write is acknowledged', async () => {
  const failures = [new Error('the disk is broken')];
  const { add } = open(async () => {
    for (const failure of failures.splice(0)) throw failure;
  });
  await expect(add([1])).rejects.toThrow('the disk is broken');
  await expect(add([2])).rejects.toThrow('the disk is broken');
});

test('writes after the end are refused, and started ones are carried out', async () => {
  const { add, close } = open();
  const before = add([1, 2]);
  const closing = close();
  await expect(add([3])).rejects.toMatchObject({ code: 'unavailable' });
  expect(await before).toBe(2);
  await closing;
  await expect(add([4])).rejects.toMatchObject({ code: 'unavailable' });
});
