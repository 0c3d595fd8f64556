/**
 * Types only: nodes of a page, references, the data that expansion needs, and the data that rendering gets. Every node has
 * `start` and `end`, offsets into the source that was parsed (`source.slice(start, end)` is its text).
 */

/** Offsets into a source, in UTF-16 units: of the first character, and behind the last one. */
export type Range = { readonly start: number; readonly end: number };

export type Attributes = Record<string, string>;

/** Plain text with entities decoded, so it must be escaped for output. */
export type TextNode = { type: 'text'; value: string; start: number; end: number };

/** An HTML element of the allow-list, written as a tag or produced by wiki markup (lists, tables, bold, paragraphs). */
export type ElementNode = {
  type: 'element';
  name: string;
  attributes: Attributes | undefined;
  children: Node[];
  start: number;
  end: number;
};

/** `== Title ==`; `id` is unique on the page and assigned in document order. */
export type HeadingNode = {
  type: 'heading';
  name: string;
  attributes: Attributes | undefined;
  level: number;
  id: string;
  /** Other IDs under which links find the heading. */
  aliases?: readonly string[];
  children: Node[];
  start: number;
  end: number;
};

/** `[[Target#fragment|label]]`; an empty `target` is a link within the page. */
export type LinkNode = {
  type: 'link';
  target: string;
  isPath: boolean;
  fragment: string | undefined;
  /** Links to this file if no such page exists. */
  file?: string | undefined;
  /** Text shown on hover. */
  title?: string | undefined;
  children: Node[];
  start: number;
  end: number;
  /** End of the brackets, if a link or note within them ended this link. */
  writtenEnd?: number;
};

/** `[https://example.org label]`, a bare address, or `[[wikipedia:Oak]]`; `number` counts those without a label. */
export type ExternalLinkNode = {
  type: 'external-link';
  url: string;
  kind: 'free' | 'text' | 'numbered' | 'interwiki';
  number: number;
  /** Opens in a window of its own, which cannot reach the page. */
  opensWindow?: true;
  /** Text shown on hover. */
  title?: string | undefined;
  children: Node[];
  start: number;
  end: number;
  /** End of the brackets, if a link or note within them ended this link. */
  writtenEnd?: number;
};

/** `[[Key:Value]]`, which shows nothing. */
export type MarkerNode = Range & { type: 'marker'; key: string; value: string };

/** `[[File:name|options|caption]]`, `<img src="name">`. */
export type FileNode = {
  type: 'file';
  name: string;
  options: FileOptions;
  caption: Node[];
  start: number;
  end: number;
};

export type FileOptions = {
  /** `link`: `[[Media:name|label]]`, a link to the file itself with the caption as its label. */
  format?: 'thumb' | 'frame' | 'frameless' | 'link';
  align?: 'left' | 'right' | 'center' | 'none';
  valign?: string;
  border?: boolean;
  upright?: number;
  width?: number;
  height?: number;
  alt?: string;
  /** Text shown on hover. */
  title?: string;
  class?: string;
  /** `link=` as written; empty for no link. */
  link?: string;
  lang?: string;
  page?: string;
  /** Start and end of the part of a sound or video to play, in seconds. */
  from?: number;
  until?: number;
  loop?: boolean;
  muted?: boolean;
  /** `thumb=Other.png`: file shown instead of the file itself. */
  manual?: string;
};

/** `{{Name|argument|name=value}}`, not yet expanded. `name` is undefined for functions, variables and computed names. */
export type TemplateNode = Range & {
  type: 'template';
  name: string | undefined;
  /** Module name in a call of `#invoke`, as written. */
  module?: string;
  arguments: TemplateArgument[];
};

export type TemplateArgument = Range & { name: string | undefined; valueStart: number; children: Node[] };

/** A tag whose content is read by its own rules: see `extensions/`. Only `extensionNode` creates these nodes. */
export type ExtensionNode = {
  type: 'extension';
  name: string;
  attributes: Attributes;
  /** Undefined for a self-closing tag. */
  body: string | undefined;
  children: Node[] | undefined;
  /** Content of the attribute `details` of a `<ref>`. */
  details?: Node[];
  /**
   * When notes that calls produced inside this node are read: `earlier`, before it, if they stand in an argument of `#tag`;
   * `later`, when it is listed, if they stand in its own text.
   */
  notesWithin?: 'earlier' | 'later';
  /** Notes written within a `<references>`, and their errors, as HTML. */
  listed?: ListedNote[];
  problems?: string[];
  /** Whether the node stands between paragraphs instead of within one. */
  isBlock: boolean;
  /** Whether the content counts as text of the page at this place. */
  isText: boolean;
  /** Whether the node's HTML may contain links. */
  bringsLinks: boolean;
  start: number;
  end: number;
};

export type ListedNote = { note: ExtensionNode; isDefined: boolean };

export type Node =
  | TextNode
  | ElementNode
  | HeadingNode
  | LinkNode
  | ExternalLinkNode
  | MarkerNode
  | FileNode
  | TemplateNode
  | ExtensionNode;

