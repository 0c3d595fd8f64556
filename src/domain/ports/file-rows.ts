/** The part of the port to the database that knows attached files. Their bytes lie behind `file-store.ts`. */
import type { AttachedFile } from '../pages/page.ts';
import type { Audience } from '../permission.ts';

export interface FileWrites {
  /**
   * After `update` or `insertMany` in the same transaction: from this change on the page has the files of these names, of which
   * `added` are new. Those that it had and that are not named stay as files of earlier changes.
   */
  keep(pageId: number, names: string[], added: AttachedFile[]): Promise<void>;
}

export interface FoundFile {
  file: AttachedFile;
  /** The change that took the file from the page; null while the page has it. */
  untilChangeId: number | null;
  page: {
    id: number;
    trail: number[];
    permissions: number;
    ownerId: number;
    group: { id: number } | null;
    audience: Audience;
    path: string;
    historyFrom: number;
    /** The page is in the trash. */
    isDeleted?: true;
  };
}
