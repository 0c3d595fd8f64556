/** Store port of the order of pages among their siblings. The rules in `store.ts` apply. */

/** `rank`: see `Page`. */
export interface Sibling {
  id: number;
  path: string;
  rank: number | null;
}

export interface OrderStore {
  /**
   * Within a transaction: the children of a page, or the root pages, that have a place or one of these paths, in their order. They
   * are locked until its end.
   */
  lockSiblings(parentId: number | null, paths: readonly string[]): Promise<Sibling[]>;
  /**
   * Called in a transaction that has locked them: gives children of the page with this trail their ranks; null takes them away.
   * `trail`: IDs of the parent and the pages above it, root first.
   */
  rank(trail: readonly number[], siblings: readonly Pick<Sibling, 'id' | 'rank'>[]): Promise<void>;
}
