/**
 * The seam between the store and its engine: everything in which SQLite and PostgreSQL differ, and nothing else.
 * All other files of this folder speak one SQL and mention no engine.
 */
import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Dependency } from '#cache/dependency.ts';
import type { Visibility } from '#domain/permission.ts';
import type { AskSpace } from '#domain/ports/disk-space.ts';
import type { Condition, ReadPreference, WriteTrouble } from '#domain/ports/store.ts';
import type { TextQuery } from '#domain/search/terms.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** Key that identifies a statement when statements are counted or explained. */
export interface Executed {
  sql: string;
  parameters: readonly unknown[];
}

export interface EngineOptions {
  /** Called with each statement before it runs; not with begin, commit and rollback. */
  onQuery?: (query: Executed) => void;
  /** Called whenever a transaction writes to its connection, as often as it waits for a server, or oftener. */
  onTrip?: () => void;
  /** Only reads are to come, perhaps where nothing can be written: nothing is made, and nothing migrated. */
  isReadOnly?: boolean;
  /** Called before a database is made where there is none. May throw, which keeps it from being made. */
  beforeCreating?: () => void;
  /** Called when the disk is full, before the write is tried once more. */
  makeRoom?: () => void;
  /** Reports free space of the disk that holds the database, if it is a file. */
  askSpace?: AskSpace;
  /** From so many pages on `readLong` has threads of its own, where the engine computes in ours. */
  manyPages?: Record<ReadQueue, number>;
}

/** Who stands in one does not wait for those in the other: who looks for words, or parts of them; who lists what columns tell. */
export type ReadQueue = 'words' | 'lists';

/** Tables that are read in the order of commits, from a place on. */
export type Numbered = 'events' | 'audit';

/** Words in which the engines' data definition languages differ. */
export interface SchemaWords {
  /** A primary key given by the engine, in order. */
  id: string;
  integer: string;
  text: string;
  real: string;
  truth: string;
  /** Ends a table. */
  rows: string;
  /** Ends a table whose rows lie in the order of its key, where rows lie in any. */
  rowsByKey: string;
  /** Statements that make what one engine has: the search indexes, what tells other processes of commits, indexes of its plans. */
  ofEngine: string[];
  /** The column that tells the order in which rows of the table were committed, and its indexes, where it is not the ID. */
  commitOrder(table: Numbered): { column: string; indexes: string[] };
}

/** The engine plans searches by its own statistics, or the store by counts of matches. */
export type Planner = 'engine' | 'store';

/** Terms in order of the text, a space between them. */
export interface IndexedText {
  pageId: number;
  titleTerms: string;
  bodyTerms: string;
}

/** All that the search indexes hold of a page. */
interface IndexedPage extends IndexedText {
  titleKey: string;
  pathKey: string;
}

export interface IndexCheck extends AsyncDisposable {
  /** Which of these pages the indexes hold otherwise, or not at all. Each page is asked about once. */
  wrong(pages: IndexedPage[]): Promise<{ texts: Set<number>; names: Set<number> }>;
  /** IDs that the indexes hold and that nobody asked about. */
  rest(): number[];
}

export type ColumnKind = 'integer' | 'text' | 'real' | 'truth';

/** Words and expressions in which the engines' SQL differs. */
export interface Dialect {
  readonly words: SchemaWords;
  /** A table of the given rows, for `from` and `join`: its columns are named as in `columns`. */
  rows(
    columns: Record<string, ColumnKind>,
    rows: readonly (readonly unknown[])[] | Placeholder,
  ): RawBuilder<unknown>;
  /** `reference` is one of the numbers; one parameter however many there are. */
  among(reference: RawBuilder<unknown>, numbers: readonly number[] | Placeholder): RawBuilder<boolean>;
  amongTexts(reference: RawBuilder<unknown>, texts: readonly string[] | Placeholder): RawBuilder<boolean>;
  /** A truth value as literal. */
  truth(value: boolean): RawBuilder<boolean>;
  /** The value under this key of a text that is a JSON object; null if there is none. */
  jsonText(text: RawBuilder<unknown>, key: string): RawBuilder<string | null>;
  /** Ends a `select … from pages p …` so that the rows are held; nothing where the writer is alone anyway. */
  lockRows(mode: 'share' | 'update'): RawBuilder<unknown>;
  /** In a statement right after one that inserted a row of that table without an ID: the one that it was given. */
  lastId(table: 'changes'): RawBuilder<number>;
  /** The column of a `Numbered` table (alias e) that tells the order of its rows. */
  readonly commitOrder: RawBuilder<number>;
  /**
   * Several queries as few statements as pay: one, and so one round trip, on PostgreSQL; one each on SQLite, where
   * they cost no trip. `unpack` turns the rows of the statements into the rows of the queries.
   */
  bundle(queries: readonly RawBuilder<unknown>[]): {
    statements: RawBuilder<unknown>[];
    unpack(results: unknown[][]): unknown[][];
  };
}

