/** Holds pages outside memory until they can be compared. */
import { type LargeMap, LargeMaps } from '../large-map.ts';
import type { Comparer, ExpectedPage } from './comparer.ts';

export class HeldPages implements Pick<Comparer, 'add'>, Disposable {
  readonly #maps = new LargeMaps();
  readonly #pages: LargeMap<ExpectedPage> = this.#maps.make();
  readonly #comparer: Comparer;

  constructor(comparer: Comparer) {
    this.#comparer = comparer;
  }

  async add(pages: ExpectedPage[]): Promise<void> {
    for (const page of pages) this.#pages.set(page.path, page);
  }

  /** Passes all pages on. */
  async release(): Promise<void> {
    for (const some of this.#pages.slices()) await this.#comparer.add(some.map(([, page]) => page));
  }

  [Symbol.dispose](): void {
    this.#maps[Symbol.dispose]();
  }
}
