/**
 * Selective serialization: unedited blocks keep the bytes of their source. Blocks of the edited HTML are matched with those of
 * the rendered HTML, whose `data-source` gives their source range; only blocks without a match are written again. Invisible
 * constructs (comments, categories, switches) are kept even if the blocks around them change.
 */

import { lists } from './elements.ts';
import { type HtmlNode, hasClass, isElement } from './html-tree.ts';
import { matchParts } from './match.ts';
import { invisibleParts, Pieces } from './pieces.ts';
import { PreservedSource } from './preserved-source.ts';
import {
  type Block,
  blocksOf,
  isNoteList,
  isOwnAddition,
  keepNotes,
  type Unit,
  unitsOf,
  usesOf,
} from './source-blocks.ts';
import { SourceText } from './source-text.ts';
import { fitted, type Lines, linesFor, linesOf, placesIn, showsBlankLine, sideOf } from './spacing.ts';
import { TreeEdits } from './tree-edits.ts';
import type { Writer } from './writer.ts';

/** The page before it was edited as HTML. Parts that did not change keep their source. */
export type Original = {
  source: string;
  /** HTML rendered from the source, with `data-source` (see `origins` of `render`). */
  html: string;
};

/**
 * Writes edited HTML on its source. Blocks without an edit keep their bytes; what cannot be placed with certainty is written
 * anew.
 */
export function selective(
  source: string,
  before: readonly HtmlNode[],
  after: readonly HtmlNode[],
  writer: Writer,
): string {
  const text = new SourceText(source, writer.rules);
  let kept: PreservedSource | undefined;
  const preserved = () => {
    kept ??= new PreservedSource(text, before, after);
    return kept;
  };
  writer.contentsOf = (node) => {
    const contents = preserved().contents(node);
    if (contents !== undefined) writer.notes.use(usesOf(node));
    return contents;
  };
  const edits = new TreeEdits(text, before, after, writer);
  const edited = edits.texts(before, after);
  if (edited !== undefined) return edited;
  writer.keptSource = (node) => preserved().of(node);
  const { blocks: old, spacers: spacersBefore } = blocksOf(before, () => false);
  const hadNotes = before.some((node) => isOwnAddition(node) && isNoteList(node));
  const { blocks: now, spacers: spacersAfter } = blocksOf(after, (node) => hadNotes && isNoteList(node));
  const matched = matchParts(old, now);
  const units = unitsOf(source, old, matched, writer.rules);
  keepNotes(old, now, matched);
  const texts = new Map<Unit, string>();
  for (const unit of units) {
    const one = old[unit.first];
    const other = now[matched.get(unit.first) ?? -1];
    if (!one || !other || one.key === other.key) continue;
    const text = unit.after === unit.first + 1 ? edits.block(one.node, other.node, unit) : undefined;
    if (text === undefined) for (let at = unit.first; at < unit.after; at++) matched.delete(at);
    else texts.set(unit, text);
  }
  const parts = { units, old, now, matched, texts, spacersBefore, spacersAfter };
  return new Patch(source, writer, parts).written();
}

// Patching ------------------------------------------------------------------------------------------------------------

/** `texts`: new source of units that were edited in place. `spacersBefore`, `spacersAfter`: at the end of the page. */
type Parts = {
  units: readonly Unit[];
  old: readonly Block[];
  now: readonly Block[];
  matched: ReadonlyMap<number, number>;
  texts: ReadonlyMap<Unit, string>;
  spacersBefore: number;
  spacersAfter: number;
};

/** Units that go and blocks that come, between two units that stay. */
type Seam = {
  before: Unit | undefined;
  gone: readonly Unit[];
  after: Unit | undefined;
  fresh: readonly Block[];
  /** Index of the first block of `after` in the edited HTML. */
  to: number;
};

class Patch {
  readonly #source: string;
  readonly #writer: Writer;
  readonly #parts: Parts;

  constructor(source: string, writer: Writer, parts: Parts) {
    this.#source = source;
    this.#writer = writer;
    this.#parts = parts;
  }

