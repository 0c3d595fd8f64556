/**
 * The steps of rendering that are pure computation without access to the wiki's data. The composition root chooses the thread
 * they run on, so that a huge or hostile body does not delay others.
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
  type Tree,
} from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import { substitute } from '@coppice/wikitext/substitute';
import type { Derive, DerivedFields, ReadText } from '../model/derived.ts';
import type { Content, Format } from '../model/page.ts';
import { type Carried, type CarriedQuote, carryQuotes } from './carry-quotes.ts';
import { type Copied, withCopiedLinks } from './copied-links.ts';
import { deriveAndRead } from './derive.ts';
import { type Comparison, compareBodies } from './diff.ts';
import { documentOf, type Patched, patchBody } from './documents.ts';
import { partsOf, type SourceParts } from './page-sections.ts';
import { type ComparedTexts, compareParagraphs, type Untranslated } from './paragraphs.ts';
import { compareShown } from './shown-diff.ts';
import { substituteMarkdown } from './substitute-markdown.ts';

/** Context of `expand` as plain data, which can be sent to a thread. */
export type PlainContext = Omit<ExpandContext, 'word' | 'rules' | 'clock' | 'functions'> & {
  dialect: Dialect;
};

/**
 * Numbers of waiting renderings: reads and saves; and previews, older versions and comparisons, of members and of strangers.
 */
export type RenderingsWaiting = Record<'pages' | 'member previews' | 'stranger previews', number>;

/** Pure steps of rendering. Each may throw `TooCostly`. */
export interface Language {
  /** Expands a body in either format with the templates available so far. */
  expand(body: string, format: Format, context: PlainContext): Promise<ExpandedBody>;
  /**
   * Parses an expanded text and returns its references; `draw` renders it as HTML or Markdown once they are resolved. `read`:
   * the same text, if it was parsed already.
   */
  open(text: ExpandedText, path: string, read?: ReadText): Promise<OpenText>;
  /** Parts of an unexpanded body that other pages may embed. */
  parts(source: SourceOfParts, dialect: Dialect): Promise<SourceParts>;
  compare(from: string, to: string): Promise<Comparison>;
  /** Changed paragraphs of an original, each beside its translation. Refuses `timeout`. */
  compareParagraphs(texts: ComparedTexts): Promise<Untranslated[]>;
  /** Compares the HTML of two versions. Refuses `timeout`. */
  compareShown(from: string, to: string): Promise<string>;
  /** The unexpanded body as a document of a visual editor, as JSON. */
  document(source: SourceOfParts, dialect: Dialect): Promise<string>;
  /** Makes the edits of a document in the body that it was made from. */
  patch(source: SourceOfParts, document: string, dialect: Dialect): Promise<Patched>;
  /** The body of a copied page, with links into the copied pages led to the copies. Refuses `too-large`. */
  copyLinks(source: SourceOfParts, copied: Copied, dialect: Dialect): Promise<string>;
  /** Places of quotes in a later text. Nothing is left of the budget if even that takes too long. */
  carryQuotes(...given: CarryingQuotes): Promise<Carried>;
  /** Refuses `too-large` for a text that takes too long. */
  derive(content: DerivedFields, dialect: Dialect): ReturnType<Derive>;
  /**
   * The same language for a caller who waits in a queue and has a limited allowance. Without it: a member who reads or saves a
   * page.
   */
  on(behalf: Behalf): Language;
}

export type CarryingQuotes = [
  texts: { before: string; after: string },
  quotes: readonly CarriedQuote[],
  changeId: number,
  left: number,
];

export type SourceOfParts = Pick<Content, 'body' | 'format' | 'path'>;

/** On whose behalf and for what purpose something is computed; decides priority and limits. */
export interface Behalf {
  /** Whether this is a preview, an older version or a comparison, and not the current page. */
  isAside: boolean;
  isAnonymous: boolean;
  /** Identifies the caller; undefined if callers are not distinguished. */
  caller: string | undefined;
  /** Called before each expensive step, which it may refuse. */
  admit(): void;
  /** Called with the CPU time that a step has taken. */
  spend(cpuMs: number): void;
}

/** Thrown when a text uses up its CPU time or memory, so that others do not wait without end. */
export class TooCostly extends Error {
  constructor() {
    super('This takes too long to compute.');
  }
}

/** A body whose templates are expanded. */
export interface ExpandedText {
  format: Format;
  text: string;
  /** For Markdown: the expansion of each call in `text`, as wikitext. */
  calls: readonly string[];
  /** Dialect of the text; the default one if absent. */
  dialect: Dialect;
}

