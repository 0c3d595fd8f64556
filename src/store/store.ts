/** Opens the store: one implementation of the port, over either engine. */
import type { Store } from '#domain/store.ts';
import { changeStore } from './changes.ts';
import type { Database, Engine, EngineOptions } from './engine.ts';
import { fileRows } from './files.ts';
import { linkStore } from './links.ts';
import { listStore } from './lists.ts';
import { memberStore } from './members.ts';
import { migrate } from './migrate.ts';
import { pageStore } from './pages.ts';
import type { Session } from './session.ts';
import { openSqlite } from './sqlite.ts';
import { upkeepStore } from './upkeep.ts';

export type StoreConfig = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };

/** Opens the database, makes it if there is none (SQLite), and migrates it. */
export async function openStore(config: StoreConfig, options: EngineOptions = {}): Promise<Store> {
  const engine = await openEngine(config, options);
  try {
    await migrate(engine);
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }
  return storeOver(engine);
}

async function openEngine(config: StoreConfig, options: EngineOptions): Promise<Engine> {
  if (config.kind === 'sqlite') return openSqlite(config.file, options);
  // Who runs on SQLite need not load the other driver.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(config.url, options);
}

function storeOver(engine: Engine): Store {
  return {
    ...partsOf({ engine, db: engine.reader, isTransaction: false }),
    transact: async (work) =>
      translating(engine, () => engine.transact((db) => work(withinTransaction(engine, db)))),
    ping: () => engine.ping(),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function withinTransaction(engine: Engine, db: Database): Store {
  const store: Store = {
    ...partsOf({ engine, db, isTransaction: true }),
    // A transaction within a transaction is part of it.
    transact: (work) => work(store),
    ping: () => engine.ping(),
    [Symbol.asyncDispose]: async () => {},
  };
  return store;
}

function partsOf(session: Session) {
  const { engine } = session;
  return {
    pages: guarded(engine, pageStore(session)),
    changes: guarded(engine, changeStore(session)),
    links: guarded(engine, linkStore(session)),
    lists: guarded(engine, listStore(session)),
    files: guarded(engine, fileRows(session)),
    members: guarded(engine, memberStore(session)),
    upkeep: upkeepStore(session),
  };
}

/** Every method fails in the wiki's terms: an engine that cannot be reached is Problem `unavailable`. */
function guarded<S extends object>(engine: Engine, part: S): S {
  const methods = Object.entries(part).map(
    ([name, method]: [string, (...args: unknown[]) => Promise<unknown>]) => [
      name,
      (...args: unknown[]) => translating(engine, () => method(...args)),
    ],
  );
  return Object.fromEntries(methods) as S;
}

async function translating<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw engine.translate(error);
  }
}
