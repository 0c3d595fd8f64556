/** Damage is reported, and everything else is checked, rebuilt, backed up and restored. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { engines, runCommand, startWiki, type TestWiki } from '../support/cli.ts';
import { effort } from '../support/effort.ts';
import { type EngineName, freshPostgres } from '../support/postgres.ts';

const ada = { memberId: 1, name: 'Ada Lovelace', isAdmin: true };

test.each(engines)(
  'every command names damaged changes and lost or altered bytes, and the rest is restored: %s',
  async (engine) => {
    await using wiki = await filled(engine);
    await meddle(
      wiki,
      `update changes set content = substr(content, 1, 20) where id = (select change_id from pages where path = '/oak')`,
      `update changes set content = '{"title":7}' where id = (select change_id from pages where path = '/elm')`,
      `insert into changes (page_id, at, editor_id, content) values (999, 1, 1, '{}')`,
    );
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
      /Change \d+ of page 1 at \/oak is damaged: its content is not valid JSON/,
      /Change \d+ of page 2 at \/elm is damaged: its content has an invalid title/,
      /Change \d+ of page 999 is damaged/,
      /The table changes has rows of a page 999 that does not exist/,
      ...(engine === 'SQLite' ? [/The search index cannot be compared with page 1, which is damaged/] : []),
      new RegExp(`The bytes of file ${lost} are missing`),
      new RegExp(`The bytes of file ${altered} differ from those`),
    ])
      expect(checked.out).toMatch(found);
    expect(checked.out).not.toContain('The search index contains a page');

    const rebuilt = await wiki.coppice(['rebuild']);
    expect(rebuilt.code).toBe(1);
    expect(rebuilt.out).toContain('Page 1 at /oak is left unchanged');
    expect(rebuilt.out).toContain('Page 2 at /elm is left unchanged');

    const file = join(wiki.folder, 'backup.tar.gz');
    const made = await wiki.coppice(['backup', file]);
    expect(made.code).toBe(1);
    expect(made.out).toMatch(/Change \d+ of page 1 at \/oak: its content is not valid JSON/);
    expect(made.out).toContain(`file ${altered} are damaged`);
    expect(readdirSync(wiki.folder).filter((name) => name.includes('.part'))).toEqual([]);
    const verified = await wiki.coppice(['backup', '--verify', file]);
    expect([verified.code, verified.out]).toEqual([1, expect.stringContaining('/oak')]);

    await using other = await startWiki();
    const refused = await other.coppice(['restore', file]);
    expect([refused.code, refused.out]).toEqual([1, '']);
    const restored = await other.coppice(['restore', file, '--skip-damaged']);
    expect(restored.code).toBe(1);
    expect(restored.out).toContain('Not restored: Page 2 at /elm: all its changes are damaged');
    expect(restored.out).toContain(`${altered} are damaged`);
    await using opened = await other.open();
    expect((await opened.store.readAsSystem().pages.findByPath('/oak'))?.content.body).toBe('first');
    expect(await opened.store.readAsSystem().pages.findByPath('/elm')).toBeUndefined();
    expect((await opened.store.readAsSystem().pages.findByPath('/elm/leaf'))?.content.body).toBe('whole');
    expect((await other.coppice(['check'])).out).not.toMatch(/Page|Change/);
  },
);

test.each(engines)(
  'restoring from the trash names a damaged change, and a backup restores the rest of the trash: %s',
  async (engine) => {
    await using wiki = await filled(engine);
    {
      await using opened = await wiki.open();
      for (const path of ['/oak', '/elm'])
        await deletePage({ store: opened.store, actor: ada, now: Date.now() }, path, { subtree: true });
    }
    const broken = (path: string) =>
      `update changes set content = '{' where id = (select change_id from trashed_pages where path = '${path}')`;
    await meddle(wiki, broken('/oak'), broken('/elm'));
    const refused = await wiki.coppice(['trash', 'restore', '1']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/^Change \d+ of page 1 is damaged: its content is not valid JSON\.\n$/),
    ]);

    const file = join(wiki.folder, 'backup.tar.gz');
    const made = await wiki.coppice(['backup', file]);
    expect(made.code).toBe(1);
    expect(made.out).toMatch(/Change \d+ of page 1 at \/oak: its content is not valid JSON/);
    await using other = await startWiki(engine);
    const restored = await other.coppice(['restore', file, '--skip-damaged']);
    expect([restored.code, restored.err]).toEqual([1, '']);
    expect(restored.out).toContain(
      'Not restored: Deletion 2 of /elm: the page itself is damaged, so the deletion begins at /elm/leaf',
    );
    // The file of /elm is not used any more.
    expect((await other.coppice(['check'])).out).not.toMatch(/Page|Change|row/);
    expect((await other.coppice(['trash', 'restore', '1'])).out).toBe('/oak\n');
    expect((await other.coppice(['trash', 'restore', '2'])).out).toBe('/elm/leaf\n');
    await using opened = await other.open();
    expect((await opened.store.readAsSystem().pages.findByPath('/oak'))?.content.body).toBe('first');
  },
);

test.each(engines)('an export leaves damaged changes out and names them: %s', async (engine) => {
  await using wiki = await filled(engine);
  const broken = `update changes set content = '{' where id in (select min(id) from changes group by page_id)`;
  await meddle(wiki, broken);
  const to = join(wiki.folder, 'out.jsonl');
  const { code, err } = await wiki.coppice(['export', '--format', 'jsonl', '--to', to]);
  expect(code).toBe(1);
  expect(err.match(/^Change \d+ of page [123] is damaged: its content is not valid JSON\.$/gm)).toHaveLength(
    3,
  );
  const lines = readFileSync(to, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ kind }) => kind === 'damaged').map(({ page }) => page)).toEqual([1, 2, 3]);
  expect(lines.filter(({ kind }) => kind === 'change').map(({ body }) => body)).toEqual(['second']);
  expect(lines.at(-1)).toMatchObject({ kind: 'end', pages: 3, changes: 1 });
});

test('a damaged page of the database file is skipped', async () => {
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
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 'garbage'), 0, size, (pageno - 1) * size);
  closeSync(handle);

  const checked = await wiki.coppice(['check']);
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(/Change \d+ of page 3 at \S+ cannot be read/);
  // The place of the damage decides whether the rest of the file can still be verified.
  expect(checked.out).toMatch(/The database file is damaged|the database file cannot be checked/);
  const rebuilt = await wiki.coppice(['rebuild']);
  expect(rebuilt.code).toBe(1);
  const backup = join(wiki.folder, 'backup.tar.gz');
  const made = await wiki.coppice(['backup', backup]);
  expect(made.code).toBe(1);
  expect(made.out).toMatch(/Change \d+ of page 3 at \S+ cannot be read/);
  await using other = await startWiki();
  expect((await other.coppice(['restore', backup, '--skip-damaged'])).err).toBe('');
  await using opened = await other.open();
  expect((await opened.store.readAsSystem().pages.findByPath('/oak'))?.content.body).toBe('second');
});

test('a complete backup passes verification, half of one does not', async () => {
  await using wiki = await filled();
  const file = join(wiki.folder, 'backup.tar.gz');
  expect((await wiki.coppice(['backup', file])).code).toBe(0);
  expect(await wiki.coppice(['backup', '--verify', file])).toMatchObject({ code: 0 });
  truncateSync(file, 300);
  expect((await wiki.coppice(['backup', '--verify', file])).code).toBe(1);
});

test('bytes left by a killed restore do not prevent repeating it, but bytes of another backup do', async () => {
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

// A vacuum, also an automatic one, marks rows so that PostgreSQL finds their numbers in an index alone.
const states: [state: string, last: string[], lost: RegExp][] = [
  ['just written', [], /^Rows of the table changes with numbers from \d+ to \d+ cannot be read/m],
  ['vacuumed', ['vacuum analyze'], /^Change \d+ of page \d+ at \/p\d+ cannot be read/m],
];

test.each(effort(states.slice(0, 1), states))(
  'damaged blocks of PostgreSQL’s files are skipped: %s',
  async (_state, last, lost) => {
    await using wiki = await filled('PostgreSQL', freshPostgres);
    await meddle(
      wiki,
      ...['files', 'pages', 'changes'].map((name) => `alter table ${name} set (autovacuum_enabled = off)`),
    );
    // Many rows per block, so that sound rows surround the damaged ones.
    await meddle(
      wiki,
      `insert into files (name, page_id, filename, hash, mime, size_bytes, uploaded_at, uploader_id)
      select 'file-' || i, 1, 'f' || i, repeat('0', 64), 'text/plain', 1, 1, 1 from generate_series(1, 150) as i`,
      `insert into pages (parent_id, depth, trail, slug, path, path_key, title, title_key, sort_key, description, permissions, audience,
        owner_id, change_id, created_at, updated_at, follows_path)
      select null, 0, '/', 'p' || i, '/p' || i, '/p' || i, 'p', 'p', 'p', '', 774, 0, 1, 0, 1, 1, false from generate_series(1, 150) as i`,
      `insert into changes (page_id, at, editor_id, content)
      select p.id, 1, 1, jsonb_set(jsonb_set(c.content::jsonb, '{path}', to_jsonb(p.path)), '{parent}', 'null')::text
      from pages p, (select content from changes where id = 1) as c where p.slug ~ '^p[0-9]'`,
      'update pages set change_id = (select max(id) from changes where page_id = pages.id)',
      `insert into changes (page_id, at, editor_id, content)
      select 3, i, 1, (select content from changes where page_id = 3 limit 1) from generate_series(1, 150) as i`,
      'vacuum full',
      ...last,
    );
    {
      await using damaged = await damagedCopy(wiki, ['changes']);
      const checked = await runCommand(['check'], { ...wiki.env, DATABASE_URL: damaged.url });
      expect(checked.out).toMatch(/^Change \d+ of page \d+ at \/p\d+ cannot be read/m);
    }
    await using damaged = await damagedCopy(wiki, ['changes', 'files', 'pages']);
    const env = { ...wiki.env, DATABASE_URL: damaged.url };

    const checked = await runCommand(['check'], env);
    expect(checked.code).toBe(1);
    for (const found of [
      lost,
      /^Page 1 at \/oak cannot be compared with its content/m,
      /^Page \d+ at \/p\d+ cannot be read/m,
      /^Rows of the table files cannot be read: block 1 of its file is damaged/m,
    ])
      expect(checked.out).toMatch(found);

    const rebuilt = await runCommand(['rebuild'], env);
    expect(rebuilt.code).toBe(1);
    expect(rebuilt.out).toMatch(/Page \d+ at \S+ cannot be read/);
    expect(rebuilt.out).toContain('No unused files are removed');
    expect(Number(/Pages rebuilt: (\d+)/.exec(rebuilt.out)?.[1])).toBeGreaterThan(80);

    const backup = join(wiki.folder, 'backup.tar.gz');
    const made = await runCommand(['backup', backup], env);
    expect(made.code).toBe(1);
    expect(made.out).toContain('block 1 of its file is damaged');
    await using other = await startWiki('PostgreSQL');
    expect((await other.coppice(['restore', backup, '--skip-damaged'])).err).toBe('');
    const { rows } = await query(
      other.env.DATABASE_URL ?? '',
      `select
    (select count(*) from pages)::int as pages, (select count(*) from changes)::int as changes,
    (select count(*) from files)::int as files`,
    );
    expect(rows[0]).toEqual(damaged.readable);
  },
);

/** `/oak` with two changes, `/elm` with one and a page beneath it; each has a file. */
async function filled(engine?: EngineName, database?: typeof freshPostgres): Promise<TestWiki> {
  const wiki = await startWiki(engine, {}, database);
  await wiki.administrator();
  await using opened = await wiki.open();
  const { store, files } = opened;
  const note = async (path: string) => {
    const blob = await files.store.put(Buffer.from(`note ${path}`), 1000);
    return [{ file: { filename: 'note.txt', blob } }];
  };
  await createPage(
    { store, files, actor: ada, now: 1 },
    { title: 'Oak', body: 'first', files: await note('/oak') },
  );
  await createPage(
    { store, files, actor: ada, now: 2 },
    { title: 'Elm', body: 'only', files: await note('/elm') },
  );
  await createPage({ store, files, actor: ada, now: 3 }, { title: 'Leaf', parent: '/elm', body: 'whole' });
  await editPage({ store, files, renderer: createRenderer(''), actor: ada, now: 4 }, '/oak', {
    body: 'second',
  });
  return wiki;
}

