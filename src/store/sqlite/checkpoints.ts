/**
 * Copies the write-ahead log of a SQLite file back into it, on a thread of its own: thousands of pages are written and
 * waited for on the disk, which would keep every request waiting. Readers and writers go on meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type AskSpace, isLow } from '#domain/ports/disk-space.ts';

/** Pages in the log that nobody has copied yet. What many writes share is copied once: see docs/decisions/0022-group-commit.md. */
const pagesAtOnce = 4000;
/** The same where the disk has little room: the log then begins anew before it has grown. */
const pagesAtOnceWhenLow = 250;
/**
 * In the log at all. It begins anew when a write finds all of it copied; under writes without a pause the thread is
 * always a little behind, and from here on the writer copies that little itself.
 */
export const mostPages = 16_000;
/** It begins anew only while nobody reads it. From here on whoever wants to read for long lets it do so first. */
const usualLongPages = 2 * mostPages;
const askSpaceEveryMs = 1000;
/** Time for running reads to end. If the log still does not begin anew, perhaps because nobody writes, reads go on. */
const usualPatienceMs = 5000;
const lookEveryMs = 20;

export class Checkpoints implements AsyncDisposable {
  #file: string;
  #state: ReturnType<DatabaseSync['prepare']>;
  #thread: Worker | undefined;
  /** Under way. */
  #copying: PromiseWithResolvers<void> | undefined;
  #askSpace: AskSpace;
  #isLow = false;
  #askAgainAt = 0;
  #longPages: number;
  #longFrom: number;
  #patienceMs: number;
  #shortened: Promise<void> | undefined;

  /** `db`: a connection to `file` that is in no transaction when this is asked. */
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
    // Copies nothing, but tells how far others have.
    this.#state = db.prepare('pragma wal_checkpoint(noop)');
  }

  /** After a commit; takes some microseconds. */
  look(): void {
    if (this.#copying) return;
    const { log, checkpointed } = this.#pages();
    const atOnce = this.#isRoomLow() ? pagesAtOnceWhenLow : pagesAtOnce;
    if (log - checkpointed >= atOnce) this.copy();
  }

  /** Resolves when all that can be copied is, or nothing could be. */
  copy(): Promise<void> {
    if (!this.#copying) {
      this.#copying = Promise.withResolvers();
      this.#thread ??= this.#start();
      // The file of the log keeps the length that it once had, unless it is cut.
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

  /** To be awaited before anybody reads for long, whose end the next one does not wait for: else the log might never begin anew. */
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
    // A disk that is full or broken fails the writer, too, which tells whoever writes. Then another thread tries.
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
