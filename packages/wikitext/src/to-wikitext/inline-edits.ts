/**
 * Edits of inline content: words made bold, links put in, changed or taken out. Between the unchanged ends, the source is
 * written anew.
 *
 *   one two three        with `two` in bold becomes        one '''two''' three
 */

import type { Editing } from './editing.ts';
import { type HtmlElement, type HtmlNode, isElement, textOf } from './html-tree.ts';
import { type Range, rangeOf } from './source-blocks.ts';
import { AlignedTexts, type Change, tokensOf } from './text-edits.ts';
import type { Place } from './writing.ts';

/** The children of `old` from index `from` to before `to` are replaced by those of `now` from `nowFrom` to before `nowTo`. */
type Gap = {
  old: HtmlElement;
  now: HtmlElement;
  within: Range;
  from: number;
  to: number;
  nowFrom: number;
  nowTo: number;
};

/**
 * Returns the change that makes the edit of a gap in its source; undefined if its place is uncertain or blocks take part in
 * it.
 */
export function editInline(edits: Editing, gap: Gap): Change[] | undefined {
  const { old, now, from, to } = gap;
  const removed = old.children.slice(from, to);
  const fresh = now.children.slice(gap.nowFrom, gap.nowTo);
  if (old.name === 'pre' || [...removed, ...fresh].some((node) => edits.writer.blocks.has(node)))
    return undefined;
  if (removed.some((node) => isElement(node) && !rangeOf(node))) return undefined;
  // Words at both ends that stay.
  const first = sameWords(removed[0], fresh[0]);
  const last = sameWords(removed.at(-1), fresh.at(-1), {
    old: removed.length === 1 ? first : 0,
    now: fresh.length === 1 ? first : 0,
  });
  const start = startOf(edits, gap, first);
  const isPlace = removed.length === 1 && removed[0]?.type === 'text' && wordsOf(removed[0]) === first + last;
  const end = from === to || isPlace ? start : endOf(edits, gap, last);
  if (start === undefined || end === undefined || start > end) return undefined;
  if (!isCovered(edits, removed, { start, end })) return wrapChanges(edits, gap, removed, fresh);
  const text = inlineText(edits, withoutWords(fresh, first, last), gap, start);
  const { source } = edits.text;
  // A space at the start of a line would be code.
  const isIndent = text === '' && (start === 0 || source[start - 1] === '\n');
  const stop = isIndent ? end + (/^ */.exec(source.slice(end))?.[0].length ?? 0) : end;
  return isApart(source, start, stop, text) ? [{ start, end: stop, text }] : undefined;
}

/** Stands for the words that an element was put around. */
const wrapped = 'wrappedwords';

/**
 * Returns the changes where an element was put around words of a text and the calls between them: its marks at both places.
 */
function wrapChanges(
  edits: Editing,
  gap: Gap,
  removed: readonly HtmlNode[],
  fresh: readonly HtmlNode[],
): Change[] | undefined {
  const [old] = removed;
  const at = fresh.findIndex((node) => isElement(node));
  const element = fresh[at];
  const isText = ({ type }: HtmlNode | { type: undefined }) => type === 'text';
  if (removed.length !== 1 || old?.type !== 'text' || at > 1 || !isElement(element)) return undefined;
  if (!element.children.every(isText) || fresh.some((node) => node !== element && !isText(node)))
    return undefined;
  const words = tokensOf(fresh.map(textOf).join('').trimEnd());
  const same = tokensOf(old.value.trimEnd());
  if (words.length !== same.length || words.some(({ key }, index) => key !== same[index]?.key))
    return undefined;
  const first = at === 0 ? 0 : wordsOf(fresh[0] as HtmlNode);
  const start = offset(edits, gap, gap.from, { words: first, side: 'after' });
  const end = offset(edits, gap, gap.from, {
    words: first + tokensOf(textOf(element)).length,
    side: 'before',
  });
  if (start === undefined || end === undefined || start >= end) return undefined;
  const content = [{ ...element, children: [{ type: 'text', value: wrapped } as const] }];
  const [open, close] = inlineText(edits, content, gap, start).split(wrapped);
  const { source } = edits.text;
  if (open === undefined || close === undefined) return undefined;
  if (!isApart(source, start, start, open) || !isApart(source, end, end, close)) return undefined;
  return [
    { start, end: start, text: open },
    { start: end, end, text: close },
  ];
}

function startOf(edits: Editing, gap: Gap, words: number): number | undefined {
  const { old, from, to } = gap;
  const node = old.children[from];
  const before = old.children[from - 1];
  if (from < to)
    return node?.type === 'text' ? offset(edits, gap, from, { words, side: 'after' }) : rangeOf(node)?.start;
  if (before)
    return before.type === 'text'
      ? offset(edits, gap, from - 1, { words: wordsOf(before), side: 'before' })
      : rangeOf(before)?.end;
  return node?.type === 'text' ? offset(edits, gap, from, { words: 0, side: 'after' }) : rangeOf(node)?.start;
}

