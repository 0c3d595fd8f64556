import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { translate } from './errors.ts';
import { LongReads } from './long-reads.ts';

let folder: string;
let file: string;
let db: DatabaseSync;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-long-reads-'));
  file = join(folder, 'long.db');
  db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; create table pages (title text)');
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

test('others run while one statement takes long', async () => {
  await using reads = new LongReads(file, 2, async () => {});
  let isOver = false;
  const counted = reads.rows(countingTo(2_000_000), '1').finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await yieldToEventLoop();
  expect(await counted).toEqual([{ count: 2_000_000 }]);
  expect(turns).toBeGreaterThan(100);
});

test('many quick reads run during one time slice of slow ones', async () => {
  await using reads = new LongReads(file, 1, async () => {});
  await reads.rows(countingTo(1), '1');
  let answered = 0;
  const asked = Array.from({ length: 20 }, (_, i) =>
    reads.rows(countingTo(i), '2').then(() => {
      answered++;
    }),
  );
  // Lets statements be passed to the thread at once.
  await yieldToEventLoop();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  for (let turn = 0; turn < 3; turn++) await yieldToEventLoop();
  expect(answered).toBe(20);
  await Promise.all(asked);
});

test('equal reads of the same state share a result, and are repeated after a write', async () => {
  await using reads = new LongReads(file, 2, async () => {});
  const titles = { sql: 'select title from pages', parameters: [] };
  const [one, two] = [reads.rows(titles, '1'), reads.rows(titles, '1')];
  expect(await two).toBe(await one);
  db.exec(`insert into pages values ('Mill')`);
  const [old, fresh] = [reads.rows(titles, '1'), reads.rows(titles, '2')];
  expect(await fresh).toEqual([{ title: 'Mill' }]);
  // The running query is not shared, because it may have read before the write.
  expect(await fresh).not.toBe(await old);
});

test('an error of a statement is reported as if it had run here, and the next one runs', async () => {
  await using reads = new LongReads(file, 2, async () => {});
  const wrong = reads.rows({ sql: 'insert into pages values (1)', parameters: [] }, '1');
  const error = await wrong.catch((error: unknown) => error);
  expect(error).toMatchObject({ message: 'attempt to write a readonly database', errcode: 8 });
  expect(translate(error)).toMatchObject({ code: 'unavailable' });
  expect(await reads.rows(countingTo(3), '1')).toEqual([{ count: 3 }]);
});

test('very many concurrent reads are answered or refused with a time to retry', async () => {
  await using reads = new LongReads(file, 2, async () => {});
  const asked = Array.from({ length: 1400 }, (_, i) => reads.rows(countingTo(i + 1), '1'));
  const outcomes = await Promise.allSettled(asked);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(100);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
  expect(outcomes[99]).toMatchObject({ value: [{ count: 100 }] });
});

function countingTo(last: number) {
  const sql = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
    select count(*) as count from numbers`;
  return { sql, parameters: [last] };
}