/** Whether the tree parsed before expansion is also that of the expanded text, because the text contains nothing to expand. */
export function isOf({ tree }: ReadText, { text }: ExpandedText, path: string): boolean {
  return tree.source === text && tree.path === path && !/[{<]/.test(text);
}

export interface ExpandedBody extends Expansion, ExpandedText {
  /** Whether the text depends on the current time. */
  usedTime: boolean;
}

interface OpenText {
  references: References;
  draw(resolved: PlainResolved, output?: Output): Promise<Rendered>;
}

/** Output format. In Markdown, addresses on this wiki begin with a slash, as in HTML. */
export type Output = 'html' | 'markdown';

export type PlainResolved = Pick<Resolved, 'pages' | 'files' | 'page' | 'listings'>;

/** Convert code in a language and formulas to trusted HTML; undefined shows them as plain text. */
export type Hooks = Pick<Resolved, 'highlight' | 'math'>;

/** Runs the modules that pages call. */
export interface ModuleRunner {
  /** Starts one expansion of one body. `problems`: error messages for the page's authors. */
  begin(): { invoke: HostFunction; problems(): string[] };
}

/**
 * Runs all steps at once on this thread. `createHooks` is called for each rendered text. `clock` returns milliseconds for time
 * limits within a text. Without `modules`, `#invoke` is an unknown function.
 */
export function createLanguage(
  createHooks: () => Hooks = () => ({}),
  clock?: () => number,
  modules?: ModuleRunner,
): Language {
  return {
    expand: async (body, format, context) => expandBody({ body, format }, context, clock, modules),
    async open(text, path, read) {
      const tree = read?.tree ?? parseExpanded(text, path, clock);
      return {
        references: read?.references ?? references(tree),
        draw: async (resolved, output) => drawTree(tree, resolved, output, createHooks),
      };
    },
    parts: async (source, dialect) => partsOf(source, dialect),
    compare: async (from, to) => compareBodies(from, to),
    compareParagraphs: async (texts) => compareParagraphs(texts),
    compareShown: async (from, to) => compareShown(from, to),
    document: async (source, dialect) => documentOf(source, dialect, clock),
    patch: async (source, document, dialect) => patchBody(source, document, dialect, clock),
    copyLinks: async (source, copied, dialect) => withCopiedLinks(source, copied, dialect),
    carryQuotes: async (...given) => carryQuotes(...given),
    derive: async (content, dialect) => deriveAndRead(content, dialect),
    on() {
      return this;
    },
  };
}

/** `html` of the result is Markdown if that was requested. */
export async function drawTree(
  tree: Tree,
  resolved: PlainResolved,
  output: Output = 'html',
  createHooks: () => Hooks = () => ({}),
): Promise<Rendered> {
  if (output === 'html') return render(tree, { ...resolved, ...createHooks() });
  // Imported on first use, so that a server starts without its hundred modules.
  const { toMarkdown } = await import('@coppice/markdown/from-wikitext');
  return { html: toMarkdown(tree, resolved), outline: references(tree).sections, notices: tree.notices };
}

/** Markup that shows the source of a text that cannot be rendered, with the reason. */
export function asWritten(text: string, notice: string): string {
  return `<p class="error wikitext-notice">${escapeHtml(notice)}</p><pre>${escapeHtml(text)}</pre>`;
}

/**
 * Expands templates and functions of a body as far as the given context goes; `needs` says what else must be looked up. `clock`
 * counts CPU milliseconds, by which modules are bounded.
 */
export function expandBody(
  { body, format }: { body: string; format: Format },
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
  // Authors get the details as notices; readers, who can do nothing about them, only see a mark.
  const notices = [...expanded.notices, ...(run?.problems() ?? [])];
  return { ...expanded, notices, dialect, usedTime: watched.wasAsked };
}

function expandWikitext(body: string, context: ExpandContext): Omit<ExpandedBody, 'usedTime' | 'dialect'> {
  const expanded = context.substitutes ? substitute(body, context) : expand(body, context);
  return { format: 'wikitext', calls: [], ...expanded };
}

/**
 * Markdown is kept as it is and the expansions of its calls are returned beside it, because their wikitext would mean something
 * else within Markdown.
 */
function expandMarkdown(body: string, context: ExpandContext): Omit<ExpandedBody, 'usedTime' | 'dialect'> {
  if (context.substitutes) return { format: 'markdown', calls: [], ...substituteMarkdown(body, context) };
  const { texts, ...others } = expandAll(callsIn(body), context);
  let text = body;
  for (const notice of others.notices)
    text += `\n\n<div class="error wikitext-notice">${escapeHtml(notice)}</div>\n`;
  return { format: 'markdown', text, calls: texts, ...others };
}

/** Tree of an expanded text. `path` resolves relative links; `clock` counts CPU milliseconds. */
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

/** A class, because V8 creates a long-lived hidden class for each object literal with an accessor. */
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
