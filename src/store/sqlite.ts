/**
 * SQLite by `node:sqlite`: one writing connection that transactions take in order of arrival, and a few reading ones,
 * so that a long write never blocks a read (write-ahead log). Several processes may use one file.
 *
 * A commit has reached the disk before it is acknowledged, but SQLite does not wait for that (`synchronous=NORMAL`, with which
 * the log is always sound, however short): the log is brought to the disk here, off the thread that answers requests. Only
 * while an empty wiki is filled the last commit alone is, with which all of it is there.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { Problem } from '#domain/problem.ts';
import type { TextQuery } from '#domain/store.ts';
import {
  type Engine,
  type EngineOptions,
  encoded,
  type IndexedText,
  type SchemaWords,
  storable,
} from './engine.ts';
import { visible } from './session.ts';
import { inSlices } from './slices.ts';
import { Checkpoints, mostPages } from './sqlite-checkpoints.ts';
import { CommitLog } from './sqlite-commits.ts';
import { Groups, type WritingConnection } from './sqlite-groups.ts';
import {
  calmIndexes,
  checkIndexes,
  dropIndexes,
  forgetFilling,
  hiddenPages,
  indexCalled,
  isFilling,
  makeNextIndex,
  usualMerging,
} from './sqlite-indexes.ts';
import type { Tables } from './tables.ts';

/** In kB. What the operating system keeps of the file serves as well, and all connections at once. */
const memoryForReading = 'pragma cache_size = -2048';
/** Of the one connection that nearly all is read by. */
const memoryForMostReading = 'pragma cache_size = -8192';
/** What a group of writes has altered stays in memory until its commit: written out before, it may be written twice. */
const memoryForWriting = 'pragma cache_size = -16384';
/** New pages fall anywhere into the one index that is kept while a wiki is filled. */
const memoryForFilling = 'pragma cache_size = -131072';

const readerCount = 4;
const cachedStatements = 500;
/**
 * Of very many pages that answer a query, and of those that do by their title, those that were created last are ranked: the
 * others come behind them, by their last change.
 */
const maxRanked = 2000;
/** Pages that take some milliseconds to write to a search index. */
const indexedAtOnce = 10;

// Result codes of SQLite: https://sqlite.org/rescode.html
const busy = new Set([5, 6]);
/** Busy, locked, read-only, I/O error, full, cannot open: the file, not the statement, is the trouble. */
const lasting = new Set([5, 6, 8, 10, 13, 14]);
const duplicates = new Set([1555, 2067]);

const syncData = promisify(fdatasync);

const lastId = 'select seq from sqlite_sequence where name = ?';

