/** Options of reading and expanding pages: the rules of a dialect, and the host's knowledge of its pages. */
import type { LetterConstruct } from './inlines/letter-construct.ts';
import type { ListingRows } from './tree.ts';

/** Meaning of `[[…]]`. */
export type LinkTarget =
  /** `file`: leads to this file where there is no such page. */
  | { kind: 'page'; target: string; isPath: boolean; fragment?: string; label?: string; file?: string }
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
  /** Only letters from a to z right after a link belong to its label, as in MediaWiki in English. */
  asciiTrails?: boolean;
  /** `[[Title (aside)|]]` is labelled `Title`. */
  pipeTrick: boolean;
  /** `<img src="name">` embeds the attached file of that name. */
  imageTags: boolean;
  /** Name of the page that `{{written}}` includes, undefined when it can be none. */
  template(written: string, path: PathOfPage): string | undefined;
  /** A `<ref>` may stand within another, and `<references>` needs neither slash nor end tag. */
  hasLooseNotes: boolean;
  /** Text between `-{` and `}-`, or in a line that begins with `==`, neither ends nor parts a call, as in MediaWiki. */
  strictCalls?: boolean;
  /** White space after a marker that begins a line indents the line, as if the marker were not there. */
  indentsAfterMarkers: boolean;
  /** Constructs that begin with a letter, as numbers of books do. They cost a look at every such letter. */
  letters?: Readonly<Record<string, LetterConstruct>>;
  /** Listings (`{{Children}}`, …) exist. */
  listings: boolean;
  /**
   * Tags of the host, in lower case, at most 16 letters: their inside is not markup, and `Resolved.tags` makes HTML of it. Blocks
   * stand between paragraphs. `missing`: a tag that the host lacks leaves its name; `silent`: or nothing;
   * `chemistry`: a formula as mhchem writes it; `transparent`: its inside is read as if the tags were not there.
   */
  tags?: ReadonlyMap<string, 'inline' | 'block' | 'missing' | 'silent' | 'chemistry' | 'transparent'>;
  /** Functions that the engine and the host lack leave their name instead of source. */
  marksMissing?: boolean;
  /** BCP 47; English without one. */
  language?: string;
  /** `#oak` in the text of Markdown is a tag. */
  hashtags?: boolean;
  /** An option of a file as it is in English: `mini` is `thumb`. What is none stays. */
  option?: (written: string) => string;
  /** Page that holds the message of a name, for `{{int:name}}`. Without it, messages leave their name. */
  message?: (name: string) => string;
  /** A call as its name is in English: `SEITENNAME`, `#wenn: a`. What is none stays. */
  word?: (written: string) => string;
  /** Words like `#REDIRECT`, in lower case without the sign. */
  redirects?: readonly string[];
  /** `inhaltsverzeichnis` → `toc`, for `__TOC__` and its like. */
  switches?: Readonly<Record<string, string>>;
  /** HTML elements that may be written besides MediaWiki's. */
  moreElements?: ReadonlySet<string>;
};

export type ExpandPage = {
  title: string;
  path: string;
  id?: number;
  type?: string | null;
  parent?: { title: string; path: string };
  /** Milliseconds of the last change. */
  changedAt?: number;
  /** Name of the member who made that change. */
  author?: string;
  /** ID of that change. */
  changeId?: number;
};

export type ExpandContext = {
  page: ExpandPage;
  /**
   * Name as given in `needs.templates` → body; null: there is none. `Name#Heading` asks for a section of that page with its heading,
   * `Name#^id` for a block of that ID, `Name#` for what stands before the first heading, `Name#A\nB` for all from A to B.
   */
  templates: ReadonlyMap<string, string | null>;
  /** Names in `templates` that the page itself answers to: it is no template of its own. */
  ownNames?: ReadonlySet<string>;
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
  /**
   * Asked first for every `{{NAME}}` and `{{name:argument|…}}`, with the arguments after the first by position, from 1 on; undefined
   * leaves it to the engine, null says that it is no call of a function.
   */
  word?: (
    name: string,
    argument: string | undefined,
    other: (position: number) => string,
  ) => string | null | undefined;
  /** Says in `origins` where each part of the result comes from; of `expand` alone. */
  tracksOrigins?: boolean;
  /** Only `{{subst:…}}` is put in place, and all else stays as it is written: see `substitute`. */
  substitutes?: boolean;
  /** Wikitext that `~~~` is saved as. */
  signature?: string;
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
  arguments: readonly HostArgument[];
  /** The same parts as a template would have them: values without a name keep their white space. */
  given: readonly HostArgument[];
  /** The value of `{{{name}}}` around the call. Undefined if there is no such argument, and on the page itself. */
  outer(name: string): string | undefined;
  /** Text that holds the call: the page itself, or the body of a template. */
  frame: HostFrame;
  context: ExpandContext;
};

export type HostArgument = { name: string | undefined; value: string };

/** A place where wikitext is expanded, for functions of the host that do so. What is not there yet is noted in `needs`. */
export type HostFrame = {
  /** The page, or the template as it is called. */
  title: string;
  /** Value of each `{{{name}}}`, positions being names. Of equal names the last one counts. Empty on the page itself. */
  arguments(): ReadonlyMap<string, string>;
  /** Wikitext with its calls in place. It counts towards the length that templates may produce. */
  expand(text: string): string;
  /** `{{name|…}}`; undefined if there is no such page. */
  include(name: string, given: readonly HostArgument[]): string | undefined;
  /** `{{name:…|…}}`; undefined if there is no such function. */
  call(name: string, given: readonly HostArgument[]): string | undefined;
  /** The same place with other arguments. */
  child(given: readonly HostArgument[]): HostFrame;
  /** Body of the page that `{{name}}` includes; null: there is none; undefined: not known yet. */
  source(name: string): string | null | undefined;
  /** Whether there is a page of that title or path; false as long as it is not known. */
  exists(title: string): boolean;
};
