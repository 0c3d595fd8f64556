/**
 * The wiki as one actor sees it: every read of pages goes through one of these. Its methods leave out what the actor may not
 * read, before anything is ordered, limited or counted, and record in `trace` what the result depends on, so no caller has
 * to do either. The store makes readers: `store.readAs(actor)`.
 *
 * Ordering is total (ties by ID). Methods run a fixed number of statements whatever the number of rows, and each uses an index.
 */
import type { Dialect } from '@coppice/wikitext/dialect';
import type { ReadTrace } from '#cache/read-trace.ts';
import type {
  Ancestor,
  AttachedFile,
  Change,
  Format,
  Page,
  PageName,
  PageOutline,
  WholePage,
} from './pages/page.ts';
import type { PageAccess } from './pages/page-access.ts';
import type { Actor, Audience } from './permission.ts';
import type { FileCriteria, FoundFile, LibraryFile } from './ports/file-rows.ts';
import type { ListReads, Range } from './ports/list-reads.ts';
import type { DeletedPage, Deletion, PagesAlike } from './ports/trash-store.ts';

export interface Reader {
  readonly actor: Actor;
  readonly trace: ReadTrace;
  /** How the wiki's pages are read: what is derived from them follows from it. */
  readonly dialect: Dialect;
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

/** A path or a parent with which a page of the subtree would lie where none may. */
export interface MovePreview {
  moves: { id: number; from: string; to: string }[];
  taken: string[];
  refusal?: MoveRefusal;
}

export interface MoveRefusal {
  field: 'path' | 'parent';
  detail: string;
}

/** Ancestors that the actor may not read keep their place in a lineage alone: see `Ancestor.isHidden`. */
export interface PageReads {
  /** By exact path, with the content of its current change. */
  findByPath(path: string): Promise<Page | undefined>;
  findById(id: number): Promise<Page | undefined>;
  /** Page that had this path last, among those that the actor may read. */
  findByAlias(path: string): Promise<Page | undefined>;
  /**
   * Old paths of these pages, oldest first, for any number of pages. A page that began its public history anew tells them to those alone who
   * see the history before.
   */
  oldPaths(pages: ChangedPage[]): Promise<{ pageId: number; path: string }[]>;
  /** Whether there is a page at the path, whoever may read it: the interface wants path checks to tell. */
  isTaken(path: string): Promise<boolean>;
  /** Who may do what with the page at the path, whoever may read it: the interface wants edits to tell a hidden page from none. */
  findAccess(path: string): Promise<PageAccess | undefined>;
  /** The pages of a trail, in its order. */
  ancestors(trail: number[]): Promise<Ancestor[]>;
  /**
   * Effects of `move` without moving: pages that move and that the actor may read, and all targets in the way (at most 1,000 of
   * each), or the reason why it would refuse the path or the depth, whatever is in the way.
   */
  previewMove(id: number, to: { path: string; depth: number }): Promise<MovePreview>;

  /**
   * Everything the interface shows of these pages, in the order of `ids`, unknown and unreadable ones left out. Each page as it
   * was at one moment. A history longer than `maxHistoryBytes` is told by its latest change, and so are all where those before
   * have not left enough of `maxAnswerBytes`. Refuses `too-long` where that is not enough for the current contents alone. What
   * is too long is never read.
   */
  load(ids: number[], history: HistoryWanted): Promise<WholePage[]>;
  /** Like `load`, but never all of them in memory together: `take` is given some at a time, and waited for. */
  loadInParts(
    ids: number[],
    history: HistoryWanted,
    take: (pages: WholePage[]) => Promise<void>,
  ): Promise<void>;
  /** Like `load`, without the contents. */
  outlines(ids: number[]): Promise<PageOutline[]>;
  /** Like `load`, with nothing but the row of each page: no content, tags, likes, files, lineage. One statement. */
  states(ids: number[]): Promise<PageRow[]>;
  /** Like `load`, for the page at this path. */
  loadByPath(path: string, history: HistoryWanted): Promise<WholePage | undefined>;

