/** Disk space used by a write, and writes to a full disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { createPages, draftOf } from '#core/pages/create-pages.ts';
import { openStore } from '#run/open-store.ts';
import { noFiles } from '#test/support/no-files.ts';
import { withMembers } from '#test/support/write-pages.ts';
import { migrate } from '../migrate.ts';
import { Checkpoints } from './checkpoints.ts';
import { openSqlite } from './engine.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-room-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a small page of a wiki of thousands writes less than 60 kB to the log', async () => {
  const file = join(folder, 'small.db');
  await using store = await openStore({ kind: 'sqlite', file });
  await withMembers(store);
  const ann = { memberId: 1, name: 'Ann', isAdmin: true };
  for (let from = 0; from < 3000; from += 100) {
    const texts = Array.from({ length: 100 }, (_, i) => ({
      title: `${word(from + i)} ${from + i}`,
      body: Array.from({ length: 60 }, (_, n) => word(from * i + n * n)).join(' '),
    }));
    for (const input of texts) input.body += ` [[${word(from)} ${from}]] [[kind: ${word(from)}]]`;
    await createPages(
      { store, files: noFiles, actor: ann, now: from },
      texts.map((input) => draftOf(input, store.dialect)),
    );
  }
  const db = new DatabaseSync(file);
  const { page_size: pageBytes } = db.prepare('pragma page_size').get() as { page_size: number };
  const logged = () => (db.prepare('pragma wal_checkpoint(noop)').get() as { log: number }).log;
  const sizes: number[] = [];
  for (let i = 0; i < 51; i++) {
    const before = logged();
    await createPage(
      { store, files: noFiles, actor: ann, now: 3000 + i },
      { title: `Of ${word(i * 31)} ${i}`, body: 'A small page.' },
    );
    sizes.push((logged() - before) * (pageBytes + 24));
  }
  db.close();
  expect(sizes.toSorted((a, b) => a - b)[25]).toBeLessThan(60_000);
});

describe('when the database has no space', () => {
  test('a write is tried again after space was freed, and is complete', async () => {
    const engine = openSqlite(join(folder, 'full.db'), {
      makeRoom: () => {
        hasRoom = true;
      },
    });
    await using _ = engine;
    let hasRoom = false;
    await migrate(engine);
    await engine.transact((db) => sql.raw('create table texts (text text)').execute(db));
    const write = () =>
      engine.transact(async (db) => {
        await sql.raw(`pragma max_page_count = ${hasRoom ? 1_000_000 : 1}`).execute(db);
        await sql`insert into texts values (${'long '.repeat(10_000)})`.execute(db);
      });
    await write();
    expect(hasRoom).toBe(true);
    const { rows } = await sql<{ count: number }>`select count(*) as count from texts`.execute(engine.reader);
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('a write without space at the second attempt is refused in a sentence, and the next that fits is saved', async () => {
    let runs = 0;
    const engine = openSqlite(join(folder, 'fuller.db'), {});
    await using _ = engine;
    await migrate(engine);
    await engine.transact((db) => sql.raw('create table texts (text text)').execute(db));
    const write = (pages: number) =>
      engine.transact(async (db) => {
        runs++;
        await sql.raw(`pragma max_page_count = ${pages}`).execute(db);
        await sql`insert into texts values (${'long '.repeat(10_000)})`.execute(db);
      });
    await expect(write(1)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no space on the disk'),
    });
    expect(runs).toBe(2);
    await write(1_000_000);
    const { rows } = await sql<{ count: number }>`select count(*) as count from texts`.execute(engine.reader);
    expect(rows).toEqual([{ count: 1 }]);
  });
});

test('on a nearly full disk the log is copied back sooner, and truncated', async () => {
  const file = join(folder, 'low.db');
  const db = new DatabaseSync(file);
  db.exec('pragma page_size = 2048; pragma journal_mode = wal; pragma wal_autocheckpoint = 0');
  db.exec('create table blobs (bytes blob)');
  await using usual = new Checkpoints(file, db, { askSpace: () => ({ freeBytes: 900, totalBytes: 1000 }) });
  await using low = new Checkpoints(file, db, { askSpace: () => ({ freeBytes: 10, totalBytes: 1000 }) });
  const pages = () =>
    db.prepare('pragma wal_checkpoint(noop)').get() as { log: number; checkpointed: number };
  db.exec(`insert into blobs with recursive n (i) as (select 1 union all select i + 1 from n where i < 500)
    select randomblob(1900) from n`);
  usual.look();
  await sleep(100);
  expect(pages()).toMatchObject({ checkpointed: 0 });
  low.look();
  while (pages().log > 0) await sleep(10);
  expect(pages().log).toBe(0);
  expect(db.prepare('select count(*) as count from blobs').get()).toEqual({ count: 500 });
  db.close();
});

/** One of some thousand, in no order. */
function word(n: number): string {
  return `w${((n * 7919) % 99_991).toString(36)}`;
}
