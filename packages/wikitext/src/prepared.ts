/**
 * Prepared text: every opaque construct (tag, template call, nowiki, …) is one NUL character, and a list beside the text holds
 * the constructs.
 *
 * Later passes examine only plain characters. A NUL is never part of a word, an address or a title, so the content of an opaque
 * construct cannot be mistaken for markup. Source offsets are kept as pairs of (offset here, offset in the source).
 */
import { char } from './characters.ts';
import { writeAttributes } from './html.ts';
import type { Token } from './token.ts';
import type { Attributes, HeadingNode, Node } from './tree.ts';

/** Effects of a tag on paragraphs; see `blocks/paragraph.ts`. */
export const effect = Object.freeze({
  opensBlock: 1,
  closesBlock: 2,
  opensPre: 4,
  closesPre: 8,
  opensQuote: 16,
  closesQuote: 32,
});

/** Meaning of a NUL. It holds no position, so tags without attributes share one mark per name. */
export type Mark = {
  readonly kind: 'open' | 'close' | 'leaf';
  readonly name: string;
  readonly attributes: Attributes | undefined;
  readonly node: Node | undefined;
  readonly effects: number;
};

export type Prepared = {
  text: string;
  marks: Mark[];
  /** Offset of each mark's NUL, and the end of the mark in the source. `sourceOffset` gives its start. */
  markAt: number[];
  markEnd: number[];
  /** Offsets at which the difference to the source offset changes, and the source offsets there. */
  pieceAt: number[];
  pieceSource: number[];
  /** Piece and mark of the last lookup. The next lookup is usually close to them. */
  lastPiece: number;
  lastMark: number;
};

/** Builds a `Prepared` piece by piece. Consecutive parts of one text are copied together. */
export class Composer {
  readonly #pieces: string[] = [];
  readonly #marks: Mark[] = [];
  readonly #markAt: number[] = [];
  readonly #markEnd: number[] = [];
  readonly #pieceAt: number[] = [];
  readonly #pieceSource: number[] = [];
  #length = 0;
  /** Last argument of `copyFrom`; its text is not copied yet. */
  #from: Prepared | undefined;
  #start = 0;
  #end = 0;

  /** Appends `text`, which stands at offset `source` of the source. */
  copy(text: string, source: number): void {
    if (text === '') return;
    this.#copyRest();
    this.#add(text, source);
  }

  open(name: string, start: number, end: number, attributes?: Attributes): void {
    const shared = sharedTag(openTags, 'open', name);
    this.#mark(attributes ? { ...shared, attributes } : shared, start, end);
  }

  /** Opens a node that is filled instead of a plain element. */
  openNode(node: HeadingNode): void {
    const { name, attributes, start, end } = node;
    this.#mark({ ...sharedTag(openTags, 'open', name), attributes, node }, start, end);
  }

  close(name: string, start: number, end: number): void {
    this.#mark(sharedTag(closeTags, 'close', name), start, end);
  }

  leaf(node: Node, isBlock: boolean): void {
    const effects = isBlock ? effect.closesBlock : 0;
    this.#mark({ kind: 'leaf', name: '', attributes: undefined, node, effects }, node.start, node.end);
  }

  #mark(mark: Mark, start: number, end: number): void {
    this.#copyRest();
    this.#markAt.push(this.#length);
    this.#markEnd.push(end);
    this.#marks.push(mark);
    this.#add('\0', start);
  }

  /** Appends the part of `from` between two offsets, marks included. */
  copyFrom(from: Prepared, start: number, end: number): void {
    if (start >= end) return;
    if (this.#from !== from || this.#end !== start) {
      this.#copyRest();
      this.#from = from;
      this.#start = start;
    }
    this.#end = end;
  }

  finish(): Prepared {
    const from = this.#from;
    if (this.#length === 0 && from && this.#start === 0 && this.#end === from.text.length) return from;
    this.#copyRest();
    const last = this.#markAt.length - 1;
    // Otherwise the end of the text would count as one character after the start of a mark that ends it.
    if (last >= 0 && this.#markAt[last] === this.#length - 1) {
      this.#pieceAt.push(this.#length);
      this.#pieceSource.push(this.#markEnd[last] ?? 0);
    }
    return {
      text: this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join(''),
      marks: this.#marks,
      markAt: this.#markAt,
      markEnd: this.#markEnd,
      pieceAt: this.#pieceAt,
      pieceSource: this.#pieceSource,
      lastPiece: 0,
      lastMark: 0,
    };
  }

  #add(text: string, source: number): void {
    this.#pieceAt.push(this.#length);
    this.#pieceSource.push(source);
    this.#pieces.push(text);
    this.#length += text.length;
  }

  #copyRest(): void {
    const from = this.#from;
    if (!from) return;
    this.#from = undefined;
    const start = this.#start;
    const end = this.#end;
    const shift = this.#length - start;
    const { pieceAt, markAt } = from;
    for (let index = lowerBound(markAt, start); index < markAt.length; index++) {
      const at = markAt[index] ?? 0;
      const mark = from.marks[index];
      if (at >= end || !mark) break;
      this.#markAt.push(at + shift);
      this.#markEnd.push(from.markEnd[index] ?? 0);
      this.#marks.push(mark);
    }
    const source = sourceOffset(from, start);
    let piece = from.lastPiece + 1;
    this.#add(from.text.slice(start, end), source);
    for (; piece < pieceAt.length; piece++) {
      const at = pieceAt[piece] ?? 0;
      if (at >= end) break;
      this.#pieceAt.push(at + shift);
      this.#pieceSource.push(from.pieceSource[piece] ?? 0);
    }
  }
}

