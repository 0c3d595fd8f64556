/** Kysely drivers for a SQLite file: a fixed number of connections for reading, or the writing connection. */
import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Handle } from './handle.ts';

export function kyselyOver(handles: Handles): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => handles,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** A fixed number of connections, handed out in order of request. */
export class Handles implements Driver {
  #size: number;
  #open: () => Handle;
  #all: Handle[] = [];
  #idle: Handle[] = [];
  /** Connections that are closed when they are released. */
  #outdated = new WeakSet<Handle>();
  #waiting: ((handle: Handle) => void)[] = [];

  constructor(size: number, open: () => Handle) {
    this.#size = size;
    this.#open = open;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Handle> {
    if (this.#idle.length === 0 && this.#all.length < this.#size) {
      const handle = this.#open();
      this.#all.push(handle);
      return handle;
    }
    return this.#idle.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Makes all later connections new ones. */
  renew(): void {
    for (const handle of this.#idle.splice(0)) this.#drop(handle);
    for (const handle of this.#all) this.#outdated.add(handle);
  }

  #drop(handle: Handle): void {
    this.#all.splice(this.#all.indexOf(handle), 1);
    handle.close();
  }

  async releaseConnection(released: Handle): Promise<void> {
    let handle = released;
    if (this.#outdated.has(handle)) {
      this.#drop(handle);
      handle = this.#open();
      this.#all.push(handle);
    }
    const next = this.#waiting.shift();
    if (next) next(handle);
    else this.#idle.push(handle);
  }

  async beginTransaction(handle: Handle): Promise<void> {
    handle.db.exec('begin');
  }

  async commitTransaction(handle: Handle): Promise<void> {
    handle.db.exec('commit');
  }

  async rollbackTransaction(handle: Handle): Promise<void> {
    handle.rollback();
  }

  async destroy(): Promise<void> {
    for (const handle of this.#all) handle.close();
    this.#all = [];
    this.#idle = [];
  }
}
