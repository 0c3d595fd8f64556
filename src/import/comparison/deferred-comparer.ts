/** Stores pages outside memory while a bulk import writes, and compares them with their sources afterwards. */
import { type LargeMap, LargeMaps } from '../large-map.ts';
import type { Comparer, ExpectedPage } from './comparer.ts';

export class DeferredComparer implements Pick<Comparer, 'add'>, Disposable {
  readonly #maps = new LargeMaps();
  readonly #pages: LargeMap<ExpectedPage> = this.#maps.make();
  readonly #comparer: Comparer;

  constructor(comparer: Comparer) {
    this.#comparer = comparer;
  }

  async add(pages: ExpectedPage[]): Promise<void> {
    for (const page of pages) this.#pages.set(page.path, page);
  }

  /** Gives all stored pages to the comparer. */
  async compareAll(): Promise<void> {
    for (const some of this.#pages.slices()) await this.#comparer.add(some.map(([, page]) => page));
  }

  [Symbol.dispose](): void {
    this.#maps[Symbol.dispose]();
  }
}
