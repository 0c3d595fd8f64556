/**
 * Parts of the store that know pages, by rows: their reads are those of `domain/reader.ts` for any visibility, and record
 * nothing. `reader.ts` asks them for one actor.
 */
import type { Dependency } from '#cache/dependency.ts';
import type {
  Ancestor,
  AttachedFile,
  Change,
  Format,
  Location,
  Page,
  PageName,
  PageOutline,
  WholePage,
} from '#domain/pages/page.ts';
import type { Audience, Visibility } from '#domain/permission.ts';
import type { FileCriteria, FileWrites, FoundFile, LibraryFile } from '#domain/ports/file-rows.ts';
import type {
  ChildPage,
  Contribution,
  Position,
  Range,
  SearchCriteria,
  TreePosition,
  TypesAndTags,
} from '#domain/ports/list-reads.ts';
import type { LinkWrites, PageWrites } from '#domain/ports/store.ts';
import type { DeletedPage, Deletion, PagesAlike, TrashStore } from '#domain/ports/trash-store.ts';
import type { HistoryWanted, MovePreview, Target } from '#domain/reader.ts';

export interface Parts {
  pages: PageRows;
  changes: ChangeRows;
  links: LinkRows;
  lists: ListRows;
  files: FileRows;
  trash: TrashRows;
}

export interface PageRows extends PageWrites {
  findByPath(path: string): Promise<Page | undefined>;
  findById(id: number): Promise<Page | undefined>;
  findByAlias(path: string, visibility: Visibility): Promise<Page | undefined>;
  oldPaths(ids: number[]): Promise<{ pageId: number; path: string }[]>;
  ancestors(trail: number[]): Promise<Ancestor[]>;
  previewMove(id: number, to: { path: string; depth: number }, visibility: Visibility): Promise<MovePreview>;
  load(ids: number[], history: HistoryWanted): Promise<WholePage[]>;
  loadInParts(
    ids: number[],
    history: HistoryWanted,
    take: (pages: WholePage[]) => Promise<void>,
  ): Promise<void>;
  outlines(ids: number[]): Promise<PageOutline[]>;
  states(ids: number[]): Promise<Omit<Page, 'content'>[]>;
  loadByPath(path: string, history: HistoryWanted): Promise<WholePage | undefined>;
  complete(
    fragment: string,
    visibility: Visibility,
    limit: number,
  ): Promise<(PageName & { type: string | null })[]>;
  alike(
    wanted: { beginning: string; fragments: string[]; beside: string; length: number },
    visibility: Visibility,
    limit: number,
  ): Promise<PageName[]>;
}

export interface ChangeRows {
  find(pageId: number, changeId: number): Promise<Change | undefined>;
  findBefore(pageId: number, changeId: number): Promise<Change | undefined>;
  listBefore(
    marks: readonly { pageId: number; changeId: number; from: number }[],
    maxBytes: number,
  ): Promise<(Change | undefined)[]>;
  list(pageId: number, range: Range, from?: number): Promise<{ changes: Change[]; total: number }>;
  /** `from`: ID of the first change of the page that is wanted. */
  listOfPages(
    pages: { id: number; from: number }[],
    after: Pick<Change, 'id' | 'pageId'> | null,
    limit: number,
  ): Promise<Change[]>;
}

export interface LinkRows extends LinkWrites {
  resolve(
    targets: Target[],
    visibility: Visibility,
  ): Promise<Map<Target, PageName & { type: string | null; audience: Audience }>>;
  templates(
    targets: Target[],
    visibility: Visibility,
  ): Promise<Map<Target, PageName & { changeId: number; body: string; format: Format; audience: Audience }>>;
  files(pageId: number | null, names: string[], visibility: Visibility): Promise<Map<string, AttachedFile>>;
  backlinks(
    page: Pick<Page, 'id' | 'title' | 'path'>,
    visibility: Visibility,
    range: Range,
  ): Promise<{ pages: PageName[]; total: number; dependencies: Dependency[] }>;
  backlinksOfEach(
    pages: Pick<Page, 'id' | 'title' | 'path'>[],
    visibility: Visibility,
    limit: number,
  ): Promise<Map<number, PageName[]>>;
  wanted(
    visibility: Visibility,
    limit: number,
    linksLimit: number,
  ): Promise<{ title: string; count: number; links: PageName[] }[]>;
}

