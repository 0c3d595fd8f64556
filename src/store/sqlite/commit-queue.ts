/**
 * Write transactions on SQLite in groups (group commit): writes that queue up share the next commit. While a commit is being
 * synced to disk, which takes longer than most writes, the next group runs. No write is acknowledged before its commit is on
 * disk.
 *
 * Each write sees the ones before it. If one fails before writing anything, the others are not affected. If one fails later, or
 * the commit does, the whole group is rolled back and repeated with one commit each. (Savepoints would make the search indexes
 * flush each time.)
 */

import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem } from '#core/model/problem.ts';
import { TimeShare } from '#scheduling/time-slices.ts';
import { say } from '#words/say.ts';
import type { Database } from '../engine.ts';

/** Operations of the writing connection that the commit queue needs. */
export interface WritingConnection {
  /** Returns false if others are writing; throws if `isLastTry`. */
  tryBegin(isLastTry: boolean): boolean;
  /** Afterwards others can see the writes, although a power failure could still undo them. */
  commit(): Promise<void>;
  /** Syncs all commits to disk. */
  sync(): Promise<void>;
  /** Also called when the engine has rolled back by itself. */
  rollback(): void;
  /** Changes whenever something is written. */
  writeCount(): number;
}

interface PendingWrite {
  /** Whether it is rolled back at its end, and therefore shares no group with others, who would be repeated. */
  isTrial: boolean;
  work(db: Database): Promise<unknown>;
  resolve(value: never): void;
  reject(error: unknown): void;
}

interface Ended {
  write: PendingWrite;
  tell(): void;
}

/**
 * Maximum size of a group. With more, all waiting writes would go together, and nothing would be left to do during the sync.
 */
const maxGroupSize = 16;
/** Maximum time for which the first write of a group waits for later ones. */
const patienceOfFirstMs = 50;
/** Maximum time to wait for writers of other processes. */
const patienceMs = 30_000;

export class CommitQueue implements AsyncDisposable {
  #connection: WritingConnection;
  #db: Database;
  #waiting: PendingWrite[] = [];
  /** Number of queued writes that must run alone. */
  #alone = 0;
  #isClosed = false;
  #isRunning = false;
  #ended = Promise.resolve();
  /** Committed writes that are acknowledged once they are on disk. */
  #committed: Ended[] = [];
  #synced = Promise.resolve();
  /** Error of a failed sync. */
  #failure: unknown;
  #groupMs: number;
  /** Time share of consecutive writes, in milliseconds. */
  #share = new TimeShare(5);

  constructor(connection: WritingConnection, db: Database, groupMs = patienceOfFirstMs) {
    this.#connection = connection;
    this.#db = db;
    this.#groupMs = groupMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the writes of `work` are on disk. `work` may run twice, unless it is a trial. */
  transact<T>(work: (db: Database) => Promise<T>, { isTrial = false } = {}): Promise<T> {
    if (this.#isClosed)
      return Promise.reject(new Problem('unavailable', say('problem.theServerIsShuttingDown')));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, isTrial, resolve, reject });
      if (!this.#isRunning) this.#ended = this.#run();
    });
  }

  /** Accepts no more writes, and waits for those in progress, whose callers may be gone. */
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
        // Lets reads run between writes, and lets new writes join.
        await (this.#waiting.length === 0 ? yieldToEventLoop() : this.#share.pause());
        if (group.length > 0 && this.#waiting[0]?.isTrial) break;
        const write = this.#waiting.shift();
        if (!write) break;
        group.push(write);
        const before = this.#connection.writeCount();
        try {
          const value = await write.work(this.#db);
          ended.push({ write, tell: () => write.resolve(value as never) });
        } catch (error) {
          if (this.#connection.writeCount() !== before) throw error;
          // Reported at the end like all others, because the failure may depend on what another write of the group wrote.
          ended.push({ write, tell: () => write.reject(error) });
        }
      } while (!isAlone && !group[0]?.isTrial && group.length < maxGroupSize && performance.now() < until);
      await this.#connection.commit();
    } catch (error) {
      this.#connection.rollback();
      if (group.length > 1) {
        this.#waiting.unshift(...group);
        this.#alone = group.length;
        return;
      }
      // Fails all queued writes as well, because they would wait in vain as long.
      const failed = group.length === 0 ? this.#waiting.splice(0) : group;
      for (const write of failed) write.reject(error);
      ended.length = 0;
    }
    if (isAlone) this.#alone--;
    this.#committed.push(...ended);
    this.#synced = this.#synced.then(() => this.#sync());
  }

  async #sync(): Promise<void> {
    // Groups that committed during the previous sync are synced together.
    const ended = this.#committed.splice(0);
    if (ended.length === 0) return;
    try {
      // After a failed sync the system considers the data written, so all later writes are refused; only a restart shows what
      // is on disk.
      if (this.#failure) throw this.#failure;
      await this.#connection.sync();
      for (const { tell } of ended) tell();
    } catch (error) {
      this.#failure = error;
      for (const { write } of ended) write.reject(error);
    }
  }

  async #begin(): Promise<void> {
    const giveUpAt = performance.now() + patienceMs;
    const isLate = () => performance.now() > giveUpAt;
    for (let pause = 1; !this.#connection.tryBegin(isLate()); pause = Math.min(pause * 2, 32)) {
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}
