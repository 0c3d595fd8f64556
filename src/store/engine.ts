/**
 * The interface between the store and its engines: everything in which SQLite and PostgreSQL differ, and nothing else. All
 * other files in this folder use common SQL and mention no engine.
 */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Dependency } from '#cache/dependency.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { Phrase, TextQuery } from '#core/model/terms.ts';
import type { AskSpace } from '#core/ports/disk-space.ts';
import type { Scrubbed } from '#core/ports/maintenance-store.ts';
import type {
  Condition,
  DatabaseConnections,
  Invalidated,
  ReadPreference,
  WriteFailure,
} from '#core/ports/store.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** A statement with the key under which it is counted or explained. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

export interface EngineOptions {
  /** Called with each statement before it runs, except begin, commit and rollback. */
  onQuery?: (query: Statement) => void;
  /** Called with each statement before it runs. The function that it returns is called when the statement has been answered or failed. */
  onStatement?: (query: Statement) => () => void;
  /** Called for every write of a transaction to its connection, that is, at least once per round trip to the server. */
  onTrip?: () => void;
  /** Opens for reading only, possibly on a read-only disk: nothing is created or migrated. */
  isReadOnly?: boolean;
  /** Called with the functions that the database lacks, where the wiki works without them, in another way. */
  lacks?: (functions: readonly string[]) => void;
  /** Called before a new database is created. If it throws, nothing is created. */
  beforeCreating?: () => void;
  /** Called when the disk is full, before the write is retried. */
  makeRoom?: () => void;
  /** Reports free space of the disk that holds the database, if it is a file. */
  askSpace?: AskSpace;
  /**
   * Most connections to each server, besides the one that checks its health. Undefined: 10, or fewer where the server has not so
   * many for `serverProcesses`.
   */
  maxConnections?: number;
  /** Number of processes of a server, each with so many connections: the database must have enough. Undefined for a command. */
  serverProcesses?: number;
  /** Number of pages from which `readLong` uses separate threads, for an engine that computes in this process. */
  manyPages?: Record<ReadQueue, number>;
}

/** Runs a statement, and tells who listens. */
export function observed<T>({ onQuery, onStatement }: EngineOptions, query: Statement, run: () => T): T {
  onQuery?.(query);
  const ended = onStatement?.(query);
  if (!ended) return run();
  let result: T | undefined;
  try {
    result = run();
    return result;
  } finally {
    if (result instanceof Promise) result.then(ended, ended);
    else ended();
  }
}

/**
 * Separate queues of long reads: searches for words or parts of words, and lists by columns. Requests in one do not wait for
 * the other.
 */
export type ReadQueue = 'words' | 'lists';

/** Tables that are read in commit order, from a position on. */
export type Numbered = 'events' | 'audit';

/** Fragments of the data definition language that differ between the engines. */
export interface SchemaWords {
  /** A primary key assigned by the engine in increasing order. */
  id: string;
  integer: string;
  text: string;
  real: string;
  truth: string;
  /** End of a table definition. */
  rows: string;
  /** End of the definition of a table whose rows are stored in key order, if the engine supports that. */
  rowsByKey: string;
  /**
   * Statements that create what only one engine has: search indexes, triggers that report commits, indexes for its query plans.
   */
  ofEngine: string[];
  /** Statements that index parts of folded titles and paths, if the engine's search index does not. */
  foldedNames: string[];
  /** The column that gives the commit order of the table's rows, and its indexes, if it is not the ID. */
  commitOrder(table: Numbered): { column: string; indexes: string[] };
}

/** Names of a page that are searched for parts of them. */
export type FoldedName = 'title' | 'path';

/** Whether the engine plans searches by its own statistics, or the store by counting matches. */
export type Planner = 'engine' | 'store';

/** Search terms in the order of the text, separated by spaces. */
export interface IndexedText {
  pageId: number;
  titleTerms: string;
  bodyTerms: string;
}

/** Everything that the search indexes contain about a page; title and path are folded. */
interface IndexedPage extends IndexedText {
  title: string;
  path: string;
}

export interface IndexCheck extends AsyncDisposable {
  /** Returns the pages whose index entries are wrong or missing. Each page is passed once. */
  wrong(pages: IndexedPage[]): Promise<{ texts: Set<number>; names: Set<number> }>;
  /** IDs in the indexes that were never passed to `wrong`. */
  rest(): number[];
}

export type ColumnKind = 'integer' | 'text' | 'real' | 'truth';