const words: SchemaWords = {
  // AUTOINCREMENT: an ID is never given twice, even after its row is gone.
  id: 'integer primary key autoincrement',
  integer: 'integer',
  text: 'text',
  real: 'real',
  truth: 'integer',
  tableEnd: ' strict',
  searchIndexes: [indexCalled('page_text', 'page_text'), indexCalled('page_names', 'page_names')],
  calmSearchIndexes: [
    // Names are written at the end of a transaction: see `Handle`.
    'drop trigger if exists page_names_insert',
    'drop trigger if exists page_names_update',
    ...calmIndexes,
  ],
  usualMerging,
  commitLog: [],
  hiddenPages: [`create index ${hiddenPages} on pages (id, audience, owner_id) where audience > 0`],
  commitSubjects: [],
  commitsOfProcesses: [
    'create table commits (id integer primary key, writer integer not null, subjects text) strict',
  ],
  async storeByKey(db, table, columns) {
    // Those that are there: while a wiki is filled, some are not.
    const indexes = await sql<{ sql: string }>`select sql from sqlite_schema
      where type = 'index' and tbl_name = ${table} and sql is not null`.execute(db);
    const statements = [
      `create table new_${table} (${columns}) strict, without rowid`,
      `insert into new_${table} select * from ${table}`,
      `drop table ${table}`,
      `alter table new_${table} rename to ${table}`,
      ...indexes.rows.map((index) => index.sql),
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

export function openSqlite(file: string, options: EngineOptions): Engine {
  // Opened first: it makes the file and its write-ahead log, which read-only handles cannot.
  const writer = new Handle(openFile(file, false), options);
  const groups = new Groups(writer, kyselyOver(new Handles(1, () => writer)));
  const reader = kyselyOver(new Handles(readerCount, () => new Handle(openFile(file, true), options)));
  const watcher = new Handle(openFile(file, true), options);
  watcher.db.exec(memoryForMostReading);
  const checkpoints = new Checkpoints(file, watcher.db);
  const { commits } = writer;
  let looked = 0;

  return {
    words,
    reader,
    plansByStatistics: false,
    hasOneWriter: true,

    async transact(work) {
      try {
        const done = await groups.transact(async (db) => {
          commits.touched.begin();
          const result = await work(db);
          commits.touched.end();
          return result;
        });
        if (looked !== commits.touched.commits) checkpoints.look();
        looked = commits.touched.commits;
        return done;
      } catch (error) {
        throw translate(error);
      }
    },
    snapshot: (work) => reader.transaction().execute(work),
    // Nothing comes between, so one handle serves all, and what Kysely does around a statement is left out.
    async read(statements) {
      if (statements.length === 1) return statements.map((statement) => watcher.rows(statement));
      watcher.db.exec('begin');
      try {
        return statements.map((statement) => watcher.rows(statement));
      } finally {
        watcher.db.exec('commit');
      }
    },
    // All transactions are on the writer, so what Kysely does around a statement is left out here, too.
    run: async (_db, statements) => statements.map((statement) => writer.rows(statement)),
    async openSnapshot() {
      const db = await reader.startTransaction().execute();
      return {
        db,
        close: async () => {
          await db.rollback().execute();
        },
      };
    },
    bundle: (queries) => ({ statements: [...queries], unpack: (results) => results }),
    translate,
    isDuplicate: (error, table, column) =>
      duplicates.has(codeOf(error) ?? 0) && (error as Error).message.includes(`${table}.${column}`),

    rows(columns, rows) {
      const names = Object.keys(columns);
      const picked = names.map((name, i) => sql`value ->> ${sql.lit(i)} as ${sql.ref(name)}`);
      const json = encoded(rows, (rows) => JSON.stringify(rows.map((row) => row.map(plain))));
      return sql`(select ${sql.join(picked)} from json_each(${json}))`;
    },
    among: (reference, numbers) =>
      sql`${reference} in (select value from json_each(${encoded(numbers, JSON.stringify)}))`,
    amongTexts: (reference, texts) =>
      sql`${reference} in (select value from json_each(${encoded(texts, (value) => JSON.stringify(value.map(storable)))}))`,
    truth: (value) => sql.lit(value ? 1 : 0) as unknown as RawBuilder<boolean>,

    lockRows: () => sql``,
    lockMigrations: async () => {},
    lockWanted: async () => false,

    async reserveIds(_db, table, count) {
      // The writer is alone, so what comes next is known.
      const [last] = writer.rows(CompiledQuery.raw(lastId, [table])) as { seq: number }[];
      const first = (last?.seq ?? 0) + 1;
      return Array.from({ length: count }, (_, i) => first + i);
    },

    async saveTexts(_db, texts) {
      for (const text of texts) writer.texts.set(text.pageId, text);
    },
    async renewNames(_db, pageIds) {
      for (const id of pageIds) writer.named.add(id);
    },
    async sweepIndexes(db) {
      await sql`delete from page_text where rowid not in (select id from pages)`.execute(db);
      await sql`delete from page_names where rowid not in (select id from pages)`.execute(db);
    },
    textMatches: (id, query) =>
      sql`${id} in (select rowid from page_text where page_text match ${matchOf(query)})`,
    // Materialized, or the index would be asked anew for each page that is found otherwise.
    textRanking: (query) => sql`(
      with titled as materialized (
        select rowid as id from page_text where page_text match ${inTitle(query)} order by rowid desc limit ${maxRanked}
      ), found as materialized (
        select rowid as id, bm25(page_text, 5.0, 1.0) as rank from page_text
        where page_text match ${matchOf(query)} order by rowid desc limit ${maxRanked}
      )
      select id, rank, case when id in (select id from titled) then 1 else 0 end as title_hit from found
      union all select id, null, 1 from titled where id not in (select id from found))`,
    ranksSome: true,
    fromTitlesMatching: (query) => sql`from page_text cross join pages p
      where page_text match ${inTitle(query)} and p.id = page_text.rowid`,
    fromKeysContaining: (column, fragment) => sql`from page_names cross join pages p
      where page_names match ${inKey(column, fragment)} and p.id = page_names.rowid`,
    countedAlone: {
      texts: (query) => sql`(select rowid as id from page_text where page_text match ${matchOf(query)})`,
      keys: (column, fragment) =>
        sql`(select rowid as id from page_names where page_names match ${inKey(column, fragment)})`,
      isSeen(id, sight) {
        if (sight.upTo === 3) return sql`1 = 1`;
        // Left to itself, SQLite looks a page up by its ID in the table, which is a hundred times as large.
        return sql`not exists (select 1 from pages h indexed by ${sql.ref(hiddenPages)}
          where h.id = ${id} and h.audience > 0 and not ${visible('h', sight)})`;
      },
    },
    keyContains(column, fragment) {
      // The index knows runs of three characters; anything shorter is looked for in the keys themselves.
      if ([...fragment].length < 3) return sql`instr(${sql.ref(`p.${column}`)}, ${fragment}) > 0`;
      return sql`p.id in (select rowid from page_names where page_names match ${inKey(column, fragment)})`;
    },

    async dropIndexes(db) {
      const isFilling = await dropIndexes(db);
      if (isFilling) {
        writer.fill(true);
        writer.isDurable = false;
      }
      return isFilling;
    },
    isFilling,
    async makeNextIndex(db) {
      const hasMade = await makeNextIndex(db);
      // This transaction brings all before it to the disk.
      if (!hasMade) writer.isDurable = true;
      return hasMade;
    },
    async forgetFilling(db) {
      await forgetFilling(db);
      writer.fill(false);
    },
    checkIndexes,
    async complaints(db) {
      const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db);
      const broken = integrity.rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
      const homeless = await sql<{ table: string; parent: string }>`select distinct "table", parent
        from pragma_foreign_key_check`.execute(db);
      return [
        ...broken.map((line) => `The database file is damaged: ${line}.`),
        ...homeless.rows.map(
          ({ table, parent }) => `The table ${table} has rows that belong to no row of ${parent}.`,
        ),
      ];
    },
    resumeIds: async () => {},
    afterMigration: async () => {},
    stamp: () => String(commits.count()),
    isUnchanged: (stamp, subjects) => commits.isUnchangedSince(Number(stamp), subjects),
    touch: (_db, subjects) => commits.touched.tell(subjects),
    async ping() {
      try {
        await sql`select 1`.execute(reader);
        return { isWritable: true };
      } catch (error) {
        throw translate(error);
      }
    },
    async [Symbol.asyncDispose]() {
      await groups[Symbol.asyncDispose]();
      await checkpoints[Symbol.asyncDispose]();
      watcher.db.close();
      await reader.destroy();
      writer.close();
    },
  };
}

function openFile(file: string, readOnly: boolean): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, timeout: 10_000 });
  if (!readOnly) {
    // Three changes of 2 kB share a page of 8 kB; in the default 4 kB each would fill its own by half.
    db.exec('pragma page_size = 8192; pragma journal_mode = wal;');
    db.exec(
      `pragma synchronous = normal; pragma foreign_keys = on; pragma wal_autocheckpoint = ${mostPages};`,
    );
    // Waiting inside SQLite would stop the event loop, so the writer never does: see `Groups`.
    db.exec('pragma busy_timeout = 0');
  }
  const memory = readOnly ? memoryForReading : memoryForWriting;
  db.exec(`pragma temp_store = memory; pragma trusted_schema = on; ${memory}`);
  return db;
}