export type Section = { level: number; title: string; id: string; start: number; end: number };

export type LinkReference = {
  /** Trimmed, inner white space collapsed, NFC, without fragment and leading colon; a path if it starts with `/`. */
  target: string;
  isPath: boolean;
  fragment?: string;
  /** Number of times that the page refers to it. */
  count: number;
};

export type References = {
  links: LinkReference[];
  templates: string[];
  /** Module names in calls of `#invoke`, as written. */
  modules: string[];
  files: string[];
  tags: { key: string; value: string }[];
  type?: string;
  location?: Location;
  locationProblem?: string;
  /** Functions and tags that the engine lacks, such as `#invoke` or `<mapframe>`. */
  unsupported: string[];
  sections: Section[];
  redirect?: LinkReference;
  /** Whether some references are relative to the page's path. */
  followsPath: boolean;
  /** `excess` of the tree. */
  excess?: string;
};

export type Location = { lat: number; lon: number };

export type ListingName = 'Children' | 'Tagged' | 'Wanted' | 'Recent' | 'Map' | 'Gallery' | 'Count';

/**
 * A built-in listing that the page contains; `key` is canonical, so equal calls are requested once. A `Count` has no rows, only
 * `more`: how many pages the reader may read (`of: 'pages'`), how many of these have a tag (`of: 'tag'`, `key`, `value`), or
 * the size of a page's source in bytes (`of: 'size'`, `page`).
 */
export type Listing = { key: string; name: ListingName; arguments: Readonly<Record<string, string>> };

export type ListingRow = {
  /** Path of the page; in Wanted, the missing page's path or undefined. */
  path?: string;
  title: string;
  description?: string;
  /** Address of a thumbnail. */
  thumbnail?: string;
  /** Address of the file itself (Gallery). */
  url?: string;
  lat?: number;
  lon?: number;
  /** Milliseconds since 1970 (Recent). */
  time?: number;
  /** Author of the change (Recent). */
  author?: string;
  /** Number of pages that link to it (Wanted). */
  count?: number;
};

/** The host's result for a listing, limited to what the reader may see. */
export type ListingRows = { rows: readonly ListingRow[]; more?: number };

export type Needs = { templates: string[]; exists: string[]; files: string[]; listings: Listing[] };

export type Expansion = {
  text: string;
  needs: Needs;
  notices: string[];
  /** Wikitext of the last `{{DISPLAYTITLE:…}}`, for `displayTitle`. */
  displayTitle?: string;
  /** Whether the length or the number of calls reached its limit, so that content is missing. */
  isCut: boolean;
  /** With `tracksOrigins`: where each part of `text` comes from, in order, for `Resolved.origins`. */
  origins?: readonly Origin[];
};

/**
 * Maps expanded text from offset `at` on to `start`–`end` of the source: the same characters, or the result of a call there.
 */
export type Origin = { at: number; start: number; end: number; isCall: boolean };

export type ResolvedPage = { path: string; title: string };

export type ResolvedFile = {
  url: string;
  thumbnailUrl?: string;
  mime: string;
  width?: number;
  height?: number;
  title?: string;
  /** The same picture in smaller widths, ascending, for `srcset`. */
  narrower?: readonly { url: string; width: number }[];
};

export type Resolved = {
  /** Target as in `LinkReference`; links to absent targets are wanted. */
  pages: ReadonlyMap<string, ResolvedPage>;
  /** Name as in `References.files`. */
  files: ReadonlyMap<string, ResolvedFile>;
  page: ResolvedPage;
  /** Listings as given to `expand`. */
  listings?: ReadonlyMap<string, ListingRows>;
  /** Returns trusted HTML for code in a language, or undefined to show it as plain text. */
  highlight?: (code: string, language: string) => string | undefined;
  /** Returns trusted HTML for a formula, or undefined to show it as plain text. */
  math?: (tex: string, display: boolean) => string | undefined;
  /** Returns trusted HTML for a tag of `Rules.tags`, or undefined to show its content as plain text. */
  tags?: (name: string, attributes: Attributes, body: string | undefined) => string | undefined;
  /**
   * If given, elements state their source range: `data-source="12-40"`; an element produced by a call states the range of the
   * call. Pass the `origins` that `expand` returned; empty for a tree of the source itself.
   */
  origins?: readonly Origin[];
  /** Width of thumbnails that state none; 220 by default. */
  thumbnailWidth?: number;
  /** Overrides the addresses of links. */
  address?: Addresses;
};

/** Addresses of links. A function returns `undefined` to use Coppice's own address. */
export type Addresses = {
  page?: (link: LinkNode) => { href?: string; class?: string; title?: string } | undefined;
  file?: (
    name: string,
    options: FileOptions,
    size: { width: number; height: number } | undefined,
  ) =>
    | {
        href?: string;
        title?: string;
        class?: string;
        src?: string;
        width?: number;
        height?: number;
        missing?: string;
      }
    | undefined;
};

export type Rendered = {
  html: string;
  outline: Section[];
  notices: string[];
};
