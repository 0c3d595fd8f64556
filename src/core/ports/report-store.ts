/** Store port of reports for administrators. The rules in `store.ts` apply. */

export interface ReportStore {
  /** IDs of pages to which no other page links, after this ID, among the next `among` pages. `next`: where to go on; null at the end. */
  orphans(after: number, among: number, limit: number): Promise<{ ids: number[]; next: number | null }>;
  /** Adds reads of pages by their paths. Paths of no page are left out. */
  addReads(month: string, reads: ReadonlyMap<string, number>): Promise<void>;
  /** Pages with most reads from this month on, without those in the trash. */
  mostRead(since: string, limit: number): Promise<{ pageId: number; reads: number }[]>;
  addVainSearches(times: ReadonlyMap<string, number>, at: number): Promise<void>;
  vainSearches(limit: number): Promise<SearchWithoutResults[]>;
  /** Removes reads before this month, and searches that are neither recent nor among the most frequent ones. */
  forget(month: string, before: number, keptSearches: number): Promise<void>;
  /** Takes the next check of links until `until`. Undefined while another process has it, or until the next round is due. */
  claimCheck(now: number, until: number): Promise<{ afterPage: number; begunAt: number } | undefined>;
  /** Ends the check: the next one goes on after this page. */
  endCheck(round: { afterPage: number; begunAt: number; nextAt: number }): Promise<void>;
  /** IDs of the next pages. */
  pagesAfter(id: number, limit: number): Promise<number[]>;
  /** Problems of these addresses, on whatever page they were checked since this time; null for none. */
  knownSince(urls: readonly string[], since: number): Promise<Map<string, string | null>>;
  /** Replaces the addresses of a page by these, each with its problem, or null for none. */
  noteChecks(pageId: number, problems: ReadonlyMap<string, string | null>, at: number): Promise<void>;
  /** Reviews that are due on this day and of which nobody was told yet, longest due first. */
  unannouncedReviews(day: string, limit: number): Promise<DueReview[]>;
  noteNotified(reviews: readonly DueReview[]): Promise<void>;
  /** Links of pages that failed last time, longest first, without those of pages in the trash. */
  deadLinks(limit: number): Promise<DeadLink[]>;
}

/** A page whose review is due. `responsible`: who is told; its owner unless the page names an active member. */
interface DueReview {
  pageId: number;
  reviewBy: string;
  responsible: number;
}

export interface SearchWithoutResults {
  words: string;
  times: number;
  lastAt: number;
}

export interface DeadLink {
  pageId: number;
  url: string;
  problem: string;
  since: number;
  checkedAt: number;
}

/** Counts of a process that are not stored yet. They hold no addresses of readers and no members. */
export interface Tally {
  /** `path`: path of the page, as in its URL. */
  read(path: string): void;
  searchedInVain(words: string): void;
  /** Returns what was counted, and begins anew. */
  take(): { reads: Map<string, number>; searches: Map<string, number> };
}
