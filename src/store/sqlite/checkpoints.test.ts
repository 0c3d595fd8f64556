/** Heavy writing does not delay others by the checkpoints that it needs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { Checkpoints } from './checkpoints.ts';
import { openSqlite } from './engine.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-checkpoints-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('another thread copies the write-ahead log back, and nothing is lost', async () => {
  const file = join(folder, 'copied.db');
  const db = new DatabaseSync(file);
  db.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
  db.exec('create table blobs (bytes blob)');
  const state = db.prepare('pragma wal_checkpoint(noop)');
  await using checkpoints = new Checkpoints(file, db);
  const write = (pages: number) =>
    db.exec(`insert into blobs with recursive n (i) as (select 1 union all select i + 1 from n where i < ${pages})
      select randomblob(8000) from n`);

  write(3000);
  checkpoints.look();
  await sleep(100);
  expect(state.get()).toMatchObject({ checkpointed: 0 });
  write(3000);
  checkpoints.look();
  for (;;) {
    const { log, checkpointed } = state.get() as { log: number; checkpointed: number };
    if (log > 5000 && checkpointed === log) break;
    await sleep(10);
  }
  // When everything is copied, the next write restarts the log.
  write(1);
  expect((state.get() as { log: number }).log).toBeLessThan(10);
  expect(db.prepare('select count(*) as count from blobs').get()).toEqual({ count: 6001 });
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
});

test('when the log is long, long reads wait until it could restart', async () => {
  const file = join(folder, 'long.db');
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 10; create table texts (text text)');
  const reader = new DatabaseSync(file, { readOnly: true });
  await using checkpoints = new Checkpoints(file, db, { longPages: 20, patienceMs: 60_000 });
  const write = () => db.exec(`insert into texts values ('${'long '.repeat(20_000)}')`);
  const isThereRoom = (room: Promise<void>) => Promise.race([room.then(() => true), sleep(100, false)]);

  expect(await isThereRoom(checkpoints.makeRoom())).toBe(true);
  reader.exec('begin; select * from texts');
  write();
  const room = checkpoints.makeRoom();
  write();
  expect(await isThereRoom(room)).toBe(false);
  reader.exec('commit');
  expect(await isThereRoom(room)).toBe(false);
  write();
  // Everything was copied, so this restarts the log.
  db.exec('delete from texts where 1 = 0; insert into texts values (1)');
  await room;
  reader.close();
  db.close();
});

test('without writes, long reads wait at most once', async () => {
  const file = join(folder, 'still.db');
  const db = new DatabaseSync(file);
  db.exec(
    `pragma journal_mode = wal; create table texts (text text); insert into texts values ('${'long '.repeat(20_000)}')`,
  );
  await using checkpoints = new Checkpoints(file, db, { longPages: 5, patienceMs: 50 });
  await checkpoints.makeRoom();
  let isThereRoom = false;
  void checkpoints.makeRoom().then(() => {
    isThereRoom = true;
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(isThereRoom).toBe(true);
  db.close();
});

test('the text index keeps few segments, though no write merges them all', async () => {
  await using engine = openSqlite(join(folder, 'merged.db'), {});
  await migrate(engine);
  for (let pageId = 1; pageId <= 300; pageId++) {
    const text = { pageId, titleTerms: `title${pageId}`, bodyTerms: `word${pageId} tree` };
    await engine.transact((db) => engine.saveTexts(db, [text]));
  }
  const [parts] = (
    await sql<{ count: number }>`select count(distinct segid) as count from page_text_idx`.execute(
      engine.reader,
    )
  ).rows;
  expect(parts?.count).toBeLessThan(40);
  const found = await sql`select rowid from page_text where page_text match 'tree'`.execute(engine.reader);
  expect(found.rows).toHaveLength(300);
});
