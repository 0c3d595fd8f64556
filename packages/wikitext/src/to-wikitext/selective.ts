/**
 * Selective serialization: unedited blocks keep the bytes of their source. Blocks of the edited HTML are matched with those of
 * the rendered HTML, whose `data-source` gives their source range; only blocks without a match are written again. Invisible
 * constructs (comments, categories, switches) are kept even if the blocks around them change.
 */

import { lists } from './elements.ts';
import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';
import { list } from './list.ts';
import { longestMatch } from './match.ts';
import { invisibleParts, Pieces } from './pieces.ts';
import {
  type Block,
  blocksOf,
  isNoteList,
  isOwnAddition,
  keepNotes,
  keyOf,
  type Range,
  rangeOf,
  type Unit,
  unitsOf,
  usesOf,
} from './source-blocks.ts';
import type { Writer } from './writer.ts';

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
  const old = blocksOf(before, () => false);
  const hadNotes = before.some((node) => isOwnAddition(node) && isNoteList(node));
  const now = blocksOf(after, (node) => hadNotes && isNoteList(node));
  const matched = longestMatch(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  );
  const units = unitsOf(source, old, matched, writer.rules);
  keepNotes(old, now, matched);
  return new Patch(source, writer).blocks(units, old, now, matched, source.length);
}

// Patching ------------------------------------------------------------------------------------------------------------

class Patch {
  readonly #source: string;
  readonly #writer: Writer;

  constructor(source: string, writer: Writer) {
    this.#source = source;
    this.#writer = writer;
  }

  blocks(
    units: readonly Unit[],
    old: readonly Block[],
    now: readonly Block[],
    matched: ReadonlyMap<number, number>,
    end: number,
  ): string {
    const source = this.#source;
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
        const text = this.#refined(gone, old, fresh) ?? this.#written(fresh, source.slice(insertAt, stop));
        const before = units[index - 1];
        const after = units[kept];
        const isText = (block: Block | undefined) =>
          block !== undefined &&
          (block.node.type === 'text' || !this.#writer.blocks.has(block.node) || isElement(block.node, 'p'));
        const isList = (block: Block | undefined) =>
          block !== undefined && isElement(block.node) && lists.has(block.node.name);
        const apart = (one: Block | undefined, other: Block | undefined) =>
          (isText(one) && isText(other)) || (isList(one) && isList(other)) || gone.length === 0 ? 2 : 1;
        const lastOld = before && old[before.after - 1];
        const nextOld = after && old[after.first];
        if (text === '') {
          pieces.owe(before && after ? apart(lastOld, nextOld) : 0, '');
          from = stop + (/^\n*/.exec(source.slice(stop))?.[0].length ?? 0);
          if (!after) from = stop;
          pieces.trimEnd(before !== undefined && after !== undefined);
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
      pieces.add(source.slice(from, keptUnit.end));
      from = keptUnit.end;
      next = to + keptUnit.after - keptUnit.first;
      for (let block = keptUnit.first; block < keptUnit.after; block++) {
        const node = old[block]?.node;
        if (node) this.#writer.usedNotes(usesOf(node));
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

  /** Returns the source of a list with only the edited items replaced; undefined if that is not possible. */
  #refined(gone: readonly Unit[], old: readonly Block[], fresh: readonly Block[]): string | undefined {
    const [unit] = gone;
    if (!unit || gone.length !== 1 || fresh.length !== 1 || unit.after !== unit.first + 1) return undefined;
    const before = old[unit.first]?.node;
    const after = fresh[0]?.node;
    if (!isElement(before) || !isElement(after)) return undefined;
    return this.#items(before, after, 1, unit);
  }

  /** Returns the source of the items in `within`, with edited ones replaced; undefined if their lines cannot be separated. */
  #items(before: HtmlElement, after: HtmlElement, level: number, within: Range): string | undefined {
    if (before.name !== after.name || !lists.has(before.name) || level > 40) return undefined;
    const source = this.#source;
    const old = blocksOf(before.children, () => false);
    const now = blocksOf(after.children, () => false);
    let above: string | undefined;
    for (const [index, { range, node }] of old.entries()) {
      const marks = range && /^[*#:;]+/.exec(source.slice(range.start, range.start + 60))?.[0];
      const isLine = range && (range.start === 0 || source[range.start - 1] === '\n');
      if (!marks || !isLine || marks.length < level || !isElement(node)) return undefined;
      if (
        range.start < within.start ||
        range.end < range.start ||
        (index > 0 && range.start < (old[index - 1]?.range?.end ?? 0))
      )
        return undefined;
      above ??= marks.slice(0, level - 1);
      if (marks.slice(0, level - 1) !== above) return undefined;
    }
    if (above === undefined || now.length === 0) return undefined;
    const lead = above;
    const matched = longestMatch(
      old.map(({ key }) => key),
      now.map(({ key }) => key),
    );
    const back = new Map([...matched].map(([one, other]) => [other, one]));
    const lines: string[] = [];
    // Invisible constructs are written after the list, because between two items they would end it.
    const hidden: string[] = [];
    let at = 0;
    for (const [index, block] of now.entries()) {
      const same = back.get(index);
      const own = (item: number | undefined) => {
        const range = item === undefined ? undefined : old[item]?.range;
        return range ? source.slice(range.start, Math.min(range.end, within.end)).replace(/\n+$/, '') : '';
      };
      if (same !== undefined) {
        for (; at < same; at++) hidden.push(...invisibleParts(own(at), this.#writer.rules));
        lines.push(own(same));
        at = same + 1;
        continue;
      }
      const replaced = old[at] && !matched.has(at) ? at : undefined;
      const inner =
        replaced === undefined ? undefined : this.#inner(old[replaced] as Block, block, level, within);
      if (inner !== undefined) lines.push(inner);
      else {
        lines.push(
          this.#writer.lines(() =>
            list(this.#writer, { ...after, attributes: {}, children: [block.node] }, lead),
          ),
        );
        if (replaced !== undefined) hidden.push(...invisibleParts(own(replaced), this.#writer.rules));
      }
      if (replaced !== undefined) at = replaced + 1;
    }
    for (; at < old.length; at++) {
      const range = old[at]?.range;
      if (range)
        hidden.push(
          ...invisibleParts(source.slice(range.start, Math.min(range.end, within.end)), this.#writer.rules),
        );
    }
    return [...lines, ...hidden].join('\n');
  }

  /** Returns the source of an item in which only the inner list has changed. */
  #inner(before: Block, after: Block, level: number, within: Range): string | undefined {
    if (!isElement(before.node) || !isElement(after.node) || !before.range) return undefined;
    const split = (item: HtmlElement) => {
      const inner = item.children.filter(
        (child): child is HtmlElement => isElement(child) && lists.has(child.name),
      );
      const own = item.children.filter((child) => !inner.includes(child as HtmlElement));
      return {
        inner,
        own: own
          .map((child) => keyOf(child, new Map()))
          .join('')
          .trim(),
      };
    };
    const one = split(before.node);
    const other = split(after.node);
    const [inner] = one.inner;
    const [edited] = other.inner;
    const range = inner && rangeOf(inner);
    if (
      one.own !== other.own ||
      one.inner.length !== 1 ||
      other.inner.length !== 1 ||
      !inner ||
      !edited ||
      !range
    )
      return undefined;
    const items = this.#items(inner, edited, level + 1, within);
    return items === undefined ? undefined : this.#source.slice(before.range.start, range.start) + items;
  }
}
