/**
 * Write transactions on SQLite, carried out in groups: those that wait while one commits share the next commit, since
 * reaching the disk takes longer than most of them. None is told of its end before the group's commit is on disk.
 *
 * Each sees what those before it wrote. One that fails before it has written anything leaves the others alone. If one
 * fails later, or the commit does, all of the group is undone and carried out again, each in a commit of its own, so
 * that nothing of it stays. (A savepoint for each would make the search indexes write all they have gathered each time.)
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './engine.ts';

/** What the groups need of the connection that they have to themselves. */
export interface WritingConnection {
  /** False if others are writing; an error if `isLastTry`. */
  tryBegin(isLastTry: boolean): boolean;
  commit(): Promise<void>;
  /** Also when the engine has rolled back by itself. */
  rollback(): void;
  /** Differs from an earlier one if anything was written in between. */
  writeCount(): number;
}

interface Member {
  work(db: Database): Promise<unknown>;
  resolve(value: never): void;
  reject(error: unknown): void;
}

const mostMembers = 64;
/** Bounds how long the first of a group waits for those after it. */
const patienceOfFirstMs = 50;
/** How long a writer tries to get the file from writers of other processes. */
const patienceMs = 30_000;

export class Groups implements AsyncDisposable {
  #connection: WritingConnection;
  #db: Database;
  #waiting: Member[] = [];
  /** So many of those waiting go alone. */
  #alone = 0;
  #isRunning = false;
  #ended = Promise.resolve();
  #groupMs: number;

  constructor(connection: WritingConnection, db: Database, groupMs = patienceOfFirstMs) {
    this.#connection = connection;
    this.#db = db;
    this.#groupMs = groupMs;
  }

  /** Resolves when what `work` wrote is on disk. `work` may run twice. */
  transact<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isRunning) this.#ended = this.#run();
    });
  }

  /** Waits for those that were begun: whoever asked for them may have gone, and nobody else would. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ended;
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
    const group: Member[] = [];
    const ends: (() => void)[] = [];
    try {
      await this.#begin();
      const until = performance.now() + this.#groupMs;
      do {
        // Reads get their turn between writes, and writes that have just arrived come along.
        await nextTurn();
        const member = this.#waiting.shift();
        if (!member) break;
        group.push(member);
        const before = this.#connection.writeCount();
        try {
          const value = await member.work(this.#db);
          ends.push(() => member.resolve(value as never));
        } catch (error) {
          if (this.#connection.writeCount() !== before) throw error;
          // Told at the end like all others: what it was refused for may be what another of the group wrote.
          ends.push(() => member.reject(error));
        }
      } while (!isAlone && group.length < mostMembers && performance.now() < until);
      await this.#connection.commit();
    } catch (error) {
      this.#connection.rollback();
      if (group.length > 1) {
        this.#waiting.unshift(...group);
        this.#alone = group.length;
        return;
      }
      // Whoever else waits to begin would wait as long for nothing.
      const failed = group.length === 0 ? this.#waiting.splice(0) : group;
      ends.splice(0, ends.length, ...failed.map((member) => () => member.reject(error)));
    }
    if (isAlone) this.#alone--;
    for (const end of ends) end();
  }

  async #begin(): Promise<void> {
    const giveUpAt = Date.now() + patienceMs;
    for (let pause = 1; !this.#connection.tryBegin(Date.now() > giveUpAt); pause = Math.min(pause * 2, 32)) {
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}