/** Statements and transactions, and what their failures mean. */
export interface Connection {
  /** For reading outside a transaction. */
  readonly reader: Database;
  /**
   * One read-write transaction. Writers queue on SQLite, in this process in order of arrival and across processes by
   * trying again; serialization failures and deadlocks of PostgreSQL run `work` again. Problem `unavailable` when the
   * engine keeps refusing, or when a statement takes longer than a minute.
   */
  transact<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Within the transaction of `db`: from now on its statements may take as long as they need. */
  liftTimeLimit(db: Database): void;
  /** Runs `work` on one unchanging state of the database, read only. */
  snapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Like `snapshot`, for prepared statements with nothing between them: the rows of each. */
  read(statements: readonly CompiledQuery[]): Promise<unknown[][]>;
  /**
   * Like `read`, for one statement whose time grows with the wiki. In a large wiki only requests in the same queue wait
   * for it. Problem `unavailable` when too many wait.
   */
  readLong(statement: CompiledQuery, queue: ReadQueue): Promise<unknown[]>;
  /** Statements that are compiled already, one after the other within the transaction of `db`: each one's rows. */
  run(db: Database, statements: readonly CompiledQuery[]): Promise<unknown[][]>;
  /**
   * Within the transaction of `db`, a statement whose rows nobody asks for. It is carried out before whatever follows, in the trip
   * of the next one. If it fails, so does that one, with the same error or what that means, and in any case the commit.
   */
  send(db: Database, statement: CompiledQuery, meaning?: (error: unknown) => unknown): void;
  /** Like `snapshot`, for as long as the caller keeps it open and its statements take. */
  openSnapshot(): Promise<{ db: Database; close(): Promise<void> }>;
  /** Turns an engine's error into what the wiki says: Problem `unavailable`, or the error itself. */
  translate(error: unknown): unknown;
  /** Whether the error says that a row with that value of a unique column exists already. */
  isDuplicate(error: unknown, table: keyof Tables, column: string): boolean;
  /** Why a write failed, if it was for a reason that is not its own. */
  troubleOf(error: unknown): WriteTrouble | undefined;
  /** Whether what should be read is damaged, and nothing else is wrong. */
  isDamage(error: unknown): boolean;
  /** Reads, such that a snapshot can be read on after it failed. */
  attempt<T>(db: Database, read: () => Promise<T>): Promise<T>;
  /** See the port; there are replicas. */
  reading?<T>(preference: ReadPreference, work: () => T): T;
}

/** Holding and numbering rows within a transaction. */
export interface Locks {
  /** Its transactions come one after the other: what is read in one, nobody else changes before its end. */
  readonly hasOneWriter: boolean;
  /** Before migrating: waits until no other process migrates, until the end of the transaction. */
  lockMigrations(db: Database): Promise<void>;
  /**
   * Until the end of the transaction nobody else counts anew what is wanted by any of the keys, and nobody adds to it for those that
   * this one counts anew: what follows sees what others have committed. Of very many keys: of none at all.
   */
  lockWanted(db: Database, keys: readonly string[], countedAnew: ReadonlySet<string>): void;
  /** IDs that rows of the table will have which this transaction inserts; nobody else is given them. */
  reserveIds(db: Database, table: 'pages' | 'changes', count: number): Promise<number[]>;
  /** New rows of the table get IDs after this one. */
  skipIds(db: Database, table: 'members' | 'pages' | 'changes', last: number): Promise<void>;
}

/** Indexes of words, and of parts of titles and paths: kept up to date, and asked. */
export interface SearchIndex {
  readonly planner: Planner;
  /** Replaces what the text index knows of these pages. SQLite does so when the transaction ends, which does not see it. */
  saveTexts(db: Database, texts: IndexedText[]): Promise<void>;
  /** Replaces what the substring index knows of pages, which otherwise follows their keys by itself. */
  renewNames(db: Database, pageIds: number[]): Promise<void>;
  /** Removes what the search indexes hold of pages that are about to go. */
  forgetTexts(db: Database, pageIds: readonly number[]): Promise<void>;
  /** Removes what the indexes hold of pages that do not exist. */
  sweepIndexes(db: Database): Promise<void>;
  /** Whether the text of the page `id` answers the query. */
  textMatches(id: RawBuilder<unknown>, query: TextQuery): RawBuilder<boolean>;
  /**
   * A table (id, title_hit, rank) of pages that answer the query: title_hit 1 or 0, a lower rank is better, and none is worst.
   * Where the store plans searches, of very many pages not all.
   */
  textRanking(query: TextQuery): RawBuilder<unknown>;
  /**
   * `from pages p … where …`, one page after the other instead of all at first: those whose title holds a word that begins
   * with the last term, after the others.
   */
  fromTitlesMatching(query: TextQuery): RawBuilder<unknown>;
  /** The same of pages whose key contains the fragment, which has three characters at least. */
  fromKeysContaining(column: 'title_key' | 'path_key', fragment: string): RawBuilder<unknown>;
  /** Matches are counted from an index, without reading their pages. */
  readonly countByIndex: {
    /** Tables (id) of the matches, each once. */
    texts(query: TextQuery): RawBuilder<unknown>;
    /** Absent where they stand in an index of pages themselves. */
    keys?(column: 'title_key' | 'path_key', fragment: string): RawBuilder<unknown>;
    /** Whether the visibility sees the page `id`, told from the pages that not everyone sees. */
    isSeen(id: RawBuilder<unknown>, visibility: Visibility): RawBuilder<boolean>;
  };
  /** `pages p` for looking at many of them by ID: their place in the order of titles, type, audience and owner alone. */
  readonly pagesById: RawBuilder<unknown>;
  /** Whether the key (of title or path, alias p of pages) contains the fragment, which is folded like the key. */
  keyContains(column: 'title_key' | 'path_key', fragment: string): RawBuilder<boolean>;
  /** The same, each page by itself: for few pages, as no set of all matches is made. */
  keyHolds(column: 'title_key' | 'path_key', fragment: string): RawBuilder<boolean>;
  /** Compares all that the search indexes hold, in this snapshot, with what they should. */
  checkIndexes(db: Database): Promise<IndexCheck>;
}