  written(): string {
    const source = this.#source;
    const { units, now, matched, texts } = this.#parts;
    const pieces = new Pieces();
    const known = new Set(matched.values());
    let from = 0;
    let next = 0;
    for (let index = 0; index <= units.length; ) {
      // Index of the next unit that is kept. The units before it are replaced.
      let kept = index;
      while (kept < units.length && !matched.has(units[kept]?.first ?? -1)) kept++;
      const after = units[kept];
      const to = after ? (matched.get(after.first) ?? now.length) : now.length;
      // If there are no units, the matched blocks were added by the renderer, such as its notice for an empty page.
      const fresh = units.length > 0 ? now.slice(next, to) : now.filter((_, block) => !known.has(block));
      const seam = { before: units[index - 1], gone: units.slice(index, kept), after, fresh, to };
      if (!this.#fit(pieces, seam, from)) this.#join(pieces, seam, from);
      if (!after) break;
      const own = texts.get(after) ?? source.slice(after.start, after.end);
      // A space at the start of a line would be code.
      const isMoved = pieces.endsLine && after.start > 0 && source[after.start - 1] !== '\n';
      pieces.add(isMoved ? own.replace(/^[ \t]+/, '') : own);
      from = after.end;
      next = to + after.after - after.first;
      for (const { node } of now.slice(to, next)) this.#writer.notes.use(usesOf(node));
      index = kept + 1;
    }
    return pieces.toString();
  }

  /**
   * Adds all from one kept unit to the next, with the blank lines that the edited HTML shows. Returns false and adds nothing if
   * the blank lines of the rendered HTML do not follow from the source between the units.
   */
  #fit(pieces: Pieces, { before, gone, after, fresh, to }: Seam, from: number): boolean {
    const { old, now, spacersBefore, spacersAfter } = this.#parts;
    const source = this.#source;
    const [firstGone, lastGone] = [gone[0], gone.at(-1)];
    const end = after?.start ?? source.length;
    let left = source.slice(from, firstGone?.start ?? end);
    // Spaces behind a text go with it.
    let right = lastGone ? source.slice(lastGone.end, end).replace(/^[ \t]+(?=\n)/, '') : '';
    const isLate = (unit: Unit, block: Block | undefined) =>
      showsBlankLine(block?.node, source.slice(unit.start, unit.end));
    const oldLines = (one: Unit | undefined, other: Unit | undefined): Lines =>
      linesFor(
        sideOf(one && old[one.after - 1]?.node),
        sideOf(other && old[other.first]?.node),
        other ? (old[other.first]?.spacers ?? 0) : spacersBefore,
        other !== undefined && isLate(other, old[other.first]),
      );
    const spacers = after ? (now[to]?.spacers ?? 0) : spacersAfter;
    const isSame = spacers === (after ? (old[after.first]?.spacers ?? 0) : spacersBefore);
    if (gone.length === 0 && fresh.length === 0 && isSame) {
      pieces.add(left);
      return true;
    }
    const written = this.#written(fresh, lastGone ? source.slice(firstGone?.start, lastGone.end) : '');
    const last = before && old[before.after - 1]?.node;
    // A picture among others in the line of a text leaves that line as it is.
    const isInLine =
      lastGone !== undefined && left + right === '' && last !== undefined && isElement(last, 'figure');
    if (isInLine && fresh.length === 0 && written === '') return true;
    const isWithin = (gap: string, [least, most]: Lines) => linesOf(gap) >= least && linesOf(gap) <= most;
    if (!isWithin(left, oldLines(before, firstGone ?? after))) return false;
    if (lastGone && !isWithin(right, oldLines(lastGone, after))) return false;
    if ((written === '') !== (fresh.length === 0)) return false;
    const ahead = (one: HtmlNode | undefined): Lines =>
      linesFor(
        sideOf(one),
        sideOf(after && now[to]?.node),
        spacers,
        after !== undefined && isLate(after, now[to]),
      );
    if (written === '') {
      const [least, most] = ahead(last);
      const wanted = Math.max(
        least,
        Math.min(most, before && after ? this.#apart(old[before.after - 1], now[to], false) : 0),
      );
      // If any number shows the same, what comes next stands as far from the heading as what is gone.
      if (gone.length > 0 && most === Number.POSITIVE_INFINITY) {
        const ends = /(?<!\n)\n*$/.exec(left)?.[0] ?? '';
        const starts = /^\n*/.exec(right)?.[0] ?? '';
        const isNear = ends !== '' && sideOf(after && now[to]?.node) !== 'heading';
        pieces.add(left.slice(0, left.length - ends.length));
        pieces.add(isNear || ends > starts ? ends : starts);
        pieces.add(right.slice(starts.length));
      } else pieces.add(fitted(left, right, [wanted, most]));
      return true;
    }
    const [first, final] = [fresh[0], fresh.at(-1)];
    const linesLeft = linesFor(sideOf(last), sideOf(first?.node), first?.spacers ?? 0, false);
    const linesRight = ahead(final?.node);
    if (gone.length === 0) {
      const place = placesIn(left).find(
        (at) => linesOf(left.slice(0, at)) <= linesLeft[1] && linesOf(left.slice(at)) <= linesRight[1],
      );
      if (place === undefined) return false;
      [left, right] = [left.slice(0, place), left.slice(place)];
    }
    const isNew = gone.length === 0;
    const apart = (one: Block | undefined, other: Block | undefined, [least, most]: Lines): Lines => [
      Math.max(least, Math.min(most, this.#apart(one, other, isNew))),
      most,
    ];
    pieces.add(
      fitted(
        left,
        '',
        before || left !== '' ? apart(before && old[before.after - 1], first, linesLeft) : linesLeft,
      ),
    );
    pieces.add(written);
    pieces.add(fitted('', right, after ? apart(final, now[to], linesRight) : linesRight));
    return true;
  }

  /** Adds all from one kept unit to the next, with at least the line ends that keep blocks apart. */
  #join(pieces: Pieces, { before, gone, after, fresh }: Seam, from: number): void {
    const { old } = this.#parts;
    const source = this.#source;
    const end = after?.start ?? source.length;
    if (gone.length === 0 && fresh.length === 0) {
      pieces.add(source.slice(from, end));
      return;
    }
    const start = gone[0]?.start ?? end;
    const stop = gone.at(-1)?.end ?? start;
    // New text is inserted directly after kept text, before the white space that follows it.
    const insertAt = gone.length === 0 && source.slice(from, start).trim() === '' ? from : start;
    pieces.add(source.slice(from, insertAt));
    const text = this.#written(fresh, source.slice(insertAt, stop));
    const isNew = gone.length === 0;
    const lastOld = before && old[before.after - 1];
    const nextOld = after && old[after.first];
    let rest = stop;
    if (text === '') {
      pieces.owe(before && after ? this.#apart(lastOld, nextOld, isNew) : 0, '');
      // A space at the start of a line would be code.
      const space = start === 0 || source[start - 1] === '\n' ? /^[ \t]*\n*/ : /^\n*/;
      if (after) rest += space.exec(source.slice(stop))?.[0].length ?? 0;
      if (before) pieces.trimEnd(after !== undefined);
    } else {
      pieces.owe(before || insertAt > 0 ? this.#apart(lastOld, fresh[0], isNew) : 0, text);
      pieces.add(text);
      pieces.owe(after ? this.#apart(fresh.at(-1), nextOld, isNew) : 0, source.slice(stop));
    }
    pieces.add(source.slice(rest, end));
  }

  /** Returns the least number of line ends between two blocks. */
  #apart(one: Block | undefined, other: Block | undefined, isNew: boolean): number {
    const isText = ({ node }: Block) =>
      node.type === 'text' || !this.#writer.blocks.has(node) || isElement(node, 'p');
    const isList = ({ node }: Block) => isElement(node) && lists.has(node.name);
    if (one && isElement(one.node) && hasClass(one.node, 'redirect')) return 1;
    if (isNew) return 2;
    return one && other && ((isText(one) && isText(other)) || (isList(one) && isList(other))) ? 2 : 1;
  }

  #written(fresh: readonly Block[], replaced: string): string {
    const text = this.#writer.page(fresh.map(({ node }) => node)).replace(/^\n+|(?<!\s)\s+$/g, '');
    const hidden = invisibleParts(replaced, this.#writer.rules);
    return [text, ...hidden].filter((part) => part !== '').join('\n');
  }
}
