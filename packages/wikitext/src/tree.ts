/**
 * The shapes that go in and out of the engine: the tree, what it refers to, what expansion needs, what rendering gets.
 * Every node carries `start` and `end`, offsets into the source that was parsed (`source.slice(start, end)` is its text).
 * One file, as hosts read it from top to bottom: nothing but types.
 */

import type { Context } from './context.ts';
import type { Construct } from './inlines/inline.ts';

type At = { readonly start: number; readonly end: number };

export type Attributes = Record<string, string>;

/** Plain text: entities are decoded, so it must be escaped on its way out. */
export type TextNode = { type: 'text'; value: string; start: number; end: number };

/** An HTML element of the allow-list, written as a tag or made by wiki markup (lists, tables, bold, paragraphs). */
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
  /** Other ids under which links find it. */
  aliases?: readonly string[];
  children: Node[];
  start: number;
  end: number;
};

/** `[[Target#fragment|label]]`; empty `target` is a link within the page. */
export type LinkNode = {
  type: 'link';
  target: string;
  isPath: boolean;
  fragment: string | undefined;
  /** Shown on hover. */
  title?: string | undefined;
  children: Node[];
  start: number;
  end: number;
};

/** `[https://example.org label]`, a bare address, or `[[wikipedia:Oak]]`; `number` counts those without a label. */
export type ExternalLinkNode = {
  type: 'external-link';
  url: string;
  kind: 'free' | 'text' | 'numbered' | 'interwiki';
  number: number;
  /** Shown on hover. */
  title?: string | undefined;
  children: Node[];
  start: number;
  end: number;
};

/** `[[Key:Value]]`: shows nothing. */
export type MarkerNode = At & { type: 'marker'; key: string; value: string };

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
  /** `link`: `[[Media:name|label]]`, a link to the file itself with the caption as label. */
  format?: 'thumb' | 'frame' | 'frameless' | 'link';
  align?: 'left' | 'right' | 'center' | 'none';
  valign?: string;
  border?: boolean;
  upright?: number;
  width?: number;
  height?: number;
  alt?: string;
  /** Shown on hover. */
  title?: string;
  class?: string;
  /** `link=` as written; the empty string means no link. */
  link?: string;
  lang?: string;
  page?: string;
  /** `thumb=Other.png`: shown in place of the file itself. */
  manual?: string;
};

/** `{{Name|argument|name=value}}`, not yet expanded. `name` is undefined for functions, variables and computed names. */
export type TemplateNode = At & {
  type: 'template';
  name: string | undefined;
  arguments: TemplateArgument[];
};

export type TemplateArgument = At & { name: string | undefined; valueStart: number; children: Node[] };

/** A tag whose inside is not markup of the page: nowiki, pre, ref, references, gallery, syntaxhighlight, math, listing, … */
export type ExtensionNode = {
  type: 'extension';
  name: string;
  attributes: Attributes;
  /** Undefined for a self-closing tag. */
  body: string | undefined;
  children: Node[] | undefined;
  /** Of a `<ref>`: what its attribute `details` says. */
  details?: Node[];
  /** Of a tag of the host. */
  isBlock?: boolean;
  start: number;
  end: number;
};

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

export type Tree = {
  source: string;
  path: string | undefined;
  children: Node[];
  /** Headings in document order. */
  headings: HeadingNode[];
  /** `__TOC__`, `__NOTOC__`, … in lower case, without underscores. */
  switches: string[];
  redirect: LinkReference | undefined;
  /** What was cut short or refused, as sentences for the writer. */
  notices: string[];
  /** Something in it is named relative to the path: parsed for another path, it would refer to something else. */
  followsPath: boolean;
  /** The dialect it was parsed by; rendering nested text follows it. */
  rules: Rules;
  /** Spaces stay as they are; otherwise French punctuation gets fixed ones, as in MediaWiki. */
  keepsSpaces?: boolean;
  /** How the page describes itself, where its language has a place for that. */
  description?: string | undefined;
};

export type Section = { level: number; title: string; id: string; start: number; end: number };

export type LinkReference = {
  /** Trimmed, inner white space collapsed, NFC, without fragment and leading colon; a path when it starts with `/`. */
  target: string;
  isPath: boolean;
  fragment?: string;
  /** How often the page asks for it. */
  count: number;
};

