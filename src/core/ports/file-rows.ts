/** Store port of attached files. Their bytes are behind `file-store.ts`. */
import type { AttachedFile, PageName } from '../model/page.ts';
import type { PageAccess } from '../model/page-access.ts';
import type { Audience } from '../model/permission.ts';

export interface FileWrites {
  /**
   * Called after `update` or `insertMany` in the same transaction: from this change on the page has the files of these names,
   * of which `added` are new. Its other files remain as files of earlier changes.
   */
  keep(pageId: number, names: string[], added: AttachedFile[]): Promise<void>;
  /** Adds files of changes that were imported. `untilChangeId` as in `FoundFile`. */
  bringBack(pageId: number, files: (AttachedFile & { untilChangeId: number | null })[]): Promise<void>;
}

export interface FoundFile {
  file: AttachedFile;
  /** The change that removed the file from the page; null while the page has it. */
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
    /** Whether the page is in the trash. */
    isDeleted?: true;
  };
}

/** A word of a search: the terms that count as it, and beginnings of such terms. */
export interface FileWords {
  whole: readonly string[];
  beginnings: readonly string[];
}

/** A file whose text matches, with the first matching piece of its text. */
export interface FileHit {
  file: AttachedFile;
  page: PageName;
  /** Page of the document, slide or sheet, counted from 1. */
  number: number;
  text: string;
}

/** Orders of the file library: names ascending, sizes and dates descending. */
export const fileOrders = {
  name: { isText: true, isDescending: false },
  size: { isText: false, isDescending: true },
  date: { isText: false, isDescending: true },
} as const;

export type FileOrder = keyof typeof fileOrders;

/** Position in such an order; the file name breaks ties. */
export interface FilePosition {
  key: string | number;
  name: string;
}

export interface FileCriteria {
  /** In the form of `sortKey`. */
  namePart?: string;
  /** MIME type, or the part before its slash. */
  mime?: string;
  page?: { id: number };
  /** Only files of descendants of this page. */
  ancestor?: { id: number; trail: number[] };
  /** Only files that no page the actor may read embeds or links to. */
  isUnused: boolean;
  order: FileOrder;
  after: FilePosition | undefined;
  limit: number;
}

/** Maximum number of pages listed as users of a file; one more tells that there are others. */
export const maxUses = 10;

/** A current file in the library. */
export interface LibraryFile {
  file: AttachedFile;
  /** Number of current and replaced files of that name on the page, within the history that the actor may see. */
  versions: number;
  page: PageName & PageAccess;
  /** Some of the pages the actor may read that embed or link to the file, by ID. */
  usedOn: PageName[];
  hasMoreUses: boolean;
}