/** SQL fragments that differ between the engines. */
export interface Dialect {
  readonly words: SchemaWords;
  /** A derived table of the given rows for `from` and `join`, with the columns in `columns`. */
  rows(
    columns: Record<string, ColumnKind>,
    rows: readonly (readonly unknown[])[] | Placeholder,
  ): RawBuilder<unknown>;
  /** Whether `reference` is one of the numbers; a single parameter regardless of their count. */
  among(reference: RawBuilder<unknown>, numbers: readonly number[] | Placeholder): RawBuilder<boolean>;
  amongTexts(reference: RawBuilder<unknown>, texts: readonly string[] | Placeholder): RawBuilder<boolean>;
  /** A boolean literal. */
  truth(value: boolean): RawBuilder<boolean>;
  /** The value of this key in a text that contains a JSON object; null if it is missing. */
  jsonText(text: RawBuilder<unknown>, key: string): RawBuilder<string | null>;
  /** Ends a `select … from pages p …` so that the rows are locked; empty on SQLite, which has a single writer. */
  lockRows(mode: 'share' | 'update'): RawBuilder<unknown>;
  /** The ID assigned by the preceding statement, which inserted a row into that table. */
  lastId(table: 'changes'): RawBuilder<number>;
  /** The column that gives the order of a `Numbered` table (alias e). */
  readonly commitOrder: RawBuilder<number>;
  /**
   * Combines several queries into as few statements as is worthwhile: one statement, and so one round trip, on PostgreSQL; one
   * each on SQLite, which has no round trips. `unpack` converts the rows of the statements to the rows of the queries.
   */
  bundle(queries: readonly RawBuilder<unknown>[]): {
    statements: RawBuilder<unknown>[];
    unpack(results: unknown[][]): unknown[][];
  };
}

/** Statements, transactions, and the meaning of their errors. */
export interface Connection {
  /** For reading outside a transaction. */
  readonly reader: Database;
  /**
   * Runs one read-write transaction. On SQLite writers queue, in order of arrival within this process and by retrying between
   * processes. On PostgreSQL `work` is repeated after serialization failures and deadlocks. Fails with Problem `unavailable` if
   * the engine keeps refusing, or if a statement takes longer than a minute. A trial fails at its end, to be rolled back; on
   * SQLite it shares no commit with others.
   */
  transact<T>(work: (db: Database) => Promise<T>, how?: { isTrial?: boolean }): Promise<T>;
  /** The same where the setting `readOnly` refuses it, for what reading needs. */
  transactPaused?<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Removes the time limit for the remaining statements of the transaction of `db`. */
  liftTimeLimit(db: Database): void;
  /** Runs `work` read-only on a snapshot of the database. */
  snapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Like `snapshot`, for a fixed list of prepared statements. Returns the rows of each. */
  read(statements: readonly CompiledQuery[]): Promise<unknown[][]>;
  /**
   * Like `read`, for one statement whose time grows with the wiki. In a large wiki only requests in the same queue wait for it.
   * Fails with Problem `unavailable` when too many wait.
   */
  readLong(statement: CompiledQuery, queue: ReadQueue): Promise<unknown[]>;
  /** Runs compiled statements in sequence within the transaction of `db`. Returns the rows of each. */
  run(db: Database, statements: readonly CompiledQuery[]): Promise<unknown[][]>;
  /**
   * Sends a statement without a result within the transaction of `db`. It runs before the following statement and shares its
   * round trip. If it fails, the following statement fails with its error, or with the result of `meaning`, and so does the
   * commit in any case.
   */
  send(db: Database, statement: CompiledQuery, meaning?: (error: unknown) => unknown): void;
  /** Like `snapshot`, but open until the caller closes it, without a time limit. */
  openSnapshot(): Promise<{ db: Database; close(): Promise<void> }>;
  /** Converts an engine's error to Problem `unavailable`, or returns it unchanged. */
  translate(error: unknown): unknown;
  /** Whether the error is a violation of that column's uniqueness. */
  isDuplicate(error: unknown, table: keyof Tables, column: string): boolean;
  /** Reason why a write failed, if it is not the write itself. */
  writeFailureOf(error: unknown): WriteFailure | undefined;
  /** Whether the error means only that the data to read is damaged. */
  isDamage(error: unknown): boolean;
  /** Reads in such a way that the snapshot stays usable after a failure. */
  attempt<T>(db: Database, read: () => Promise<T>): Promise<T>;
  /** See the port; present if there are replicas. */
  reading?<T>(preference: ReadPreference, work: () => T): T;
}

