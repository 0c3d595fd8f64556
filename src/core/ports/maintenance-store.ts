/** Store port for maintenance: functions that read all data, for rebuild, check and backup. */

import type { Derived } from '../model/derived.ts';
import type { Page, PageState } from '../model/page.ts';

/** Derived rows that correspond to a page's content. */
export interface Expected {
  state: PageState;
  derived: Derived;
}

export interface MaintenanceStore {
  /** Pages with their current content, by ID, after `afterId`. */
  pagesAfter(afterId: number, limit: number): Promise<Page[]>;
  /**
   * The same without contents. `onDamage` is called with a sentence for each unreadable page; without it, the first one ends
   * the run.
   */
  namesAfter(
    afterId: number,
    limit: number,
    onDamage?: (sentence: string) => void,
  ): Promise<{ id: number; path: string }[]>;
  /** Writes the columns derived from a page's content (description, type, location, audience, keys) without a change. */
  rewriteDerivedColumns(id: number, page: PageState): Promise<void>;
  /**
   * Prepares an empty wiki for very many pages: insertion becomes several times as fast, but until `endBulkLoad` lists and
   * searches scan whole tables and wanted links are not counted. Opening a wiki whose bulk load was interrupted ends it.
   * Returns false and changes nothing if there are pages already, or if nothing would be gained.
   */
  beginBulkLoad(): Promise<boolean>;
  /** Takes about 30 seconds for a million pages, during which other writers wait. Does nothing without a bulk load. */
  endBulkLoad(): Promise<void>;
  /** ID of the last page whose search entries were renewed after an update of Coppice; undefined if all are. */
  searchRenewal(): Promise<number | undefined>;
  saveSearchRenewal(afterId: number | 'done'): Promise<void>;
  /** Recomputes the sort keys of files and of wanted links, one transaction for each slice. */
  renewSortKeys(): Promise<void>;
  /** Recomputes every count that the store maintains from the rows it counts. */
  recount(): Promise<void>;
  /**
   * Repairs redundant columns: the latest change of each page and its time, depth and trail, keys of old paths, and entries of
   * search indexes; deletes derived rows that belong to no page.
   */
  repair(): Promise<void>;
  /**
   * Yields a sentence for each page whose description, type, location, links, tags or search index entries differ from the
   * expected ones. All pages are compared in one snapshot, with a fixed number of statements for each 200 pages.
   */
  verify(expect: (page: Page) => Expected): AsyncIterable<string>;
  /**
   * After an erasure: rewrites the database, so that no deleted bytes remain in free space, in the log or in the search
   * indexes. Writers wait meanwhile, and nearly as much free space is needed as the database occupies. `patienceMs` limits how
   * long it waits for readers that may still see the bytes.
   */
  scrub(patienceMs: number): Promise<Scrubbed>;
  /**
   * Rows that mention one of these words or phrases, in any spelling of links and addresses. Reads every version of every page and
   * nearly all tables, a limited number of rows at a time.
   */
  mentions(words: readonly string[]): Promise<Mentions>;
  /** A sentence for every damaged change and every violated invariant of the stored rows, at most `limit`. Changes nothing. */
  violations(limit: number): Promise<string[]>;
  /** Hashes of all files and thumbnails in use. `onDamage` as in `dump`. */
  fileHashes(onDamage?: (sentence: string) => void): AsyncIterable<string>;
  /**
   * Table names and all rows in a stable order, for backups across engines. Unreadable rows are left out and reported to
   * `onDamage` as a sentence; without it, `Damage` is thrown.
   */
  dump(onDamage?: (sentence: string) => void): AsyncIterable<{ table: string; row: Record<string, unknown> }>;
  /** Fills an empty database from a dump. Refuses `invalid` if it is not empty. */
  restore(rows: AsyncIterable<{ table: string; row: Record<string, unknown> }>): Promise<void>;
  /** Bytes on disk. `logBytes`: the write-ahead log, if it is a separate file. `fileBytes`: attached files. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined; fileBytes: number }>;
  counts(): Promise<{ pages: number; changes: number; members: number; files: number }>;
}

export interface Scrubbed {
  /** False if erased bytes remain that a later `scrub` can remove. */
  isWhole: boolean;
  /** Sentences about places where erased data may remain. */
  left: string[];
}

export interface Mentions {
  /** Number of pages with a version, current or past, that mentions one of the words. */
  pages: number;
  /** Paths of the first of these pages. */
  paths: string[];
  /** Names of other places. */
  others: string[];
}
