/**
 * The steps of rendering that take only time, no data of the wiki: where they run is the composition root's choice,
 * so that a huge or hostile body need not keep everybody else waiting.
 */
import {
  type ExpandContext,
  type Expansion,
  escapeHtml,
  expand,
  parse,
  type References,
  type Rendered,
  type Resolved,
  references,
  render,
  type Tree,
} from '@coppice/wikitext';
import { type Comparison, compareBodies } from './diff.ts';
import { wikitextOf } from './markdown.ts';
import type { Format } from './page.ts';

/** `expand`'s context, as plain data. */
export type PlainContext = Omit<ExpandContext, 'word' | 'rules' | 'clock'>;

/** Each step may throw `TooCostly`. */
export interface Language {
  /** A body in either format as wikitext. */
  wikitext(body: string, format: Format): Promise<string>;
  /** Wikitext, as far as the templates at hand take it. */
  expand(wikitext: string, context: PlainContext): Promise<Expanded>;
  /** What an expanded text names; `draw` makes it HTML once that is resolved. `read`: the same text, where it was read already. */
  open(text: string, path: string, read?: ReadText): Promise<OpenText>;
  compare(from: string, to: string): Promise<Comparison>;
  /** The same for somebody who waits in line, within what such work may take. Without it: a member who reads or saves a page. */
  on(behalf: Behalf): Language;
}

/** For whom and for what something is computed: it decides who goes first and how much it may take. */
export interface Behalf {
  /** Whether it is no page as it is now, but a preview, an older version or a comparison. */
  isAside: boolean;
  isAnonymous: boolean;
  /** Equal for what one caller asks for; undefined where callers are not told apart. */
  caller: string | undefined;
  /** Asked before each step that takes long: may refuse it. */
  admit(): void;
  /** Told of CPU time when it has been taken. */
  spend(cpuMs: number): void;
}

/** A text took all the CPU time or memory that it may: somebody else's wait would have no end. */
export class TooCostly extends Error {
  constructor() {
    super('This takes too long to compute.');
  }
}

export interface ReadText {
  tree: Tree;
  references: References;
}

/** Whether what was read before it was expanded is what reading the expanded text gives: in it nothing can be expanded. */
export function isOf({ tree }: ReadText, text: string, path: string): boolean {
  return tree.source === text && tree.path === path && !/[{<]/.test(text);
}

export interface Expanded extends Expansion {
  /** The text holds something of the current time. */
  usedTime: boolean;
}

interface OpenText {
  references: References;
  draw(resolved: PlainResolved): Promise<Rendered>;
}

export type PlainResolved = Pick<Resolved, 'pages' | 'files' | 'page' | 'listings'>;

/** Makes trusted HTML of code in a language and of formulas; undefined: it is shown plain. */
export type Hooks = Pick<Resolved, 'highlight' | 'math'>;

/**
 * Does it all at once, here. `createHooks` is called for each text that is drawn. `clock`: milliseconds, for limits of time
 * within a text.
 */
export function createLanguage(createHooks: () => Hooks = () => ({}), clock?: () => number): Language {
  return {
    wikitext: async (body, format) => wikitextOf(body, format),
    expand: async (wikitext, context) => expandText(wikitext, context, clock),
    async open(text, path, read) {
      const tree = read?.tree ?? parse(text, { path, expanded: true, ...(clock ? { clock } : {}) });
      return {
        references: read?.references ?? references(tree),
        draw: async (resolved) => render(tree, { ...resolved, ...createHooks() }),
      };
    },
    compare: async (from, to) => compareBodies(from, to),
    on() {
      return this;
    },
  };
}

/** Markup of a text that is not rendered, with the reason. */
export function asWritten(text: string, notice: string): string {
  return `<p class="error wikitext-notice">${escapeHtml(notice)}</p><pre>${escapeHtml(text)}</pre>`;
}

export function expandText(
  wikitext: string,
  { now, ...context }: PlainContext,
  clock?: () => number,
): Expanded {
  const watched = Object.assign(new WatchedTime(now), context, clock ? { clock } : {});
  return { ...expand(wikitext, watched), usedTime: watched.wasAsked };
}

/** A class, as an accessor in a literal would have the engine make a hidden class, which lives long, for each object. */
class WatchedTime {
  wasAsked = false;
  readonly #now: PlainContext['now'];

  constructor(now: PlainContext['now']) {
    this.#now = now;
  }

  get now() {
    this.wasAsked = true;
    return this.#now;
  }
}
