/** Several processes on one database: what each may cache while the others write. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { childrenOf, leadsTo, linksTo } from '#cache/dependency.ts';
import { createRenderer } from '#core/content/render.ts';
import { addMember } from '#core/members/manage-members.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import type { Passphrases } from '#core/ports/credentials.ts';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import { Servers } from '#store/postgres/servers.ts';
import type { StoreConfig } from '#store/store.ts';
import { noFiles } from '../support/no-files.ts';
import { databases, type FreshDatabase, freshPostgres, freshSqlite } from '../support/postgres.ts';
import { silentProxy } from '../support/postgres-proxy.ts';

const actor = { memberId: 1, name: 'Ada', isAdmin: true };

async function withTwoOn(
  database: FreshDatabase,
  work: (own: Store, other: Store, config: StoreConfig) => Promise<void>,
): Promise<void> {
  await using own = await openStore(database.config);
  await using other = await openStore(database.config);
  const ada = { email: 'ada@example.org', name: 'Ada', isAdmin: true, passphrase: null };
  await addMember(own, {} as Passphrases, ada, 0);
  for (const title of ['Heron', 'Mill']) {
    await createPage(
      { store: own, files: noFiles, actor, now: 1 },
      { title, path: `/${title.toLowerCase()}`, body: 'one' },
    );
  }
  await work(own, other, database.config);
}

const renderer = createRenderer('');
let edits = 0;
const edit = (store: Store) =>
  editPage({ store, files: noFiles, renderer, actor, now: 2 }, '/heron', { body: `text ${edits++}` });

describe.each(databases)('commits on %s', (_name, fresh) => {
  const withTwo = async (work: (own: Store, other: Store, config: StoreConfig) => Promise<void>) => {
    await using database = await fresh();
    await withTwoOn(database, work);
  };

  test('an edit by another process invalidates responses about that page, and nothing else', async () => {
    await withTwo(async (own, other) => {
      const heron = (await own.readAsSystem().pages.findByPath('/heron'))?.id ?? 0;
      const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
      const before = await own.revision();
      await edit(other);
      expect(await own.revision()).not.toBe(before);
      expect(own.isUnchanged(before, [heron])).toBe(false);
      expect(own.isUnchanged(before, [mill])).toBe(true);
    });
  });

  test('a page created by another process makes responses that name it stale', async () => {
    await withTwo(async (own, other) => {
      const before = await own.revision();
      await createPage({ store: other, files: noFiles, actor, now: 3 }, { title: 'Reed', body: '[[Sedge]]' });
      await own.revision();
      for (const dependency of [leadsTo('reed'), linksTo('sedge'), childrenOf(null)])
        expect(own.isUnchanged(before, [dependency])).toBe(false);
      expect(own.isUnchanged(before, [1, leadsTo('heron'), linksTo('heron')])).toBe(true);
    });
  });

  test('a write that may concern any page invalidates everything', async () => {
    await withTwo(async (own, other) => {
      const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
      const before = await own.revision();
      await other.members.update(1, { name: 'Bea' });
      await own.revision();
      expect(own.isUnchanged(before, [mill])).toBe(false);
    });
  });

  test('a write of an unknown program makes responses stale at its commit and not before', async () => {
    await withTwo(async (own, _other, config) => {
      const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
      await using program = await openProgram(config);
      const writes = [
        `update pages set description = 'changed' where path = '/mill'`,
        `insert into likes (page_id, member_id, at) values (${mill}, 1, 1)`,
        'update changes set at = 2',
        ...(config.kind === 'postgres' ? ['truncate wanted'] : []),
      ];
      for (const write of writes) {
        const before = await own.revision();
        await program.run('begin');
        await program.run(write);
        expect(await own.revision(), write).toBe(before);
        await program.run('commit');
        expect(await own.revision(), write).not.toBe(before);
        expect(own.isUnchanged(before, [mill]), write).toBe(false);
      }
    });
  });

  test('invalidations of a transaction apply from its commit, whatever is learned of others before', async () => {
    await withTwo(async (own, other) => {
      const heron = (await own.readAsSystem().pages.findByPath('/heron'))?.id ?? 0;
      await own.revision();
      await other.members.update(1, { name: 'Bea' });
      const before = await own.transact(async (store) => {
        await edit(store);
        return own.revision();
      });
      await own.revision();
      expect(own.isUnchanged(before, [heron])).toBe(false);
    });
  });

  test('a transaction that fails invalidates nothing', async () => {
    await withTwo(async (own, other) => {
      const failing = other.transact(async (store) => {
        await edit(store);
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect((await own.readAsSystem().pages.findByPath('/heron'))?.content.body).toBe('one');
    });
  });
});

test('on PostgreSQL its maintenance, other databases and rollbacks invalidate nothing', async () => {
  await using database = await freshPostgres();
  await using elsewhere = await freshPostgres();
  await withTwoOn(database, async (own, other, config) => {
    const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
    await using program = await openProgram(config);
    await using stranger = await openProgram(elsewhere.config);
    const before = await own.revision();
    await program.run('analyze pages');
    await program.run('create table notes (text text)');
    await stranger.run('create table pages (path text)');
    await program.run('begin');
    await program.run(`update pages set description = 'changed' where path = '/mill'`);
    await program.run('rollback');
    expect(await own.revision()).toBe(before);
    await edit(other);
    expect(await own.revision()).not.toBe(before);
    expect(own.isUnchanged(before, [mill])).toBe(true);
  });
});

test('on PostgreSQL a transaction counts when it ends, in any order, and whether or not it may write its row', async () => {
  await using database = await freshPostgres();
  await withTwoOn(database, async (own, other, config) => {
    const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
    await using program = await openProgram(config);
    // Roles are shared by the whole server.
    const scribe = `scribe_${process.pid}`;
    await program.run(`create role ${scribe}`);
    await program.run(`grant select, update on pages to ${scribe}`);
    // An unqualified `commits` would refer to this table.
    await program.run('create temp table commits (xid xid8 primary key, pages bigint[], subjects bigint[])');
    await program.run('begin');
    await program.run(`set local role ${scribe}; set local search_path to pg_catalog`);
    await program.run(`update public.pages set description = 'changed' where path = '/mill'`);
    await edit(other);
    const before = await own.revision();
    for (let n = 0; n < 3; n++) await edit(other);
    await own.revision();
    expect(own.isUnchanged(before, [mill])).toBe(true);
    await program.run('commit');
    await own.revision();
    expect(own.isUnchanged(before, [mill])).toBe(false);
    await program.run(`revoke all on pages from ${scribe}; drop role ${scribe}`);
  });
});

test('on PostgreSQL a process that has not asked for long assumes that everything is invalid', async () => {
  await using database = await freshPostgres();
  await withTwoOn(database, async (own, other, config) => {
    const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
    await using program = await openProgram(config);
    const before = await own.revision();
    await edit(other);
    // Every transaction advances the counter. Rows may be gone if they are 20,000 transactions older than the oldest one
    // running on the whole server, possibly in another test.
    await program.run(
      `do $$ declare first bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
      begin
        for n in 1..20100 loop perform pg_current_xact_id(); commit; end loop;
        while pg_snapshot_xmin(pg_current_snapshot())::text::bigint <= first + 20000 loop
          perform pg_sleep(0.01);
          commit;
        end loop;
      end $$`,
    );
    await own.revision();
    expect(own.isUnchanged(before, [mill])).toBe(false);
  });
});

describe('a database that lacks functions', () => {
  /** The wiki comes by a role that may not call these. */
  async function without(functions: string, work: (database: FreshDatabase) => Promise<void>): Promise<void> {
    await using database = await freshPostgres();
    await using program = await openProgram(database.config);
    const user = `stranger_${process.pid}`;
    const name = new URL(database.url).pathname.slice(1);
    await program.run(`create role ${user} login password 'x'`);
    await program.run(
      `alter database ${name} owner to ${user}; revoke execute on function ${functions} from public`,
    );
    try {
      const url = database.url.replace('postgres:postgres@', `${user}:x@`);
      await work({ ...database, config: { kind: 'postgres', url } });
    } finally {
      await program.run(`alter database ${name} owner to postgres; drop owned by ${user}; drop role ${user}`);
    }
  }

  test('serves without those that can be replaced, and names them; its commits count when they end, in any order', () =>
    without(
      'pg_current_xact_id(), pg_current_snapshot(), pg_advisory_xact_lock(bigint), pg_advisory_xact_lock_shared(bigint)',
      async (database) => {
        let named: readonly string[] = [];
        const lacks = (functions: readonly string[]) => {
          named = functions;
        };
        await (await openStore(database.config, { serverProcesses: 1, lacks }))[Symbol.asyncDispose]();
        expect(named).toContain('pg_current_snapshot()');
        await withTwoOn(database, async (own, other, config) => {
          expect(await own.ping()).toMatchObject({ isWritable: true });
          const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
          await using slow = await openProgram(config);
          await slow.run(
            `begin; insert into numbered_commits values (nextval('commit_numbers'), '{${mill}}')`,
          );
          const before = await own.revision();
          await edit(other);
          expect(await own.revision()).not.toBe(before);
          expect(own.isUnchanged(before, [childrenOf(null)])).toBe(true);
          expect(own.isUnchanged(before, [mill])).toBe(true);
          await slow.run('commit');
          await own.revision();
          expect(own.isUnchanged(before, [mill])).toBe(false);
        });
      },
    ));

  test('is refused with the names of those without which nothing works', () =>
    without('pg_is_in_recovery()', async ({ config }) => {
      await expect(openStore(config, { serverProcesses: 1 })).rejects.toThrow(
        /^DATABASE_URL: this database has no pg_is_in_recovery\(\), or/,
      );
    }));
});

