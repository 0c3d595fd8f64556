/**
 * Parts of the store that know pages, by rows: their reads are those of `core/ports/reader.ts` for any visibility, which they are given
 * first, and record nothing. `reader.ts` asks them for one actor.
 */
import type { Dependency } from '#cache/dependency.ts';
import type { Change, Page, PageName } from '#core/model/page.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { FileWrites } from '#core/ports/file-rows.ts';
import type { ListReads, Neighbours, Range, SearchCriteria } from '#core/ports/list-reads.ts';
import type { ChangeReads, FileReads, LinkReads, PageReads, TrashReads } from '#core/ports/reader.ts';
import type { LinkWrites, PageWrites } from '#core/ports/store.ts';
import type { TrashStore } from '#core/ports/trash-store.ts';

export interface Parts {
  pages: PageRows;
  changes: ChangeRows;
  links: LinkRows;
  lists: ListRows;
  files: FileRows;
  trash: TrashRows;
}

type ForVisibility<Reads> = {
  [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => infer Found
    ? (visibility: Visibility, ...given: Given) => Found
    : never;
};

type PagesSeen = Pick<PageReads, 'findByAlias' | 'previewMove' | 'complete' | 'alike' | 'firstFree'>;

/** `reader.ts` decides whether an actor may read a page, except in lists, which filter by visibility themselves. */
export interface PageRows
  extends PageWrites,
    ForVisibility<PagesSeen>,
    Omit<PageReads, keyof PagesSeen | 'oldPaths' | 'isTaken' | 'findAccess' | 'protectedAbove'> {
  oldPaths(ids: number[]): ReturnType<PageReads['oldPaths']>;
}

/** `from`: ID of the first wanted change of the page. */
export interface ChangeRows {
  find(pageId: number, changeId: number): ReturnType<ChangeReads['find']>;
  countSince(marks: readonly { pageId: number; changeId: number; from: number }[]): Promise<number[]>;
  findBefore(pageId: number, changeId: number): ReturnType<ChangeReads['findBefore']>;
  listBefore(
    marks: readonly { pageId: number; changeId: number; from: number }[],
    maxBytes: number,
  ): ReturnType<ChangeReads['listBefore']>;
  list(pageId: number, range: Range, from?: number): ReturnType<ChangeReads['list']>;
  listOfPages(
    pages: { id: number; from: number }[],
    after: Pick<Change, 'id' | 'pageId'> | null,
    limit: number,
  ): ReturnType<ChangeReads['listOfPages']>;
}

export interface LinkRows extends LinkWrites, ForVisibility<LinkReads> {
  backlinks(
    visibility: Visibility,
    page: Pick<Page, 'id' | 'title' | 'path'>,
    range: Range,
  ): Promise<{ pages: PageName[]; total: number; dependencies: Dependency[] }>;
}

export interface ListRows
  extends ForVisibility<Omit<ListReads, 'publicPages' | 'neighbours'>>,
    Pick<ListReads, 'publicPages'> {
  neighbours(
    visibility: Visibility,
    page: Pick<Page, 'id' | 'trail'>,
  ): Promise<Neighbours & { topId: number | undefined }>;
  search(
    visibility: Visibility,
    criteria: SearchCriteria,
  ): Promise<Awaited<ReturnType<ListReads['search']>> & { dependencies: Dependency[] }>;
}

export interface FileRows
  extends FileWrites,
    ForVisibility<Pick<FileReads, 'library' | 'withText'>>,
    Omit<FileReads, 'library' | 'withText'> {}

export interface TrashRows
  extends TrashStore,
    ForVisibility<Omit<TrashReads, 'survey'>>,
    Pick<TrashReads, 'survey'> {}
