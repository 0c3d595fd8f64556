/**
 * The wiki as one actor sees it: every read of pages goes through one of these. Its methods leave out what the actor may not
 * read, before anything is ordered, limited or counted, and record in `trace` what the result depends on, so no caller has
 * to do either. The store makes readers: `store.readAs(actor)`.
 *
 * Ordering is total (ties by ID). Methods run a fixed number of statements whatever the number of rows, and each uses an index.
 */

import type { Dialect } from '@coppice/wikitext/dialect';
import type { ReadTrace } from '#cache/read-trace.ts';
import type { Words } from '#html/html.ts';
import type { Derive } from '../model/derived.ts';
import type {
  Ancestor,
  AttachedFile,
  Change,
  Format,
  Page,
  PageName,
  PageOutline,
  Protected,
  WholePage,
} from '../model/page.ts';
import type { PageAccess } from '../model/page-access.ts';
import type { Actor, Audience, Wiki } from '../model/permission.ts';
import type { Synonyms } from '../model/synonyms.ts';
import type { FileCriteria, FileHit, FileWords, FoundFile, LibraryFile } from './file-rows.ts';
import type { ListReads, Range } from './list-reads.ts';
import type { DeletedPage, Deletion, PagesByAccess } from './trash-store.ts';

export interface Reader extends Wiki {
  readonly actor: Actor;
  readonly trace: ReadTrace;
  /** The dialect in which pages are parsed; everything derived from them depends on it. */
  readonly dialect: Dialect;
  /** Derives data from the content of a page, in that dialect. */
  readonly derive: Derive;
  /** Words that also match words of a search. */
  readonly synonyms: Synonyms;
  readonly pages: PageReads;
  readonly changes: ChangeReads;
  readonly links: LinkReads;
  readonly lists: ListReads;
  readonly files: FileReads;
  readonly trash: TrashReads;
}

/** A page without its content. */
export type PageRow = Omit<Page, 'content'>;

export type HistoryWanted = 'all' | 'latest' | 'none';

/** The new path or parent at which a page of the subtree must not lie. */
export interface MovePreview {
  moves: { id: number; from: string; to: string }[];
  taken: string[];
  refusal?: MoveRefusal;
}

export interface MoveRefusal {
  field: 'path' | 'parent';
  detail: Words;
}

/** Ancestors that the actor may not read appear only in lineages: see `Ancestor.isHidden`. */
export interface PageReads {
  /** Finds a page by exact path, with the content of its current change. */
  findByPath(path: string): Promise<Page | undefined>;
  findById(id: number): Promise<Page | undefined>;
  /** The page that had this path last, among those that the actor may read. */
  findByAlias(path: string): Promise<Page | undefined>;
  /**
   * Old paths of any number of pages, oldest first. If a page's public history begins later than the page, earlier paths are
   * returned only to those who may see the earlier history.
   */
  oldPaths(pages: ChangedPage[]): Promise<{ pageId: number; path: string }[]>;
  /** Whether a page exists at the path, even if the actor may not read it: the interface requires path checks to tell. */
  isTaken(path: string): Promise<boolean>;
  /**
   * The first of these paths that no page has, as `isTaken` tells, and that is no old path of a page that the actor may read.
   * `withSubtree`: nor may a page that the actor may read lie beneath it.
   */
  firstFree(paths: string[], withSubtree: boolean): Promise<string | undefined>;
  /**
   * Access rules of the page at the path, even if the actor may not read it: the interface requires edits to distinguish a
   * hidden page from a missing one.
   */
  findAccess(path: string): Promise<PageAccess | undefined>;
  /**
   * The protected pages above these, in the tree and by address, also those that the actor may not read: their protection
   * counts. Without reasons. One statement.
   */
  protectedAbove(
    pages: readonly { path: string; trail: number[] }[],
  ): Promise<(Protected & { id: number })[]>;
  /** The pages of a trail, in the same order. */
  ancestors(trail: number[]): Promise<Ancestor[]>;
  /**
   * Effects of `move` without moving: the moving pages that the actor may read, and all occupied targets (at most 1,000 of
   * each), or the reason why the path or depth would be refused, which takes precedence.
   */
  previewMove(id: number, to: { path: string; depth: number }): Promise<MovePreview>;

