/** Paths are unique by the index that lists are read from: in a new database, and in one that had a second index. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPage } from '#domain/pages/create-page.ts';
import { noFiles } from '#test/support/no-files.ts';
import { administrator, withMembers } from '#test/support/write-pages.ts';
import { migrate } from '../migrate.ts';
import * as schema from '../migrations/0001-schema.ts';
import { openStore } from '../store.ts';
import { dialect } from './dialect.ts';
import { openSqlite } from './engine.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'coppice-paths-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const taken = 'UNIQUE constraint failed: pages.path';
const insertPage = (
  path: string,
) => `insert into pages (path, path_key, slug, title, title_key, sort_key, description,
    depth, trail, permissions, audience, owner_id, change_id, created_at, updated_at)
  values ('${path}', '${path.toLowerCase()}', 'x', 'X', 'x', 'x', '', 0, '/', 774, 0, 1, 1, 1, 1)`;

function at<T>(file: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const schemaOf = (file: string) =>
  at(file, (db) =>
    db
      .prepare(
        `select name, sql from sqlite_schema where tbl_name = 'pages' and type <> 'table' order by name`,
      )
      .all(),
  );

/** A database of the first migration, with two pages. */
function earlier(name: string, ...more: string[]): string {
  const file = join(folder, name);
  at(file, (db) => {
    db.exec('create table migrations (name text primary key) strict');
    for (const statement of schema.statements(dialect.words)) db.exec(statement);
    db.exec(`insert into migrations values ('${schema.name}');
      insert into members (id, email, email_key, name, is_admin, is_active, epoch, created_at)
        values (1, 'ann@example.org', 'ann@example.org', 'Ann', 1, 1, 1, 1);
      ${insertPage('/elm')}; ${insertPage('/Ash')};
      insert into changes (page_id, at, editor_id, content) values (1, 1, 1, '{}'); ${more.join(';')}`);
  });
  return file;
}

async function newSchema(): Promise<unknown> {
  const file = join(folder, 'new.db');
  await using store = await openStore({ kind: 'sqlite', file });
  return store && schemaOf(file);
}

test('a database with two indexes of paths is left with one, and its paths stay unique', async () => {
  const file = earlier('two.db', 'delete from pages where id = 2', insertPage('/Ash'));
  {
    await using store = await openStore({ kind: 'sqlite', file });
    expect(schemaOf(file)).toEqual(await newSchema());
    for (const start of ['/as', 'ash', '/AS'])
      expect(await store.readAs(administrator).pages.complete(start, 9)).toMatchObject([{ path: '/Ash' }]);
    await expect(
      createPage(store, noFiles, administrator, { title: 'Elm', path: '/elm' }, 5),
    ).rejects.toMatchObject({ code: 'path-taken' });
  }
  at(file, (db) => {
    expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(() => db.exec(insertPage('/elm'))).toThrow(taken);
    const [start, values = ''] = insertPage('/oak').split(/(?<=values )/);
    expect(() => db.exec(`${start} ${values}, ${values}`)).toThrow(taken);
    expect(() => db.exec(insertPage('/elm').replace('insert', 'insert or replace'))).toThrow(taken);
    for (const or of ['', 'or replace'])
      expect(() => db.exec(`update ${or} pages set path = '/elm' where id = 3`)).toThrow(taken);
    expect(() => db.exec(`update pages set path = '/oak'`)).toThrow(taken);
    db.exec(`update pages set path = '/elm', title = 'Elm' where id = 1; ${insertPage('/oak')}`);
    // An ID that was given once is not given again.
    expect(db.prepare('select id, path from pages order by id').all()).toEqual([
      { id: 1, path: '/elm' },
      { id: 3, path: '/Ash' },
      { id: 4, path: '/oak' },
    ]);
  });
});

test('one that is brought over while it is filled is given the indexes of now', async () => {
  const ofPages = `type = 'index' and sql is not null and tbl_name = 'pages' and name not in ('pages_hidden', 'pages_by_id')`;
  const file = earlier(
    'bulk-load.db',
    'create table bulk_load (name text primary key, statement text not null) strict',
    `insert into bulk_load select name, sql from sqlite_schema where ${ofPages}`,
  );
  at(file, (db) => {
    for (const { name } of db.prepare('select name from bulk_load').all()) db.exec(`drop index ${name}`);
  });
  await using engine = openSqlite(file, {});
  await migrate(engine);
  expect(() => at(file, (db) => db.exec(insertPage('/elm')))).toThrow(taken);
  while (await engine.transact((db) => engine.makeNextIndex(db)));
  expect(schemaOf(file)).toEqual(await newSchema());
});

test('a path that two pages were given behind its back is told', async () => {
  const file = join(folder, 'twice.db');
  await using store = await openStore({ kind: 'sqlite', file });
  await withMembers(store);
  expect(await store.maintenance.violations(9)).toEqual([]);
  at(file, (db) => db.exec(`drop trigger pages_unique_path; ${insertPage('/elm')}; ${insertPage('/elm')}`));
  expect(await store.maintenance.violations(99)).toContain('Several pages have the path /elm.');
});
