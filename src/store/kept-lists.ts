/**
 * Lists that were made before and are still true. Pages of the site show lists that take longer than all else of them,
 * that neighbours have in common, and that most writes do not concern.
 */
import { BoundedCache } from '#domain/bounded-cache.ts';
import type { Subject } from '#domain/subjects.ts';
import type { Session } from './session.ts';

/** Rows of some 200 bytes. */
const maxRows = 20_000;

export interface List<R> {
  pages: R[];
  total: number;
  /** What it was made from, whatever the sight. */
  madeFrom: Subject[];
}

export class KeptLists<R> {
  #lists = new BoundedCache<List<R> & { stamp: string }>(maxRows);

  /** `key`: all that the list depends on besides what is stored. */
  async get(
    { engine, isTransaction }: Session,
    key: unknown,
    make: () => Promise<List<R>>,
  ): Promise<List<R>> {
    if (isTransaction) return make();
    const stamp = await engine.stamp();
    const name = JSON.stringify(key);
    const known = this.#lists.get(name);
    if (known && (known.stamp === stamp || engine.isUnchanged(known.stamp, known.madeFrom))) {
      known.stamp = stamp;
      return known;
    }
    const list = await make();
    this.#lists.set(name, { ...list, stamp }, list.pages.length + list.madeFrom.length / 10 + 1);
    return list;
  }
}
