/** Store port of deleted pages, until they are restored or purged. The rules in `store.ts` apply. */

import type { Derived } from '../model/derived.ts';
import type { Granted } from '../model/grant.ts';
import type {
  ApprovalRule,
  Content,
  GroupName,
  MemberName,
  PageName,
  PagePlace,
  PageState,
  Protection,
} from '../model/page.ts';
import type { Audience } from '../model/permission.ts';

/** A deletion that can be undone. */
export interface Deletion {
  id: number;
  /** The deleted page, together with its descendants. */
  pageId: number;
  path: string;
  title: string;
  audience: Audience;
  ownerId: number;
  /** IDs of its ancestors at that time, root first. */
  trail: number[];
  /** Number of its pages that the actor can see. */
  pages: number;
  deletedAt: number;
  deletedBy: MemberName;
}

/** A page in the trash, deleted by itself or with an ancestor. */
export interface DeletedPage extends PageName {
  trashId: number;
  permissions: number;
  ownerId: number;
  group: { id: number } | null;
  granted?: Granted;
  deletedAt: number;
  deletedBy: MemberName;
}

/** Content and position of a page to be restored. */
export interface TrashedPage {
  id: number;
  path: string;
  parentId: number | null;
  depth: number;
  ownerId: number;
  protection?: Protection;
  rule?: ApprovalRule;
  content: Content;
}

export interface ReturningPage {
  id: number;
  state: PageState;
  derived: Derived;
  /** Its old path, if it is restored at another one. */
  from?: string;
}

/** Number of pages with the same permissions, owner, group and grants. */
export interface PagesByAccess {
  permissions: number;
  ownerId: number;
  group: GroupName | null;
  granted?: Granted;
  pages: number;
}

export interface TrashStore {
  /** Within a transaction: locks the page and its descendants until its end. The page itself comes first. */
  lockSubtree(id: number): Promise<PagePlace[]>;
  /**
   * Called in a transaction that has locked the subtree: removes it from everything that is read, counted and searched. Links
   * to it become wanted, and its paths become free; changes, files, likes and old paths are kept. Runs in slices, between which
   * others have their turn. Returns the ID of the deletion.
   */
  put(pageId: number, subtree: readonly number[], deleted: { at: number; by: number }): Promise<number>;
  /** Within a transaction: returns the deletion, even if hidden, and locks it against being restored or purged by others. */
  lock(id: number): Promise<Deletion | undefined>;
  /** Permissions and owners of the pages of a deletion, with the number of pages for each. */
  access(id: number): Promise<PagesByAccess[]>;
  /** Pages of a deletion, parents before their children, after this position. */
  pagesOf(id: number, after: { depth: number; id: number }, limit: number): Promise<TrashedPage[]>;
  /** Within a transaction: restores pages with their old IDs at the positions in their states. Refuses `path-taken`. */
  takeBack(pages: ReturningPage[]): Promise<void>;
  /** Called in a transaction after all its pages were restored. */
  close(id: number): Promise<void>;
  /**
   * Within a transaction: permanently removes a deletion with the changes, files, likes and old paths of its pages. Returns the
   * hashes of the files, which other pages may use as well. Runs in slices, between which others have their turn.
   */
  purge(id: number): Promise<string[]>;
  /** Hashes among these that some file still uses. */
  usedHashes(hashes: readonly string[]): Promise<Set<string>>;
  /** Deletions before this moment, oldest first. */
  before(moment: number, limit: number): Promise<number[]>;
}