test('on PostgreSQL transactions read what is committed, even if the server’s default is serializable', async () => {
  await using database = await freshPostgres();
  await using program = await openProgram(database.config);
  const name = new URL(database.url).pathname.slice(1);
  await program.run(`alter database ${name} set default_transaction_isolation = serializable`);
  await using servers = await Servers.open([database.url]);
  const { rows } = await servers.writer().query({ text: 'show transaction_isolation' });
  expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
});

test('on PostgreSQL checks that begin while the store is closed leave no connection', async () => {
  await using database = await freshPostgres();
  const servers = await Servers.open([database.url]);
  const server = servers.writer();
  await servers[Symbol.asyncDispose]();
  await expect(server.aside('select 1')).rejects.toThrow(/lost/);
});

test('servers of PostgreSQL that miss the first check of their health are asked again before a command gives up', async () => {
  await using database = await freshPostgres();
  await using first = await silentProxy(database.url);
  await using second = await silentProxy(database.url);
  await using servers = await Servers.open([first.url, second.url]);
  expect(servers.primary).toBeDefined();
});

test('on PostgreSQL the addresses of a proxy and of the server that it leads to are one server, and no replica of it', async () => {
  await using database = await freshPostgres();
  const { url } = database;
  const addressOfItsOwn = url.replace('localhost', '127.0.0.1');
  await using store = await openStore({ kind: 'postgres', url, replicaUrls: [addressOfItsOwn] });
  expect(await store.ping()).toEqual({ isWritable: true, replicas: { inUse: 0, all: 0 } });
  expect(store.connections?.().replicaLagMs).toBeUndefined();
});

