/**
 * Neutral records that every kind of source is read as. A source is read twice: first its outline, from which the whole
 * import is planned before anything is written; then its contents, page by page. Neither reading holds the source in memory.
 */
import type { Data, Format } from '#domain/pages/page.ts';

export const kinds = [
  'mediawiki',
  'dokuwiki',
  'obsidian',
  'wikijs',
  'docusaurus',
  'mkdocs',
  'hugo',
  'jekyll',
  'markdown',
  'html',
  'notion',
  'confluence',
  'jsonl',
] as const;
export type Kind = (typeof kinds)[number];

export interface Author {
  /** Unique within the source: two people there are never taken for one. */
  key: string;
  name: string;
}

export interface SourceRevision {
  /** Number or name in the source; a later run goes on after it. */
  id: string;
  at: number;
  /** Null: the member who runs the import. */
  author: Author | null;
  msg: string;
  body: string;
}

/** A page as it is known before its text is. */
export interface PageOutline {
  /** Unique in the source, and the same in a later run. */
  key: string;
  title: string;
  /** Place in the tree: names from the top, its own last. Names that no page has become pages that list what lies beneath. */
  place: readonly string[];
  format: Format;
  type?: string | undefined;
  data?: Data;
  description?: string;
  /** The key of the page that it only leads to: it becomes an old address of that page. */
  redirect?: string | undefined;
  /** Further addresses at which the page was found. */
  addresses?: readonly string[];
  /** Keys of its files. */
  files?: readonly SourceFile[];
  revisions: number;
  /** Not published in the source: for its owner alone. */
  isHidden?: boolean;
}

export interface SourceFile {
  key: string;
  filename: string;
}

/** Part of the source that is not imported, and why. */
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
  /** All of the page was told. */
  | { event: 'end' };

/** A text converted for this wiki, with a record of what was converted and how. */
export interface Adapted {
  body: string;
  links: LinkOutcome[];
  approximated: Approximation[];
}

export interface LinkOutcome {
  /** Target as the source writes it. */
  old: string;
  /** Path, with a fragment if there is one; null for a broken link. */
  new: string | null;
  /** Whether it leads to a file; the path is then that of its page, and its name. */
  isFile?: true;
}

export interface Approximation {
  construct: string;
  before: string;
  after: string;
}

/** Lookups that resolve links. */
export interface LinkPlan {
  /** Page that the key stands for, also by way of redirects. */
  pageOf(key: string): { path: string; title: string } | undefined;
  /** Path that a page of this title will be found at here; undefined if there will be none. */
  pathOfTitle(title: string): string | undefined;
}

export interface Source extends AsyncDisposable {
  kind: Kind;
  /** By which it is called in messages and recognised by a later run: the wiki's or folder's name. */
  name: string;
  /** The revisions of a page are more than its present text: that one is adapted by a change of its own, so that they stay as they are. */
  hasHistory: boolean;
  outline(): AsyncIterable<PageOutline | Omission>;
  /** In the order of the outline. */
  read(isWanted: (key: string) => boolean): AsyncIterable<SourceEvent>;
  adapt(key: string, body: string, plan: LinkPlan): Adapted;
}