  /** Titles and paths that begin with or contain `fragment` (case-insensitive), best first: for autocomplete. */
  complete(fragment: string, limit: number): Promise<(PageName & { type: string | null })[]>;
  /**
   * Candidates for near matches, those first whose title or slug is nearest to `length` characters: pages whose title,
   * folded, begins with `beginning`, whose title or path holds one of the fragments (lower case, three characters or
   * more), or whose path begins with `beside` without regard to case. Of each way to match at most 2,000 are looked at.
   */
  alike(
    wanted: { beginning: string; fragments: string[]; beside: string; length: number },
    limit: number,
  ): Promise<PageName[]>;
}

/** A page that the actor may read, and what decides which of its changes are shown to them. */
export type ChangedPage = Pick<Page, 'id' | 'trail' | 'historyFrom' | 'owner'>;

/** A change that the page does not show to the actor is as good as none. */
export interface ChangeReads {
  find(page: ChangedPage, changeId: number): Promise<Change | undefined>;
  /** The page's change before this one. */
  findBefore(page: ChangedPage, changeId: number): Promise<Change | undefined>;
  /**
   * For each page its last change before the given one, in one statement: undefined where it has none, and where the content is
   * longer than `maxBytes`.
   */
  listBefore(
    marks: readonly { page: ChangedPage; changeId: number }[],
    maxBytes: number,
  ): Promise<(Change | undefined)[]>;
  /** Newest first: fewer than asked for, but at least one, where all have more than `maxHistoryBytes`. */
  list(page: ChangedPage, range: Range): Promise<{ changes: Change[]; total: number }>;
  /**
   * Changes of several pages: by page ID, then oldest first, after the last one of the answer before. At most `limit`, and fewer, but at
   * least one if there is any, where they have more than `maxHistoryBytes`.
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
export type TemplatePage = PageName & { changeId: number; body: string; format: Format; audience: Audience };

export interface LinkReads {
  /**
   * The page that each target leads to for this actor; targets that lead nowhere are absent. A path resolves to the
   * page at it, else as findByAlias; a title to the page of that title without regard to case, the
   * exact case first, then the lowest ID. One statement for all (at most a few for very many).
   */
  resolve(targets: Target[]): Promise<Map<Target, ResolvedPage>>;
  /**
   * Bodies of the pages that templates come from, resolved as in `resolve` but pages of type `Template` win over
   * others of the same title, and pages of type `Module` titled `X` over those titled `Module:X`. Where all have more than 16 MB, those that have room.
   */
  templates(targets: Target[]): Promise<Map<Target, TemplatePage>>;
  /** Current files by `filename` of this page, or by `path/filename` of other pages that the actor may read. */
  files(pageId: number | null, names: string[]): Promise<Map<string, AttachedFile>>;
  /** Pages linking to this page (links that resolve to it for this actor), by title, or by ID where there are more than 500. */
  backlinks(
    page: Pick<Page, 'id' | 'title' | 'path'>,
    range: Range,
  ): Promise<{ pages: PageName[]; total: number }>;
  /** Some of the pages that link to each of these, lowest IDs first: at most `limit` of each. One statement. */
  backlinksOfEach(
    pages: Pick<Page, 'id' | 'title' | 'path'>[],
    limit: number,
  ): Promise<Map<number, PageName[]>>;
  /**
   * Targets that lead nowhere for this actor, asked for by pages that they may read: most pages first, then title. A target's
   * title is its most frequent spelling among those pages. At most `linksLimit` of each target's pages, by title.
   */
  wanted(limit: number, linksLimit: number): Promise<{ title: string; count: number; links: PageName[] }[]>;
}

export interface FileReads {
  /** Existing files with these names, by file name, as a change that the actor was shown names them. */
  named(names: string[]): Promise<AttachedFile[]>;
  /** All files that a page has or had, the latest first: for administrators. */
  everOf(pageId: number, limit: number): Promise<AttachedFile[]>;
  /** By file name or thumbnail name, of a page that the actor may read. */
  find(name: string): Promise<FoundFile | undefined>;
  /** Current files of pages that the actor may read, in order after a place. Two statements. */
  library(criteria: FileCriteria): Promise<LibraryFile[]>;
}

/** Deletions of pages that the actor could read. */
export interface TrashReads {
  find(id: number): Promise<Deletion | undefined>;
  /** Latest first. */
  list(range: Range): Promise<{ deletions: Deletion[]; total: number }>;
  /** The page that was deleted last of those that lived at this path. */
  findPage(path: string): Promise<DeletedPage | undefined>;
  /** A file of a page in the trash, by its name or that of its thumbnail. For members: nobody else sees the trash. */
  findFile(name: string): Promise<FoundFile | undefined>;
  /**
   * Descendants of a page by permissions and owner, whoever may read them: a deletion takes them along. And the number of current
   * files of all, the page's own included.
   */
  survey(page: Pick<Page, 'id' | 'trail'>): Promise<{ groups: PagesAlike[]; files: number }>;
}
