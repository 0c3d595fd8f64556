/** Check, backup and restore, also when the engine or another process interferes. */
import { spawn } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { rebuild } from '#core/maintenance/rebuild.ts';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { Problem } from '#core/model/problem.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import type { StoreConfig } from '#store/store.ts';
import { noFiles } from '../support/no-files.ts';
import { databases, engines, freshPostgres, freshSqlite } from '../support/postgres.ts';
import { dumpOf, insertion, literal, meddle, type Row } from '../support/rows.ts';
import { addMember, addPage, all, anyone, editPage as editStored, movePage } from '../support/write-pages.ts';

function sqliteDamages(name: string): [statement: string, found: string][] {
  const text = `${name} has search text that`;
  const names = `${name} has an entry for searching titles that`;
  const stranger = 'The search index contains a page 9 that does not exist';
  return [
    ['delete from page_text where rowid = 2', text],
    ["insert or replace into page_text (rowid, title, body) values (2, 'ash', 'gone oak')", text],
    ["insert or replace into page_text (rowid, title, body) values (2, 'ash', 'gone leaf a oak')", text],
    ["insert into page_text (rowid, title, body) values (9, 'x', 'x')", stranger],
    ['delete from page_names where rowid = 2', names],
    ["insert or replace into page_names (rowid, title_key, path_key) values (2, 'ash', '/elm/ash')", names],
    ["insert into page_names (rowid, title_key, path_key) values (9, 'xxx', 'xxx')", stranger],
    [
      "insert into links values (9, 'page', 'x', 'x', 0, 1, 0)",
      'The table links has rows whose row in pages does not exist',
    ],
  ];
}

function postgresDamages(name: string): [statement: string, found: string][] {
  const text = `${name} has search text that`;
  return [
    ['delete from page_texts where page_id = 2', text],
    ["update page_texts set terms = 'ash:1A' where page_id = 2", text],
    ["insert into page_texts values (2, 1, 'x:1')", text],
  ];
}

async function fill(store: Store): Promise<void> {
  await addMember(store, 'Ann', true);
  await addMember(store, 'Bob');
  await store.members.insertInvitation({
    tokenHash: 't',
    role: 'moderator',
    byCommandLine: false,
    inviter: { id: 1, epoch: 0 },
    createdAt: 1,
    expiresAt: 9,
  });
  await store.members.insertHandle({ handleHash: 'h', memberId: 2, provider: 'p', createdAt: 3 });
  const late = await addPage(store, { title: 'Late', links: ['Wish', '/nowhere'], tags: [['k', 'v']] });
  const parent = await addPage(store, {
    title: 'Parent',
    location: { lat: 1, lon: 2.5 },
    permissions: 700,
    ownerId: 2,
  });
  // The parent has the higher ID.
  await movePage(store, late, '/parent/late', parent);
  await editStored(store, late, { body: 'word', editorId: 2 });
  await store.transact((store) => store.pages.addLike(late, 2, 5));
}

