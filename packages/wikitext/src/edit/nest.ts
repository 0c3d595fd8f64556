/** Intervals of a source → tree: sorted and nested, with leaves in the gaps; and the rows and columns of its tables. */
import type { CellNode, Range, SourceNode } from './nodes.ts';

/** Nodes with children of their own, and where these may be text; elsewhere in them, what is no node is a mark. */
export type Interval = { node: SourceNode; contents: readonly Range[] };

/** Puts intervals into `page`, each into the smallest that holds it. What two overlap in, neither outer nor inner, stays the first's. */
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
    // Formatting that is opened again in each block copies what it holds.
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

/** If ranges are equal, the parameter is the outer one. */
function rank(node: SourceNode): number {
  return node.type === 'parameter' ? 0 : 1;
}

/** Leaves for what no node stands in between two offsets: text within the contents of the node, marks elsewhere. */
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

/** Tells each cell its row and column. Rows begin at `|-` between cells. */
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