async function filesOf(wiki: TestWiki): Promise<string[]> {
  await using opened = await wiki.open();
  return await Array.fromAsync(opened.store.maintenance.fileHashes());
}

async function meddle(wiki: TestWiki, ...statements: string[]): Promise<void> {
  const url = wiki.env.DATABASE_URL;
  if (url !== undefined)
    return query(url, 'set session_replication_role = replica', ...statements).then(() => {});
  const db = new DatabaseSync(join(wiki.env.COPPICE_DATA ?? '', 'coppice.db'));
  db.exec('pragma foreign_keys = off');
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** Returns the result of the last statement. */
async function query(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    return result as pg.QueryResult;
  } finally {
    await client.end();
  }
}

/**
 * A copy of the database with garbage in the second block of each table; the server has not yet read the files of a copy.
 * `readable`: number of its rows that a backup can hold.
 */
async function damagedCopy(wiki: TestWiki, tables: string[]) {
  const url = wiki.env.DATABASE_URL ?? '';
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_copy`;
  const admin = new URL('/postgres', url).href;
  const paths = await query(
    url,
    `select current_setting('data_directory') || '/base/' as base, pg_relation_filenode(t::regclass) as node
      from unnest(string_to_array('${tables}', ',')) as t`,
  );
  const inFirstBlock = (table: string) => `select id from ${table} where ctid >= '(1,0)' and ctid < '(2,0)'`;
  const counted = await query(
    url,
    `with lost_pages as (${inFirstBlock('pages')}), lost_changes as (${inFirstBlock('changes')}),
      kept_pages as (select p.id from pages p where p.id not in (select id from lost_pages)
        and exists (select 1 from changes c where c.page_id = p.id and c.id not in (select id from lost_changes)))
    select (select count(*) from kept_pages)::int as pages,
      (select count(*) from changes where id not in (select id from lost_changes)
        and page_id in (select id from kept_pages))::int as changes,
      (select count(*) from files where page_id in (select id from kept_pages)
        and not (ctid >= '(1,0)' and ctid < '(2,0)'))::int as files`,
  );
  await query(admin, `create database ${copy} template ${name} strategy file_copy`);
  const made = await query(admin, `select oid from pg_database where datname = '${copy}'`);
  for (const { base, node } of paths.rows) {
    const handle = openSync(`${base}${made.rows[0].oid}/${node}`, 'r+');
    writeSync(handle, Buffer.alloc(8192, 'garbage'), 0, 8192, 8192);
    closeSync(handle);
  }
  return {
    url: new URL(copy, admin).href,
    readable: counted.rows[0],
    [Symbol.asyncDispose]: async () => {
      await query(admin, `drop database ${copy} with (force)`);
    },
  };
}
