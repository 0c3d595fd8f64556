/** Store port of favourites. The rules in `store.ts` apply. */

export interface FavouriteStore {
  /** Page IDs with the time at which the member starred each, latest first, at most `limit`; also of pages that are hidden now. */
  listOf(memberId: number, limit: number): Promise<{ pageId: number; at: number }[]>;
  has(memberId: number, pageId: number): Promise<boolean>;
  count(memberId: number): Promise<number>;
  /** Keeps the time of a page that is starred already. */
  add(memberId: number, pageId: number, at: number): Promise<void>;
  remove(memberId: number, pageId: number): Promise<void>;
}
