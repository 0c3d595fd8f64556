/** The part of the port to the database that keeps deleted pages until they come back or are purged. The rules on top of `store.ts` hold. */
import type { Derived } from '../content/derive.ts';
import type {
  Content,
  GroupName,
  MemberName,
  PageName,
  PagePlace,
  PageState,
  Protection,
} from '../pages/page.ts';
import type { Audience } from '../permission.ts';

/** A deletion that can be undone. */
export interface Deletion {
  id: number;
  /** The page that was deleted, with all that lay beneath it. */
  pageId: number;
  path: string;
  title: string;
  audience: Audience;
  ownerId: number;
  /** IDs of its ancestors at that time, root first. */
  trail: number[];
  /** How many pages of it the actor sees. */
  pages: number;
  deletedAt: number;
  deletedBy: MemberName;
}

/** A page in the trash, by itself or beneath another. */
export interface DeletedPage extends PageName {
  trashId: number;
  permissions: number;
  ownerId: number;
  group: { id: number } | null;
  deletedAt: number;
  deletedBy: MemberName;
}

/** Content and place of a page that is to come back. */
export interface TrashedPage {
  id: number;
  path: string;
  parentId: number | null;
  depth: number;
  ownerId: number;
  protection?: Protection;
  content: Content;
}

export interface ReturningPage {
  id: number;
  state: PageState;
  derived: Derived;
  /** Its old path, if it comes back at another. */
  from?: string;
}

/** Number of pages with the same permissions, owner and group. */
export interface PagesAlike {
  permissions: number;
  ownerId: number;
  group: GroupName | null;
  pages: number;
}

export interface TrashStore {
  /** In a transaction: the page and its descendants, the page itself first, held until its end. */
  lockSubtree(id: number): Promise<PagePlace[]>;
  /**
   * In a transaction that has locked the subtree: takes it out of all that is read, counted and searched. Links to it are wanted
   * again, its paths are free; changes, files, likes and old paths stay. In slices, between which others have their turn.
   * Returns the ID of the deletion.
   */
  put(pageId: number, subtree: readonly number[], deleted: { at: number; by: number }): Promise<number>;
  /** In a transaction: the deletion, whoever may see it, and holds it against being restored or purged by others. */
  lock(id: number): Promise<Deletion | undefined>;
  /** Permissions and owners of the pages of a deletion, and how many pages have them. */
  access(id: number): Promise<PagesAlike[]>;
  /** Pages of a deletion, parents before their children, after this one. */
  pagesOf(id: number, after: { depth: number; id: number }, limit: number): Promise<TrashedPage[]>;
  /** In a transaction: pages as they were, with their old IDs, at the places that their states name. Refuses `path-taken`. */
  takeBack(pages: ReturningPage[]): Promise<void>;
  /** In a transaction, after all its pages were taken back. */
  close(id: number): Promise<void>;
  /**
   * In a transaction: removes a deletion for good, with the changes, files, likes and old paths of its pages. Returns the content
   * addresses of the files, which other pages may have as well. In slices, between which others have their turn.
   */
  purge(id: number): Promise<string[]>;
  /** Which of these content addresses some file still has. */
  usedHashes(hashes: readonly string[]): Promise<Set<string>>;
  /** Deletions before this moment, oldest first. */
  before(moment: number, limit: number): Promise<number[]>;
}
