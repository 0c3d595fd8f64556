/**
 * Write transactions on SQLite, carried out in groups: those that wait while others are carried out share the next commit.
 * While a commit makes its way to the disk, which takes longer than most of them, the next group is carried out. None is
 * told of its end before its commit is on disk.
 *
 * Each sees what those before it wrote. One that fails before it has written anything leaves the others alone. If one
 * fails later, or the commit does, all of the group is undone and carried out again, each in a commit of its own, so
 * that nothing of it stays. (A savepoint for each would make the search indexes write all they have gathered each time.)
 */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem } from '#domain/problem.ts';
import { TimeShare } from '#scheduling/time-slices.ts';
import type { Database } from '../engine.ts';

/** Operations that commitQueue need of the writing connection. */
export interface WritingConnection {
  /** False if others are writing; an error if `isLastTry`. */
  tryBegin(isLastTry: boolean): boolean;
  /** From then on others see what was written, though the machine's end could take it back. */
  commit(): Promise<void>;
  /** Brings all that was committed to the disk. */
  sync(): Promise<void>;
  /** Also when the engine has rolled back by itself. */
  rollback(): void;
  /** Differs from an earlier one if anything was written in between. */
  writeCount(): number;
}

interface PendingWrite {
  work(db: Database): Promise<unknown>;
  resolve(value: never): void;
  reject(error: unknown): void;
}

interface Ended {
  write: PendingWrite;
  tell(): void;
}

/** With more, all that wait would go together, and nothing would be left to do while they make their way to the disk. */
const maxGroupSize = 16;
/** Bounds how long the first of a group waits for those after it. */
const patienceOfFirstMs = 50;
/** How long a writer tries to get the file from writers of other processes. */
const patienceMs = 30_000;

export class CommitQueue implements AsyncDisposable {
  #connection: WritingConnection;
  #db: Database;
  #waiting: PendingWrite[] = [];
  /** So many of those waiting go alone. */
  #alone = 0;
  #isClosed = false;
  #isRunning = false;
  #ended = Promise.resolve();
  /** Committed; to be told of it once it is on disk. */
  #committed: Ended[] = [];
  #synced = Promise.resolve();
  /** Why something did not reach the disk. */
  #failure: unknown;
  #groupMs: number;
  /** Milliseconds of writes, one after the other. */
  #share = new TimeShare(5);

  constructor(connection: WritingConnection, db: Database, groupMs = patienceOfFirstMs) {
    this.#connection = connection;
    this.#db = db;
    this.#groupMs = groupMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when what `work` wrote is on disk. `work` may run twice. */
  transact<T>(work: (db: Database) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Problem('unavailable', 'The server is shutting down.'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isRunning) this.#ended = this.#run();
    });
  }

  /** Takes no more writes, and waits for those that were begun: whoever asked for them may have gone, and nobody else would. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#ended;
    await this.#synced;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#carryOutGroup();
    }
    this.#isRunning = false;
  }

  async #carryOutGroup(): Promise<void> {
    const isAlone = this.#alone > 0;
    const group: PendingWrite[] = [];
    const ended: Ended[] = [];
    try {
      await this.#begin();
      const until = performance.now() + this.#groupMs;
      do {
        // Reads get their turn between writes, and writes that have just arrived come along.
        await (this.#waiting.length === 0 ? yieldToEventLoop() : this.#share.pause());
        const write = this.#waiting.shift();
        if (!write) break;
        group.push(write);
        const before = this.#connection.writeCount();
        try {
          const value = await write.work(this.#db);
          ended.push({ write, tell: () => write.resolve(value as never) });
        } catch (error) {
          if (this.#connection.writeCount() !== before) throw error;
          // Told at the end like all others: what it was refused for may be what another of the group wrote.
          ended.push({ write, tell: () => write.reject(error) });
        }
      } while (!isAlone && group.length < maxGroupSize && performance.now() < until);
      await this.#connection.commit();
    } catch (error) {
      this.#connection.rollback();
      if (group.length > 1) {
        this.#waiting.unshift(...group);
        this.#alone = group.length;
        return;
      }
      // All others that wait to begin would wait as long for nothing.
      const failed = group.length === 0 ? this.#waiting.splice(0) : group;
      for (const write of failed) write.reject(error);
      ended.length = 0;
    }
    if (isAlone) this.#alone--;
    this.#committed.push(...ended);
    this.#synced = this.#synced.then(() => this.#sync());
  }

  async #sync(): Promise<void> {
    // The groups that committed while the one before was on its way to the disk go together.
    const ended = this.#committed.splice(0);
    if (ended.length === 0) return;
    try {
      // The system counts as written whatever it once failed to write. Only a restart finds out what is on
      // disk.
      if (this.#failure) throw this.#failure;
      await this.#connection.sync();
      for (const { tell } of ended) tell();
    } catch (error) {
      this.#failure = error;
      for (const { write } of ended) write.reject(error);
    }
  }

  async #begin(): Promise<void> {
    const giveUpAt = Date.now() + patienceMs;
    for (let pause = 1; !this.#connection.tryBegin(Date.now() > giveUpAt); pause = Math.min(pause * 2, 32)) {
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}
