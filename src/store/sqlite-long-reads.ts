/**
 * Reading that takes the longer the larger a wiki is, on threads of its own: SQLite computes where it is asked, and all others would
 * wait while somebody looks for a word that half a million pages have.
 */
import { type InTurn, takeTurns } from '#domain/turns.ts';
import { Thread } from '#threads/thread.ts';
import type { Executed } from './engine.ts';
import { plain } from './sqlite-handle.ts';
import type { Outcome, Task } from './sqlite-long-reads-thread.ts';

const mostWaiting = 1000;
/** Who searches searches again: a new thread first opens the file. */
const idleMs = 60_000;

export class LongReads implements AsyncDisposable {
  #file: string;
  #inTurn: InTurn;
  #makeRoom: () => Promise<void>;
  #idle: Thread<Task, Outcome>[] = [];
  #threads = new Set<Thread<Task, Outcome>>();
  /** By what is asked, and of which state. */
  #underWay = new Map<string, Promise<unknown[]>>();

  /** `makeRoom`: awaited before each begins. */
  constructor(file: string, mostThreads: number, makeRoom: () => Promise<void>) {
    this.#file = file;
    this.#makeRoom = makeRoom;
    const crowded = 'Too many people are asking for lists of pages at this moment: try again in a minute.';
    this.#inTurn = takeTurns(mostThreads, mostWaiting, crowded);
  }

  /** `stamp`: whoever asks the same while it has not changed shares the answer. */
  rows({ sql, parameters }: Executed, stamp: string): Promise<unknown[]> {
    const task = { sql, parameters: parameters.map(plain) as Task['parameters'] };
    const key = JSON.stringify([stamp, task]);
    const shared = this.#underWay.get(key);
    if (shared) return shared;
    const rows = this.#inTurn(() => this.#ask(task)).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, rows);
    return rows;
  }

  async #ask(task: Task): Promise<unknown[]> {
    await this.#makeRoom();
    const thread = this.#idle.pop() ?? this.#start();
    try {
      const { rows, error } = await thread.run(task);
      if (error) throw Object.assign(new Error(error.message), error);
      return rows;
    } finally {
      this.#idle.push(thread);
    }
  }

  #start(): Thread<Task, Outcome> {
    const options = {
      // Named, it does not give way: who searches would wait ten times as long where processors are short.
      name: 'reading',
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 2 },
    };
    const thread = new Thread<Task, Outcome>(
      new URL('./sqlite-long-reads-thread.ts', import.meta.url),
      options,
      idleMs,
    );
    this.#threads.add(thread);
    return thread;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread[Symbol.asyncDispose]()));
  }
}
