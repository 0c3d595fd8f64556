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
import { wikitextOf } from './markdown.ts';
import type { Format } from './page.ts';

/** `expand`'s context, as plain data. */
export type PlainContext = Omit<ExpandContext, 'word' | 'rules' | 'clock'>;

export interface Language {
  /** A body in either format, as far as the templates at hand take it. */
  expand(body: string, format: Format, context: PlainContext): Promise<ExpandedBody>;
  /** What an expanded text names; `draw` makes it HTML once that is resolved. `read`: the same text, where it was read already. */
  open(text: string, path: string, read?: ReadText): Promise<OpenText>;
}

export interface ReadText {
  tree: Tree;
  references: References;
}

/** Whether what was read before it was expanded is what reading the expanded text gives: in it nothing can be expanded. */
export function isOf({ tree }: ReadText, text: string, path: string): boolean {
  return tree.source === text && tree.path === path && !/[{<]/.test(text);
}

export interface ExpandedBody extends Expansion {
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

/** Does it all at once, here. `createHooks` is called for each text that is drawn. */
export function createLanguage(createHooks: () => Hooks = () => ({})): Language {
  return {
    expand: async (body, format, context) => expandBody(body, format, context),
    async open(text, path, read) {
      const tree = read?.tree ?? parse(text, { path, expanded: true });
      return {
        references: read?.references ?? references(tree),
        draw: async (resolved) => render(tree, { ...resolved, ...createHooks() }),
      };
    },
  };
}

/** Markup of a text that is not rendered, with the reason. */
export function asWritten(text: string, notice: string): string {
  return `<p class="error wikitext-notice">${escapeHtml(notice)}</p><pre>${escapeHtml(text)}</pre>`;
}

export function expandBody(body: string, format: Format, { now, ...context }: PlainContext): ExpandedBody {
  const watched = Object.assign(new WatchedTime(now), context);
  return { ...expand(wikitextOf(body, format), watched), usedTime: watched.wasAsked };
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
