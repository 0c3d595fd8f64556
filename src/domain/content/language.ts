/**
 * The steps of rendering that take only time, no data of the wiki: where they run is the composition root's choice,
 * so that a huge or hostile body need not keep everybody else waiting.
 */
import { callsIn, parseMarkdown, readPart } from '@coppice/markdown';
import {
  type ExpandContext,
  type Expansion,
  escapeHtml,
  expand,
  expandAll,
  type HostFunction,
  parse,
  type References,
  type Rendered,
  type Resolved,
  references,
  render,
  substitute,
  type Tree,
} from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content, Format } from '../pages/page.ts';
import { type Comparison, compareBodies } from './diff.ts';
import { partsOf, type SourceParts } from './page-sections.ts';
import { substituteMarkdown } from './substitute-markdown.ts';

/** `expand`'s context, as plain data. */
export type PlainContext = Omit<ExpandContext, 'word' | 'rules' | 'clock' | 'functions'> & {
  dialect: Dialect;
};

/** Reads and saves; previews, older versions and comparisons of members and of strangers. */
export type RenderingsWaiting = Record<'pages' | 'member previews' | 'stranger previews', number>;

/** Each step may throw `TooCostly`. */
export interface Language {
  /** A body in either format, as far as the templates at hand take it. */
  expand(body: string, format: Format, context: PlainContext): Promise<ExpandedBody>;
  /**
   * References of an expanded text; `draw` turns it into HTML or Markdown once they are resolved. `read`: the same text, if it was
   * parsed already.
   */
  open(text: ExpandedText, path: string, read?: ReadText): Promise<OpenText>;
  /** Parts of a body, as it is written, that other pages may take. */
  parts(source: SourceOfParts, dialect: Dialect): Promise<SourceParts>;
  compare(from: string, to: string): Promise<Comparison>;
  /** The same for somebody who waits in line, within what such work may take. Without it: a member who reads or saves a page. */
  on(behalf: Behalf): Language;
}

export type SourceOfParts = Pick<Content, 'body' | 'format' | 'path'>;

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

/** A body whose templates are in place. */
export interface ExpandedText {
  format: Format;
  text: string;
  /** Markdown: what stands in place of each call in `text`, as wikitext. */
  calls: readonly string[];
  /** By which it is read; without one, the default. */
  dialect: Dialect;
}

export interface ReadText {
  tree: Tree;
  references: References;
}

/** Whether what was read before it was expanded is what reading the expanded text gives: in it nothing can be expanded. */
export function isOf({ tree }: ReadText, { text }: ExpandedText, path: string): boolean {
  return tree.source === text && tree.path === path && !/[{<]/.test(text);
}

export interface ExpandedBody extends Expansion, ExpandedText {
  /** The text holds something of the current time. */
  usedTime: boolean;
}

interface OpenText {
  references: References;
  draw(resolved: PlainResolved, output?: Output): Promise<Rendered>;
}

/** In Markdown, addresses on this wiki begin with a slash, as in HTML. */
export type Output = 'html' | 'markdown';

export type PlainResolved = Pick<Resolved, 'pages' | 'files' | 'page' | 'listings'>;

/** Makes trusted HTML of code in a language and of formulas; undefined: it is shown plain. */
export type Hooks = Pick<Resolved, 'highlight' | 'math'>;

/** Runs the modules that pages call. */
export interface ModuleRunner {
  /** For one expansion of one body. `problems`: what went wrong in it, for those who write the page. */
  begin(): { invoke: HostFunction; problems(): string[] };
}

/**
 * Does it all at once, here. `createHooks` is called for each text that is drawn. `clock`: milliseconds, for limits of time
 * within a text. Without `modules`, `#invoke` is an unknown function.
 */
export function createLanguage(
  createHooks: () => Hooks = () => ({}),
  clock?: () => number,
  modules?: ModuleRunner,
): Language {
  return {
    expand: async (body, format, context) => expandBody(body, format, context, clock, modules),
    async open(text, path, read) {
      const tree = read?.tree ?? parseExpanded(text, path, clock);
      return {
        references: read?.references ?? references(tree),
        draw: async (resolved, output) => drawTree(tree, resolved, output, createHooks),
      };
    },
    parts: async (source, dialect) => partsOf(source, dialect),
    compare: async (from, to) => compareBodies(from, to),
    on() {
      return this;
    },
  };
}

/** `html` of the result is Markdown where that is asked for. */
export async function drawTree(
  tree: Tree,
  resolved: PlainResolved,
  output: Output = 'html',
  createHooks: () => Hooks = () => ({}),
): Promise<Rendered> {
  if (output === 'html') return render(tree, { ...resolved, ...createHooks() });
  // Loaded when it is first asked for, so that a server starts without its hundred modules.
  const { toMarkdown } = await import('@coppice/markdown/from-wikitext');
  return { html: toMarkdown(tree, resolved), outline: references(tree).sections, notices: tree.notices };
}

/** Markup of a text that is not rendered, with the reason. */
export function asWritten(text: string, notice: string): string {
  return `<p class="error wikitext-notice">${escapeHtml(notice)}</p><pre>${escapeHtml(text)}</pre>`;
}

export function expandBody(
  body: string,
  format: Format,
  { now, dialect, ...context }: PlainContext,
  clock?: () => number,
  modules?: ModuleRunner,
): ExpandedBody {
  const rules = rulesOf(dialect);
  const run = modules?.begin();
  const functions = run && new Map([['#invoke', run.invoke]]);
  const given = { rules, ...(clock ? { clock } : {}), ...(functions ? { functions } : {}) };
  const watched = Object.assign(new WatchedTime(now), context, given);
  const expanded = format === 'markdown' ? expandMarkdown(body, watched) : expandWikitext(body, watched);
  // Beside the text, which says only that something went wrong: readers can do nothing about it.
  const notices = [...expanded.notices, ...(run?.problems() ?? [])];
  return { ...expanded, notices, dialect, usedTime: watched.wasAsked };
}

function expandWikitext(body: string, context: ExpandContext): Omit<ExpandedBody, 'usedTime' | 'dialect'> {
  const expanded = context.substitutes ? substitute(body, context) : expand(body, context);
  return { format: 'wikitext', calls: [], ...expanded };
}

/** Markdown stays as it is, and what its calls stand for beside it: in that language they need not mean the same. */
function expandMarkdown(body: string, context: ExpandContext): Omit<ExpandedBody, 'usedTime' | 'dialect'> {
  if (context.substitutes) return { format: 'markdown', calls: [], ...substituteMarkdown(body, context) };
  const { texts, ...others } = expandAll(callsIn(body), context);
  let text = body;
  for (const notice of others.notices)
    text += `\n\n<div class="error wikitext-notice">${escapeHtml(notice)}</div>\n`;
  return { format: 'markdown', text, calls: texts, ...others };
}

export function parseExpanded(
  { format, text, calls, dialect }: ExpandedText,
  path: string,
  clock?: () => number,
): Tree {
  const options = { path, rules: rulesOf(dialect), ...(clock ? { clock } : {}) };
  return format === 'markdown'
    ? parseMarkdown(text, { ...options, calls })
    : parse(text, { ...options, expanded: true, markdown: readPart });
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
