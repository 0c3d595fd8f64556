/**
 * Converts intervals of a source to a tree: sorted and nested, with leaves in the gaps. Also numbers rows and columns of
 * tables.
 */
import type { CellNode, Range, SourceNode } from './nodes.ts';

/** A node and the ranges of its contents. A gap between its children is text within the contents and markup elsewhere. */
export type Interval = { node: SourceNode; contents: readonly Range[] };

/**
 * Inserts intervals into `page`, each into the smallest one that contains it. If two overlap without nesting, the later one is
 * dropped.
 */
export function nest(page: Interval, intervals: Interval[]): void {
  const order = [...intervals.entries()].sort(
    ([one, { node: left }], [other, { node: right }]) =>
      left.start - right.start || right.end - left.end || rank(left) - rank(right) || one - other,
  );
  const stack: { interval: Interval; at: number }[] = [{ interval: page, at: 0 }];
  const finish = () => {
    const top = stack.pop();
    if (top) fill(top.interval, top.at, top.interval.node.end);
  };
  let previous: SourceNode | undefined;
  for (const [, interval] of order) {
    const { node } = interval;
    if (node.start === node.end) continue;
    // Formatting that is reopened in each block appears several times with the same range.
    if (previous?.start === node.start && previous.end === node.end && previous.type === node.type) continue;
    while (stack.length > 1 && (stack[stack.length - 1]?.interval.node.end ?? 0) <= node.start) finish();
    const top = stack[stack.length - 1];
    if (!top || node.end > top.interval.node.end || node.start < top.at) continue;
    previous = node;
    fill(top.interval, top.at, node.start);
    if ('children' in top.interval.node) top.interval.node.children.push(node);
    top.at = node.end;
    if ('children' in node) stack.push({ interval, at: node.start });
  }
  while (stack.length > 0) finish();
}

/** If ranges are equal, the parameter is the outer node. */
function rank(node: SourceNode): number {
  return node.type === 'parameter' ? 0 : 1;
}

/** Adds leaves for the gap between two offsets: text within the contents of the node, marks elsewhere. */
function fill({ node, contents }: Interval, start: number, end: number): void {
  if (!('children' in node)) return;
  let at = start;
  const add = (type: 'text' | 'mark', to: number) => {
    if (to > at) node.children.push({ type, start: at, end: to });
    at = Math.max(at, to);
  };
  for (const content of contents) {
    if (content.end <= at) continue;
    add('mark', Math.min(content.start, end));
    add('text', Math.min(content.end, end));
    if (at >= end) return;
  }
  add('mark', end);
}

/** Sets each cell's row and column. A `|-` between cells begins a row. */
export function numberCells(cells: readonly CellNode[], source: string): void {
  let row = 0;
  let column = 0;
  let last: CellNode | undefined;
  for (const cell of cells) {
    if (cell.kind === 'caption') {
      cell.row = -1;
      continue;
    }
    if (last && /(?:^|\n)[ \t]*\|-/.test(source.slice(last.end - 1, cell.start))) {
      row++;
      column = 0;
    }
    cell.row = row;
    cell.column = column++;
    last = cell;
  }
}