describe.each(databases)('%s', (_name, fresh) => {
  test('check reports each violated invariant, and nothing else', async () => {
    await using database = await fresh();
    await using store = await openStore(database.config);
    await fill(store);
    expect(await store.maintenance.violations(100)).toEqual([]);
    const damages: [statement: string, found: RegExp][] = [
      ["update pages set title_key = 'x' where id = 1", /Page 1 at \/parent\/late has a wrong title key/],
      ["update pages set sort_key = 'x' where id = 1", /wrong sort key/],
      ["update pages set path_key = 'x' where id = 1", /wrong path key/],
      [
        'update pages set audience = 0 where id = 2',
        /Page 2 at \/parent has an audience that does not follow from its permissions/,
      ],
      ['update pages set cell = 7 where id = 2', /a cell that does not match its location/],
      ['update pages set depth = 3 where id = 1', /at a depth/],
      ["update pages set trail = '/1/' where id = 2", /root page with a depth or ancestors/],
      ['update pages set change_id = 1 where id = 1', /does not show its latest change/],
      ['update pages set history_bytes = 0 where id = 1', /a history whose length differs/],
      ['update links set audience = 3 where source_id = 1', /a different audience than its own/],
      ["update links set key = 'x' where target = 'Wish'", /link to “Wish” with a wrong key/],
      ["update tags set value_key = 'x'", /tag k with a wrong key/],
      [
        "update wanted set world_count = 5 where key = 'wish'",
        /wanted link “wish” is counted as 5,1,1,0 instead of 1,1,1,0/,
      ],
      ["delete from wanted where key = 'wish'", /wanted link “wish” is not counted/],
      [
        "insert into wanted values ('x', 'x', 1, 1, 1, 0)",
        /wanted link “x” is counted as 1,1,1,0 instead of not at all/,
      ],
    ];
    const sound = await dumpOf(store);
    for (const [statement, found] of damages) {
      await meddle(database.config, statement);
      expect(await store.maintenance.violations(100), statement).toContainEqual(expect.stringMatching(found));
      await restoreRows(database.config, sound);
    }
    expect(await store.maintenance.violations(100)).toEqual([]);
    await meddle(database.config, "update pages set title_key = 'x'");
    expect(await store.maintenance.violations(2)).toHaveLength(2);
  });

  test('data that does not follow from a page’s content is reported, and repaired by a rebuild', async () => {
    await using database = await fresh();
    await using store = await openStore(database.config);
    const ann = { memberId: await addMember(store, 'Ann', true), name: 'Ann', isAdmin: true };
    const body =
      '[[../gone]] [[Oak]] {{Box}} [[kind:old]] [[colour:green]] [[Location: 1, 2]] [[Type:Tree]] A leaf.';
    const write = (title: string, parent?: string) =>
      createPage(
        { store, files: noFiles, actor: ann, now: 5 },
        { title, body, ...(parent ? { parent } : {}) },
      );
    await write('Elm');
    await write('Ash', '/elm');
    await write('Yew', '/elm/ash');
    await editPage(
      { store, files: noFiles, renderer: createRenderer('Test'), actor: ann, now: 6 },
      '/elm/ash',
      { slug: 'rowan' },
    );
    const found = async () => [
      ...(await store.maintenance.violations(100)),
      ...(await Array.fromAsync(verifyPages(store))),
    ];
    expect(await found()).toEqual([]);
    const name = 'Page 2 at /elm/rowan';
    const no = database.config.kind === 'sqlite' ? '0' : 'false';
    const damages: [statement: string, found: string][] = [
      ["update pages set description = 'x' where id = 2", `${name} has description that`],
      ["update pages set type = 'x' where id = 2", `${name} has type that`],
      ['update pages set lat = 7 where id = 2', `${name} has location that`],
      ["update pages set title = 'x' where id = 2", `${name} has title`],
      [
        'update pages set permissions = 700, audience = 2 where id = 2',
        `${name} has permissions, audience that`,
      ],
      ["delete from links where source_id = 2 and target = 'Oak'", `${name} has links that`],
      [
        "update links set target = '/ash' where source_id = 2 and target = '/elm/gone'",
        `${name} has links that`,
      ],
      ['update links set count = 2 where source_id = 2', `${name} has links that`],
      ["update links set kind = 'page' where source_id = 2 and target = 'Box'", `${name} has links that`],
      [
        "insert into links select 2, kind, 'x', 'x', is_path, 1, audience from links limit 1",
        `${name} has links that`,
      ],
      ["update links set key = 'x' where target = 'Oak'", 'has a link to “Oak” with a wrong key'],
      ['delete from tags where page_id = 2 and seq = 0', `${name} has tags that`],
      ["update tags set value = 'x' where page_id = 2 and seq = 1", `${name} has tags that`],
      ["update tags set value_key = 'x'", 'with a wrong key'],
      [`update pages set follows_path = ${no} where id = 2`, `${name} has relative links, but is not marked`],
      ['delete from wanted', 'is not counted'],
      ['update pages set depth = 7 where id = 3', 'at a depth'],
      ["update pages set trail = '/1/1/' where id = 3", 'at a depth'],
      ['update pages set change_id = 2 where id = 2', 'does not show its latest change'],
      ['update pages set updated_at = 4 where id = 2', 'a time of update that differs from'],
      ["update aliases set path_key = 'x'", 'The old path /elm/ash has a wrong key'],
      ...(database.config.kind === 'sqlite' ? sqliteDamages(name) : postgresDamages(name)),
    ];
    for (const [statement, sentence] of damages) {
      await meddle(database.config, statement);
      expect(await found(), statement).toContainEqual(expect.stringContaining(sentence));
      await rebuild(store, undefined, undefined, 2);
      expect(await found(), statement).toEqual([]);
    }
    // A restore has as many transactions at once, which share commits.
    let [open, most] = [0, 0];
    const transact: Store['transact'] = (work) => {
      most = Math.max(most, ++open);
      return store.transact(work).finally(() => open--);
    };
    for (const atOnce of [1, 2]) {
      await rebuild(Object.create(store, { transact: { value: transact } }), undefined, undefined, atOnce);
      expect(most).toBe(atOnce);
    }
  });

  /** Restores the rows that a test has damaged. */
  async function restoreRows(config: StoreConfig, rows: Row[]): Promise<void> {
    const statements = rows
      .filter(({ table }) => ['pages', 'links', 'tags'].includes(table))
      .map(({ table, row }) => {
        const key =
          { pages: ['id'], links: ['source_id', 'kind', 'target'], tags: ['page_id', 'seq'] }[table] ?? [];
        const set = Object.entries(row).filter(([column]) => !key.includes(column));
        return `update ${table} set ${set.map(([column, value]) => `${column} = ${literal(value)}`).join(', ')}
          where ${key.map((column) => `${column} = ${literal(row[column])}`).join(' and ')}`;
      });
    const wanted = rows.filter(({ table }) => table === 'wanted').map(insertion);
    await meddle(config, [...statements, 'delete from wanted', ...wanted].join(';\n'));
  }

  test('two processes that open a new database concurrently both find it ready', async () => {
    await using database = await fresh();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(database.config)));
    await addMember(stores[0] as Store, 'Ann');
    for (const store of stores) {
      expect((await store.maintenance.counts()).members).toBe(1);
      await store[Symbol.asyncDispose]();
    }
  });

  test('a database made by a later version is refused', async () => {
    await using database = await fresh();
    await (await openStore(database.config))[Symbol.asyncDispose]();
    await meddle(database.config, "insert into migrations values ('9999-future')");
    await expect(openStore(database.config)).rejects.toThrow('later version of Coppice');
  });
});

