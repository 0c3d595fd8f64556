/** Options for parsing and expanding pages: the rules of a dialect, and the host's data about its pages. */
import type { LetterConstruct } from './inlines/letter-construct.ts';
import type { ListingRows } from './tree.ts';

/** The meaning of `[[…]]`. */
export type LinkTarget =
  /** `file`: links to this file if no such page exists. */
  | { kind: 'page'; target: string; isPath: boolean; fragment?: string; label?: string; file?: string }
  | { kind: 'marker'; key: string; value: string }
  | { kind: 'file'; name: string }
  | { kind: 'media'; name: string }
  /** `isWiki`: a page on another wiki, written with a prefix. */
  | { kind: 'address'; url: string; isWiki?: boolean }
  | { kind: 'text' };

/** Called only for text that is relative to the page, so that the caller knows which pages depend on their path. */
export type PathOfPage = () => string | undefined;

/** The rules in which wikis differ. `rules.ts` has Coppice's own. */
export type Rules = {
  /** Interprets the text before the first pipe. */
  link(written: string, hasLabel: boolean, path: PathOfPage): LinkTarget;
  /** Whether only letters from a to z directly after a link belong to its label, as in MediaWiki in English. */
  asciiTrails?: boolean;
  /** `[[Title (aside)|]]` is labelled `Title`. */
  pipeTrick: boolean;
  /** `<img src="name">` embeds the attached file of that name. */
  imageTags: boolean;
  /** Returns the name of the page that `{{written}}` includes; undefined if it cannot name a page. */
  template(written: string, path: PathOfPage): string | undefined;
  /** Whether a `<ref>` may stand within another, and `<references>` needs neither a slash nor an end tag. */
  hasLooseNotes: boolean;
  /**
   * Whether text between `-{` and `}-`, or in a line that begins with `==`, hides the pipes and braces of a call, as in
   * MediaWiki.
   */
  strictCalls?: boolean;
  /** Whether white space after a marker that begins a line indents the line, as if the marker were not there. */
  indentsAfterMarkers: boolean;
  /** Constructs that begin with a letter, such as book numbers. They cost a check at every such letter. */
  letters?: Readonly<Record<string, LetterConstruct>>;
  /** Whether listings (`{{Children}}`, …) exist. */
  listings: boolean;
  /**
   * Tags of the host, in lower case, at most 16 letters. Their content is not markup; `Resolved.tags` converts it to HTML.
   * `block` tags stand between paragraphs. `missing`: the host lacks the tag, which is shown as its name; `silent`: the same,
   * but shows nothing; `chemistry`: a formula in mhchem syntax; `transparent`: the content is parsed as if the tags were not
   * there.
   */
  tags?: ReadonlyMap<string, 'inline' | 'block' | 'missing' | 'silent' | 'chemistry' | 'transparent'>;
  /** Whether functions that neither the engine nor the host has are shown as their name instead of their source. */
  marksMissing?: boolean;
  /** BCP 47 code; English if absent. */
  language?: string;
  /** Whether `#oak` in Markdown text is a tag. */
  hashtags?: boolean;
  /** Translates a file option to English: `mini` to `thumb`. Returns other text unchanged. */
  option?: (written: string) => string;
  /** Returns the page that holds the message of a name, for `{{int:name}}`. If absent, messages are shown as their name. */
  message?: (name: string) => string;
  /** Translates the name of a call to English: `SEITENNAME`, `#wenn: a`. Returns other text unchanged. */
  word?: (written: string) => string;
  /** Words like `#REDIRECT`, in lower case without the `#`. */
  redirects?: readonly string[];
  /** Local names of `__TOC__` and similar switches → English names: `inhaltsverzeichnis` → `toc`. */
  switches?: Readonly<Record<string, string>>;
  /** Additional HTML elements that pages may use, besides MediaWiki's. */
  moreElements?: ReadonlySet<string>;
};

export type ExpandPage = {
  title: string;
  path: string;
  id?: number;
  type?: string | null;
  parent?: { title: string; path: string };
  /** Time of the last change, in milliseconds since 1970. */
  changedAt?: number;
  /** Name of the member who made that change. */
  author?: string;
  /** ID of that change. */
  changeId?: number;
};