/** Locks and IDs within a transaction. */
export interface Locks {
  /** Whether transactions run strictly one after the other, so that nothing read in one changes before its end. */
  readonly hasOneWriter: boolean;
  /** Called before migrating: waits until no other process migrates, and locks out others until the end of the transaction. */
  lockMigrations(db: Database): Promise<void>;
  /**
   * Until the end of the transaction, no other transaction recounts wanted links for any of the keys, or adds to the counts of
   * those in `countedAnew`, so later statements see everything that others have committed. If there are very many keys, one
   * lock stands for all.
   */
  lockWanted(db: Database, keys: readonly string[], countedAnew: ReadonlySet<string>): void;
  /** Reserves IDs for rows of the table that this transaction will insert. */
  reserveIds(db: Database, table: 'pages' | 'changes', count: number): Promise<number[]>;
  /** Makes new rows of the table get IDs after this one. */
  skipIds(db: Database, table: 'members' | 'pages' | 'changes', last: number): Promise<void>;
}

/** This process as a holder of leases, whose end other processes can see: see `leases.ts`. */
interface LeaseHolder {
  /** Name of this process in the leases that it takes; null while others could not see its end. */
  holder(): string | null;
  /** Gives this process its name, until it ends or the engine is closed. Never fails. */
  holdLeases(): Promise<void>;
  /** Holders among these that have certainly ended. */
  endedHolders(holders: readonly string[]): Promise<string[]>;
}

/**
 * Maximum number of matches, and of title matches, that are ranked: those created last. The others follow by their last change.
 */
export const maxRanked = 2000;

/** Maintaining and querying the indexes of words and of parts of titles and paths. */
interface SearchIndex {
  readonly planner: Planner;
  /**
   * Replaces the text index entries of these pages. On SQLite this happens at the end of the transaction, which therefore does
   * not see it.
   */
  saveTexts(db: Database, texts: IndexedText[]): Promise<void>;
  /** Replaces the substring index entries of pages, if the index does not follow their keys automatically. */
  renewNames(db: Database, pageIds: number[]): Promise<void>;
  /** Removes the index entries of pages that are about to be deleted. */
  forgetTexts(db: Database, pageIds: readonly number[]): Promise<void>;
  /** Removes the index entries of pages that do not exist. */
  sweepIndexes(db: Database): Promise<void>;
  /** Whether the text of the page `id` matches the query. */
  textMatches(id: RawBuilder<unknown>, query: TextQuery): RawBuilder<boolean>;
  /** The same for pages that are visited one by one. Absent if `textMatches` serves for this as well. */
  textHolds?(id: RawBuilder<unknown>, query: TextQuery): RawBuilder<boolean>;
  /**
   * A table (id, title_hit, exact_hit, rank) of pages that match the query, at least of the latest `maxRanked` and of as many that match by their title: title_hit is 1
   * or 0, and exact_hit is 1 for words as they were typed; a lower rank is better, and null is worst.
   */
  textRanking(query: TextQuery): RawBuilder<unknown>;
  /** The same at less cost, if the query and the number of visible matches permit; empty if hidden ones are too many. */
  wordRanking?(query: TextQuery, total: number): RawBuilder<unknown> | undefined;
  /**
   * `from pages p … where …`, producing one page after the other instead of all at once: pages whose title has a word that
   * begins with the last term come after the others.
   */
  fromTitlesMatching(phrases: Phrase[]): RawBuilder<unknown>;
  /** The same for pages whose folded name contains the fragment, which has at least three characters. */
  fromKeysContaining(name: FoldedName, fragment: string): RawBuilder<unknown>;
  /** Whether the title of the page `id` has the phrases. */
  titleMatches(id: RawBuilder<unknown>, phrases: Phrase[]): RawBuilder<boolean>;
  /** Matches that can be counted from an index, without reading their pages. */
  readonly countByIndex: {
    /** Tables (id) of distinct matches. */
    texts(query: TextQuery): RawBuilder<unknown>;
    /** Absent if the keys are in an index of the pages table itself. */
    keys?(name: FoldedName, fragment: string): RawBuilder<unknown>;
    /** Whether the visibility includes the page `id`, decided by the index of pages that not everyone sees. */
    isSeen(id: RawBuilder<unknown>, visibility: Visibility): RawBuilder<boolean>;
  };
  /** `pages p` for looking up many pages by ID; only title order, type, audience and owner may be used. */
  readonly pagesById: RawBuilder<unknown>;
  /** Whether the folded name of pages p contains the fragment, which is folded, too. */
  keyContains(name: FoldedName, fragment: string): RawBuilder<boolean>;
  /** The same, tested for each page separately: for few pages, without collecting all matches. */
  keyHolds(name: FoldedName, fragment: string): RawBuilder<boolean>;
  /** Compares the complete content of the search indexes in this snapshot with what it should be. */
  checkIndexes(db: Database): Promise<IndexCheck>;
}