describe.each(engines)('a backup from %s', (_from, openSource) => {
  test.each(engines)('is restored completely on %s', async (_to, openTarget) => {
    await using source = await openSource();
    await fill(source);
    const rows = await dumpOf(source);
    expect(rows.length).toBeGreaterThan(10);
    await using target = await openTarget();
    const stream = async function* () {
      yield* rows;
    };
    await target.maintenance.restore(stream());
    expect(await dumpOf(target)).toEqual(rows);
    for (const id of [1, 2])
      expect(await target.readAsSystem().pages.load([id], 'all')).toEqual(
        await source.readAsSystem().pages.load([id], 'all'),
      );
    // New rows get new IDs.
    expect(await addPage(target, { title: 'Next' })).toBe(3);
    const twice = await target.maintenance.restore(stream()).catch((error: unknown) => error);
    expect(twice).toMatchObject({ code: 'invalid' });
  });

  test('with unknown columns or tables is refused and leaves nothing', async () => {
    await using store = await openSource();
    const strange = async function* (table: string, row: Record<string, unknown>) {
      yield {
        table: 'members',
        row: {
          id: 1,
          email: 'a',
          email_key: 'a',
          name: 'A',
          role: 'administrator' as const,
          is_active: true,
          epoch: 0,
          passphrase_hash: null,
          created_at: 1,
        },
      };
      yield { table, row };
    };
    for (const rows of [
      strange('migrations', { name: 'x' }),
      strange('pages', { 'id) values (1); --': 1 }),
    ]) {
      expect(await store.maintenance.restore(rows).catch((error: unknown) => error)).toMatchObject({
        code: 'invalid',
      });
    }
    expect((await store.maintenance.counts()).members).toBe(0);
  });
});

