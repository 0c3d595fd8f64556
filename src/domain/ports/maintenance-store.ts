/** The part of the port to the database that goes through everything: what rebuild, check and backup need. */

import type { Derived } from '../content/derive.ts';
import type { Page, PageState } from '../pages/page.ts';

/** Derived rows that a page's content should have. */
export interface Expected {
  state: PageState;
  derived: Derived;
}

export interface MaintenanceStore {
  /** Current content of pages in order of ID, after `afterId`. */
  pagesAfter(afterId: number, limit: number): Promise<Page[]>;
  /** The same without what they say. `onDamage` is told a sentence of those that cannot be read; without it, they end all. */
  namesAfter(
    afterId: number,
    limit: number,
    onDamage?: (sentence: string) => void,
  ): Promise<{ id: number; path: string }[]>;
  /** Writes the columns that follow from a page's content (description, type, location, audience, keys) without a change. */
  rewriteDerivedColumns(id: number, page: PageState): Promise<void>;
  /**
   * Before very many pages go into an empty wiki: from now on pages go in several times as fast, but until `endBulkLoad`
   * lists and searches read whole tables and wanted links are not counted. Whoever opens a wiki whose bulk load was
   * interrupted ends it. False, and nothing changes, if there are pages already, or nothing is gained by it.
   */
  beginBulkLoad(): Promise<boolean>;
  /** Some 30 seconds for a million pages, in which other writers wait; nothing where no bulk load began. */
  endBulkLoad(): Promise<void>;
  /** Recomputes every count that the store maintains from the rows it counts. */
  recount(): Promise<void>;
  /**
   * Puts right what rows say about each other: the latest change of each page and its time, depth and trail by the
   * parents, keys of old paths, entries of search indexes; drops derived rows that belong to no page.
   */
  repair(): Promise<void>;
  /**
   * A sentence for each page whose description, type, location, links, tags or entries in the search indexes are not as
   * expected. Everything is compared in one snapshot, a fixed number of statements for each 200 pages.
   */
  verify(expect: (page: Page) => Expected): AsyncIterable<string>;
  /**
   * After an erasure: writes everything anew, so that no bytes of what is not there any more are left in free room, in the log or in the
   * search indexes. Writers wait meanwhile, and nearly as much room is needed as the database takes. Sentences that say where
   * something may be left all the same.
   */
  scrub(): Promise<string[]>;
  /** Every change that is damaged and every invariant of the stored rows that does not hold, a sentence each, at most `limit`. Changes nothing. */
  violations(limit: number): Promise<string[]>;
  /** Content addresses of all files and thumbnails in use. `onDamage` as in `dump`. */
  fileHashes(onDamage?: (sentence: string) => void): AsyncIterable<string>;
  /**
   * Names of tables and every row in a stable order, for backups across engines. What cannot be read is left out, and
   * `onDamage` is told a sentence; without it, `Damage` is thrown.
   */
  dump(onDamage?: (sentence: string) => void): AsyncIterable<{ table: string; row: Record<string, unknown> }>;
  /** Fills an empty database from a dump. Refuses `invalid` if there is anything in it. */
  restore(rows: AsyncIterable<{ table: string; row: Record<string, unknown> }>): Promise<void>;
  /** Bytes on disk. `logBytes`: the write-ahead log, if it is a file of ours. `fileBytes`: attached files. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined; fileBytes: number }>;
  counts(): Promise<{ pages: number; changes: number; members: number; files: number }>;
}