function kyselyOver(handles: Handles): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => handles,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** A fixed number of connections, handed out in order of asking. */
class Handles implements Driver {
  #size: number;
  #open: () => Handle;
  #all: Handle[] = [];
  #idle: Handle[] = [];
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

  async releaseConnection(handle: Handle): Promise<void> {
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
    for (const handle of this.#all) handle.db.close();
    this.#all = [];
    this.#idle = [];
  }
}

interface PreparedStatement {
  statement: StatementSync;
  givesRows: boolean;
  /** It changes the schema, or how the file is used. */
  isDefinition: boolean;
}

/** A connection that keeps its prepared statements. */
class Handle implements DatabaseConnection, WritingConnection {
  readonly db: DatabaseSync;
  readonly commits: CommitLog;
  #options: EngineOptions;
  #statements = new Map<string, PreparedStatement>();
  #totalChanges: StatementSync;
  /** Statements that change the schema; the engine counts only rows. */
  #definitions = 0;
  #countAtBegin = 0;
  /**
   * What the search indexes are told before the commit, all of it at once: they write what they have gathered whenever a
   * statement of many rows begins, and would so write a little of their own for every page.
   */
  readonly texts = new Map<number, IndexedText>();
  readonly named = new Set<number>();
  /** Then the parts of the search indexes are merged at its end, or by hundreds. */
  #isFilling = false;
  /** Taken hold of with the next transaction: within one they cannot be changed. */
  #nextPragmas = '';
  /** Whether what was committed is brought to the disk before anybody is told of it. */
  isDurable = true;
  #log: number | undefined;

