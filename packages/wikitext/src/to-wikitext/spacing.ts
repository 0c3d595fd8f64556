/**
 * Blank lines between blocks. HTML shows surplus ones: two of them begin a paragraph with `<br>`, three make an empty paragraph.
 *
 *   one\n\ntwo          <p>one</p><p>two</p>
 *   one\n\n\ntwo        <p>one</p><p><br>two</p>
 *   one\n\n\n\ntwo      <p>one</p><p><br></p><p>two</p>
 *
 * Line ends beside an added or removed block are changed until the page shows as many blank lines as the edited HTML.
 */
import { withClosedComments } from '../comments.ts';
import { headings } from './elements.ts';
import { type HtmlNode, hasClass, isElement } from './html-tree.ts';

/** Content at one end of a gap. `edge`: start or end of the page, or the line of a redirect. */
export type Side = 'edge' | 'text' | 'heading' | 'block';
/** Number of line ends: at least, at most. */
export type Lines = readonly [number, number];

/** An empty paragraph, which shows nothing but blank lines. */
export function isSpacer(node: HtmlNode): boolean {
  return (
    isElement(node, 'p') &&
    Object.keys(node.attributes).every((name) => name === 'data-source') &&
    node.children.some((child) => isElement(child, 'br')) &&
    node.children.every((child) =>
      isElement(child) ? child.name === 'br' : child.type === 'text' && child.value.trim() === '',
    )
  );
}

/**
 * Returns the kind of content that a node brings to the gap beside it. Without a node, the gap ends at the edge of the page.
 */
export function sideOf(node: HtmlNode | undefined): Side {
  if (!node || (isElement(node) && hasClass(node, 'redirect'))) return 'edge';
  if (isElement(node) && headings.has(node.name)) return 'heading';
  return isElement(node, 'p') ? 'text' : 'block';
}

/** Whether a paragraph begins with a blank line that shows. `source`: its source, where a line break may be written as a tag. */
export function showsBlankLine(node: HtmlNode | undefined, source: string): boolean {
  return (
    node !== undefined &&
    isElement(node, 'p') &&
    isElement(node.children[0], 'br') &&
    !/^\s*(?:<br|\{\{)/i.test(source)
  );
}

/** Returns the number of line ends between two sides that shows `spacers` empty paragraphs. `isLate`: showsBlankLine. */
export function linesFor(before: Side, after: Side, spacers: number, isLate: boolean): Lines {
  const all = (least: number, most: number): Lines => {
    const edges = (before === 'edge' ? 1 : 0) + (after === 'edge' ? 1 : 0);
    return [Math.max(0, least + 1 - edges), Math.max(0, most + 1 - edges)];
  };
  // Blank lines behind a heading do not show.
  if (before === 'heading') return [after === 'edge' ? 0 : 1, Number.POSITIVE_INFINITY];
  if (after !== 'text') return all(2 * spacers, 2 * spacers + 1);
  const blank = 1 + 2 * spacers + (isLate ? 1 : 0);
  return all(blank === 1 && before !== 'text' ? 0 : blank, blank);
}

const hidden =
  /<!--[\s\S]*?-->|\{\{(?:[^{}]|\{\{(?:[^{}]|\{\{[^{}]*\}\})*\}\})*\}\}|\[\[[^[\]]*\]\]|__\p{L}+__/gu;

/** Counts the line ends of a gap, as far as calls and comments leave them. */
export function linesOf(gap: string): number {
  const closed = withClosedComments(gap);
  // Comments alone on their lines go with those lines. The pattern takes every comment, so that each is read once and in one way.
  const shown = closed
    .replace(/(?<![ \t])[ \t]*(?:<!--[\s\S]*?-->[ \t]*)+\n?/g, (comments, at: number) =>
      (at === 0 || closed[at - 1] === '\n') && comments.endsWith('\n') ? '' : comments,
    )
    .replace(hidden, '');
  return shown.split('\n').length - 1;
}

/** Returns the places in a gap where a block may be put in: its ends, and those of what does not show. */
export function placesIn(gap: string): number[] {
  const places = [gap.length, 0];
  for (const { index, 0: part } of withClosedComments(gap).matchAll(hidden))
    places.push(index + part.length, index);
  return places;
}

/** Joins two parts of a gap, with line ends added or taken away. Blank lines next to the joint go first; each line stays a line. */
export function fitted(left: string, right: string, [least, most]: Lines): string {
  const has = linesOf(left + right);
  const run = (/(?<!\n)\n*$/.exec(left)?.[0].length ?? 0) + (/^\n*/.exec(right)?.[0].length ?? 0);
  let change = Math.max(least - has, 0) - Math.max(has - most, 0);
  if (change === 0) return left + right;
  const kept = Math.max(Math.min(run, 1), run + change);
  change -= kept - run;
  /** Takes blank lines away while there are too many. */
  const fewer = (ends: string): string => {
    const stay = Math.max(1, ends.length + change);
    change += ends.length - stay;
    return '\n'.repeat(stay);
  };
  let before = left.replace(/(?<!\n)\n*$/, '');
  for (let at = before.lastIndexOf('\n\n'); change < 0 && at >= 0; at = before.lastIndexOf('\n\n', at - 1)) {
    let start = at;
    while (before[start - 1] === '\n') start--;
    before = before.slice(0, start) + fewer(before.slice(start, at + 2)) + before.slice(at + 2);
    at = start;
  }
  const after = right.replace(/^\n*/, '').replace(/\n{2,}/g, (ends) => (change < 0 ? fewer(ends) : ends));
  return before + '\n'.repeat(kept) + after;
}
