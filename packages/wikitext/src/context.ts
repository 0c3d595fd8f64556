/** State shared by all parts of one parse: dialect, counters, and notices. */
import { Deadline } from './deadline.ts';
import { limits } from './limits.ts';
import type { PathOfPage, Rules } from './options.ts';
import { coppiceRules } from './rules.ts';
import type { HeadingNode, LinkReference, ListedNote, Node } from './tree.ts';

/** How `parse` reads a source. Everything is optional. */
export type ParseOptions = {
  /** Path of the page, which resolves `[[../x]]` and `[[./x]]`. */
  path?: string | undefined;
  /** Whether the source came from `expand`, so that anything still looking like a template call is text. */
  expanded?: boolean;
  /** A dialect other than Coppice's own; see `rules.ts`. */
  rules?: Rules;
  /** Monotonic clock in milliseconds, for the time limit; `performance.now` by default. */
  clock?: () => number;
  /** Parses the content of `<markdown>…</markdown>`. If absent, the content is shown as text. */
  markdown?: MarkdownReader;
};

/** Parses a text in Markdown as part of the page that is being parsed. */
export type MarkdownReader = (text: string, context: Context) => Node[];

/** Notes that no `<references/>` has listed yet: the names in use, in order, by group. */
export type OpenNotes = Map<string, Set<string>>;

/**
 * A `<references>` whose content is being parsed. If the list comes from `#tag`, its notes, and the notes inside them, are read
 * before it.
 */
export type Listing = { group: string; notes: ListedNote[]; problems: string[]; isOfTag: boolean };

/** State of one parse: everything known of the page so far. Made by `createContext`, changed by the parts of the parser. */
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
  /** Number of bracketed addresses without a label so far. */
  externalNumber: number;
  /** Number of links, tags and files in double brackets so far. */
  links: number;
  /** Number of nodes created so far. */
  nodes: number;
  /** Number of notes so far. */
  notes: number;
  /** Sentence about the limit on parts, links or notes that the page exceeds. */
  excess: string | undefined;
  /** Number of table cells read so far. */
  cells: number;
  /** Nesting depth of calls within arguments of calls. */
  depth: number;
  /** Nesting depth of references, gallery captions and similar fragments. */
  fragmentDepth: number;
  markdown: MarkdownReader | undefined;
};

/** Returns the state for parsing `source`, with nothing read yet. */
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
    notes: 0,
    excess: undefined,
    cells: 0,
    depth: 0,
    fragmentDepth: 0,
    markdown: options.markdown,
  };
  return context;
}

/** Counts a node. Returns false once the page has too many or has taken too long. */
export function mayAddNode(context: Context, node?: Node): boolean {
  if (isLate(context)) return false;
  if (context.nodes >= limits.nodes) return exceed(context, limits.nodes, 'parts', 'without its markup');
  if (node?.type === 'extension' && node.name === 'ref' && ++context.notes > limits.notes)
    return exceed(context, limits.notes, 'notes', 'without its notes');
  context.nodes++;
  return true;
}

/** Headings beyond the limit have no ID and are not in the table of contents. */
export function addHeading(context: Context, heading: HeadingNode): void {
  if (context.headings.length < limits.headings) context.headings.push(heading);
  else exceed(context, limits.headings, 'headings', 'without sections');
}

/** Records that the page has more of something than a page may have. Returns false. */
export function exceed(context: Context, limit: number, what: string, rest: string): false {
  context.excess ??= `A page can have at most ${limit} ${what}: divide it into several pages.`;
  context.notices.add(`The page has more than ${limit} ${what}; the rest is shown ${rest}.`);
  return false;
}

/** Counts a link, tag or file. Returns false once the page has too many, since each costs a database row and a lookup. */
export function mayLink(context: Context): boolean {
  if (context.links >= limits.links) return exceed(context, limits.links, 'links and tags', 'as written');
  context.links++;
  return true;
}

/** Whether the page has taken too long. The rest is not parsed. */
export function isLate(context: Context): boolean {
  if (!context.deadline.isOver()) return false;
  context.notices.add(
    `The page takes more than ${limits.milliseconds / 1000} seconds to read; the rest is shown without its markup.`,
  );
  return true;
}