const writer = `
  import { openStore } from '#run/open-store.ts';
  import { addPage } from './test/support/write-pages.ts';
  const store = await openStore(JSON.parse(process.env.CONFIG));
  await Promise.all(Array.from({ length: 40 }, (_, i) =>
    addPage(store, { title: process.env.NAME + ' ' + i, parentId: 1, links: ['Missing'] })));
  await store[Symbol.asyncDispose]();
`;

test.each(databases)(
  'processes that write to one database on %s concurrently wait for each other',
  async (_name, fresh) => {
    await using database = await fresh();
    await using store = await openStore(database.config);
    await addMember(store, 'Ann');
    await addPage(store, { title: 'Top' });
    const exits = ['a', 'b', 'c'].map(
      (NAME) =>
        new Promise<string>((resolve) => {
          const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', writer], {
            env: { ...process.env, CONFIG: JSON.stringify(database.config), NAME },
          });
          let errors = '';
          child.stderr.on('data', (data) => {
            errors += data;
          });
          child.on('close', (code) => resolve(code === 0 ? '' : errors));
        }),
    );
    const own = Array.from({ length: 40 }, (_, i) =>
      addPage(store, { title: `own ${i}`, parentId: 1, links: ['Missing'] }),
    );
    expect(await Promise.all(exits)).toEqual(['', '', '']);
    await Promise.all(own);
    expect((await store.readAs(anyone).lists.children(1, all)).total).toBe(160);
    expect(await store.readAs(anyone).links.wanted(5, 1)).toMatchObject([{ count: 160 }]);
    expect(await store.maintenance.violations(10)).toEqual([]);
  },
);

test('the event loop keeps running while a writer waits for another process', async () => {
  await using database = await freshSqlite();
  await using store = await openStore(database.config);
  const other = new DatabaseSync(database.config.kind === 'sqlite' ? database.config.file : '');
  other.exec('begin immediate');
  let hasWritten = false;
  const waiting = addMember(store, 'Ann').then(() => {
    hasWritten = true;
  });
  // However late the turns come: a writer that blocked the thread would give up before the lock is released after them.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(hasWritten).toBe(false);
  other.exec('rollback');
  other.close();
  await waiting;
});

const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

test('a transaction whose connection breaks before its commit is run again', async () => {
  await using database = await freshPostgres();
  await using store = await openStore(database.config);
  await addMember(store, 'Ann');
  let attempts = 0;
  await store.transact(async (store) => {
    await store.members.raiseEpoch(1);
    if (attempts++ === 0) await meddle(database.config, endOthers);
    await store.members.raiseEpoch(1);
  });
  expect(attempts).toBe(2);
  expect((await store.members.findById(1))?.epoch).toBe(2);
  await meddle(database.config, endOthers);
  expect((await store.members.findById(1))?.epoch).toBe(2);
});

test('a transaction whose connection breaks during its commit is not run again, because it may have succeeded', async () => {
  await using database = await freshPostgres();
  await using store = await openStore(database.config);
  await addMember(store, 'Ann');
  await meddle(
    database.config,
    `create function fall() returns trigger language plpgsql as
       $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
     create constraint trigger fall after update on members deferrable initially deferred
       for each row execute function fall()`,
  );
  let attempts = 0;
  const broken = store.transact(async (store) => {
    attempts++;
    await store.members.raiseEpoch(1);
  });
  await expect(broken).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('check whether it was'),
  });
  expect(attempts).toBe(1);
});

test('a connection that breaks repeatedly makes the request fail as unavailable, and the next one works', async () => {
  await using database = await freshPostgres();
  await using store = await openStore(database.config);
  await addMember(store, 'Ann');
  const broken = store.transact(async (store) => {
    await store.members.raiseEpoch(1);
    await meddle(database.config, endOthers);
    await store.members.raiseEpoch(1);
  });
  const error = await broken.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect((await store.members.findById(1))?.epoch).toBe(0);
  const nowhere = database.url.replace(/:\d+\//, ':1/');
  await expect(openStore({ kind: 'postgres', url: nowhere })).rejects.toMatchObject({ code: 'unavailable' });
});
