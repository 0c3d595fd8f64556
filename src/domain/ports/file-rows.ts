/** The part of the port to the database that knows attached files. Their bytes lie behind `file-store.ts`. */
import type { AttachedFile, PageName } from '../pages/page.ts';
import type { PageAccess } from '../pages/page-access.ts';
import type { Audience } from '../permission.ts';

export interface FileWrites {
  /**
   * After `update` or `insertMany` in the same transaction: from this change on the page has the files of these names, of which
   * `added` are new. Those that it had and that are not named stay as files of earlier changes.
   */
  keep(pageId: number, names: string[], added: AttachedFile[]): Promise<void>;
  /** Files of changes that the page brought from elsewhere. `untilChangeId` as in `FoundFile`. */
  bringBack(pageId: number, files: (AttachedFile & { untilChangeId: number | null })[]): Promise<void>;
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

/** Orders of the file library: names from A, sizes and dates from the largest and latest. */
export const fileOrders = {
  name: { isText: true, isDescending: false },
  size: { isText: false, isDescending: true },
  date: { isText: false, isDescending: true },
} as const;

export type FileOrder = keyof typeof fileOrders;

/** Place in such an order; the name of the file breaks ties. */
export interface FilePosition {
  key: string | number;
  name: string;
}

export interface FileCriteria {
  /** In the form of `sortKey`. */
  namePart?: string;
  /** Type, or what stands before its slash. */
  mime?: string;
  page?: { id: number };
  /** Files of pages beneath it. */
  ancestor?: { id: number; trail: number[] };
  /** No page that the actor may read embeds the file or links to it. */
  isUnused: boolean;
  order: FileOrder;
  after: FilePosition | undefined;
  limit: number;
}

/** So many pages that use a file are named, and one more tells that there are others. */
export const maxUses = 10;

/** A current file in the list of all. */
export interface LibraryFile {
  file: AttachedFile;
  /** Current and replaced files of that name on the page, as far as the actor may see its history. */
  versions: number;
  page: PageName & PageAccess;
  /** Some of the pages that embed or link to it and that the actor may read, by ID. */
  usedOn: PageName[];
  hasMoreUses: boolean;
}
