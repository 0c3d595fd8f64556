/** Number and duration of a write's waits for PostgreSQL, and errors of statements that are not awaited. */
import type { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { changeAccess } from '#core/pages/change-access.ts';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import { openStore } from '#run/open-store.ts';
import { purgeDeletion } from '#src/features/trash/purge.ts';
import { restorePage } from '#src/features/trash/restore-page.ts';
import type { Engine } from '#store/engine.ts';
import { type Answer, type Asked, type Awaited, sendTogether } from '#store/postgres/batch.ts';
import { openPostgres } from '#store/postgres/engine.ts';
import { noFiles } from '../support/no-files.ts';
import { freshPostgres } from '../support/postgres.ts';
import { addMember, addPage, addPages, withMembers } from '../support/write-pages.ts';

const body = (word: string) =>
  `About [[${word}]], [[/at/${word}]] and [[Home]]. {{Box}} [[Category:${word}]] #${word}`;

const run = (engine: Engine, text: string) => sql.raw(text).compile(engine.reader);

test('creating a page takes four round trips to PostgreSQL and editing three, including the commit', async () => {
  await using database = await freshPostgres();
  let trips = 0;
  await using store = await openStore(database.config, { onTrip: () => trips++ });
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  await createPage({ store, files: noFiles, actor: ann, now: 1000 }, { title: 'Home' });
  trips = 0;
  await createPage(
    { store, files: noFiles, actor: ann, now: 1000 },
    { title: 'Inn', parent: '/home', body: body('Ale') },
  );
  expect(trips).toBeLessThanOrEqual(4);
  trips = 0;
  const edited = await editPage(
    { store, files: noFiles, renderer: createRenderer('Test'), actor: ann, now: 2000 },
    '/home/inn',
    { body: body('Wine'), description: 'Quiet.' },
  );
  expect(edited.page.history).toHaveLength(2);
  expect(trips).toBeLessThanOrEqual(3);
  expect(await store.maintenance.violations(10)).toEqual([]);
});

test('a transaction fails with the error of an unawaited statement, and has written nothing', async () => {
  await using database = await freshPostgres();
  await using _ = await openStore(database.config);
  await using engine = await openPostgres([database.url], {});
  await engine.run(engine.reader, [run(engine, 'create table kept (id bigint primary key)')]);
  const insert = run(engine, 'insert into kept values (1)');
  const atCommit = engine.transact(async (db) => {
    engine.send(db, insert);
    engine.send(db, insert);
    engine.send(db, run(engine, 'select 1'));
  });
  await expect(atCommit).rejects.toMatchObject({ code: '23505', table: 'kept' });
  const reached: number[] = [];
  const atNext = engine.transact(async (db) => {
    engine.send(db, insert);
    engine.send(db, insert, (error) => new Error('It is kept already.', { cause: error }));
    await Promise.all(
      [1, 2].map((n) => engine.run(db, [run(engine, 'select 1')]).then(() => reached.push(n))),
    );
  });
  await expect(atNext).rejects.toThrow('It is kept already.');
  expect(reached).toEqual([]);
  expect(await engine.run(engine.reader, [run(engine, 'select id from kept')])).toEqual([[]]);
});

test('statements of a transaction are answered together, with columns that are described once', async () => {
  await using database = await freshPostgres();
  const client = new pg.Client({ connectionString: database.url, pipeline: true } as pg.ClientConfig);
  await client.connect();
  const { connection } = client as unknown as { connection: EventEmitter };
  const got: string[] = [];
  for (const name of ['readyForQuery', 'rowDescription']) connection.on(name, () => got.push(name));
  const send = async (...asked: Asked[]) => {
    got.length = 0;
    const statements: Awaited[] = [];
    const answers = asked.map(
      (one) => new Promise<Answer>((resolve, reject) => statements.push({ ...one, resolve, reject })),
    );
    sendTogether(client as unknown as pg.PoolClient, statements);
    return Promise.all(
      answers.map((answer) =>
        answer.then(
          ({ rows }) => rows,
          ({ code }: pg.DatabaseError) => code,
        ),
      ),
    );
  };
  const row = (n: number) => ({
    name: 'row',
    text: `select $1::int as n, null as nothing, '{"a":[1]}'::json as j`,
    values: [n],
  });
  const expected = (n: number) => [{ n, nothing: null, j: { a: [1] } }];
  const begin = { name: 'begin', text: 'begin' };
  const other = { name: 'other', text: 'select 1 as one' };
  const fail = { text: 'select 1 / $1::int', values: [0] };
  const back = { name: 'rollback', text: 'rollback' };
  expect(await send(begin, row(1), row(2), { text: 'select; select' })).toEqual([
    [],
    expected(1),
    expected(2),
    undefined,
  ]);
  expect(got.filter((name) => name === 'readyForQuery')).toHaveLength(2);
  expect(await send(row(3))).toEqual([expected(3)]);
  expect(got).toEqual(['readyForQuery']);
  // Statements before the failure are done. One that was to be prepared after it is prepared the next time.
  expect(await send(row(4), fail, other)).toEqual([expected(4), '22012', '22012']);
  expect(await send(back)).toEqual([[]]);
  expect(await send(other, row(5))).toEqual([[{ one: 1 }], expected(5)]);
  // The server refuses to give a prepared statement other columns than it had.
  await send({ text: 'create table changing (a int)' });
  const all = { name: 'all', text: 'select * from changing' };
  expect(await send(all, { text: 'alter table changing add b int' }, all)).toEqual([[], [], '0A000']);
  await client.end();
});

test('nothing is sent after the end of a transaction, where it would run outside', async () => {
  await using database = await freshPostgres();
  await using _ = await openStore(database.config);
  await using engine = await openPostgres([database.url], {});
  const late = await engine.transact(
    async (db) => () => engine.run(db, [sql`select 1`.compile(engine.reader)]),
  );
  await expect(late()).rejects.toThrow('The transaction is over');
});

test('a statement of a writing transaction is planned once, whatever its parameters', async () => {
  await using database = await freshPostgres();
  await using _ = await openStore(database.config);
  await using engine = await openPostgres([database.url], {});
  const statement = { ...run(engine, 'select id from pages where id = $1'), isPrepared: true };
  const plans = run(
    engine,
    "select custom_plans, generic_plans from pg_prepared_statements where statement like '%from pages%'",
  );
  const found = await engine.transact((db) =>
    engine.run(db, [...[1, 2, 3].map((id) => ({ ...statement, parameters: [id] })), plans]),
  );
  expect(found.at(-1)).toEqual([{ custom_plans: 0, generic_plans: 3 }]);
});

test('a connection stays open for the next write a minute later', async () => {
  await using database = await freshPostgres();
  await using _ = await openStore(database.config);
  await using engine = await openPostgres([database.url], {});
  const connection = () =>
    engine.transact((db) => engine.run(db, [run(engine, 'select pg_backend_pid() as pid')]));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const before = await connection();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await connection()).toEqual(before);
  } finally {
    vi.useRealTimers();
  }
});

