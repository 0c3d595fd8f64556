/**
 * Runs reads whose time grows with the wiki on separate threads: SQLite computes in the calling thread, so all other requests
 * would wait while a word with half a million matches is searched for.
 */

import { Problem } from '#core/model/problem.ts';
import { type Limited, limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { Thread } from '#scheduling/thread.ts';
import { say } from '#words/say.ts';
import type { Statement } from '../engine.ts';
import { plain } from './handle.ts';
import type { Outcome, Task } from './long-reads-thread.ts';

const mostWaiting = 1000;
/**
 * Maximum number of statements queued at each thread. With one at a time it would idle until the main thread sends the next.
 */
const mostTasks = 32;
/** Long, because searches come in series and a new thread has to open the file first. */
const idleMs = 60_000;

export class LongReads implements AsyncDisposable {
  #limited: Limited;
  #makeRoom: () => Promise<void>;
  #threads: Thread<Task, Outcome>[];
  /** Running queries by statement, parameters and revision. */
  #underWay = new Map<string, Promise<unknown[]>>();

  /** `makeRoom` is awaited before each read starts. */
  constructor(file: string, mostThreads: number, makeRoom: () => Promise<void>) {
    this.#makeRoom = makeRoom;
    const crowded = say('problem.tooManyPeopleAreRequestingListsOf');
    this.#limited = limitConcurrency(
      mostThreads * mostTasks,
      mostWaiting,
      () => new Problem('unavailable', crowded),
    );
    this.#threads = Array.from({ length: mostThreads }, () => startThread(file));
  }

  /** `revision`: identical queries at the same revision share the result. */
  rows({ sql, parameters }: Statement, revision: string): Promise<unknown[]> {
    const task = { sql, parameters: parameters.map(plain) as Task['parameters'] };
    const key = JSON.stringify([revision, task]);
    const shared = this.#underWay.get(key);
    if (shared) return shared;
    const rows = this.#limited(() => this.#ask(task)).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, rows);
    return rows;
  }

  async #ask(task: Task): Promise<unknown[]> {
    await this.#makeRoom();
    const { rows, error } = await this.#leastBusy().run(task);
    if (error) throw Object.assign(new Error(error.message), error);
    return rows;
  }

  /** The first one among equals, so that surplus threads become idle and end. */
  #leastBusy(): Thread<Task, Outcome> {
    return this.#threads.reduce((least, thread) => (thread.tasks < least.tasks ? thread : least));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }
}

function startThread(file: string): Thread<Task, Outcome> {
  const options = {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 2 },
  };
  return new Thread(new URL('./long-reads-thread.ts', import.meta.url), options, idleMs);
}
