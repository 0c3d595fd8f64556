/**
 * Maps that exceed memory: tables of an unnamed SQLite database, which is kept in memory while small and otherwise in a
 * temporary file, invisible to others and deleted with the process.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const atOnce = 500;
const memory = 'pragma cache_size = -8192; pragma journal_mode = off; pragma synchronous = off';

export class LargeMaps implements Disposable {
  readonly #db = new DatabaseSync('');
  #count = 0;

  constructor() {
    this.#db.exec(`${memory}; begin`);
  }

  make<V>(): LargeMap<V> {
    return new LargeMap<V>(this.#db, `map${this.#count++}`);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

/** Works like a `Map` for JSON values; `get` returns a copy. */
export class LargeMap<V> {
  readonly #get: StatementSync;
  readonly #set: StatementSync;
  readonly #some: StatementSync;
  #size = 0;

  constructor(db: DatabaseSync, table: string) {
    db.exec(`create table ${table} (id integer primary key, key text not null unique, value text not null)`);
    this.#get = db.prepare(`select value from ${table} where key = ?`);
    this.#set = db.prepare(`insert into ${table} (key, value) values (?, ?)
      on conflict (key) do update set value = excluded.value returning id`);
    this.#some = db.prepare(`select id, key, value from ${table} where id > ? order by id limit ${atOnce}`);
  }

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#get.get(key) !== undefined;
  }

  get(key: string): V | undefined {
    const row = this.#get.get(key);
    return row === undefined ? undefined : JSON.parse(String(row.value));
  }

  set(key: string, value: V): void {
    // IDs are assigned in sequence, without gaps.
    const id = Number(this.#set.get(key, JSON.stringify(value))?.id);
    this.#size = Math.max(this.#size, id);
  }

  /** In insertion order; values may be updated during the iteration. */
  *slices(): Generator<[key: string, value: V][]> {
    for (let after = 0; ; ) {
      const rows = this.#some.all(after);
      if (rows.length === 0) return;
      after = Number(rows.at(-1)?.id);
      yield rows.map(({ key, value }) => [String(key), JSON.parse(String(value))]);
    }
  }

  *entries(): Generator<[key: string, value: V]> {
    for (const some of this.slices()) yield* some;
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value;
  }
}
