/** A wiki of the first version, brought to the present shape with all that is in it. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createPage } from '#domain/create-page.ts';
import { editPage } from '#domain/edit-page.ts';
import { rebuild } from '#domain/rebuild.ts';
import { createRenderer } from '#domain/render.ts';
import { stalePages } from '#domain/stale-pages.ts';
import type { Store } from '#domain/store.ts';
import type { SchemaWords } from '#store/engine.ts';
import * as first from '#store/migrations/0001-pages.ts';
import { openPostgres } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { openStore, type StoreConfig } from '#store/store.ts';
import { noFiles } from './no-files.ts';
import { addMember, world } from './store-writing.ts';
import { databases } from './support-postgres.ts';
import { dumpOf, insertion, meddle, type Row } from './support-rows.ts';

const addedLater = new Set([
  'follows_path',
  'history_bytes',
  'name_skeleton',
  'folded_name_skeleton',
  'email_skeleton',
  'failed_sign_ins',
  'failed_since',
]);

async function write(store: Store): Promise<void> {
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  const renderer = createRenderer('Test');
  const create = (title: string, body: string, parent?: string) =>
    createPage(store, noFiles, ann, { title, body, ...(parent ? { parent } : {}) }, 5);
  await create('Elm', "Elm's leaf [[Oak]] [[/nowhere]] [[kind:tree]] [[kind:old]] [[Location: 1, 2]]");
  await create('Ash', '[[../gone]] [[Elm]] {{Box}} [[Type:Tree]]', '/elm');
  await create('Rowan', 'Asks for [[Oak]] and [[Yew]], too.');
  await editPage(store, noFiles, renderer, ann, '/rowan', { permissions: '700' }, 6);
  await editPage(store, noFiles, renderer, ann, '/elm/ash', { slug: 'ash-tree' }, 7);
  await store.pages.addLike(1, 1, 8);
}

/** Nothing of today's store has touched it, but for what its rows say. */
async function makeFirstVersion(config: StoreConfig, rows: Row[]): Promise<void> {
  await using engine =
    config.kind === 'sqlite' ? openSqlite(config.file, {}) : await openPostgres([config.url], {});
  const inserts = rows.map(({ table, row }) => {
    const kept = Object.entries(row).filter(([column]) => !addedLater.has(column));
    return insertion({ table, row: Object.fromEntries(kept) });
  });
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
});
