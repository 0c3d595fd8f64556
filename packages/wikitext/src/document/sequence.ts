/**
 * Writes the children of a container: equal ones keep their bytes, changed ones are changed in place, and the bytes between
 * two children stay as long as both are neighbours. Comments and other invisible parts between blocks are never removed.
 */
import { alignBlocks } from './align.ts';
import type { Block, Range, SourceBlock } from './nodes.ts';

export type Container = { content: Range; children: readonly SourceBlock[] };

/** In each function, `before` is what was written already. */
export type Sequence = {
  change(old: SourceBlock, now: Block, before: string): string;
  write(now: Block, before: string): string;
  /** Line ends that two neighbours need at least. */
  separator(before: Block, after: Block): string;
  /** Source of a child that stays as it is, at a place that may have changed. */
  keep?(text: string, old: SourceBlock, before: string): string;
};

/** Returns the source of the container's content with these children instead of its own. Throws what `change` and `write` throw. */
export function writeSequence(
  source: string,
  { content, children: old }: Container,
  now: readonly Block[],
  { change, write, separator, keep = (text) => text }: Sequence,
): string {
  const pairs = alignBlocks(old, now);
  /** White space at the end of the line of each child, which stays with it. */
  const tails = old.map(({ origin }, index) => {
    const next = old[index + 1]?.origin.start ?? content.end;
    return /^[ \t]+(?=\n)/.exec(source.slice(origin.end, next))?.[0] ?? '';
  });
  /** Bytes before each child, and after the last one. */
  const gaps = [...old, undefined].map((child, index) => {
    const before = old[index - 1];
    const from = before ? before.origin.end + (tails[index - 1]?.length ?? 0) : content.start;
    return source.slice(from, child?.origin.start ?? content.end);
  });
  let out = '';
  /** First gap that is not written yet. */
  let gap = 0;
  /** White space of a line that was split, which stays at its end. */
  let carried = '';
  for (const [index, block] of now.entries()) {
    const match = pairs.get(index);
    const child = match === undefined ? undefined : old[match];
    const next = match ?? (index === 0 ? 0 : -1);
    const isAsBefore =
      match !== undefined && match === (pairs.get(index - 1) ?? -1) + 1 && (index === 0 || match > 0);
    out += isAsBefore
      ? (gaps[match] ?? '')
      : gapOf(gaps.slice(gap, next + 1), now[index - 1], block, separator);
    gap = Math.max(gap, next + 1);
    if (child && child.key === block.key)
      out += keep(source.slice(child.origin.start, child.origin.end), child, out);
    else out += child ? change(child, block, out) : write(block, out);
    carried += match === undefined ? '' : (tails[match] ?? '');
    const isSplit =
      block.type === now[index + 1]?.type && !pairs.has(index + 1) && (!child || child.key !== block.key);
    if (!isSplit) {
      out += carried;
      carried = '';
    }
  }
  const rest = gaps.slice(gap);
  return out + rest.slice(0, -1).filter(isVisible).join('') + (rest.at(-1) ?? '');
}

function gapOf(
  gaps: readonly string[],
  before: Block | undefined,
  after: Block,
  separator: Sequence['separator'],
): string {
  if (!before) return (gaps[0] ?? '') + gaps.slice(1).filter(isVisible).join('');
  const least = separator(before, after);
  const isEnough = (text: string) => lineEnds(text) >= lineEnds(least);
  // The last one may have the space that begins the line of the block.
  if (!gaps.some(isVisible)) return gaps.findLast(isEnough) ?? least;
  const all = gaps.join('');
  return isEnough(all) ? all : all + least;
}

function isVisible(gap: string): boolean {
  // Quotes in Markdown have a mark on each line.
  return /[^\s>]/.test(gap);
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}
