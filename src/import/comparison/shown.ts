/**
 * Counts of a document as its readers see it, by which it can be compared with the same document in another program: words, and how
 * many headings, tables, rows, cells, list items, pictures, blocks of code, notes and formulas it has.
 */
import { isBlockNamed } from '@coppice/markdown/from-html';
import type { Nodes } from 'hast';
import { percentDecoded } from '#core/model/path.ts';

export const parts = [
  'headings',
  'tables',
  'rows',
  'cells',
  'list items',
  'pictures',
  'blocks of code',
  'notes',
  'formulas',
] as const;
export type Part = (typeof parts)[number];

export interface Shown {
  /** In order, in lower case, separated by spaces. */
  words: string;
  /** Parts that are not counted in this document are absent. */
  parts: Partial<Record<Part, number>>;
  /** In order. Absent where the words of links are not known. */
  links?: ShownLink[];
}

export interface ShownLink {
  text: string;
  /** Address as written, decoded; undefined for a page that does not exist yet. */
  href: string | undefined;
}

const partOf: Readonly<Record<string, Part>> = {
  h1: 'headings',
  h2: 'headings',
  h3: 'headings',
  h4: 'headings',
  h5: 'headings',
  h6: 'headings',
  table: 'tables',
  tr: 'rows',
  td: 'cells',
  th: 'cells',
  li: 'list items',
  img: 'pictures',
  pre: 'blocks of code',
  math: 'formulas',
};
/** Elements that readers do not see, and the frame of a site around its text. */
const unseen =
  /^(?:script|style|noscript|template|head|nav|footer|object|embed|canvas|svg|iframe|audio|video|select|textarea|button|datalist)$/;
/** Parts that the wiki adds to a text: lists of other pages, other pages in place, links back from notes. */
const added = /^(?:listing(?:-empty|-more)?|page-embed|mw-cite-backlink|missing-file|toc)$/;
const isMath = /^(?:math|katex|katex-display|MathJax\w*)$/;
/** Stands for text that is not known, such as that of a template. Words that touch it are not compared. */
export const unknownText = '\uFFFC';
/** Runs of letters, marks and digits; everything else separates them. */
const word = /[\p{L}\p{M}\p{N}\uFFFC]+/gu;
/** Characters within words that are not shown: soft hyphens, joiners, variation selectors. */
const invisible = /[\u00AD\u200B-\u200D\u2060\uFE0E\uFE0F\uFEFF]/g;

/** The tree is nested at most as deep as a page may be. */
export function shownIn(root: Nodes): Shown {
  const tally = new Tally();
  addNode(root, tally);
  const links = linksIn(root);
  return links.length === 0 ? tally.shown() : { ...tally.shown(), links };
}

function linksIn(node: Nodes): ShownLink[] {
  if (node.type !== 'root' && node.type !== 'element') return [];
  const href = node.type === 'element' && node.tagName === 'a' ? node.properties.href : undefined;
  if (typeof href === 'string') return [{ text: textIn(node), href: percentDecoded(href) }];
  return node.children.flatMap(linksIn);
}

function textIn(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textIn).join('') : '';
}

export function wordsIn(text: string): string[] {
  const words = text.replace(invisible, '').normalize('NFC').toLowerCase().match(word) ?? [];
  return text.includes(unknownText) ? words.filter((word) => !word.includes(unknownText)) : words;
}

function addNode(node: Nodes, tally: Tally): void {
  if (node.type === 'text') tally.text(node.value);
  if (node.type === 'root') for (const child of node.children) addNode(child, tally);
  if (node.type !== 'element' || node.properties.hidden === true) return;
  tally.open(node.tagName, [node.properties.className].flat().map(String));
  for (const child of node.children) addNode(child, tally);
  tally.close(node.tagName);
}

interface OpenElement {
  name: string;
  isApart: boolean;
  isNotes: boolean;
  /** Kind of the box that it is. */
  kind: string | undefined;
  isBoxTitle: boolean;
  /** Number of texts before it. */
  from: number;
}

/** Counts a document from its elements and texts in order. */
export class Tally {
  readonly #texts: string[] = [];
  readonly #open: OpenElement[] = [];
  /** Number of open elements by name. */
  readonly #openNamed = new Map<string, number>();
  /** Name of the outermost element that is not seen, and how many of that name are open in it, with itself. */
  #unseen: { name: string; depth: number } | undefined;
  readonly #parts: Record<Part, number> = {
    headings: 0,
    tables: 0,
    rows: 0,
    cells: 0,
    'list items': 0,
    pictures: 0,
    'blocks of code': 0,
    notes: 0,
    formulas: 0,
  };

  text(value: string): void {
    if (!this.#unseen) this.#texts.push(value);
  }

  open(name: string, classes: readonly string[]): void {
    if (this.#unseen) {
      if (this.#unseen.name === name) this.#unseen.depth++;
      return;
    }
    if (this.#isUnseen(name, classes)) {
      this.#unseen = { name, depth: 1 };
      return;
    }
    const isNote = name === 'li' && this.#open.at(-1)?.isNotes === true;
    const part = isNote ? 'notes' : partOf[name];
    if (part !== undefined) this.#parts[part]++;
    const isApart = name === 'br' || name === 'img' || isBlockNamed(name);
    if (isApart) this.#texts.push('\n');
    const isBoxTitle = classes.includes('callout-title');
    const kind = isBoxTitle
      ? undefined
      : classes.find((one) => one.startsWith('callout-'))?.slice('callout-'.length);
    const isNotes = name === 'ol' && classes.includes('references');
    this.#openNamed.set(name, (this.#openNamed.get(name) ?? 0) + 1);
    this.#open.push({ name, isApart, isNotes, kind, isBoxTitle, from: this.#texts.length });
  }

  /** Ends the latest element of this name and all in it that were left open. */
  close(name: string): void {
    if (this.#unseen) {
      if (this.#unseen.name === name && --this.#unseen.depth === 0) this.#unseen = undefined;
      return;
    }
    if (!this.#openNamed.get(name)) return;
    for (let closed = this.#open.pop(); closed; closed = this.#open.pop()) {
      this.#end(closed);
      if (closed.name === name) return;
    }
  }

  #end({ name, from, isApart, isBoxTitle }: OpenElement): void {
    this.#openNamed.set(name, (this.#openNamed.get(name) ?? 0) - 1);
    // A box without a title of its own is named after its kind.
    const kind = this.#open.at(-1)?.kind;
    if (isBoxTitle && kind !== undefined && wordsIn(this.#texts.slice(from).join('')).join('-') === kind)
      this.#texts.length = from;
    if (isApart) this.#texts.push('\n');
  }

  shown(): Shown {
    return { words: wordsIn(this.#texts.join('')).join(' '), parts: this.#parts };
  }

  #isUnseen(name: string, classes: readonly string[]): boolean {
    if (unseen.test(name) || (name === 'sup' && classes.includes('reference'))) return true;
    if (name === 'math' || classes.some((one) => isMath.test(one))) {
      this.#parts.formulas++;
      return true;
    }
    return classes.some((one) => added.test(one));
  }
}