/** Returns the token of the mark whose NUL is at `offset`. */
export function markToken(prepared: Prepared, offset: number): Token | undefined {
  const { markAt } = prepared;
  let index = prepared.lastMark;
  if (markAt[index] !== offset) index = markAt[index + 1] === offset ? index + 1 : lowerBound(markAt, offset);
  prepared.lastMark = index;
  const mark = prepared.marks[index];
  if (!mark) return undefined;
  const { kind, name, attributes, node, effects } = mark;
  const start = sourceOffset(prepared, offset);
  return { kind, start, end: prepared.markEnd[index] ?? 0, name, attributes, node, effects, count: 0 };
}

/** Returns the source offset of the character at `offset`. */
export function sourceOffset(prepared: Prepared, offset: number): number {
  const { pieceAt, pieceSource } = prepared;
  if (pieceAt.length === 0) return offset;
  let piece = prepared.lastPiece;
  if ((pieceAt[piece] ?? 0) > offset) piece = lowerBound(pieceAt, offset + 1) - 1;
  else {
    // Tries a few steps forward before the binary search.
    let steps = 0;
    while (piece + 1 < pieceAt.length && (pieceAt[piece + 1] ?? 0) <= offset && steps < 4) {
      piece++;
      steps++;
    }
    if (piece + 1 < pieceAt.length && (pieceAt[piece + 1] ?? 0) <= offset)
      piece = lowerBound(pieceAt, offset + 1) - 1;
  }
  if (piece < 0) return offset;
  prepared.lastPiece = piece;
  return (pieceSource[piece] ?? 0) + offset - (pieceAt[piece] ?? 0);
}

/** Returns the source offset after the character before `offset`, which may be a mark. */
export function sourceEnd(prepared: Prepared, offset: number): number {
  if (offset === 0) return sourceOffset(prepared, 0);
  if (prepared.text.charCodeAt(offset - 1) !== char.nul) return sourceOffset(prepared, offset - 1) + 1;
  return prepared.markEnd[lowerBound(prepared.markAt, offset - 1)] ?? 0;
}

/** Returns the offsets within a part where the source has more between two characters, such as a comment; not a CR before LF. */
export function gapsWithin({ text, pieceAt, pieceSource }: Prepared, start: number, end: number): number[] {
  const gaps: number[] = [];
  for (let piece = lowerBound(pieceAt, start + 1); piece < pieceAt.length; piece++) {
    const at = pieceAt[piece] ?? 0;
    if (at >= end) break;
    const before = (pieceSource[piece - 1] ?? 0) + at - (pieceAt[piece - 1] ?? 0);
    const gap = (pieceSource[piece] ?? 0) - before;
    if (gap > 1 || (gap === 1 && text.charCodeAt(at) !== char.newline)) gaps.push(at);
  }
  return gaps;
}

/**
 * Returns the text between two offsets for parsing attributes: nowiki counts as its text, tags as their attributes, other marks
 * as empty.
 */
export function attributeText(prepared: Prepared, start: number, end: number): string {
  const text = prepared.text.slice(start, end);
  if (!text.includes('\0')) return text;
  let index = lowerBound(prepared.markAt, start);
  return text.replaceAll('\0', () => {
    const mark = prepared.marks[index++];
    if (mark?.attributes) return `<${mark.name}${writeAttributes(mark.attributes)}>`;
    return mark?.node?.type === 'text' ? mark.node.value : '';
  });
}

/** Effects of an element's start and end tags on paragraphs. */
const effects = new Map<string, readonly [number, number]>();
const { opensBlock, closesBlock } = effect;
for (const name of 'tr caption dt dd li'.split(' ')) effects.set(name, [opensBlock, opensBlock]);
for (const name of 'table h1 h2 h3 h4 h5 h6 p ul ol dl'.split(' '))
  effects.set(name, [opensBlock, closesBlock]);
for (const name of 'td th'.split(' ')) effects.set(name, [closesBlock, opensBlock]);
for (const name of 'center details div hr figcaption figure summary'.split(' '))
  effects.set(name, [closesBlock, closesBlock]);
effects.set('pre', [opensBlock | effect.opensPre, closesBlock | effect.closesPre]);
effects.set('blockquote', [closesBlock | effect.opensQuote, closesBlock | effect.closesQuote]);

const openTags = new Map<string, Mark>();
const closeTags = new Map<string, Mark>();

/** The map stays small because names come from the allow-list. */
function sharedTag(tags: Map<string, Mark>, kind: 'open' | 'close', name: string): Mark {
  let tag = tags.get(name);
  if (!tag) {
    const own = effects.get(name)?.[kind === 'open' ? 0 : 1] ?? 0;
    tag = { kind, name, attributes: undefined, node: undefined, effects: own };
    tags.set(name, tag);
  }
  return tag;
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
