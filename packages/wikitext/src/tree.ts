/**
 * Nodes of a page, what they refer to, what expansion needs and what rendering gets: nothing but types. Every node carries
 * `start` and `end`, offsets into the source that was parsed (`source.slice(start, end)` is its text).
 */

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
  /** Leads to this file where there is no such page. */
  file?: string | undefined;
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
  /** Part of a sound or video that is played, in seconds. */
  from?: number;
  until?: number;
  loop?: boolean;
  muted?: boolean;
  /** `thumb=Other.png`: shown in place of the file itself. */
  manual?: string;
};

/** `{{Name|argument|name=value}}`, not yet expanded. `name` is undefined for functions, variables and computed names. */
export type TemplateNode = At & {
  type: 'template';
  name: string | undefined;
  /** Name that a call of `#invoke` gives, as it is written. */
  module?: string;
  arguments: TemplateArgument[];
};

export type TemplateArgument = At & { name: string | undefined; valueStart: number; children: Node[] };

/** A tag whose inside is read by rules of its own: see `extensions/`. Made by `extensionNode` alone. */
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
   * Calls have brought notes into this one: those in an argument of `#tag` are read before it, those of its own text when it is
   * listed.
   */
  notesWithin?: 'earlier' | 'later';
  /** Notes written within a `<references>`, and what is wrong with them, as HTML. */
  listed?: ListedNote[];
  problems?: string[];
  /** Between paragraphs instead of within one. */
  isBlock: boolean;
  /** Inside counts as text of the page at this place. */
  isText: boolean;
  /** May be drawn with links in it. */
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
  /** Names in calls of `#invoke`, as they are written. */
  modules: string[];
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
  /** The same picture in smaller widths, ascending, for `srcset`. */
  narrower?: readonly { url: string; width: number }[];
};

export type Resolved = {
  /** Target as in `LinkReference`; absent: wanted. */
  pages: ReadonlyMap<string, ResolvedPage>;
  /** Name as in `References.files`. */
  files: ReadonlyMap<string, ResolvedFile>;
  page: ResolvedPage;
  /** Listings as given to `expand`. */
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

/** Addresses of links. `undefined` from a function leaves that case to Coppice's own addresses. */
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
