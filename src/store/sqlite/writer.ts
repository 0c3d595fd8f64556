/**
 * The single writing connection of a process to a SQLite file: updates the search indexes before each commit, records what it
 * invalidates, and syncs it to disk.
 *
 * Commits are on disk before they are acknowledged, but SQLite itself does not sync them (`synchronous=NORMAL`, under which the
 * log is always consistent): the log is synced here, off the thread that answers requests. Only while an empty wiki is filled,
 * just the last commit is synced.
 */

import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from '#core/model/problem.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { say } from '#words/say.ts';
import type { EngineOptions, IndexedText } from '../engine.ts';
import { mostPages } from './checkpoints.ts';
import type { WritingConnection } from './commit-queue.ts';
import { CommitLog } from './commits.ts';
import { FilesGone, isBusy } from './errors.ts';
import { Handle, openToRead, type PreparedStatement, usualSettings } from './handle.ts';

/**
 * Page cache of the writing connection. A group's changed pages stay in it until the commit; pages written out earlier may be
 * written twice.
 */
const memoryForWriting = 'pragma cache_size = -8192';
/** Large, because new pages hit random places of the one index that is kept during a bulk load. */
const memoryForBulkLoad = 'pragma cache_size = -131072';

/** Characters of terms that take some milliseconds to write. */
const longText = 100_000;
/** Characters of terms of many texts that the index writes to its table at once. */
const manyTexts = 200_000;

const syncData = promisify(fdatasync);

export class Writer extends Handle implements WritingConnection {
  readonly commits: CommitLog;
  /**
   * Pending updates of the search indexes, applied together before the commit. The indexes flush whenever a statement with many
   * rows begins, and would otherwise flush for every page.
   */
  readonly texts = new Map<number, IndexedText>();
  readonly named = new Set<number>();
  /** Whether commits are synced to disk before they are acknowledged. */
  isDurable = true;
  #totalChanges: StatementSync;
  /** Number of statements that changed the schema; the engine counts only rows. */
  #definitions = 0;
  #countAtBegin = 0;
  /** Whether something was committed since the last sync. */
  #isUnsynced = false;
  /** Whether segments of the search indexes are merged only at the end, or by the hundred. */
  #isBulkLoading = false;
  /** Pragmas to apply before the next transaction, because they cannot be changed within one. */
  #nextPragmas = '';
  #log: number | undefined;
  #file: { path: string; ino: number; dev: number };

  /**
   * Creates the file and its write-ahead log if they do not exist. `toRead`: database to open instead if nothing can be
   * written. `commits`: see `CommitLog`.
   */
  constructor(file: string, options: EngineOptions, toRead?: string, commits = 0) {
    super(toRead === undefined ? openToWrite(file) : openToRead(toRead), options);
    this.#totalChanges = this.db.prepare('select total_changes() as count');
    this.commits = new CommitLog(this.db, commits);
    const { ino, dev } = statSync(file);
    this.#file = { path: file, ino, dev };
  }

  /** Whether the file was unlinked, for example because its folder was removed or another file system was mounted over it. */
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
    const hasWritten = this.writeCount() !== this.#countAtBegin;
    this.commits.commit(hasWritten);
    this.#isUnsynced ||= hasWritten;
  }

  async sync(): Promise<void> {
    // A log that cannot be written may not be opened, and has nothing to sync.
    if (!this.isDurable || !this.#isUnsynced) return;
    this.#isUnsynced = false;
    // Closing the log here is safe, because SQLite holds no lock on it that closing would release.
    this.#log ??= openSync(`${this.db.location()}-wal`, 'r+');
    try {
      await syncData(this.#log);
      if (this.isGone) throw new FilesGone('The data was written to files that have been deleted.');
    } catch (cause) {
      throw new Problem('unavailable', say('problem.theDiskFailedDuringThisSaveThe'), { cause });
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

  /** Switches bulk load mode: very many pages are inserted while nobody waits, together with everything they refer to. */
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
    const flush = this.prepare("insert into page_text (page_text) values ('flush')");
    // In order of IDs, because FTS5 flushes whenever an ID is lower than the one before.
    const texts = [...this.texts.values()].sort((a, b) => a.pageId - b.pageId);
    // Starts with a single text, because it may be long.
    const slices = { first: this.#isBulkLoading ? Number.POSITIVE_INFINITY : 1 };
    let unwritten = 0;
    for await (const some of inTimeSlices(texts, slices))
      for (const { pageId, titleTerms, bodyTerms } of some) {
        // Terms of a long text take as long to write as the work before it and the commit.
        const isLong = bodyTerms.length >= longText;
        if (isLong) await yieldToEventLoop();
        saveText.statement.run(pageId, titleTerms, bodyTerms);
        unwritten += bodyTerms.length;
        if (!isLong && (unwritten < manyTexts || this.#isBulkLoading)) continue;
        // The index would write them to its table with more of them, or while the transaction is committed.
        await yieldToEventLoop();
        flush.statement.run();
        unwritten = 0;
        await yieldToEventLoop();
      }
    const namesOf =
      this.prepare(`select id, sort_key as title, coalesce(path_fold, path_key) as path from pages
      where id in (select value from json_each(?)) order by id`);
    const saveName = this.prepare(
      'insert or replace into page_names (rowid, title_key, path_key) values (?, ?, ?)',
    );
    const named = [...this.named].sort((a, b) => a - b);
    for await (const ids of inTimeSlices(named, slices)) {
      const rows = namesOf.statement.all(JSON.stringify(ids));
      for (const { id, title, path } of rows)
        saveName.statement.run(id as number, title as string, path as string);
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
  try {
    prepareToWrite(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Fails if the file can only be read, which SQLite opens all the same. */
function prepareToWrite(db: DatabaseSync): void {
  // A write copies whole pages into the log, at least one for each index that it changes: a new page of the wiki changes about
  // 30. Only new files get this size; existing ones keep theirs.
  db.exec('pragma page_size = 2048; pragma journal_mode = wal;');
  db.exec(`pragma synchronous = normal; pragma foreign_keys = on; pragma wal_autocheckpoint = ${mostPages};`);
  // Waiting inside SQLite would block the event loop, so the writer never does: see `CommitQueue`.
  db.exec('pragma busy_timeout = 0');
  db.exec(`${usualSettings}; ${memoryForWriting}`);
  try {
    // SQLite begins a read instead if the file can only be read, so a value of the file is written over itself.
    const { application_id: id } = db.prepare('pragma application_id').get() ?? {};
    db.exec(`begin immediate; pragma application_id = ${Number(id)}; rollback`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
