/** The part of a transaction that takes out what must not be kept. Nothing else alters what changes say. */
import type { PastContent } from '../pages/page.ts';

export interface ErasureWrites {
  /** Every change of a page, oldest first, a bounded part of them in memory at a time. */
  contentsOf(pageId: number): AsyncIterable<{ id: number; at: number; content: PastContent }>;
  /** Puts other contents in the place of those of some changes of a page. */
  rewrite(pageId: number, changes: readonly { id: number; content: PastContent }[]): Promise<void>;
  /** Removes the rows of files. The content addresses of their bytes, thumbnails included. */
  removeFiles(names: readonly string[]): Promise<string[]>;
  /**
   * Takes the messages of these changes, and titles and paths that the page had, out of events and the audit log, and old paths out of
   * the aliases of it and of pages beneath them. The paths of the aliases, for the `paths` of `saveDerived`.
   */
  forgetNames(
    page: { id: number; title: string; path: string },
    forgotten: { changeIds: readonly number[]; titles: readonly string[]; paths: readonly string[] },
  ): Promise<string[]>;
  /** Removes stored bodies, which may show anything: of our answers to idempotent requests, and of answers to webhooks. */
  forgetAnswers(): Promise<void>;
  /**
   * Takes everything that identifies a member out of the database: name, address, passphrase, and all that they sign in by or
   * have set for themselves. Their contributions stay under the name given here.
   */
  forgetMember(id: number, name: string): Promise<void>;
}