  /**
   * Everything that the interface shows of these pages, in the order of `ids`; unknown and unreadable ones are left out. Each
   * page is consistent in itself. If a page's history exceeds `maxHistoryBytes`, or the pages before it have used up
   * `maxAnswerBytes`, only its latest change is returned. Refuses `too-long` if even the current contents exceed the limit.
   * Contents beyond the limit are never read.
   */
  load(ids: number[], history: HistoryWanted): Promise<WholePage[]>;
  /**
   * Like `load`, but in parts, so that they are not all in memory together: `take` receives some pages at a time and is
   * awaited.
   */
  loadInParts(
    ids: number[],
    history: HistoryWanted,
    take: (pages: WholePage[]) => Promise<void>,
  ): Promise<void>;
  /** Like `load`, without the contents. */
  outlines(ids: number[]): Promise<PageOutline[]>;
  /** Like `load`, but only the row of each page: no content, tags, likes, files or lineage. One statement. */
  states(ids: number[]): Promise<PageRow[]>;
  /** An original and its translations, by ID, each as in `states`. `originalId`: of a page that is no translation. */
  inSet(originalId: number): Promise<PageRow[]>;
  /** Like `load`, for the page at this path. */
  loadByPath(path: string, history: HistoryWanted): Promise<WholePage | undefined>;

  /** Titles and paths that begin with or contain `fragment` (case-insensitive), best first, for autocompletion. */
  complete(fragment: string, limit: number): Promise<(PageName & { type: string | null })[]>;
  /**
   * Candidates for near matches, ordered by how close the length of their title or slug is to `length`: pages whose folded
   * title begins with `beginning`, whose title or path contains one of the fragments (lower case, at least three characters),
   * or whose path begins with `beside` in any case. At most 2,000 pages are considered for each of these conditions.
   */
  alike(
    wanted: { beginning: string; fragments: string[]; beside: string; length: number },
    limit: number,
  ): Promise<PageName[]>;
}

/** A page that the actor may read, with the fields that decide which of its changes are visible to them. */
export type ChangedPage = Pick<Page, 'id' | 'trail' | 'historyFrom' | 'owner'>;

/** Changes that the page does not show to the actor are treated as if they did not exist. */
export interface ChangeReads {
  find(page: ChangedPage, changeId: number): Promise<Change | undefined>;
  /** For each page the number of its changes after the given one, at most 1,000. One statement. */
  countSince(marks: readonly { page: ChangedPage; changeId: number }[]): Promise<number[]>;
  /** The page's change before this one. */
  findBefore(page: ChangedPage, changeId: number): Promise<Change | undefined>;
  /**
   * For each page its last change before the given one, in one statement; undefined if there is none or its content exceeds
   * `maxBytes`.
   */
  listBefore(
    marks: readonly { page: ChangedPage; changeId: number }[],
    maxBytes: number,
  ): Promise<(Change | undefined)[]>;
  /** Newest first. Returns fewer than requested, but at least one, if they would exceed `maxHistoryBytes` together. */
  list(page: ChangedPage, range: Range): Promise<{ changes: Change[]; total: number }>;
  /**
   * Changes of several pages by page ID, then oldest first, continuing after the last one of the previous result. Returns at
   * most `limit`, and fewer (but at least one if there is any) if they would exceed `maxHistoryBytes` together.
   */
  listOfPages(
    pages: ChangedPage[],
    after: Pick<Change, 'id' | 'pageId'> | null,
    limit: number,
  ): Promise<Change[]>;
}

/** Target of a wiki link or template call: a path (starts with `/`) or a title. */
export type Target = string;

