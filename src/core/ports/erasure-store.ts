/** Store ports for erasure. No other code alters the content of changes. */

import type { Page, PastContent } from '../model/page.ts';

/** Erasures whose bytes are not all gone yet. */
export interface PendingErasures {
  /** Oldest first. */
  list(): Promise<PendingErasure[]>;
  /** Notes that the bytes of all files of these erasures are gone. */
  forgetHashes(ids: readonly number[]): Promise<void>;
  /** Returns those of them that no other process has ended meanwhile. */
  end(ids: readonly number[]): Promise<number[]>;
}

interface PendingErasure {
  id: number;
  /** When its rows were erased. */
  at: number;
  /** Hashes of files whose bytes are to be removed. */
  hashes: string[];
}

export interface StoredChange {
  id: number;
  pageId: number;
  at: number;
  content: PastContent;
}

/** Within a transaction. */
export interface ErasureWrites {
  /** Notes that bytes are to be removed once the transaction is committed. Returns the ID of the pending erasure. */
  begin(at: number, hashes: readonly string[]): Promise<number>;
  /** All changes of a page, oldest first, with a limited number in memory at a time. */
  contentsOf(pageId: number): AsyncIterable<StoredChange>;
  /** All changes of the pages beneath a page, in the trash or not, likewise. */
  contentsBeneath(page: Pick<Page, 'id' | 'trail' | 'path'>): AsyncIterable<StoredChange>;
  /** All changes that hold the member's signature as the wiki writes it, likewise. */
  contentsSignedBy(memberId: number): AsyncIterable<StoredChange>;
  /** Changes of pages in merged proposals that the member made, reviewed or merged. */
  contentsMergedWith(memberId: number): AsyncIterable<StoredChange>;
  /** Name of the member in the messages of merges that have kept it, by proposal. */
  namesInMerges(memberId: number): Promise<Map<number, string>>;
  /** Replaces the kept names. */
  forgetNamesInMerges(memberId: number, name: string): Promise<void>;
  /** Replaces the messages of events of these pages that name a proposal. */
  rewriteMessagesOfMerges(memberId: number, message: (msg: string) => string): Promise<void>;
  /** Replaces the contents of some changes. */
  rewrite(changes: readonly { id: number; content: PastContent }[]): Promise<void>;
  /** Removes the rows of files. Returns the hashes of their bytes, including thumbnails. */
  removeFiles(names: readonly string[]): Promise<string[]>;
  /**
   * Removes the messages of these changes, and the page's former titles and paths, from events and the audit log, and old paths
   * from the aliases of the page and its descendants. Deletions in the trash get the present path instead. Returns the paths of the aliases, for the `paths` of `saveDerived`.
   */
  forgetNames(
    page: { id: number; title: string; path: string },
    forgotten: { changeIds: readonly number[]; titles: readonly string[]; paths: readonly string[] },
  ): Promise<string[]>;
  /**
   * Removes what comments say of earlier texts of a page: the context of their quotes, and words that are not in its text
   * now.
   */
  forgetQuotes(pageId: number, text: string): Promise<void>;
  /** Removes the page from all proposals, which contain its text with what they propose for it. Returns the hashes of its files there. */
  forgetProposed(pageId: number): Promise<string[]>;
  /** Replaces the name of a member in the comments that mention them. */
  forgetMentions(memberId: number, name: string): Promise<void>;
  /**
   * Removes stored response bodies, which may contain anything: our responses to idempotent requests, and those of webhook
   * receivers.
   */
  forgetAnswers(): Promise<void>;
  /**
   * Removes everything that identifies a member: name, address, passphrase, credentials and settings. Their contributions are
   * kept under the name given here. Returns the hashes of the files of their drafts.
   */
  forgetMember(id: number, name: string): Promise<string[]>;
}
