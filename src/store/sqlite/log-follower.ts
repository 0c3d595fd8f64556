/**
 * Follows the write-ahead log of a SQLite file, so that every committed page is seen, whichever process writes it.
 *
 * A log restarts, and overwrites its frames, only when all of them are copied into the database and nobody reads the log. The
 * follower therefore always holds a read transaction, and begins the next one before it ends the last:
 *
 * - While its transaction reads the log, the log cannot restart.
 * - A transaction that began when everything was copied reads only the database. The log may restart once, but no new frame can be
 *   copied, so it cannot restart twice, and nothing can have been appended before it restarted.
 *
 * So all frames after the known position are still in the log. Under continuous writes the log would never be wholly copied
 * while somebody reads it: `turn` holds up writers for the moment that this takes.
 */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type LogPosition, lastCommit, pagesBetween } from './log-frames.ts';

/** Length of the log from which it is made to restart. Below, the usual checkpoints are enough. */
const turnPages = 8000;
const writerPatienceMs = 200;
const settings = 'pragma cache_size = -256; pragma mmap_size = 0';

interface ChangedPages {
  pageBytes: number;
  /** By number, from 1. */
  pages: Map<number, Buffer>;
  /** Length of the database, or 0 if the commit continues in the next ones. */
  databasePages: number;
}

/** Thrown when frames were lost, so that a copy must begin anew. */
export class LogLost extends Error {}

/** File that exists while the database is rewritten, which needs a log that nobody reads. */
export function rewritingMark(file: string): string {
  return `${file}-rewriting`;
}

export class LogFollower implements Disposable {
  readonly #file: string;
  #current: DatabaseSync;
  #next: DatabaseSync;
  readonly #writer: DatabaseSync;
  readonly #copier: DatabaseSync;
  #log: number | undefined;
  #position: LogPosition | undefined;
  /** Frames up to the position that were returned already. */
  #taken = 0;
  /** Number of times that the log has been seen to restart. */
  restarts = 0;
  /** Position at which the log may restart. */
  #turned: LogPosition | undefined;

  /** The file must exist. */
  constructor(file: string) {
    this.#file = file;
    const open = (readOnly: boolean, timeout: number) => {
      const db = new DatabaseSync(file, { readOnly, timeout });
      db.exec(settings);
      return db;
    };
    this.#current = open(true, 10_000);
    this.#next = open(true, 10_000);
    this.#writer = open(false, writerPatienceMs);
    this.#copier = open(false, 0);
    this.#copier.exec('pragma synchronous = full');
    begin(this.#current);
  }

  get logBytes(): number {
    return statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Next committed pages, in order; undefined if all are taken. The first ones are those of the whole log. */
  next(maxBytes: number): ChangedPages | undefined {
    const position = this.#position;
    if (!this.#isDrained()) return this.#take(maxBytes);
    const isLong = position !== undefined && position.frames >= turnPages;
    if (isLong && position !== this.#turned) return this.#turn(maxBytes);
    this.#advance();
    return this.#take(maxBytes);
  }

  #isDrained(): boolean {
    return this.#position === undefined || this.#taken === this.#position.frames;
  }

  #take(maxBytes: number): ChangedPages | undefined {
    const position = this.#position;
    if (this.#log === undefined || !position || this.#isDrained()) return undefined;
    const { pages, frames } = pagesBetween(this.#log, this.#taken, position, maxBytes);
    this.#taken = frames;
    const databasePages = this.#isDrained() ? position.databasePages : 0;
    return { pageBytes: position.pageBytes, pages, databasePages };
  }

  /** Moves to the last commit. Must be called only when everything is taken. */
  #advance(): void {
    begin(this.#next);
    const path = `${this.#file}-wal`;
    // SQLite holds no lock on the log that closing it would release.
    if (this.#log === undefined && existsSync(path)) this.#log = openSync(path, 'r');
    const before = this.#position;
    const found = this.#log === undefined ? before : lastCommit(this.#log, before);
    if (found && before && found.salts[0] !== before.salts[0]) {
      // Counts up with each restart.
      if (found.salts[0] !== (before.salts[0] + 1) >>> 0) throw new LogLost('The log restarted twice.');
      this.#taken = 0;
      this.restarts++;
    }
    this.#position = found;
    this.#current.exec('rollback');
    [this.#current, this.#next] = [this.#next, this.#current];
  }

  /** Like `next`, and lets the log restart with the next write, unless another long read prevents that. */
  #turn(maxBytes: number): ChangedPages | undefined {
    try {
      this.#writer.exec('begin immediate');
    } catch {
      // Somebody writes for long. It is tried again with the next changes.
      this.#advance();
      return this.#take(maxBytes);
    }
    try {
      this.#advance();
      const changed = this.#take(maxBytes);
      if (!this.#isDrained()) return changed;
      const { log, checkpointed } = this.#copier.prepare('pragma wal_checkpoint(passive)').get() as {
        log: number;
        checkpointed: number;
      };
      if (log === checkpointed) {
        // Everything is copied, so the next transaction reads only the database.
        this.#advance();
        this.#turned = this.#position;
      }
      return changed;
    } finally {
      this.#writer.exec('rollback');
    }
  }

  [Symbol.dispose](): void {
    if (this.#log !== undefined) closeSync(this.#log);
    for (const db of [this.#current, this.#next, this.#writer, this.#copier]) db.close();
  }
}

/** Takes the lock at once: SQLite begins to read with the first statement. */
function begin(db: DatabaseSync): void {
  db.exec('begin');
  db.prepare('select 1 from sqlite_schema limit 1').get();
}
