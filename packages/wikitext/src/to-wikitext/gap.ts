/** Line ends between blocks, and white space around text. */
import { headings, isNew, lists } from './elements.ts';
import { type HtmlElement, type HtmlNode, hasClass } from './html-tree.ts';

/** Container of blocks. `box`: an element that is written as tags. */
export type Container = 'page' | 'box' | 'cell';
export type Kind =
  | 'start'
  | 'text'
  | 'gap'
  | 'heading'
  | 'list'
  | 'table'
  | 'code'
  | 'rule'
  | 'tags'
  | 'media';

interface Neighbour {
  kind: Kind;
  node: HtmlElement | undefined;
}

/** Returns the minimum and maximum number of line ends between two blocks. */
export function gapBetween(
  { kind: last, node: lastNode }: Neighbour,
  { kind: next, node: nextNode }: Neighbour,
  container: Container,
  isAiry: boolean,
): [number, number] {
  const isInline = (kind: Kind) => kind === 'tags' || kind === 'media';
  if (last === 'start') {
    if (container === 'page') return [0, 1];
    if (next === 'text') return nextNode ? (container === 'box' ? [1, 2] : [0, 1]) : [0, 0];
    return isInline(next) ? [0, 2] : [1, 2];
  }
  // A blank line after a redirect would begin the next paragraph.
  if (next !== 'gap' && lastNode && hasClass(lastNode, 'redirect')) return [1, 1];
  if (last === 'gap') return next === 'text' || next === 'gap' ? [1, 1] : [0, 0];
  if (next === 'gap') return [2, 2];
  if (last === 'text' && next === 'text') return [2, 2];
  if (isAiry) return [2, 2];
  if (isInline(last) || isInline(next)) {
    // Blocks that an editor added are put on separate lines, for people who read the source.
    const bothNew = (!lastNode || isNew(lastNode)) && (!nextNode || isNew(nextNode));
    return [
      bothNew &&
      (lastNode !== undefined || container === 'page') &&
      (nextNode !== undefined || container === 'page')
        ? 1
        : 0,
      2,
    ];
  }
  if (next === 'heading' && nextNode && isNew(nextNode)) return [2, 2];
  if (last === 'list' && next === 'list') return [2, 2];
  if (container !== 'page') return [1, 2];
  if (next === 'list' && last === 'text' && nextNode && isNew(nextNode)) return [2, 2];
  if (last === 'list' && lastNode && isNew(lastNode)) return [2, 2];
  if (last === 'code' && next === 'code') return [2, 2];
  return [1, 2];
}

export function kindOf({ name }: HtmlElement): Kind {
  if (name === 'p') return 'text';
  if (headings.has(name)) return 'heading';
  if (lists.has(name)) return 'list';
  return name === 'table' ? 'table' : 'tags';
}

const blank = /^[ \t\n\r\f]*$/;

/** Returns a run of inline nodes without the white space at both ends. The given nodes are not changed. */
export function trimmedRun(nodes: readonly HtmlNode[]): HtmlNode[] {
  const isBlank = (node: HtmlNode | undefined) => node?.type === 'text' && blank.test(node.value);
  let start = 0;
  let end = nodes.length;
  while (start < end && isBlank(nodes[start])) start++;
  while (end > start && isBlank(nodes[end - 1])) end--;
  const content = nodes.slice(start, end);
  const first = content[0];
  if (first?.type === 'text') content[0] = { ...first, value: first.value.replace(/^[ \t\n\r\f]+/, '') };
  const last = content[content.length - 1];
  if (last?.type === 'text')
    content[content.length - 1] = { ...last, value: last.value.replace(/(?<![ \t\n\r\f])[ \t\n\r\f]+$/, '') };
  return content;
}

/** Returns the white space before and after the visible part of a run. In a blank run, all of it counts as before. */
export function spacesAround(run: readonly HtmlNode[]): [string, string] {
  const text = (nodes: readonly HtmlNode[]) => {
    let spaces = '';
    for (const node of nodes) {
      if (node.type !== 'text') return spaces;
      const space = /^[ \t\n\r\f]*/.exec(node.value)?.[0] ?? '';
      spaces += space;
      if (space.length < node.value.length) return spaces;
    }
    return spaces;
  };
  const before = text(run);
  if (run.every((node) => node.type === 'text' && blank.test(node.value))) return [before, ''];
  const reversed = run
    .toReversed()
    .map((node) => (node.type === 'text' ? { ...node, value: [...node.value].reverse().join('') } : node));
  return [before, text(reversed)];
}

/** Returns nodes without the line end at the end of the last text, which `<pre>` does not show. */
export function withoutEndNewline(nodes: readonly HtmlNode[]): HtmlNode[] {
  const last = nodes[nodes.length - 1];
  return last?.type === 'text'
    ? [...nodes.slice(0, -1), { ...last, value: last.value.replace(/\n$/, '') }]
    : [...nodes];
}