/** Filling an empty wiki faster than by inserting rows one by one. */
interface BulkLoader {
  /**
   * Called in a wiki without pages: drops the indexes that only reading needs, and records how to recreate them. Returns false
   * and changes nothing if there is a page, or if this engine gains nothing; the next three methods then do nothing either.
   */
  dropIndexes(db: Database): Promise<boolean>;
  /** Whether `dropIndexes` ran, in this or another process, without `forgetBulkLoad` since. */
  isBulkLoading(db: Database): Promise<boolean>;
  /** Recreates one of the dropped indexes. Returns false if there is none. */
  makeNextIndex(db: Database): Promise<boolean>;
  forgetBulkLoad(db: Database): Promise<void>;
}

/** Commits by any process: their order, and what they invalidated. */
interface ChangeFeed {
  /** Equal revisions mean equal committed contents: see the port. */
  revision(): string | Promise<string>;
  isUnchanged(revision: string, dependencies: readonly Dependency[]): boolean;
  /** Calls the listener for each commit by any process that `revision` finds, with what it invalidated. */
  listen(listener: Invalidated): void;
  /** Records everything that the transaction invalidates. A transaction that never calls this invalidates everything. */
  invalidate(db: Database, dependencies: readonly Dependency[] | 'all'): void;
  /** Assigns committed rows their positions in the order, if they do not get them when written. */
  numberCommitted?(table: Numbered, within?: Database): Promise<void>;
}

/** Migration, verification and health. */
interface Maintenance {
  /** Called after migrating: stores the meanings of tables and columns as comments, if the engine has them. */
  commentTables?(db: Database): Promise<void>;
  /** Called after rows with explicit IDs were inserted: makes new rows get higher ones. */
  resumeIds(db: Database): Promise<void>;
  /** Errors that the engine finds in its own files, a sentence each. */
  complaints(db: Database): Promise<string[]>;
  /** Rows of a table that meet the condition, block by block of its file; a result without `rows` is an unreadable block. */
  blocks?(
    db: Database,
    table: string,
    condition: RawBuilder<unknown>,
  ): AsyncIterable<{ block: number; rows: unknown[] | undefined }>;
  /** Whether the database can be read, and where writes go. */
  ping(): Promise<Condition>;
  /** Writes something without effect. `trouble`: why the last write failed, if it did. */
  tryWriting?(trouble: WriteFailure | undefined): Promise<void>;
  writesWaiting(): number;
  /** See `Store`. */
  connections?(): DatabaseConnections;
  /** See `MaintenanceStore.scrub`. */
  scrub(patienceMs: number): Promise<Scrubbed>;
  /** Size of the database in bytes, and of its log if that is a separate file. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined }>;
}

/** The complete interface, implemented by `openSqlite` and `openPostgres`. */
export interface Engine
  extends Dialect,
    Connection,
    Locks,
    LeaseHolder,
    SearchIndex,
    BulkLoader,
    ChangeFeed,
    Maintenance,
    AsyncDisposable {}

/** Placeholder for a parameter of a statement that is compiled once and run often: see `store/statements.ts`. */
export class Placeholder {
  readonly name: string;
  readonly encode: (value: unknown) => unknown;

  constructor(name: string, encode: (value: unknown) => unknown = (value) => value) {
    this.name = name;
    this.encode = encode;
  }
}

/** The value as the engine expects it, encoded now or, for a placeholder, when the statement runs. */
export function encoded<V>(value: V | Placeholder, encode: (value: V) => unknown): unknown {
  if (value instanceof Placeholder) return new Placeholder(value.name, (later) => encode(later as V));
  return encode(value);
}

/**
 * Text that both engines can store: PostgreSQL has no NUL, and UTF-8 has no lone surrogates. The wiki stores neither, so in a
 * search such text matches nothing instead of failing.
 */
export function storable(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return text.isWellFormed() ? text : text.toWellFormed();
}
