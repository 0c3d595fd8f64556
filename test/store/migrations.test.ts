/** A wiki of the first version, brought to the present shape with all that is in it. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#domain/content/render.ts';
import type { Files } from '#domain/files/attach-files.ts';
import { rebuild } from '#domain/maintenance/rebuild.ts';
import { stalePages } from '#domain/maintenance/verify-pages.ts';
import { createPage } from '#domain/pages/create-page.ts';
import { editPage } from '#domain/pages/edit-page.ts';
import type { Content } from '#domain/pages/page.ts';
import type { Attachment } from '#domain/pages/page-input.ts';
import type { Store } from '#domain/ports/store.ts';
import { openDisk } from '#files/disk.ts';
import { createInspector } from '#files/inspector.ts';
import type { SchemaWords } from '#store/engine.ts';
import * as first from '#store/migrations/0001-pages.ts';
import { openPostgres } from '#store/postgres/engine.ts';
import { openSqlite } from '#store/sqlite/engine.ts';
import { openStore, type StoreConfig } from '#store/store.ts';
import { noFiles } from '../support/no-files.ts';
import { databases } from '../support/postgres.ts';
import { dumpOf, insertion, meddle, type Row } from '../support/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addMember, world } from '../support/write-pages.ts';

const addedLater = new Set([
  'follows_path',
  'history_bytes',
  'name_skeleton',
  'folded_name_skeleton',
  'email_skeleton',
  'failed_sign_ins',
  'failed_since',
  'history_from',
  'until_change_id',
]);

/** Real bytes of a few texts. */
async function someFiles(): Promise<Files & { upload(filename: string, text: string): Promise<Attachment> }> {
  const store = await openDisk(await temporaryFolder());
  const upload = async (filename: string, text: string) => ({
    file: { filename, blob: await store.put(Buffer.from(text), 100) },
  });
  return { store, inspector: createInspector(), upload };
}

async function write(store: Store): Promise<void> {
  const files = await someFiles();
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  const renderer = createRenderer('Test');
  const create = (title: string, body: string, parent?: string) =>
    createPage(store, noFiles, ann, { title, body, ...(parent ? { parent } : {}) }, 5);
  await create('Elm', "Elm's leaf [[Oak]] [[/nowhere]] [[kind:tree]] [[kind:old]] [[Location: 1, 2]]");
  await create('Ash', '[[../gone]] [[Elm]] {{Box}} [[Type:Tree]]', '/elm');
  await create('Rowan', 'Asks for [[Oak]] and [[Yew]], too.');
  await editPage(store, noFiles, renderer, ann, '/rowan', { permissions: '700' }, 6);
  await editPage(store, noFiles, renderer, ann, '/elm/ash', { slug: 'ash-tree' }, 7);
  // One with the page, two later.
  const attach = async (now: number, ...uploads: Promise<Attachment>[]) =>
    editPage(store, files, renderer, ann, '/holly', { files: await Promise.all(uploads) }, now);
  await createPage(store, files, ann, { title: 'Holly', files: [await files.upload('leaf.txt', 'a')] }, 10);
  await attach(11, files.upload('berry.txt', 'b'), files.upload('a.txt', 'c'));
  await editPage(store, noFiles, renderer, ann, '/holly', { body: 'Red' }, 12);
  await store.pages.addLike(1, 1, 8);
}

/** Nothing of today's store has touched it, but for what its rows say. */
async function makeFirstVersion(config: StoreConfig, rows: Row[]): Promise<void> {
  await using engine =
    config.kind === 'sqlite' ? openSqlite(config.file, {}) : await openPostgres([config.url], {});
  const inserts = rows.map((row) => insertion(firstVersionOf(row)));
  const { text, tableEnd } = engine.words;
  await meddle(
    config,
    [
      'begin',
      `create table migrations (name ${text} primary key)${tableEnd}`,
      `insert into migrations values ('${first.name}')`,
      ...(await statementsOf(engine.words)),
      ...inserts,
      // Rows that came with their IDs leave PostgreSQL's sequences where they began.
      ...(config.kind === 'postgres' ? ['members', 'pages', 'changes', 'aliases'].map(resumed) : []),
      'commit',
    ].join(';\n'),
  );
}

function firstVersionOf({ table, row }: Row): Row {
  const kept = Object.entries(row).filter(([column]) => !addedLater.has(column));
  // No change named files.
  const said = kept.map(([column, value]) => [column, table === 'changes' ? withoutFiles(value) : value]);
  return { table, row: Object.fromEntries(said) };
}

function withoutFiles(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const { files: _, ...content } = JSON.parse(value) as Content;
  return JSON.stringify(content);
}

function resumed(table: string): string {
  return `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`;
}

async function statementsOf(words: SchemaWords): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await first.up(db, words);
  return statements;
}

describe.each(databases)('%s', (_name, fresh) => {
  test('all that a wiki of the first version says is there after all migrations', async () => {
    await using origin = await fresh();
    await using source = await openStore(origin.config);
    await write(source);
    const rows = await dumpOf(source);
    expect(new Set(rows.map(({ table }) => table))).toContain('aliases');

    await using database = await fresh();
    await makeFirstVersion(database.config, rows);
    await using store = await openStore(database.config);
    const told = ({ table, row }: Row) => ({ table, row: { ...row, follows_path: undefined } });
    expect((await dumpOf(store)).map(told)).toEqual(rows.map(told));
    // Most wanted first, out of indexes that were made anew.
    expect(await store.links.wanted(world, 9, 9)).toEqual(await source.links.wanted(world, 9, 9));
    expect(await store.upkeep.violations(9)).toEqual([]);

    // What a search index holds is no row.
    await rebuild(store);
    expect(await Array.fromAsync(stalePages(store))).toEqual([]);
    expect(await dumpOf(store)).toEqual(rows);
    await editPage(
      store,
      noFiles,
      createRenderer('Test'),
      { memberId: 1, name: 'Ann', isAdmin: true },
      '/elm',
      { body: 'New' },
      9,
    );
    expect(await store.upkeep.violations(9)).toEqual([]);
  });

  test('rows of a backup by an earlier version are given all that came later', async () => {
    await using origin = await fresh();
    await using source = await openStore(origin.config);
    await write(source);
    const rows = await dumpOf(source);
    await using database = await fresh();
    await using store = await openStore(database.config);
    const given = rows.map(firstVersionOf);
    await store.upkeep.restore(
      (async function* () {
        yield* given.map(({ table, row }) =>
          // Of all that came later, what those rows had already which are read here.
          table === 'pages'
            ? { table, row: { ...row, history_bytes: 0, follows_path: true } }
            : { table, row },
        );
      })(),
    );
    await rebuild(store);
    expect(await dumpOf(store)).toEqual(rows);
    expect(await store.upkeep.violations(9)).toEqual([]);
  });
});