test('one of two transactions that deadlock on pages is run again', async () => {
  await using database = await freshPostgres();
  await using store = await openStore(database.config);
  await withMembers(store);
  const ids = [await addPage(store, { title: 'One' }), await addPage(store, { title: 'Two' })];
  let attempts = 0;
  let arrived = 0;
  const both = Promise.withResolvers<void>();
  const hold = ([first = 0, second = 0]: number[]) =>
    store.transact(async (store) => {
      attempts++;
      await store.pages.lockById(first, 'update');
      if (++arrived === 2) both.resolve();
      await both.promise;
      return (await store.pages.lockById(second, 'update'))?.id;
    });
  expect(await Promise.all([hold(ids), hold(ids.toReversed())])).toEqual(ids.toReversed());
  // The one that is run again may be the first to get its lock, and meet the other one once more.
  expect(attempts).toBeGreaterThanOrEqual(3);
});

test('statements on a large subtree take as long as they need, those on a single page have a limit', async () => {
  await using database = await freshPostgres();
  await using store = await openStore(database.config);
  await using engine = await openPostgres([database.url], {});
  const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
  const beneath = Array.from({ length: 251 }, (_, i) => ({
    parent: 0,
    drafts: [{ title: `P${i}`, path: `/oak/p${i}` }],
  }));
  await addPages(store, [{ parent: null, drafts: [{ title: 'Oak', path: '/oak' }] }, ...beneath]);
  await addPage(store, { title: 'Elm' });
  const notes = [
    'create table limits (of text)',
    `create function note_limit() returns trigger language plpgsql as $$ begin
      insert into limits values (current_setting('statement_timeout')); return null; end $$`,
    ...['pages', 'trashed_pages'].map(
      (table) =>
        `create trigger noted after insert or update or delete on ${table} execute function note_limit()`,
    ),
  ];
  for (const note of notes) await engine.run(engine.reader, [run(engine, note)]);
  const limitsOf = async (work: () => Promise<unknown>) => {
    await work();
    const statement = run(
      engine,
      'with gone as (delete from limits returning of) select distinct of from gone',
    );
    const [rows = []] = await engine.run(engine.reader, [statement]);
    return (rows as { of: string }[]).map((row) => row.of);
  };
  const both = async (oak: () => Promise<unknown>, elm: () => Promise<unknown>) => [
    await limitsOf(oak),
    await limitsOf(elm),
  ];
  const access = (path: string) => () =>
    changeAccess({ store, actor: ann, now: 3 }, path, { permissions: 0o770 }, false);
  const move = (path: string) => () =>
    editPage({ store, files: noFiles, renderer: createRenderer('Test'), actor: ann, now: 4 }, path, {
      path: `${path}s`,
    });
  const trash: number[] = [];
  const remove = (path: string) => async () => {
    trash.push((await deletePage({ store, actor: ann, now: 5 }, path, { subtree: true })).id);
  };
  const restore = (i: number) => () => restorePage(store, ann, { id: trash[i] as number }, 6);
  const purge = (i: number) => () =>
    purgeDeletion(store, noFiles as unknown as FileStore, trash[i] as number, 7);
  const asNeeded = [['0'], ['50s']];
  expect(await both(access('/oak'), access('/elm'))).toEqual(asNeeded);
  expect(await both(move('/oak'), move('/elm'))).toEqual(asNeeded);
  expect(await both(remove('/oaks'), remove('/elms'))).toEqual(asNeeded);
  expect(await both(restore(0), restore(1))).toEqual(asNeeded);
  expect(await both(remove('/oaks'), remove('/elms'))).toEqual(asNeeded);
  expect(await both(purge(2), purge(3))).toEqual(asNeeded);
  expect(await store.maintenance.violations(10)).toEqual([]);
});
