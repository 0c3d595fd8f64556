/**
 * Neutral records to which all kinds of sources are converted. A source is read twice: first its outline, from which the import
 * is planned before anything is written, then the contents, page by page. Neither pass holds the source in memory.
 */
import type { Data, Format } from '#core/model/page.ts';
import type { StatedAccess } from './access.ts';
import type { SourceText } from './comparison/source-text.ts';

export const kinds = [
  'mediawiki',
  'dokuwiki',
  'obsidian',
  'logseq',
  'foam',
  'dendron',
  'quartz',
  'wikijs',
  'docusaurus',
  'mkdocs',
  'mdbook',
  'gitbook',
  'vitepress',
  'hugo',
  'zola',
  'jekyll',
  'eleventy',
  'nextjs',
  'markdown',
  'html',
  'notion',
  'confluence',
  'tiddlywiki',
  'evernote',
  'opml',
  'outline',
  'bookstack',
  'office',
  'csv',
  'wikitext',
  'jsonl',
] as const;
export type Kind = (typeof kinds)[number];

export interface Author {
  /** Unique within the source, so that two authors are never merged. */
  key: string;
  name: string;
}

export interface SourceRevision {
  /** Number or name in the source, after which a later run continues. */
  id: string;
  at: number;
  /** Null for the member who runs the import. */
  author: Author | null;
  msg: string;
  body: string;
}

/** Data of a page that is known before its text is read. */
export interface PageOutline {
  /** Unique in the source, and stable between runs. */
  key: string;
  title: string;
  /**
   * Position in the tree: names from the top, its own last. Missing ancestors become pages that list their children. Empty for
   * the page beneath which everything goes.
   */
  place: readonly string[];
  format: Format;
  type?: string | undefined;
  data?: Data;
  description?: string;
  /** Key of the target if the page is a redirect, which becomes an alias of the target. */
  redirect?: string | undefined;
  /** Further addresses of the page. */
  addresses?: readonly string[];
  /** Keys of its files. */
  files?: readonly SourceFile[];
  revisions: number;
  /** Position among its siblings, lowest first, in any numbers. Siblings without one follow by title. */
  order?: number | undefined;
  /** Access that the source states. */
  access?: StatedAccess;
  /** Restricted or unpublished in the source, so readable only by the importer. */
  isHidden?: boolean;
  /** The words of the source that restrict the page, for the certificate. */
  restriction?: string;
  /** Language of its text, a BCP 47 tag. */
  language?: string;
  /** Page of which it is a translation, and by what that was recognised, for the certificate. */
  original?: { key: string; construct: string };
  /** Hash of the page as the source has it now, or what identifies it in a source with history. */
  fingerprint?: string;
}

export type Translated = Pick<PageOutline, 'language' | 'original'>;

export interface SourceFile {
  key: string;
  filename: string;
}

/** Something that is not imported, with the reason. */
export interface Omission {
  source: string;
  why: string;
  /** Whether importing it failed; otherwise it is left out on purpose. */
  isRefusal?: true;
}

export type SourceEvent =
  | { event: 'page'; key: string }
  | { event: 'revision'; revision: SourceRevision }
  | { event: 'file'; file: SourceFile; bytes: () => AsyncIterable<Uint8Array> }
  /** The page is complete. */
  | { event: 'end' };

export interface SourceComment {
  /** Unique in the source. */
  key: string;
  /** Key of its page. */
  page: string;
  /** Key of the first comment of its thread; null for that comment itself. */
  replyTo: string | null;
  author: Author;
  at: number;
  /** Markdown. */
  body: string;
  isResolved: boolean;
  /** Words of the page that it is about; empty for the whole page. */
  quote: string;
}

/** A converted text, with a list of conversions. */
export interface Adapted {
  body: string;
  links: LinkOutcome[];
  approximated: Approximation[];
  /** The text as readers of the source see it, to be compared with the page; absent if that is unknown. */
  source?: SourceText | undefined;
}

export interface LinkOutcome {
  /** Target as written in the source. */
  old: string;
  /** Path, with an optional fragment; null for a broken link. */
  new: string | null;
  /** Whether the link leads to a file. Its path is then the path of the file's page, followed by the filename. */
  isFile?: true;
}

export interface Approximation {
  construct: string;
  before: string;
  after: string;
}

/** Lookups for resolving links. */
export interface LinkPlan {
  /** Path beneath which the source goes; empty for the top of the wiki. */
  parent: string;
  /** Page for the key, following redirects. */
  pageOf(key: string): { path: string; title: string } | undefined;
  /** Path at which a page with this title will be found; undefined if there will be none. */
  pathOfTitle(title: string): string | undefined;
}

export interface Source extends AsyncDisposable {
  kind: Kind;
  /** Name of the wiki or folder, used in messages. */
  name: string;
  /** Name by which the source itself can be told from all others; known after the outline. */
  readonly identity?: string | undefined;
  /** Whether pages have earlier revisions. The conversion then gets a change of its own, so that revisions stay original. */
  hasHistory: boolean;
  outline(): AsyncIterable<PageOutline | Omission>;
  /** In outline order. */
  read(isWanted: (key: string) => boolean): AsyncIterable<SourceEvent>;
  adapt(key: string, body: string, plan: LinkPlan): Adapted;
  /** Languages and originals of its pages by key, known after the outline. */
  translations?(): Iterable<readonly [key: string, Translated]>;
  /** Comments on its pages, each before its answers; read after the pages. Absent for sources without comments. */
  comments?(): AsyncIterable<SourceComment>;
}
