/**
 * Reading that takes the longer the larger a wiki is, on threads of its own: SQLite computes where it is asked, and all others would
 * wait while somebody looks for a word that half a million pages have.
 */
import { Problem } from '#domain/problem.ts';
import { type Limited, limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { Thread } from '#scheduling/thread.ts';
import type { Executed } from '../engine.ts';
import { plain } from './handle.ts';
import type { Outcome, Task } from './long-reads-thread.ts';

const mostWaiting = 1000;
/**
 * Maximum statements of each thread at a time. With one at a time it would idle until the main thread gets to sending the
 * next.
 */
const mostTasks = 32;
/** Who searches searches again: a new thread first opens the file. */
const idleMs = 60_000;

export class LongReads implements AsyncDisposable {
  #limited: Limited;
  #makeRoom: () => Promise<void>;
  #threads: Thread<Task, Outcome>[];
  /** By what is asked, and of which state. */
  #underWay = new Map<string, Promise<unknown[]>>();

  /** `makeRoom`: awaited before each begins. */
  constructor(file: string, mostThreads: number, makeRoom: () => Promise<void>) {
    this.#makeRoom = makeRoom;
    const crowded = 'Too many people are asking for lists of pages at this moment: try again in a minute.';
    this.#limited = limitConcurrency(
      mostThreads * mostTasks,
      mostWaiting,
      () => new Problem('unavailable', crowded),
    );
    this.#threads = Array.from({ length: mostThreads }, () => startThread(file));
  }

  /** `revision`: whoever asks the same while it has not changed shares the answer. */
  rows({ sql, parameters }: Executed, revision: string): Promise<unknown[]> {
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

  /** The first of several, so that those that nobody needs are idle and end. */
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