/** Filling an empty wiki faster than rows are written one by one. */
export interface BulkLoader {
  /**
   * In a wiki without pages: drops the indexes that only reading needs, and notes how to make them again. False, and nothing
   * changes, if there is a page, or if this engine gains nothing by it: then the next three have nothing to do either.
   */
  dropIndexes(db: Database): Promise<boolean>;
  /** Whether `dropIndexes` was not yet followed by `forgetBulkLoad`, in this or another process. */
  isBulkLoading(db: Database): Promise<boolean>;
  /** Makes one of the dropped indexes. False if there is none. */
  makeNextIndex(db: Database): Promise<boolean>;
  forgetBulkLoad(db: Database): Promise<void>;
}

/** Commits by any process: whether they invalidated something, and in which order they came. */
export interface ChangeFeed {
  /** Equal revisions, equal committed contents: see the port. */
  revision(): string | Promise<string>;
  isUnchanged(revision: string, dependencies: readonly Dependency[]): boolean;
  /** In a transaction: all that it invalidates. A transaction that never calls this invalidates everything. */
  invalidate(db: Database, dependencies: readonly Dependency[] | 'all'): void;
  /** Gives committed rows their places in the order, where they do not get them as they are written. */
  numberCommitted?(table: Numbered): Promise<void>;
}

/** Migration, verification and health. */
export interface Maintenance {
  /** After migrating: writes what tables and columns mean into the database, where it has comments. */
  commentTables?(db: Database): Promise<void>;
  /** After rows with given IDs went in: what comes next gets higher ones. */
  resumeIds(db: Database): Promise<void>;
  /** Complaints of the engine about its own files, a sentence each. */
  complaints(db: Database): Promise<string[]>;
  /** The rows of a table that meet the condition, block by block of its file; without `rows`: the block cannot be read. */
  blocks?(
    db: Database,
    table: string,
    condition: RawBuilder<unknown>,
  ): AsyncIterable<{ block: number; rows: unknown[] | undefined }>;
  /** Whether it can be read, and where writes go. */
  ping(): Promise<Condition>;
  /** Writes something that concerns nobody. `trouble`: why the last write failed, if it did. */
  tryWriting?(trouble: WriteTrouble | undefined): Promise<void>;
  writesWaiting(): number;
  /** See `MaintenanceStore.scrub`. */
  scrub(): Promise<string[]>;
  /** Bytes of the database, and of its log where that is a file of ours. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined }>;
}

/** All of it, as `openSqlite` and `openPostgres` give it. */
export interface Engine
  extends Dialect,
    Connection,
    Locks,
    SearchIndex,
    BulkLoader,
    ChangeFeed,
    Maintenance,
    AsyncDisposable {}

/** Stands for a parameter of a statement that is compiled once and run often: see `store/statements.ts`. */
export class Placeholder {
  readonly name: string;
  readonly encode: (value: unknown) => unknown;

  constructor(name: string, encode: (value: unknown) => unknown = (value) => value) {
    this.name = name;
    this.encode = encode;
  }
}

/** The value as the engine wants it, now or, for a placeholder, when the statement runs. */
export function encoded<V>(value: V | Placeholder, encode: (value: V) => unknown): unknown {
  if (value instanceof Placeholder) return new Placeholder(value.name, (later) => encode(later as V));
  return encode(value);
}

/**
 * Text as both engines can keep it: PostgreSQL has no NUL, UTF-8 no lone surrogates. Nothing that the wiki stores
 * contains them, so in a search they match nothing instead of failing.
 */
export function storable(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return text.isWellFormed() ? text : text.toWellFormed();
}
