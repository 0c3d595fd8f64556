/**
 * Text in which every opaque thing (tag, template call, nowiki, …) is one NUL character, with the things beside it.
 *
 * Later passes look at plain characters only: a NUL never is part of a word, an address or a title, so nothing inside
 * an opaque thing can be mistaken for markup. Source offsets are kept as pairs of (offset here, offset in the source).
 */
import type { Token } from './token.ts';
import type { Attributes, Node } from './tree.ts';

/** What a tag does to paragraphs; see `blocks/paragraph.ts`. */
export const effect = Object.freeze({
  opensBlock: 1,
  closesBlock: 2,
  opensPre: 4,
  closesPre: 8,
  opensQuote: 16,
  closesQuote: 32,
});

/** A mark is a token already: the inline pass hands it on as it is. */
export type Mark = Token;

export type Prepared = {
  text: string;
  marks: Mark[];
  /** Offset of each mark's NUL. */
  markAt: number[];
  /** Offsets at which the distance to the source changes, and the source offsets there. */
  pieceAt: number[];
  pieceSource: number[];
  /** Piece and mark that were asked for last: the next ones are mostly near. */
  lastPiece: number;
  lastMark: number;
};

/** Builds a `Prepared` piece by piece. */
export class Composer {
  readonly result: Prepared = {
    text: '',
    marks: [],
    markAt: [],
    pieceAt: [],
    pieceSource: [],
    lastPiece: 0,
    lastMark: 0,
  };

  /** Appends `text`, which stands at `source`. */
  copy(text: string, source: number): void {
    if (text === '') return;
    this.result.pieceAt.push(this.result.text.length);
    this.result.pieceSource.push(source);
    this.result.text += text;
  }

  mark(mark: Mark): void {
    const { result } = this;
    result.pieceAt.push(result.text.length);
    result.pieceSource.push(mark.start);
    result.markAt.push(result.text.length);
    result.marks.push(mark);
    result.text += '\0';
  }

  /** Appends the part of `from` between two offsets, marks included. */
  copyFrom(from: Prepared, start: number, end: number): void {
    if (start >= end) return;
    const { result } = this;
    const shift = result.text.length - start;
    result.pieceAt.push(result.text.length);
    result.pieceSource.push(sourceOffset(from, start));
    for (let piece = lowerBound(from.pieceAt, start + 1); piece < from.pieceAt.length; piece++) {
      const at = from.pieceAt[piece] ?? 0;
      if (at >= end) break;
      result.pieceAt.push(at + shift);
      result.pieceSource.push(from.pieceSource[piece] ?? 0);
    }
    for (let index = lowerBound(from.markAt, start); index < from.markAt.length; index++) {
      const at = from.markAt[index] ?? 0;
      const mark = from.marks[index];
      if (at >= end || !mark) break;
      result.markAt.push(at + shift);
      result.marks.push(mark);
    }
    result.text += from.text.slice(start, end);
  }
}

export function openMark(
  name: string,
  start: number,
  end: number,
  attributes?: Attributes,
  node?: Node,
): Mark {
  return { kind: 'open', name, attributes, node, effects: tagEffects(name, false), start, end };
}

export function closeMark(name: string, start: number, end: number): Mark {
  return {
    kind: 'close',
    name,
    attributes: undefined,
    node: undefined,
    effects: tagEffects(name, true),
    start,
    end,
  };
}

export function leafMark(node: Node, isBlock: boolean): Mark {
  const effects = isBlock ? effect.closesBlock : 0;
  return { kind: 'leaf', name: '', attributes: undefined, node, effects, start: node.start, end: node.end };
}

/** The mark whose NUL stands at `offset`. */
export function markIn(prepared: Prepared, offset: number): Mark | undefined {
  const { markAt } = prepared;
  let index = prepared.lastMark;
  if (markAt[index] !== offset) index = markAt[index + 1] === offset ? index + 1 : lowerBound(markAt, offset);
  prepared.lastMark = index;
  return prepared.marks[index];
}

/** Where in the source the character at `offset` stands. */
export function sourceOffset(prepared: Prepared, offset: number): number {
  const { pieceAt, pieceSource } = prepared;
  if (pieceAt.length === 0) return offset;
  let piece = prepared.lastPiece;
  if ((pieceAt[piece] ?? 0) > offset) piece = lowerBound(pieceAt, offset + 1) - 1;
  else {
    // A few steps ahead, else search.
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

/** Text between two offsets for reading attributes: nowiki gives its text, other marks nothing. */
export function attributeText(prepared: Prepared, start: number, end: number): string {
  const text = prepared.text.slice(start, end);
  if (!text.includes('\0')) return text;
  let index = lowerBound(prepared.markAt, start);
  return text.replaceAll('\0', () => {
    const node = prepared.marks[index++]?.node;
    return node?.type === 'text' ? node.value : '';
  });
}

const both = new Set(['tr', 'caption', 'dt', 'dd', 'li']);
const whenOpened = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'p', 'ul', 'ol', 'dl']);
const neutral = new Set(['center', 'blockquote', 'div', 'hr', 'figure']);

function tagEffects(name: string, isClosing: boolean): number {
  let effects = 0;
  if (both.has(name)) effects = effect.opensBlock;
  else if (whenOpened.has(name)) effects = isClosing ? effect.closesBlock : effect.opensBlock;
  else if (name === 'td' || name === 'th') effects = isClosing ? effect.opensBlock : effect.closesBlock;
  else if (neutral.has(name)) effects = effect.closesBlock;
  if (name === 'pre') effects |= isClosing ? effect.closesPre : effect.opensPre;
  if (name === 'blockquote') effects |= isClosing ? effect.closesQuote : effect.opensQuote;
  return effects;
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
