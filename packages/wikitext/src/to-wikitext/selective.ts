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
import { TreeEdits } from './tree-edits.ts';
import type { Writer } from './writer.ts';

/** The page before it was edited as HTML. Parts that did not change keep their source. */
export type Original = {
  source: string;
  /** HTML rendered from the source, with `data-source` (see `origins` of `render`). */
  html: string;
};

export function selective(
  source: string,
  before: readonly HtmlNode[],
  after: readonly HtmlNode[],
  writer: Writer,
): string {
  const text = new SourceText(source, writer.rules);
  const edits = new TreeEdits(text, before, after, writer);
  const edited = edits.texts(before, after);
  if (edited !== undefined) return edited;
  const kept = new PreservedSource(text, before, after);
  writer.keptSource = (node) => kept.of(node);
  const old = blocksOf(before, () => false);
  const hadNotes = before.some((node) => isOwnAddition(node) && isNoteList(node));
  const now = blocksOf(after, (node) => hadNotes && isNoteList(node));
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
  return new Patch(source, writer).blocks(units, old, now, matched, texts);
}

// Patching ------------------------------------------------------------------------------------------------------------

class Patch {
  readonly #source: string;
  readonly #writer: Writer;

  constructor(source: string, writer: Writer) {
    this.#source = source;
    this.#writer = writer;
  }

  /** `texts`: new source of units that were edited in place. */
  blocks(
    units: readonly Unit[],
    old: readonly Block[],
    now: readonly Block[],
    matched: ReadonlyMap<number, number>,
    texts: ReadonlyMap<Unit, string>,
  ): string {
    const source = this.#source;
    const end = source.length;
    const pieces = new Pieces();
    const known = new Set(matched.values());
    let from = 0;
    let next = 0;
    for (let index = 0; index <= units.length; ) {
      const unit = units[index];
      // Index of the next unit that is kept. The units before it are replaced.
      let kept = index;
      while (kept < units.length && !matched.has(units[kept]?.first ?? -1)) kept++;
      const to = units[kept] ? (matched.get(units[kept]?.first ?? -1) ?? now.length) : now.length;
      const gone = units.slice(index, kept);
      // If there are no units, the matched blocks were added by the renderer, such as its notice for an empty page.
      const fresh = units.length > 0 ? now.slice(next, to) : now.filter((_, block) => !known.has(block));
      const firstGone = gone[0];
      const lastGone = gone[gone.length - 1];
      const start = firstGone?.start ?? (unit ? unit.start : end);
      if (gone.length > 0 || fresh.length > 0) {
        const stop = lastGone?.end ?? start;
        // New text is inserted directly after kept text, before the white space that follows it.
        const insertAt =
          gone.length === 0
            ? from + (/^\s*/.exec(source.slice(from, start))?.[0].length === start - from ? 0 : start - from)
            : start;
        pieces.add(source.slice(from, insertAt));
        const text = this.#written(fresh, source.slice(insertAt, stop));
        const before = units[index - 1];
        const after = units[kept];
        const isText = (block: Block | undefined) =>
          block !== undefined &&
          (block.node.type === 'text' || !this.#writer.blocks.has(block.node) || isElement(block.node, 'p'));
        const isList = (block: Block | undefined) =>
          block !== undefined && isElement(block.node) && lists.has(block.node.name);
        const isRedirect = (block: Block | undefined) =>
          block !== undefined && isElement(block.node) && hasClass(block.node, 'redirect');
        const apart = (one: Block | undefined, other: Block | undefined) =>
          !isRedirect(one) &&
          ((isText(one) && isText(other)) || (isList(one) && isList(other)) || gone.length === 0)
            ? 2
            : 1;
        const lastOld = before && old[before.after - 1];
        const nextOld = after && old[after.first];
        if (text === '') {
          pieces.owe(before && after ? apart(lastOld, nextOld) : 0, '');
          // A space at the start of a line would be code.
          const space = start === 0 || source[start - 1] === '\n' ? /^[ \t]*\n*/ : /^\n*/;
          from = stop + (space.exec(source.slice(stop))?.[0].length ?? 0);
          if (!after) from = stop;
          if (before) pieces.trimEnd(after !== undefined);
        } else {
          pieces.owe(before || insertAt > 0 ? apart(lastOld, fresh[0]) : 0, text);
          pieces.add(text);
          pieces.owe(after ? apart(fresh[fresh.length - 1], nextOld) : 0, source.slice(stop));
          from = stop;
        }
      }
      if (!units[kept]) {
        pieces.add(source.slice(from, end));
        break;
      }
      const keptUnit = units[kept] as Unit;
      pieces.add(source.slice(from, keptUnit.start));
      pieces.add(texts.get(keptUnit) ?? source.slice(keptUnit.start, keptUnit.end));
      from = keptUnit.end;
      next = to + keptUnit.after - keptUnit.first;
      for (let block = next - keptUnit.after + keptUnit.first; block < next; block++) {
        const node = now[block]?.node;
        if (node) this.#writer.notes.use(usesOf(node));
      }
      index = kept + 1;
    }
    return pieces.toString();
  }

  #written(fresh: readonly Block[], replaced: string): string {
    const text = this.#writer.page(fresh.map(({ node }) => node)).replace(/^\n+|\s+$/g, '');
    const hidden = invisibleParts(replaced, this.#writer.rules);
    return [text, ...hidden].filter((part) => part !== '').join('\n');
  }
}