export type References = {
  links: LinkReference[];
  templates: string[];
  files: string[];
  tags: { key: string; value: string }[];
  type?: string;
  location?: Location;
  locationProblem?: string;
  /** Functions and tags that the engine lacks, as `#invoke` or `<mapframe>`. */
  unsupported: string[];
  sections: Section[];
  redirect?: LinkReference;
  /** Some of them would be others if the page lay elsewhere. */
  followsPath: boolean;
};

export type Location = { lat: number; lon: number };

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

/** What `[[…]]` turns out to be. */
export type LinkTarget =
  | { kind: 'page'; target: string; isPath: boolean; fragment?: string; label?: string }
  | { kind: 'marker'; key: string; value: string }
  | { kind: 'file'; name: string }
  | { kind: 'media'; name: string }
  /** `isWiki`: of a page on another wiki, written with a prefix. */
  | { kind: 'address'; url: string; isWiki?: boolean }
  | { kind: 'text' };

/** Asked only where what is written is relative to the page, so that it is known which pages follow their path. */
export type PathOfPage = () => string | undefined;

/** The points on which wikis differ. `rules.ts` holds Coppice's own. */
export type Rules = {
  /** Reads what stands before the first pipe. */
  link(written: string, hasLabel: boolean, path: PathOfPage): LinkTarget;
  /** `[[Title (aside)|]]` is labelled `Title`. */
  pipeTrick: boolean;
  /** `<img src="name">` embeds the attached file of that name. */
  imageTags: boolean;
  /** Name of the page that `{{written}}` includes, undefined when it can be none. */
  template(written: string, path: PathOfPage): string | undefined;
  /** A `<ref>` may stand within another, and `<references>` needs neither slash nor end tag. */
  hasLooseNotes: boolean;
  /** White space after a marker that begins a line indents the line, as if the marker were not there. */
  indentsAfterMarkers: boolean;
  /** Constructs that begin with a letter, as numbers of books do. They cost a look at every such letter. */
  letters?: Readonly<Record<string, Construct>>;
  /** Listings (`{{Children}}`, …) exist. */
  listings: boolean;
  /**
   * Tags of the host, in lower case, at most 16 letters: their inside is not markup, and `Resolved.tags` makes HTML of it. Blocks
   * stand between paragraphs. `missing`: a tag that the host lacks leaves its name; `silent`: or nothing;
   * `chemistry`: a formula as mhchem writes it.
   */
  tags?: ReadonlyMap<string, 'inline' | 'block' | 'missing' | 'silent' | 'chemistry'>;
  /** Functions that the engine and the host lack leave their name instead of source. */
  marksMissing?: boolean;
  /** BCP 47; English without one. */
  language?: string;
  /** An option of a file as it is in English: `mini` is `thumb`. What is none stays. */
  option?: (written: string) => string;
  /** A call as its name is in English: `SEITENNAME`, `#wenn: a`. What is none stays. */
  word?: (written: string) => string;
  /** Words like `#REDIRECT`, in lower case without the sign. */
  redirects?: readonly string[];
  /** `inhaltsverzeichnis` → `toc`, for `__TOC__` and its like. */
  switches?: Readonly<Record<string, string>>;
  /** HTML elements that may be written besides MediaWiki's. */
  moreElements?: ReadonlySet<string>;
};

export type ListingName = 'Children' | 'Tagged' | 'Wanted' | 'Recent' | 'Map' | 'Gallery' | 'Count';

/**
 * A built-in listing that the page asks for; `key` is canonical, so equal calls are asked once. A `Count` has no rows, only
 * `more`: how many pages the reader may read (`of: 'pages'`), how many of these have a tag (`of: 'tag'`, `key`, `value`), or how many
 * bytes the source of one has (`of: 'size'`, `page`).
 */
export type Listing = { key: string; name: ListingName; arguments: Readonly<Record<string, string>> };

export type ListingRow = {
  /** Path of the page; for Wanted a missing page's path or undefined. */
  path?: string;
  title: string;
  description?: string;
  /** Address of a small picture. */
  thumbnail?: string;
  /** Address of the file itself (Gallery). */
  url?: string;
  lat?: number;
  lon?: number;
  /** Milliseconds since 1970 (Recent). */
  time?: number;
  /** Who made the change (Recent). */
  author?: string;
  /** How many pages ask for it (Wanted). */
  count?: number;
};

/** The host's answer to a listing: only what the reader may see. */
export type ListingRows = { rows: readonly ListingRow[]; more?: number };