test('on SQLite a process that finds a commit without a row writes it', async () => {
  await using database = await freshSqlite();
  await withTwoOn(database, async (own, other, config) => {
    const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
    await using program = await openProgram(config);
    await other.revision();
    const before = await own.revision();
    await program.run(`update pages set description = 'changed' where path = '/mill'`);
    await edit(other);
    await own.revision();
    expect(own.isUnchanged(before, [mill])).toBe(false);
  });
});

test('on SQLite missing rows may have invalidated anything', async () => {
  await using database = await freshSqlite();
  await withTwoOn(database, async (own, other, config) => {
    const mill = (await own.readAsSystem().pages.findByPath('/mill'))?.id ?? 0;
    await using program = await openProgram(config);
    const before = await own.revision();
    for (let n = 0; n < 3; n++) await edit(other);
    await program.run('delete from commits where id = (select max(id) - 1 from commits)');
    await own.revision();
    expect(own.isUnchanged(before, [mill])).toBe(false);
    // The next commit of `other` covers the program's write, once.
    await edit(other);
    const after = await own.revision();
    await edit(other);
    await own.revision();
    expect(own.isUnchanged(after, [mill])).toBe(true);
  });
});

/** A connection of any other program with access to the database. */
async function openProgram(
  config: StoreConfig,
): Promise<AsyncDisposable & { run(statement: string): Promise<unknown> }> {
  if (config.kind === 'sqlite') {
    const db = new DatabaseSync(config.file);
    return { run: async (statement) => db.exec(statement), [Symbol.asyncDispose]: async () => db.close() };
  }
  const client = new pg.Client(config.url);
  await client.connect();
  return { run: (statement) => client.query(statement), [Symbol.asyncDispose]: () => client.end() };
}
