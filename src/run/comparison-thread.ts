/**
 * Comparisons of imports on a thread of their own, which opens the wiki a second time to read it, so that pages are compared while
 * others are written, and rendering thousands of them delays nobody.
 */

import type { Config } from '#config/config.ts';
import type {
  Comparer,
  Comparison,
  ComparisonOptions,
  CreateComparer,
  ExpectedPage,
} from '#import/comparison/comparer.ts';
import { Thread } from '#scheduling/thread.ts';
import type { ComparisonAnswer, ComparisonTask } from './comparison-worker.ts';

/** Longer than the source may take for the next pages. */
const idleMs = 3_600_000;
/** Pages for one message; and messages that may wait, so that few texts are in memory. */
const pagesAtOnce = 50;
const mostWaiting = 4;

export function createComparerOn(config: Config): CreateComparer {
  return (options) => new ThreadedComparer(config, options);
}

class ThreadedComparer implements Comparer {
  readonly #thread: Thread<ComparisonTask, ComparisonAnswer>;
  #pages: ExpectedPage[] = [];
  #waiting: Promise<ComparisonAnswer>[] = [];

  constructor(config: Config, comparison: ComparisonOptions) {
    const options = { workerData: { config, comparison }, resourceLimits: { maxOldGenerationSizeMb: 512 } };
    this.#thread = new Thread(new URL('./comparison-worker.ts', import.meta.url), options, idleMs);
  }

  async add(pages: ExpectedPage[]): Promise<void> {
    this.#pages.push(...pages);
    if (this.#pages.length >= pagesAtOnce) await this.#send();
  }

  async finish(): Promise<Comparison> {
    await this.#send();
    while (this.#waiting.length > 0) await this.#next();
    const { comparison } = orThrow(await this.#thread.run({}));
    if (!comparison) throw new Error('The comparison returned no result.');
    return comparison;
  }

  async #send(): Promise<void> {
    const answer = this.#thread.run({ pages: this.#pages });
    // Prevents an unhandled rejection; `finish` receives the error.
    answer.catch(() => {});
    this.#pages = [];
    this.#waiting.push(answer);
    if (this.#waiting.length > mostWaiting) await this.#next();
  }

  async #next(): Promise<void> {
    const answer = await this.#waiting.shift();
    if (answer) orThrow(answer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}

function orThrow(answer: ComparisonAnswer): ComparisonAnswer {
  if (answer.error) throw new Error('The comparison failed.', { cause: answer.error });
  return answer;
}