  constructor(db: DatabaseSync, options: EngineOptions) {
    this.db = db;
    this.#options = options;
    this.#totalChanges = db.prepare('select total_changes() as count');
    this.commits = new CommitLog(db);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#options.onQuery?.(query);
    const { statement, givesRows } = this.#prepare(query.sql);
    const parameters = query.parameters.map(plain) as (string | number | null)[];
    if (givesRows) return { rows: statement.all(...parameters) as R[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  /** At once. */
  rows(query: CompiledQuery): unknown[] {
    this.#options.onQuery?.(query);
    return this.#prepare(query.sql).statement.all(
      ...(query.parameters.map(plain) as (string | number | null)[]),
    );
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    this.#options.onQuery?.(query);
    // Not one of those that are kept: another query of the same text must not disturb it.
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

  tryBegin(isLastTry: boolean): boolean {
    try {
      this.db.exec(this.#nextPragmas);
      this.#nextPragmas = '';
      this.db.exec('begin immediate');
      this.#countAtBegin = this.writeCount();
      return true;
    } catch (error) {
      if (isLastTry || !busy.has((codeOf(error) ?? 0) & 0xff)) throw error;
      return false;
    }
  }

  async commit(): Promise<void> {
    await this.#writeSearchIndexes();
    this.commits.commit(this.writeCount() !== this.#countAtBegin);
  }

  async sync(): Promise<void> {
    if (!this.isDurable) return;
    // SQLite holds no lock on the log, which closing it here would take away.
    this.#log ??= openSync(`${this.db.location()}-wal`, 'r+');
    try {
      await syncData(this.#log);
    } catch (cause) {
      throw new Problem(
        'unavailable',
        'The disk failed when this was to be saved. The server takes no changes until it is started again; please look then whether this one is there.',
        { cause },
      );
    }
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.db.close();
  }

  rollback(): void {
    this.commits.touched.rollback();
    this.texts.clear();
    this.named.clear();
    // After some errors (full disk, I/O) SQLite has rolled back by itself.
    if (this.db.isTransaction) this.db.exec('rollback');
  }

  writeCount(): number {
    return Number(this.#totalChanges.get()?.count) + this.#definitions;
  }

  /** Whether very many pages go in at once, while nobody waits for a turn. All that they refer to goes in with them. */
  fill(isFilling: boolean): void {
    this.#isFilling = isFilling;
    this.db.exec(isFilling ? memoryForFilling : memoryForWriting);
    this.#nextPragmas += `pragma foreign_keys = ${isFilling ? 'off' : 'on'};`;
  }

  async #writeSearchIndexes(): Promise<void> {
    const saveText = this.#prepare('insert or replace into page_text (rowid, title, body) values (?, ?, ?)');
    // In order of their IDs, or FTS5 writes what it has gathered at each that is lower than the one before.
    const texts = [...this.texts.values()].sort((a, b) => a.pageId - b.pageId);
    const inIndexSlices = <T>(items: T[], work: (slice: readonly T[]) => Promise<void>) =>
      inSlices(items, work, this.#isFilling ? items.length : indexedAtOnce);
    await inIndexSlices(texts, async (texts) => {
      for (const { pageId, titleTerms, bodyTerms } of texts)
        saveText.statement.run(pageId, titleTerms, bodyTerms);
    });
    const namesOf = this.#prepare(`select id, title_key, path_key from pages
      where id in (select value from json_each(?)) order by id`);
    const saveName = this.#prepare(
      'insert or replace into page_names (rowid, title_key, path_key) values (?, ?, ?)',
    );
    const named = [...this.named].sort((a, b) => a - b);
    await inIndexSlices(named, async (ids) => {
      const rows = namesOf.statement.all(JSON.stringify(ids));
      for (const { id, title_key, path_key } of rows)
        saveName.statement.run(id as number, title_key as string, path_key as string);
    });
    this.texts.clear();
    this.named.clear();
  }

  #prepare(text: string): PreparedStatement {
    const known = this.#statements.get(text);
    if (known) {
      if (known.isDefinition) this.#definitions++;
      return known;
    }
    if (this.#statements.size >= cachedStatements) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    const statement = this.db.prepare(text);
    const isDefinition = !/^\s*(select|insert|update|delete|with)\b/i.test(text);
    if (isDefinition) this.#definitions++;
    const prepared = { statement, givesRows: statement.columns().length > 0, isDefinition };
    this.#statements.set(text, prepared);
    return prepared;
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : storable(value);
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function translate(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !lasting.has(code & 0xff)) return error;
  return new Problem('unavailable', 'The database cannot take this now. Please try again in a moment.', {
    cause: error,
  });
}

/** `"open source"* "wiki"`: phrases side by side must all occur. */
function matchOf(query: TextQuery): string {
  return query.map((phrase) => quoted(phrase.terms.join(' ')) + (phrase.prefix ? ' *' : '')).join(' ');
}

function inTitle(query: TextQuery): string {
  return query
    .map((phrase) => `{title} : ${quoted(phrase.terms.join(' '))}${phrase.prefix ? ' *' : ''}`)
    .join(' AND ');
}

function inKey(column: 'title_key' | 'path_key', fragment: string): string {
  return `{${column}} : ${quoted(fragment)}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