export type ResolvedPage = PageName & { type: string | null; audience: Audience };

/** The page whose text holds links. `id`: 0 for text that is no page yet. */
export interface LinkingPage {
  id: number;
  language: string;
  /** Language of pages that name none. */
  wiki: string;
}
export type TemplatePage = PageName & { changeId: number; body: string; format: Format; audience: Audience };

export interface LinkReads {
  /**
   * The page that each target leads to for this actor; targets without a page are absent. A path resolves to the page at it,
   * else as in findByAlias. A title resolves to the page with that title in any case: the exact case first, then the lowest ID.
   * One statement for all (a few for very many).
   *
   * With `from`, an original in another language gives way to its translation into the language of that page, the one with the lowest ID that
   * the actor may read, unless that is the page itself. Targets that name a translation lead there. `audience` is then the narrower of both.
   */
  resolve(targets: Target[], from?: LinkingPage): Promise<Map<Target, ResolvedPage>>;
  /**
   * Bodies of the pages that templates come from, resolved as in `resolve` but pages of type `Template` win over
   * others of the same title, and pages of type `Module` titled `X` over those titled `Module:X`. Where all have more than 16 MB, those that have room.
   */
  templates(targets: Target[]): Promise<Map<Target, TemplatePage>>;
  /** Current files by `filename` for this page, or by `path/filename` for other pages that the actor may read. */
  files(pageId: number | null, names: string[]): Promise<Map<string, AttachedFile>>;
  /** Pages linking to this page (links that resolve to it for this actor), by title, or by ID where there are more than 500. */
  backlinks(
    page: Pick<Page, 'id' | 'title' | 'path'>,
    range: Range,
  ): Promise<{ pages: PageName[]; total: number }>;
  /** Some pages that link to each of these, lowest IDs first, at most `limit` for each. One statement. */
  backlinksOfEach(
    pages: Pick<Page, 'id' | 'title' | 'path'>[],
    limit: number,
  ): Promise<Map<number, PageName[]>>;
  /**
   * Targets that lead nowhere for this actor, wanted by pages that they may read: those wanted by most pages first, then by
   * title. A target's title is its most frequent spelling on those pages. Returns at most `linksLimit` of each target's pages,
   * by title.
   */
  wanted(limit: number, linksLimit: number): Promise<{ title: string; count: number; links: PageName[] }[]>;
}

export interface FileReads {
  /** Existing files with these names, by file name, for a change that was shown to the actor. */
  named(names: string[]): Promise<AttachedFile[]>;
  /** All files that a page has or had, latest first, for administrators. */
  everOf(pageId: number, limit: number): Promise<AttachedFile[]>;
  /** Finds a file by its name or thumbnail name, on a page that the actor may read. */
  find(name: string): Promise<FoundFile | undefined>;
  /** Current files of pages that the actor may read, in order, from a position on. Two statements. */
  library(criteria: FileCriteria): Promise<LibraryFile[]>;
  /** Current files of pages that the actor may read whose text has all of the words in one piece, latest first. One statement. */
  withText(words: readonly FileWords[], limit: number): Promise<FileHit[]>;
}

/** Deletions of pages that the actor could read before. */
export interface TrashReads {
  find(id: number): Promise<Deletion | undefined>;
  /** Latest first. */
  list(range: Range): Promise<{ deletions: Deletion[]; total: number }>;
  /** The most recently deleted page among those that had this path. */
  findPage(path: string): Promise<DeletedPage | undefined>;
  /** A file of a page in the trash, by its name or thumbnail name. Only members see the trash. */
  findFile(name: string): Promise<FoundFile | undefined>;
  /**
   * Descendants of a page grouped by permissions and owner, including those that the actor may not read, because a deletion
   * includes them; and the number of current files, including the page's own.
   */
  survey(page: Pick<Page, 'id' | 'trail'>): Promise<{ groups: PagesByAccess[]; files: number }>;
}
