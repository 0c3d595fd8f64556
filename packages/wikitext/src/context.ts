/** State that the parts of one parse share: dialect, counters, and notices. */
import { Deadline } from './deadline.ts';
import { limits } from './limits.ts';
import type { PathOfPage, Rules } from './options.ts';
import { coppiceRules } from './rules.ts';
import type { HeadingNode, LinkReference, ListedNote, Node } from './tree.ts';

export type ParseOptions = {
  /** Path of the page, for `[[../x]]` and `[[./x]]`. */
  path?: string | undefined;
  /** The source came from `expand`: what still looks like a template call is text. */
  expanded?: boolean;
  /** Other dialects than Coppice's own; see `rules.ts`. */
  rules?: Rules;
  /** Milliseconds that never go back, for the limit of time; `performance.now` by default. */
  clock?: () => number;
  /** Reads the inside of `<markdown>…</markdown>`; without it, the inside is shown as it is written. */
  markdown?: MarkdownReader;
};

/** The nodes of a text in Markdown, as part of the page that is being read. */
export type MarkdownReader = (text: string, context: Context) => Node[];

/** Notes that no `<references/>` has listed so far: names in use by group, in order. */
export type OpenNotes = Map<string, Set<string>>;

/** A `<references>` whose inside is being read; `#tag` reads the notes in it, and those within them, before it. */
export type Listing = { group: string; notes: ListedNote[]; problems: string[]; isOfTag: boolean };

export type Context = {
  source: string;
  path: PathOfPage;
  followsPath: boolean;
  rules: Rules;
  isExpanded: boolean;
  switches: Set<string>;
  headings: HeadingNode[];
  openNotes: OpenNotes;
  listing: Listing | undefined;
  notices: Set<string>;
  deadline: Deadline;
  redirect: LinkReference | undefined;
  /** Bracketed addresses without a label so far. */
  externalNumber: number;
  /** Links, tags and files in double brackets so far. */
  links: number;
  /** Nodes made so far. */
  nodes: number;
  /** Cells of tables read so far. */
  cells: number;
  /** Calls within arguments of calls. */
  depth: number;
  /** References, gallery captions and the like within one another. */
  fragmentDepth: number;
  markdown: MarkdownReader | undefined;
};

export function createContext(source: string, options: ParseOptions): Context {
  const context: Context = {
    source,
    path: () => {
      context.followsPath = true;
      return options.path;
    },
    followsPath: false,
    rules: options.rules ?? coppiceRules,
    isExpanded: options.expanded ?? false,
    switches: new Set(),
    headings: [],
    openNotes: new Map(),
    listing: undefined,
    notices: new Set(),
    deadline: new Deadline(options.clock),
    redirect: undefined,
    externalNumber: 0,
    links: 0,
    nodes: 0,
    cells: 0,
    depth: 0,
    fragmentDepth: 0,
    markdown: options.markdown,
  };
  return context;
}

/** Counts a node; false once the page has too many or has taken too long. */
export function mayAddNode(context: Context): boolean {
  if (isLate(context)) return false;
  if (context.nodes >= limits.nodes) {
    context.notices.add(
      `The page has more than ${limits.nodes} parts; the rest is shown without its markup.`,
    );
    return false;
  }
  context.nodes++;
  return true;
}

/** Counts a link, tag or file; false once the page has too many: each is a row to look up and to keep. */
export function mayLink(context: Context): boolean {
  if (context.links >= limits.links) {
    context.notices.add(
      `The page has more than ${limits.links} links and tags; the rest is shown as written.`,
    );
    return false;
  }
  context.links++;
  return true;
}

/** Whether the page has taken too long: what is left is not read any more. */
export function isLate(context: Context): boolean {
  if (!context.deadline.isOver()) return false;
  context.notices.add(
    `The page takes more than ${limits.milliseconds / 1000} seconds to read; the rest is shown without its markup.`,
  );
  return true;
}