export type ExpandPage = {
  title: string;
  path: string;
  id?: number;
  type?: string | null;
  parent?: { title: string; path: string };
  /** Milliseconds of the last change. */
  changedAt?: number;
  author?: string;
};

export type ExpandContext = {
  page: ExpandPage;
  /** Name as given in `needs.templates` → body; null: there is none. */
  templates: ReadonlyMap<string, string | null>;
  /** Target as given in `needs.exists`. */
  exists: ReadonlyMap<string, boolean>;
  /** Key as given in `needs.listings`. */
  listings: ReadonlyMap<string, ListingRows>;
  /** Name as given in `needs.files` → address; null: there is none. Without it, `File:` names a page. */
  files?: ReadonlyMap<string, string | null>;
  /** Milliseconds since 1970. */
  now: number;
  /** Milliseconds that never go back, for the limit of time; `performance.now` by default. */
  clock?: () => number;
  /** Less than `limits` allows: what the host can bear where it calls. */
  bounds?: { expandedLength: number; calls: number };
  siteName?: string;
  /** Address of the wiki without trailing slash, for `{{SERVER}}` and `{{fullurl:…}}`. */
  server?: string;
  /** IANA name for the local variants of dates; UTC by default. */
  timeZone?: string;
  rules?: Rules;
  /** Asked first for every `{{NAME}}` and `{{name:argument}}`; undefined leaves it to the engine. */
  word?: (name: string, argument: string | undefined) => string | undefined;
  /** Says in `origins` where each part of the result comes from; of `expand` alone. */
  tracksOrigins?: boolean;
  /** Functions of the host by their names in lower case, such as `#invoke`. Asked before the engine's own. */
  functions?: ReadonlyMap<string, HostFunction>;
};

/**
 * A function of the host: `{{#invoke:Trees|list|kind=oak}}`. Answers wikitext, which is put in place as it is, or undefined if it is
 * no call. Called again in each round of `expand`.
 */
export type HostFunction = (call: HostCall) => string | undefined;

export type HostCall = {
  /** Expanded parts after the colon and each pipe, in order. Values are trimmed. */
  arguments: readonly { name: string | undefined; value: string }[];
  /** The value of `{{{name}}}` around the call. Undefined if there is no such argument, and on the page itself. */
  outer(name: string): string | undefined;
};

export type Needs = { templates: string[]; exists: string[]; files: string[]; listings: Listing[] };

export type Expansion = {
  text: string;
  needs: Needs;
  notices: string[];
  /** Wikitext of the last `{{DISPLAYTITLE:…}}`, for `displayTitle`. */
  displayTitle?: string;
  /** The length or the number of calls reached its bound, so something is missing. */
  isCut: boolean;
  /** With `tracksOrigins`: where each stretch of `text` comes from, in order, for `Resolved.origins`. */
  origins?: readonly Origin[];
};

/** From `at` on, an expanded text is `start` to `end` of the source: the same characters, or what a call there became. */
export type Origin = { at: number; start: number; end: number; isCall: boolean };

export type ResolvedPage = { path: string; title: string };

export type ResolvedFile = {
  url: string;
  thumbnailUrl?: string;
  mime: string;
  width?: number;
  height?: number;
  title?: string;
};

export type Resolved = {
  /** Target as in `LinkReference`; absent: wanted. */
  pages: ReadonlyMap<string, ResolvedPage>;
  /** Name as in `References.files`. */
  files: ReadonlyMap<string, ResolvedFile>;
  page: ResolvedPage;
  /** As given to `expand`. */
  listings?: ReadonlyMap<string, ListingRows>;
  /** Trusted HTML for code in a language, or undefined to show it plain. */
  highlight?: (code: string, language: string) => string | undefined;
  /** Trusted HTML for a formula, or undefined to show it plain. */
  math?: (tex: string, display: boolean) => string | undefined;
  /** Trusted HTML for a tag of `Rules.tags`, or undefined to show its inside plain. */
  tags?: (name: string, attributes: Attributes, body: string | undefined) => string | undefined;
  /**
   * Elements say where in the source they come from: `data-source="12-40"`, of what a call brought the place of the call. As `expand` gave
   * them; empty for a tree of the source itself.
   */
  origins?: readonly Origin[];
  /** Width of thumbnails without a width of their own, 220 by default. */
  thumbnailWidth?: number;
  /** Overrides where links lead; see `address.ts`. */
  address?: Addresses;
};

/** Where links lead. `undefined` from a function leaves that case to Coppice's own addresses. */
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