export interface ListRows {
  search(
    criteria: SearchCriteria,
    visibility: Visibility,
  ): Promise<{ ids: number[]; total: number; last?: Position; dependencies: Dependency[] }>;
  facets(criteria: SearchCriteria, visibility: Visibility): Promise<TypesAndTags & { isWhole: boolean }>;
  placesAround(
    centre: Location,
    radiusMetres: number,
    visibility: Visibility,
    limit?: number,
  ): Promise<{ id: number; location: Location }[]>;
  countPlacesWithin(centre: Location, radiiMetres: number[], visibility: Visibility): Promise<number[]>;
  placesNearest(
    centre: Location,
    nearMetres: number,
    radiusMetres: number,
    visibility: Visibility,
  ): Promise<Record<'near' | 'edge', { id: number; location: Location }[]> & { counted: number }>;
  placesIn(
    box: { south: number; west: number; north: number; east: number },
    visibility: Visibility,
    limit: number,
  ): Promise<(PageName & { location: Location; type: string | null })[]>;
  updates(
    visibility: Visibility,
    range: Range,
    belowId?: number,
  ): Promise<(PageName & { at: number; editor: { id: number; name: string } })[]>;
  childrenOfEach(
    parentIds: number[],
    visibility: Visibility,
    limit: number,
  ): Promise<Map<number, ChildPage[]>>;
  children(
    parentId: number | null,
    visibility: Visibility,
    range: Range,
  ): Promise<{
    pages: (PageName & { type: string | null; hasChildren: boolean })[];
    total: number;
    dependencies: Dependency[];
  }>;
  ownedBy(
    memberId: number,
    visibility: Visibility,
    range: Range,
  ): Promise<{ pages: (PageName & { at: number })[]; total: number }>;
  editedBy(memberId: number, visibility: Visibility, limit: number): Promise<(PageName & { at: number })[]>;
  contributions(
    memberId: number,
    before: number | undefined,
    visibility: Visibility,
    limit: number,
    withBody?: boolean,
  ): Promise<Contribution[]>;
  likedBy(
    memberId: number,
    after: number,
    visibility: Visibility,
    limit: number,
  ): Promise<(PageName & { at: number })[]>;
  vocabulary(visibility: Visibility, pages: number): Promise<TypesAndTags>;
  words(
    of: 'type' | 'tag' | { valueOf: string },
    prefixes: string[],
    visibility: Visibility,
    limit: number,
  ): Promise<string[]>;
  publicPages(afterId: number, limit: number): Promise<{ id: number; path: string; updatedAt: number }[]>;
  inTreeOrder(
    beneath: TreePosition | null,
    after: TreePosition | null,
    visibility: Visibility,
    limit: number,
  ): Promise<TreePosition[]>;
}

export interface FileRows extends FileWrites {
  named(names: string[]): Promise<AttachedFile[]>;
  everOf(pageId: number, limit: number): Promise<AttachedFile[]>;
  find(name: string): Promise<FoundFile | undefined>;
  library(criteria: FileCriteria, visibility: Visibility): Promise<LibraryFile[]>;
}

export interface TrashRows extends TrashStore {
  find(id: number, visibility: Visibility): Promise<Deletion | undefined>;
  list(visibility: Visibility, range: Range): Promise<{ deletions: Deletion[]; total: number }>;
  findPage(path: string, visibility: Visibility): Promise<DeletedPage | undefined>;
  findFile(name: string, visibility: Visibility): Promise<FoundFile | undefined>;
  survey(page: Pick<Page, 'id' | 'trail'>): Promise<{ groups: PagesAlike[]; files: number }>;
}