function endOf(edits: Editing, gap: Gap, words: number): number | undefined {
  const { old, to } = gap;
  const node = old.children[to - 1];
  return node?.type === 'text'
    ? offset(edits, gap, to - 1, { words: wordsOf(node) - words, side: 'before' })
    : rangeOf(node)?.end;
}

/** Returns the offset of a place in the old text at `index`, which lies between the elements beside the text. */
function offset(
  edits: Editing,
  { old: { children }, within }: Gap,
  index: number,
  { words, side }: { words: number; side: 'before' | 'after' },
): number | undefined {
  const isKnown = (node: HtmlNode) => rangeOf(node) !== undefined;
  const before = children.findLastIndex((node, at) => at < index && isKnown(node));
  const after = children.findIndex((node, at) => at > index && isKnown(node));
  const start = rangeOf(children[before])?.end ?? within.start;
  const run = children.slice(before + 1, after < 0 ? undefined : after);
  const aligned = new AlignedTexts(
    edits.text,
    { start, end: Math.max(start, rangeOf(children[after])?.start ?? within.end) },
    run.map(textOf),
  );
  return aligned.offset(index - before - 1, words, side);
}

/** Whether a part of the source has nothing but the text and the elements that go. */
function isCovered({ text }: Editing, removed: readonly HtmlNode[], within: Range): boolean {
  const { start, end } = text.indexes(within);
  const parts = [
    ...text.characters.slice(start, end),
    ...removed.flatMap((node) => rangeOf(node) ?? []),
    { start: within.end, end: within.end },
  ].sort((one, other) => one.start - other.start);
  let at = within.start;
  for (const part of parts) {
    if (text.source.slice(at, part.start).trim() !== '') return false;
    at = Math.max(at, part.end);
  }
  return true;
}

function withoutWords(nodes: readonly HtmlNode[], first: number, last: number): HtmlNode[] {
  return nodes.map((node, index) => {
    if (node.type !== 'text') return node;
    const tokens = tokensOf(node.value);
    const from = index === 0 ? first : 0;
    const to = index === nodes.length - 1 ? tokens.length - last : tokens.length;
    return { ...node, value: node.value.slice(tokens[from]?.start ?? node.value.length, tokens[to]?.start) };
  });
}

function inlineText({ text, writer }: Editing, nodes: readonly HtmlNode[], gap: Gap, start: number): string {
  const { old, within } = gap;
  const { name } = old;
  const [first] = nodes;
  const place: Place = { isOneLine: name !== 'p' };
  if (name === 'figcaption') place.inLink = 'file';
  if (name === 'a') place.inLink = text.source.startsWith('[[', within.start) ? 'page' : 'external';
  if (name === 'dt') place.inTerm = true;
  const written = writer.lines(() => {
    writer.out.isLineStart = start === 0 || text.source[start - 1] === '\n';
    if (name === 'td' || name === 'th') writer.out.cellLine = name;
    writer.inline(nodes, place);
  });
  // White space is left out at the start by the writer, and at the ends of a block by the reader.
  const isSpaced = gap.from > 0 || start > within.start;
  const space =
    isSpaced && first?.type === 'text' && /^\s/.test(first.value) && /^\S/.test(written) ? ' ' : '';
  return space + (gap.to === old.children.length ? written.trimEnd() : written);
}

/** Whether the new text does not join with what stands beside it. */
function isApart(source: string, start: number, end: number, text: string): boolean {
  const before = source.slice(Math.max(0, start - 2), start);
  const after = source.slice(end, end + 2);
  if (text === '') return !(before.endsWith("'") && after.startsWith("'"));
  if (before === ']]' && /^[\p{L}\p{N}]/u.test(text)) return false;
  if (text.endsWith(']]') && /^[\p{L}\p{N}]/u.test(after)) return false;
  if (/\w:\/\//.test(/(?<!\S)\S*$/.exec(text)?.[0] ?? '') && /^\S/.test(after)) return false;
  return !((before.endsWith("'") && text.startsWith("'")) || (text.endsWith("'") && after.startsWith("'")));
}

function wordsOf(node: HtmlNode): number {
  return node.type === 'text' ? tokensOf(node.value).length : 0;
}

/** Returns the number of words that two texts begin with; if `taken` words at their starts are given, that they end with. */
function sameWords(
  one: HtmlNode | undefined,
  other: HtmlNode | undefined,
  taken?: { old: number; now: number },
): number {
  if (one?.type !== 'text' || other?.type !== 'text') return 0;
  const [before, after] = [tokensOf(one.value), tokensOf(other.value)];
  if (taken) {
    before.splice(0, taken.old);
    after.splice(0, taken.now);
    before.reverse();
    after.reverse();
  }
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same]?.key === after[same]?.key) same++;
  return same;
}
