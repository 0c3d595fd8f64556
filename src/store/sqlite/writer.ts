/**
 * The connection that writes to a SQLite file, one in a process: what it tells the search indexes before it commits, what the
 * commit concerned, and how it reaches the disk.
 *
 * A commit has reached the disk before it is acknowledged, but SQLite does not wait for that (`synchronous=NORMAL`, with which
 * the log is always sound, however short): the log is brought to the disk here, off the thread that answers requests. Only
 * while an empty wiki is filled the last commit alone is, with which all of it is there.
 */
import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Problem } from '#domain/problem.ts';
import { yielding } from '#scheduling/time-slices.ts';
import type { EngineOptions, IndexedText } from '../engine.ts';
import { mostPages } from './checkpoints.ts';
import type { WritingConnection } from './commit-queue.ts';
import { CommitLog } from './commits.ts';
import { FilesGone, isBusy } from './errors.ts';
import { Handle, openToRead, type PreparedStatement, usualSettings } from './handle.ts';

/**
 * Memory of the writing connection. A group's altered pages stay in it until the commit: written out before, they may be
 * written twice.
 */
const memoryForWriting = 'pragma cache_size = -8192';
/** New pages fall anywhere into the one index that is kept while a wiki is filled. */
const memoryForBulkLoad = 'pragma cache_size = -131072';

const syncData = promisify(fdatasync);

export class Writer extends Handle implements WritingConnection {
  readonly commits: CommitLog;
  /**
   * Updates of the search indexes, applied all at once before the commit. The indexes flush whenever a statement of many
   * rows begins, and would otherwise write a little for every page.
   */
  readonly texts = new Map<number, IndexedText>();
  readonly named = new Set<number>();
  /** Whether what was committed is brought to the disk before anybody is told of it. */
  isDurable = true;
  #totalChanges: StatementSync;
  /** Statements that change the schema; the engine counts only rows. */
  #definitions = 0;
  #countAtBegin = 0;
  /** Then the parts of the search indexes are merged at its end, or by hundreds. */
  #isBulkLoading = false;
  /** Taken hold of with the next transaction: within one they cannot be changed. */
  #nextPragmas = '';
  #log: number | undefined;
  #file: { path: string; ino: number; dev: number };

  /** Makes the file and its write-ahead log where they are not. `toRead`: what is opened instead where nothing is to be written. */
  constructor(file: string, options: EngineOptions, toRead?: string) {
    super(toRead === undefined ? openToWrite(file) : openToRead(toRead), options);
    this.#totalChanges = this.db.prepare('select total_changes() as count');
    this.commits = new CommitLog(this.db);
    const { ino, dev } = statSync(file);
    this.#file = { path: file, ino, dev };
  }

  /** Whether the file has lost its name, as when its folder was removed or another was mounted in its place. */
  get isGone(): boolean {
    const { path, ino, dev } = this.#file;
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.ino !== ino || found.dev !== dev;
  }

  tryBegin(isLastTry: boolean): boolean {
    if (this.isGone) throw new FilesGone(`${this.#file.path} is not the file that was opened.`);
    try {
      this.db.exec(this.#nextPragmas);
      this.#nextPragmas = '';
      this.db.exec('begin immediate');
      this.#countAtBegin = this.writeCount();
      return true;
    } catch (error) {
      if (isLastTry || !isBusy(error)) throw error;
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
      if (this.isGone) throw new FilesGone('What was written went into files that have no name any more.');
    } catch (cause) {
      throw new Problem(
        'unavailable',
        'The disk failed when this was to be saved. The server takes no changes until it is started again; please look then whether this one is there.',
        { cause },
      );
    }
  }

  override rollback(): void {
    this.commits.changeLog.rollback();
    this.texts.clear();
    this.named.clear();
    super.rollback();
  }

  writeCount(): number {
    return Number(this.#totalChanges.get()?.count) + this.#definitions;
  }

  /** Whether very many pages go in at once, while nobody waits for a turn. All that they refer to goes in with them. */
  fill(isBulkLoading: boolean): void {
    this.#isBulkLoading = isBulkLoading;
    this.db.exec(isBulkLoading ? memoryForBulkLoad : memoryForWriting);
    this.#nextPragmas += `pragma foreign_keys = ${isBulkLoading ? 'off' : 'on'};`;
  }

  override close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    super.close();
  }

  async #writeSearchIndexes(): Promise<void> {
    const saveText = this.prepare('insert or replace into page_text (rowid, title, body) values (?, ?, ?)');
    // In order of their IDs, or FTS5 writes what it has gathered at each that is lower than the one before.
    const texts = [...this.texts.values()].sort((a, b) => a.pageId - b.pageId);
    // A text may be long.
    const slices = { first: this.#isBulkLoading ? Number.POSITIVE_INFINITY : 1 };
    for await (const some of yielding(texts, slices))
      for (const { pageId, titleTerms, bodyTerms } of some)
        saveText.statement.run(pageId, titleTerms, bodyTerms);
    const namesOf = this.prepare(`select id, title_key, path_key from pages
      where id in (select value from json_each(?)) order by id`);
    const saveName = this.prepare(
      'insert or replace into page_names (rowid, title_key, path_key) values (?, ?, ?)',
    );
    const named = [...this.named].sort((a, b) => a - b);
    for await (const ids of yielding(named, slices)) {
      const rows = namesOf.statement.all(JSON.stringify(ids));
      for (const { id, title_key, path_key } of rows)
        saveName.statement.run(id as number, title_key as string, path_key as string);
    }
    this.texts.clear();
    this.named.clear();
  }

  protected override prepare(text: string): PreparedStatement {
    const prepared = super.prepare(text);
    if (prepared.isDefinition) this.#definitions++;
    return prepared;
  }
}

function openToWrite(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  // A write puts whole pages into the log, one at least for each index that it alters: a new page of the wiki alters some 30.
  // Only a new file takes this; one that is there keeps the size it has.
  db.exec('pragma page_size = 2048; pragma journal_mode = wal;');
  db.exec(`pragma synchronous = normal; pragma foreign_keys = on; pragma wal_autocheckpoint = ${mostPages};`);
  // Waiting inside SQLite would stop the event loop, so the writer never does: see `CommitQueue`.
  db.exec('pragma busy_timeout = 0');
  db.exec(`${usualSettings}; ${memoryForWriting}`);
  return db;
}
