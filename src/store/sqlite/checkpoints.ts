/**
 * Checkpoints: copies the write-ahead log of a SQLite file back into it, on a separate thread, because writing and syncing
 * thousands of pages would delay every request. Readers and writers continue meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type AskSpace, isLow } from '#core/ports/disk-space.ts';

/**
 * Number of uncopied log pages that triggers a checkpoint. Pages changed by many writes are copied once: see
 * docs/decisions/0022-group-commit.md.
 */
const pagesAtOnce = 4000;
/** The same when disk space is low, so that the log stays short. */
const pagesAtOnceWhenLow = 250;
/**
 * Total length of the log at which the writer copies the rest itself. The log restarts when a write finds everything copied;
 * under continuous writes the thread is always a little behind.
 */
export const mostPages = 16_000;
/** The log restarts only while nobody reads it. From this length on, long reads wait until it has restarted. */
const usualLongPages = 2 * mostPages;
const askSpaceEveryMs = 1000;
/**
 * Time allowed for running reads to end. If the log has not restarted by then, perhaps because nobody writes, reads continue.
 */
const usualPatienceMs = 5000;
const lookEveryMs = 20;

export class Checkpoints implements AsyncDisposable {
  #file: string;
  #state: ReturnType<DatabaseSync['prepare']>;
  #thread: Worker | undefined;
  /** The checkpoint in progress. */
  #copying: PromiseWithResolvers<void> | undefined;
  #askSpace: AskSpace;
  #isLow = false;
  #askAgainAt = 0;
  #longPages: number;
  #longFrom: number;
  #patienceMs: number;
  #shortened: Promise<void> | undefined;

  /** `db`: a connection to `file` that is never inside a transaction when this is called. */
  constructor(
    file: string,
    db: DatabaseSync,
    {
      longPages = usualLongPages,
      patienceMs = usualPatienceMs,
      askSpace = () => undefined,
    }: { longPages?: number; patienceMs?: number; askSpace?: AskSpace | undefined } = {},
  ) {
    this.#file = file;
    this.#longPages = longPages;
    this.#longFrom = longPages;
    this.#patienceMs = patienceMs;
    this.#askSpace = askSpace;
    // Copies nothing, but reports how far the log is copied.
    this.#state = db.prepare('pragma wal_checkpoint(noop)');
  }

  /** Called after each commit; takes a few microseconds. */
  look(): void {
    if (this.#copying) return;
    const { log, checkpointed } = this.#pages();
    const atOnce = this.#isRoomLow() ? pagesAtOnceWhenLow : pagesAtOnce;
    if (log - checkpointed >= atOnce) this.copy();
  }

  /** Resolves when everything possible is copied. */
  copy(): Promise<void> {
    if (!this.#copying) {
      this.#copying = Promise.withResolvers();
      this.#thread ??= this.#start();
      // The log file keeps its maximum length unless it is truncated.
      this.#thread.postMessage({ isToBeCut: this.#isRoomLow() });
    }
    return this.#copying.promise;
  }

  #isRoomLow(): boolean {
    const now = performance.now();
    if (now >= this.#askAgainAt) {
      const space = this.#askSpace();
      this.#isLow = space !== undefined && isLow(space);
      this.#askAgainAt = now + askSpaceEveryMs;
    }
    return this.#isLow;
  }

  #endCopying(): void {
    this.#copying?.resolve();
    this.#copying = undefined;
  }

  /** Must be awaited before each long read: with overlapping long reads the log might never restart. */
  async makeRoom(): Promise<void> {
    const { log } = this.#pages();
    if (log < this.#longPages) this.#longFrom = this.#longPages;
    if (log < this.#longFrom) return;
    this.#shortened ??= this.#waitUntilShort();
    await this.#shortened;
  }

  async #waitUntilShort(): Promise<void> {
    const until = performance.now() + this.#patienceMs;
    while (this.#pages().log >= this.#longPages && performance.now() < until) await sleep(lookEveryMs);
    this.#longFrom = this.#pages().log + this.#longPages;
    this.#shortened = undefined;
  }

  #pages(): { log: number; checkpointed: number } {
    return this.#state.get() as { log: number; checkpointed: number };
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
    });
    // An idle thread must not keep the process alive.
    thread.unref();
    thread.on('message', () => this.#endCopying());
    // A full or broken disk also fails the writer, which reports it. Then another thread tries again.
    thread.on('error', () => {
      this.#thread = undefined;
      this.#endCopying();
    });
    return thread;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate();
    this.#endCopying();
  }
}
