/** A connection to a SQLite file that caches its prepared statements. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { Problem } from '#core/model/problem.ts';
import { type EngineOptions, observed, type Statement, storable } from '../engine.ts';
import { isOnlyReadable } from './errors.ts';
import { addTextShare } from './text-share.ts';

export const usualSettings = 'pragma temp_store = memory; pragma trusted_schema = on';
/** In kB. Small, because the operating system's file cache serves all connections as well. */
const memoryForReading = 'pragma cache_size = -2048';

const cachedStatements = 500;

/** The file and its write-ahead log must exist, unless it is the result of `whereNothingIsWritten`. */
export function openToRead(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  db.exec(`${usualSettings}; ${memoryForReading}`);
  return db;
}

/**
 * URI of a database in a read-only folder. SQLite can read a write-ahead log only with an index file beside it, which it would
 * have to create; without a log it opens the file as immutable: https://sqlite.org/wal.html#readonly. Refuses a log that cannot
 * be read, because the latest writes would be missing.
 */
export function whereNothingIsWritten(file: string): string {
  try {
    using db = new DatabaseSync(file, { readOnly: true });
    db.prepare('select 1 from sqlite_schema').get();
    return file;
  } catch (error) {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (!isOnlyReadable(error) || !existsSync(file)) throw error;
    if (log !== undefined && log.size > 0) {
      throw new Problem(
        'unavailable',
        `its write-ahead log ${basename(file)}-wal can be read only in a writable folder; copy the whole folder to one, and set COPPICE_DATA to the copy`,
      );
    }
    const { href } = pathToFileURL(file);
    return `${href}?immutable=1`;
  }
}

/** Whether there is a file that is more than a name. */
export function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Whether the system permits writing to the file and to its folder. There may be no room to do so. */
export function mayWrite(file: string): boolean {
  return [file, dirname(file)].every((path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export interface PreparedStatement {
  statement: StatementSync;
  givesRows: boolean;
  /** Whether the statement changes the schema or the settings of the file. */
  isDefinition: boolean;
}

/**
 * Rewrites a statement so that it stays compiled. If a limit is only a parameter, SQLite plans by its value and recompiles the
 * statement whenever it is bound, even to the same value (`sqlite3ExprIsInteger`, `vdbeUnbind`), which takes several times as
 * long as most queries.
 */
export function asCompiled(text: string): string {
  return text.replace(/\blimit \?/g, 'limit 0 + ?');
}

/** A connection that keeps its prepared statements. */
export class Handle implements DatabaseConnection {
  readonly db: DatabaseSync;
  #options: EngineOptions;
  #statements = new Map<string, PreparedStatement>();

  constructor(db: DatabaseSync, options: EngineOptions) {
    this.db = db;
    this.#options = options;
    addTextShare(db);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return observed(this.#options, query, () => {
      const { statement, givesRows } = this.prepare(query.sql);
      const parameters = query.parameters.map(plain) as (string | number | null)[];
      if (givesRows) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
  }

  /** Returns all rows at once. */
  rows(query: Statement): unknown[] {
    return observed(this.#options, query, () =>
      this.prepare(query.sql).statement.all(...(query.parameters.map(plain) as (string | number | null)[])),
    );
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    this.#options.onQuery?.(query);
    // Not a cached statement, because another query with the same text must not disturb it.
    const statement = this.db.prepare(query.sql);
    let rows: R[] = [];
    for (const row of statement.iterate(...(query.parameters.map(plain) as (string | number | null)[]))) {
      rows.push(row as R);
      if (rows.length < chunkSize) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
  }

  rollback(): void {
    // After some errors (full disk, I/O) SQLite has rolled back by itself.
    if (this.db.isTransaction) this.db.exec('rollback');
  }

  close(): void {
    this.db.close();
  }

  protected prepare(text: string): PreparedStatement {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= cachedStatements) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    const statement = this.db.prepare(asCompiled(text));
    const isDefinition = !/^\s*(select|insert|update|delete|with)\b/i.test(text);
    const givesRows = statement.columns().length > 0;
    // FTS5 leaves its own row IDs as the last inserted one, which exceed JavaScript's safe integers.
    if (!givesRows) statement.setReadBigInts(true);
    const prepared = { statement, givesRows, isDefinition };
    this.#statements.set(text, prepared);
    return prepared;
  }
}

export function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : storable(value);
}
