/**
 * Cache of lists that are still valid. Pages of the site show lists that cost more than the rest of the page, that sibling
 * pages share, and that most writes do not affect.
 */
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Dependency } from '#cache/dependency.ts';
import type { Session } from './statements.ts';

/** Maximum number of rows, of about 200 bytes each. */
const maxRows = 20_000;

export interface List<R> {
  pages: R[];
  total: number;
  /** Dependencies of the list, the same for every visibility. */
  dependencies: Dependency[];
}

export class CachedLists<R, L extends List<R> = List<R>> {
  #lists: BoundedCache<L & { revision: string }>;

  constructor(rows = maxRows) {
    this.#lists = new BoundedCache(rows);
  }

  /** `key`: everything that the list depends on besides stored data. */
  async get(session: Session, key: unknown, make: () => Promise<L>): Promise<L> {
    const [list] = await this.getEach(session, [key], async () => [await make()]);
    return list as L;
  }

  /**
   * Returns several lists in the order of their keys. `make` is called with the positions of the missing ones and returns them
   * in that order.
   */
  async getEach(
    { engine, isTransaction }: Session,
    keys: unknown[],
    make: (missing: number[]) => Promise<L[]>,
  ): Promise<L[]> {
    if (isTransaction) return make([...keys.keys()]);
    const revision = await engine.revision();
    const names = keys.map((key) => JSON.stringify(key));
    const lists = names.map((name) => {
      const known = this.#lists.get(name);
      if (!known || (known.revision !== revision && !engine.isUnchanged(known.revision, known.dependencies)))
        return undefined;
      known.revision = revision;
      return known;
    });
    const missing = lists.flatMap((list, i) => (list ? [] : [i]));
    const made = missing.length > 0 ? await make(missing) : [];
    for (const [place, i] of missing.entries()) {
      const list = { ...(made[place] as L), revision };
      lists[i] = list;
      this.#lists.set(names[i] as string, list, list.pages.length + list.dependencies.length / 10 + 1);
    }
    return lists as L[];
  }
}
