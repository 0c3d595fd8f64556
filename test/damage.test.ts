/** What is damaged is named, and all the rest is checked, rebuilt, backed up and restored. */
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createPage } from '#domain/create-page.ts';
import { editPage } from '#domain/edit-page.ts';
import { createRenderer } from '#domain/render.ts';
import { startWiki, type TestWiki } from './cli-support.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };

test('damaged changes, lost and altered bytes are named by every command, and the rest is restored', async () => {
  await using wiki = await filled();
  meddle(wiki, (db) => {
    db.exec(
      `update changes set content = substr(content, 1, 20) where id = (select change_id from pages where path = '/oak')`,
    );
    db.exec(
      `update changes set content = '{"title":7}' where id = (select change_id from pages where path = '/elm')`,
    );
    db.exec(`insert into changes (page_id, at, editor_id, content) values (999, 1, 1, '{}')`);
  });
  const [lost, altered] = await filesOf(wiki);
  await (async () => {
    await using opened = await wiki.open();
    await opened.files.store.remove(lost ?? '');
  })();
  const bytes = join(
    wiki.env.COPPICE_DATA ?? '',
    'files',
    altered?.slice(0, 2) ?? '',
    altered?.slice(2, 4) ?? '',
    altered ?? '',
  );
  writeFileSync(bytes, 'evil');

  const checked = await wiki.coppice(['check']);
  expect(checked.code).toBe(1);
  for (const found of [
    /Change \d+ of page 1 at \/oak is damaged: its content is no JSON/,
    /Change \d+ of page 2 at \/elm is damaged: its content has no usable title/,
    /Change \d+ of page 999 is damaged/,
    new RegExp(`The bytes of file ${lost} are missing`),
    new RegExp(`The bytes of file ${altered} are not those`),
  ])
    expect(checked.out).toMatch(found);

  const rebuilt = await wiki.coppice(['rebuild']);
  expect(rebuilt.code).toBe(1);
  expect(rebuilt.out).toContain('Page 1 at /oak is left as it is');
  expect(rebuilt.out).toContain('Page 2 at /elm is left as it is');

  const file = join(wiki.folder, 'backup.tar.gz');
  const made = await wiki.coppice(['backup', file]);
  expect(made.code).toBe(1);
  expect(made.out).toMatch(/Change \d+ of page 1 at \/oak: its content is no JSON/);
  expect(made.out).toContain(`file ${altered} are damaged`);
  expect(readdirSync(wiki.folder).filter((name) => name.includes('.part'))).toEqual([]);
  const verified = await wiki.coppice(['backup', '--verify', file]);
  expect([verified.code, verified.out]).toEqual([1, expect.stringContaining('/oak')]);

  await using other = await startWiki();
  const refused = await other.coppice(['restore', file]);
  expect([refused.code, refused.out]).toEqual([1, '']);
  const restored = await other.coppice(['restore', file, '--skip-damaged']);
  expect(restored.code).toBe(1);
  expect(restored.out).toContain('Not restored: Page 2 at /elm: none of its changes is whole');
  expect(restored.out).toContain(`${altered} are damaged`);
  await using opened = await other.open();
  expect((await opened.store.pages.findByPath('/oak'))?.content.body).toBe('first');
  expect(await opened.store.pages.findByPath('/elm')).toBeUndefined();
  expect((await opened.store.pages.findByPath('/elm/leaf'))?.content.body).toBe('whole');
  expect((await other.coppice(['check'])).out).not.toMatch(/Page|Change/);
});

test('a page of the database file that holds something else is gone around', async () => {
  await using wiki = await filled();
  const file = join(wiki.env.COPPICE_DATA ?? '', 'coppice.db');
  const data = new DatabaseSync(file);
  data.exec(`insert into changes (page_id, at, editor_id, content) with recursive n (i) as (select 1 union all select i + 1 from n where i < 40)
    select 3, i, 1, (select content from changes where page_id = 3 limit 1) from n; pragma wal_checkpoint(truncate)`);
  const { pageno, size } = data
    .prepare(
      `select pageno, pgsize as size from dbstat where name = 'changes' and pagetype = 'leaf' order by pageno desc limit 1 offset 2`,
    )
    .get() as { pageno: number; size: number };
  data.close();
  const db = new DatabaseSync(file);
  db.close();
  const { openSync, writeSync, closeSync } = await import('node:fs');
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 'garbage'), 0, size, (pageno - 1) * size);
  closeSync(handle);

  const checked = await wiki.coppice(['check']);
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(/Change \d+ of page 3 at \S+ cannot be read/);
  // Where the damage lies decides whether the rest of the file can still be verified.
  expect(checked.out).toMatch(/The database file is damaged|the database file from being checked/);
  const rebuilt = await wiki.coppice(['rebuild']);
  expect(rebuilt.code).toBe(1);
  const backup = join(wiki.folder, 'backup.tar.gz');
  const made = await wiki.coppice(['backup', backup]);
  expect(made.code).toBe(1);
  expect(made.out).toMatch(/Change \d+ of page 3 at \S+ cannot be read/);
  await using other = await startWiki();
  expect((await other.coppice(['restore', backup, '--skip-damaged'])).err).toBe('');
  await using opened = await other.open();
  expect((await opened.store.pages.findByPath('/oak'))?.content.body).toBe('second');
});

test('a whole backup is verified as such, half of one is not', async () => {
  await using wiki = await filled();
  const file = join(wiki.folder, 'backup.tar.gz');
  expect((await wiki.coppice(['backup', file])).code).toBe(0);
  expect(await wiki.coppice(['backup', '--verify', file])).toMatchObject({ code: 0 });
  truncateSync(file, 300);
  expect((await wiki.coppice(['backup', '--verify', file])).code).toBe(1);
});

test('bytes that a killed restore has left do not keep it from being repeated, those of others do', async () => {
  await using wiki = await filled();
  const file = join(wiki.folder, 'backup.tar.gz');
  await wiki.coppice(['backup', file]);
  for (const [text, code] of [
    ['note /oak', 0],
    ['of another wiki', 1],
  ] as const) {
    await using other = await startWiki();
    {
      await using opened = await other.open();
      await opened.files.store.put(Buffer.from(text), 1000);
    }
    expect((await other.coppice(['restore', file])).code).toBe(code);
  }
});

/** `/oak` with two changes, `/elm` with one and a page beneath it; each has a file. */
async function filled(): Promise<TestWiki> {
  const wiki = await startWiki();
  await wiki.administrator();
  await using opened = await wiki.open();
  const { store, files } = opened;
  const note = async (path: string) => {
    const blob = await files.store.put(Buffer.from(`note ${path}`), 1000);
    return [{ file: { filename: 'note.txt', blob } }];
  };
  await createPage(store, files, ada, { title: 'Oak', body: 'first', files: await note('/oak') }, 1);
  await createPage(store, files, ada, { title: 'Elm', body: 'only', files: await note('/elm') }, 2);
  await createPage(store, files, ada, { title: 'Leaf', parent: '/elm', body: 'whole' }, 3);
  await editPage(store, files, createRenderer(''), ada, '/oak', { body: 'second' }, 4);
  return wiki;
}

async function filesOf(wiki: TestWiki): Promise<string[]> {
  await using opened = await wiki.open();
  return Array.fromAsync(opened.store.upkeep.fileHashes());
}

function meddle(wiki: TestWiki, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(wiki.env.COPPICE_DATA ?? '', 'coppice.db'));
  db.exec('pragma foreign_keys = off');
  work(db);
  db.close();
}
