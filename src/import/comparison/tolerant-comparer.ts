/** A comparison whose failure does not end the import: the pages are written by then, and the certificate says that it stopped. */
import type { Comparer, Comparison, ExpectedPage } from './comparer.ts';

export class TolerantComparer implements Comparer {
  readonly #comparer: Comparer;
  #compared = 0;
  #failure: string | undefined;

  constructor(comparer: Comparer) {
    this.#comparer = comparer;
  }

  async add(pages: ExpectedPage[]): Promise<void> {
    await this.#attempt(async () => {
      await this.#comparer.add(pages);
      this.#compared += pages.length;
    });
  }

  async finish(): Promise<Comparison> {
    const comparison = await this.#attempt(() => this.#comparer.finish());
    return (
      comparison ?? { pages: 0, differing: 0, byKind: {}, list: [], more: 0, failed: this.#failure ?? '' }
    );
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#comparer[Symbol.asyncDispose]();
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#failure !== undefined) return undefined;
    try {
      return await work();
    } catch (error) {
      const { message, cause } = error as Error;
      this.#failure = `The comparison of pages with their sources stopped after ${this.#compared} pages: ${cause instanceof Error ? cause.message : message}`;
      return undefined;
    }
  }
}
