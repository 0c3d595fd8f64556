/** Paths are kept unique by the index from which lists are read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPage } from '#core/pages/create-page.ts';
import { openStore } from '#run/open-store.ts';
import { noFiles } from '#test/support/no-files.ts';
import { administrator, withMembers } from '#test/support/write-pages.ts';

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

test('no statement gives a page the path of another', async () => {
  const file = join(folder, 'new.db');
  await using store = await openStore({ kind: 'sqlite', file });
  await withMembers(store);
  at(file, (db) => {
    db.exec(
      `${insertPage('/elm')}; ${insertPage('/birch')}; delete from pages where id = 2; ${insertPage('/Ash')}`,
    );
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
  for (const start of ['/as', 'ash', '/AS'])
    expect(await store.readAs(administrator).pages.complete(start, 9)).toMatchObject([{ path: '/Ash' }]);
  await expect(
    createPage({ store, files: noFiles, actor: administrator, now: 5 }, { title: 'Elm', path: '/elm' }),
  ).rejects.toMatchObject({ code: 'path-taken' });
});

test('a path that two pages have got by other means is reported', async () => {
  const file = join(folder, 'twice.db');
  await using store = await openStore({ kind: 'sqlite', file });
  await withMembers(store);
  expect(await store.maintenance.violations(9)).toEqual([]);
  at(file, (db) => db.exec(`drop trigger pages_unique_path; ${insertPage('/elm')}; ${insertPage('/elm')}`));
  expect(await store.maintenance.violations(99)).toContain('Several pages have the path /elm.');
});