export type ExpandContext = {
  page: ExpandPage;
  /**
   * Name as given in `needs.templates` → body; null if the page does not exist. `Name#Heading` requests a section of that page
   * with its heading, `Name#^id` the block with that ID, `Name#` the text before the first heading, `Name#A\nB` the text from A
   * to B.
   */
  templates: ReadonlyMap<string, string | null>;
  /** Names in `templates` that mean the page itself, which is not counted as its own template. */
  ownNames?: ReadonlySet<string>;
  /** Target as given in `needs.exists`. */
  exists: ReadonlyMap<string, boolean>;
  /** Key as given in `needs.listings`. */
  listings: ReadonlyMap<string, ListingRows>;
  /** Name as given in `needs.files` → address; null if the file does not exist. If the map is absent, `File:` names a page. */
  files?: ReadonlyMap<string, string | null>;
  /** Milliseconds since 1970. */
  now: number;
  /** Monotonic clock in milliseconds, for the time limit; `performance.now` by default. */
  clock?: () => number;
  /** Limits lower than `limits`, for hosts that can afford less. */
  bounds?: { expandedLength: number; calls: number };
  siteName?: string;
  /** Address of the wiki without trailing slash, for `{{SERVER}}` and `{{fullurl:…}}`. */
  server?: string;
  /** IANA name of the time zone for the local variants of dates; UTC by default. */
  timeZone?: string;
  rules?: Rules;
  /**
   * Called first for every `{{NAME}}` and `{{name:argument|…}}`; `other` returns the arguments after the first by position,
   * from 1. Returns undefined to let the engine handle the name, null if the text is not a function call.
   */
  word?: (
    name: string,
    argument: string | undefined,
    other: (position: number) => string,
  ) => string | null | undefined;
  /** Whether `expand` records in `origins` where each part of the result comes from. */
  tracksOrigins?: boolean;
  /** Whether to expand only `{{subst:…}}` and leave everything else as written: see `substitute`. */
  substitutes?: boolean;
  /** Wikitext that replaces `~~~` on saving. */
  signature?: string;
  /** Functions of the host, such as `#invoke`, by name in lower case. They take precedence over the engine's own. */
  functions?: ReadonlyMap<string, HostFunction>;
};

/**
 * A function of the host: `{{#invoke:Trees|list|kind=oak}}`. Returns wikitext, which is inserted without further expansion, or
 * undefined if the text is not a call. Called again in each round of `expand`.
 */
export type HostFunction = (call: HostCall) => string | undefined;

export type HostCall = {
  /** Expanded parts after the colon and each pipe, in order. Values are trimmed. */
  arguments: readonly HostArgument[];
  /** The same parts as a template receives them: values without a name keep their white space. */
  given: readonly HostArgument[];
  /**
   * Returns the value of `{{{name}}}` at the place of the call; undefined if there is no such argument or the call is on the
   * page itself.
   */
  outer(name: string): string | undefined;
  /** Text that holds the call: the page itself, or the body of a template. */
  frame: HostFrame;
  context: ExpandContext;
};

export type HostArgument = { name: string | undefined; value: string };

/** The text in which a function of the host expands wikitext. Data that is missing is recorded in `needs`. */
export type HostFrame = {
  /** Title of the page, or of the template with its namespace: `Template:Navbox`. */
  title: string;
  /**
   * Returns the value of each `{{{name}}}`; positional arguments have their position as name. The last of equal names wins.
   * Empty on the page itself.
   */
  arguments(): ReadonlyMap<string, string>;
  /** Returns wikitext with its calls expanded. The result counts towards the limit on the length that templates produce. */
  expand(text: string): string;
  /** Includes `{{name|…}}`. Returns undefined if no such page exists. */
  include(name: string, given: readonly HostArgument[]): string | undefined;
  /** Runs `{{name:…|…}}`. Returns undefined if no such function exists. */
  call(name: string, given: readonly HostArgument[]): string | undefined;
  /** Returns a frame for the same text with other arguments. */
  child(given: readonly HostArgument[]): HostFrame;
  /** Returns the body of the page that `{{name}}` includes; null if it does not exist; undefined if it has not been fetched. */
  source(name: string): string | null | undefined;
  /** Whether a page of that title or path exists. Returns false if it has not been fetched. */
  exists(title: string): boolean;
};
