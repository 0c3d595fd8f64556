/** A fresh, empty store for each test, on both engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, inject } from 'vitest';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import type { StoreConfig, StoreOptions } from '#store/store.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** A new, empty database. Disposing of it drops it with its contents. */
export interface FreshDatabase extends AsyncDisposable {
  config: StoreConfig;
}

export async function freshSqlite(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-sqlite-'));
  return {
    config: { kind: 'sqlite', file: join(folder, 'coppice.sqlite') },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

let tables: Promise<Buffer> | undefined;

/** Begins a wiki on SQLite in this data folder, with tables, because creating them takes longer than most requests. */
export async function beginSqlite(folder: string): Promise<void> {
  tables ??= emptyTables();
  await writeFile(join(folder, 'coppice.db'), await tables);
}

async function emptyTables(): Promise<Buffer> {
  await using fresh = await freshSqlite();
  const { file } = fresh.config as { file: string };
  await (await openStore(fresh.config))[Symbol.asyncDispose]();
  return readFile(file);
}

let made = 0;

export async function freshPostgres(): Promise<FreshDatabase & { url: string }> {
  const server = inject('postgresUrl');
  const name = `test_${process.pid}_${Date.now()}_${made++}`;
  const plain = inject('plainPostgresUrl');
  await administer(server, `create database ${name}${plain ? ` owner ${new URL(plain).username}` : ''}`);
  const url = (plain ?? server) + name;
  return {
    url,
    config: { kind: 'postgres', url },
    // Forced, because a failed test may have left a store open.
    [Symbol.asyncDispose]: () => administer(server, `drop database ${name} with (force)`),
  };
}

const emptied: string[] = [];

/** Like `freshPostgres`, but with tables, because creating them takes longer than most tests. */
export async function emptiedPostgres(): Promise<FreshDatabase & { url: string }> {
  const url = emptied.pop() ?? (await freshPostgres()).url;
  return {
    url,
    config: { kind: 'postgres', url },
    [Symbol.asyncDispose]: async () => {
      await run(inject('postgresUrl') + new URL(url).pathname.slice(1), emptyEverything);
      emptied.push(url);
    },
  };
}

/**
 * Deletes the rows of small tables, which is 50 times as fast as truncating, and runs no triggers. Ends open connections and
 * restores rows written by migrations.
 */
const emptyEverything = `
  set session_replication_role = replica;
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  do $$ declare emptied record; begin
    for emptied in select format('%I', relname) as name, pg_relation_size(oid) as size from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
    loop
      execute format(case when emptied.size > 1000000 then 'truncate %s cascade' else 'delete from %s' end, emptied.name);
    end loop;
    perform setval(format('%I', sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname = 'public' and last_value is not null;
    insert into watched_events (id, lease_until) values (1, 0);
    insert into settings (name, value, changed_at) values ('private', 'false', 0);
  end $$`;

/** Databases without tables. */
export const databases: [EngineName, () => Promise<FreshDatabase>][] = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', freshPostgres],
];

/** Faster than `databases`: those of PostgreSQL may already have tables. */
export const emptyDatabases: typeof databases = [
  ['SQLite', freshSqlite],
  ['PostgreSQL', emptiedPostgres],
];

/** Pairs of a name and a function that opens an empty store; disposing of the store removes its database. */
export const engines: [EngineName, (options?: StoreOptions) => Promise<Store>][] = emptyDatabases.map(
  ([name, fresh]) => [name, (options) => openFresh(fresh, options)],
);

/** Defines the tests once for each engine. */
export function forEachEngine(
  define: (open: (options?: StoreOptions) => Promise<Store>, name: EngineName) => void,
): void {
  for (const [name, open] of engines) describe(name, () => define(open, name));
}

async function openFresh(fresh: () => Promise<FreshDatabase>, options?: StoreOptions): Promise<Store> {
  const database = await fresh();
  const store = await openStore(database.config, options);
  const close = store[Symbol.asyncDispose];
  return Object.assign(store, {
    [Symbol.asyncDispose]: async () => {
      await close();
      await database[Symbol.asyncDispose]();
    },
  });
}

function administer(server: string, statement: string): Promise<void> {
  return run(`${server}postgres`, statement);
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
