/** Tracks whether writes succeed, by observing transactions, and by an own test write if there was none lately. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteFailure } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import type { Engine } from './engine.ts';

/** Message for a write that failed because the disk is full. */
export const noRoom = say('problem.thereIsNoSpaceOnTheDisk');

/** Message for a write to a database or folder that is read-only. */
export const onlyRead = say('problem.theWikiIsReadOnlyAtThe2');

/** No test write is made for this long after a successful write, */
const trustMs = 10_000;
/** or for this long after a failed one. */
const distrustMs = 1000;
const patienceMs = 5000;

export class WriteHealth {
  readonly failed: Record<WriteFailure, number> = { full: 0, 'read-only': 0, gone: 0, failed: 0 };
  readonly #engine: Engine;
  #trouble: WriteFailure | undefined;
  #knownUntil = 0;
  /** Looks again while there is trouble, so that it ends by itself. */
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** Observes all transactions of the engine. `trouble`: what was found while it was opened. */
  constructor(engine: Engine, trouble?: WriteFailure) {
    if (trouble) this.#note(trouble);
    this.#engine = engine;
    const transact = engine.transact.bind(engine);
    engine.transact = async (work) => {
      try {
        const done = await transact(work);
        // The transaction may have written nothing, so its success does not end a known trouble.
        if (this.#trouble === undefined) this.#knownUntil = performance.now() + trustMs;
        return done;
      } catch (error) {
        const trouble = engine.writeFailureOf(error);
        if (trouble) {
          this.failed[trouble]++;
          this.#note(trouble);
        }
        throw error;
      }
    };
  }

  /** The trouble as it was last seen. While there is one, it is looked at again and again. */
  get current(): WriteFailure | undefined {
    return this.#trouble;
  }

  /** Reason why nothing can be written now. */
  async trouble(): Promise<WriteFailure | undefined> {
    if (performance.now() < this.#knownUntil) return this.#trouble;
    // Requests that arrive meanwhile get the last known state.
    this.#knownUntil = performance.now() + patienceMs;
    const written = (this.#engine.tryWriting?.(this.#trouble) ?? Promise.resolve()).then(
      () => 'done' as const,
      (error: unknown) => this.#engine.writeFailureOf(error) ?? ('unclear' as const),
    );
    const found = await Promise.race([written, sleep(patienceMs, 'late' as const, { ref: false })]);
    if (found === 'done') {
      this.#trouble = undefined;
      this.#knownUntil = performance.now() + trustMs;
    } else if (found === 'late') this.#note('failed');
    else this.#note(found === 'unclear' ? (this.#trouble ?? 'failed') : found);
    return this.#trouble;
  }

  #note(trouble: WriteFailure): void {
    this.#trouble = trouble;
    this.#knownUntil = performance.now() + distrustMs;
    if (this.#isOver) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.trouble().then((trouble) => trouble && this.#note(trouble));
    }, distrustMs + 10).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
  }
}
