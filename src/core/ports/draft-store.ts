/** Store port of texts that members have not saved yet. The rules in `store.ts` apply. */

export interface DraftOutline {
  /** Chosen by the editor, unique for the member. */
  id: string;
  /** Form in which it was written: a page, a section of it, or a new page. */
  key: string;
  /** Page that is edited; null for a new one. */
  pageId: number | null;
  title: string;
  /** Address of the editor on the site. */
  url: string;
  updatedAt: number;
}

export interface Draft extends DraftOutline {
  /** Change that the form started from; empty for a new page. */
  base: string;
  /** Fields of the form in their order. */
  fields: { name: string; value: string }[];
}

export interface DraftStore {
  /**
   * Replaces the draft with the same ID. Of all drafts of the member, only the latest `most` are kept that have no more than
   * `mostBytes` together.
   */
  save(
    memberId: number,
    draft: Omit<Draft, 'updatedAt'>,
    at: number,
    limits: { most: number; mostBytes: number },
  ): Promise<void>;
  /** Latest first. */
  listOf(memberId: number, key: string | undefined, limit: number): Promise<DraftOutline[]>;
  find(memberId: number, id: string): Promise<Draft | undefined>;
  remove(memberId: number, id: string): Promise<void>;
  /** Removes drafts last saved before that time, at most `limit`. Returns how many. */
  purge(before: number, limit: number): Promise<number>;
}
