/**
 * Tables in GitHub's form: one line for each row, the first one with headings. A cell that spans several is followed by empty
 * cells, and blocks in a cell become lines. A table with a single cell, as used for boxes and frames, is replaced by its
 * content.
 */
import type { ElementNode, Node } from '@coppice/wikitext';
import type { AlignType, PhrasingContent, TableCell, TableRow } from 'mdast';
import { isHidden, isTag, paragraph, trimmed } from './lines.ts';
import type { Block, Writer } from './writer.ts';

const maxSpan = 20;
const maxColumns = 100;
const lineBreak: PhrasingContent = { type: 'html', value: '<br>' };

export function table(writer: Writer, node: ElementNode): Block[] {
  const rows = rowsOf(node);
  const captions = node.children.flatMap((child) =>
    isTag(child, 'caption') ? paragraph(writer.phrasing.of(child.children), 'strong') : [],
  );
  const cells = rows.flatMap(cellsOf);
  const [only] = cells;
  if (!only) return captions;
  if (cells.length === 1) return [...captions, ...writer.blocks(only.children)];
  const laidOut = layOut(writer, rows);
  const columns = Math.max(...laidOut.map((row) => row.length));
  const children = laidOut.map((row): TableRow => {
    while (row.length < columns) row.push(emptyCell());
    return { type: 'tableRow', children: row };
  });
  const hasHeadings = cellsOf(rows[0] as ElementNode).every(({ name }) => name === 'th');
  if (!hasHeadings)
    children.unshift({ type: 'tableRow', children: Array.from({ length: columns }, emptyCell) });
  return [...captions, { type: 'table', align: alignment(rows, columns), children }];
}

function rowsOf(node: ElementNode): ElementNode[] {
  return node.children.flatMap((child) => {
    if (child.type !== 'element' || isHidden(child)) return [];
    if (child.name === 'tr') return cellsOf(child).length > 0 ? [child] : [];
    return /^t(?:head|body|foot)$/.test(child.name) ? rowsOf(child) : [];
  });
}

function cellsOf(row: ElementNode): ElementNode[] {
  return row.children.filter(
    (child): child is ElementNode =>
      child.type === 'element' && (child.name === 'td' || child.name === 'th') && !isHidden(child),
  );
}

function layOut(writer: Writer, rows: readonly ElementNode[]): TableCell[][] {
  /** For each column: how many further rows are covered by a cell above. */
  const reaching: number[] = [];
  return rows.map((row) => {
    const out: TableCell[] = [];
    const skipReached = () => {
      while ((reaching[out.length] ?? 0) > 0 && out.length < maxColumns) {
        reaching[out.length] = (reaching[out.length] ?? 0) - 1;
        out.push(emptyCell());
      }
    };
    for (const cell of cellsOf(row)) {
      skipReached();
      const width = span(cell, 'colspan');
      const height = span(cell, 'rowspan');
      for (let index = 0; index < width && out.length < maxColumns; index++) {
        reaching[out.length] = height - 1;
        out.push(index === 0 ? { type: 'tableCell', children: contentOf(writer, cell) } : emptyCell());
      }
    }
    skipReached();
    return out;
  });
}

/** Writes the content of a cell as lines: paragraphs, and list items with a bullet. */
function contentOf(writer: Writer, cell: ElementNode): TableCell['children'] {
  if (!cell.children.some((child) => writer.holdsBlocks(child)))
    return trimmed(writer.phrasing.onOneLine(cell.children, '<br>'));
  const lines: PhrasingContent[][] = [];
  let line: Node[] = [];
  const endLine = () => {
    const content = trimmed(writer.phrasing.onOneLine(line, '<br>'));
    if (content.length > 0) lines.push(content);
    line = [];
  };
  const read = (nodes: readonly Node[], depth: number) => {
    for (const node of nodes) {
      if (!writer.holdsBlocks(node) || depth > 50 || !('children' in node) || !node.children) {
        line.push(node);
        continue;
      }
      endLine();
      read(node.children, depth + 1);
      const content = line;
      endLine();
      const last = lines.at(-1);
      if (content.length > 0 && last && isTag(node, 'li')) last.unshift({ type: 'text', value: '• ' });
    }
  };
  read(cell.children, 0);
  endLine();
  return lines.flatMap((content, index) => (index === 0 ? content : [lineBreak, ...content]));
}

function alignment(rows: readonly ElementNode[], columns: number): AlignType[] {
  const first = rows.length > 1 ? rows.slice(1) : rows;
  return Array.from({ length: columns }, (_, column) => {
    const aligned = new Set(
      first.slice(0, 20).map((row) => {
        const { style = '', align = '' } = cellsOf(row)[column]?.attributes ?? {};
        return /text-align\s*:\s*(left|right|center)/i.exec(style)?.[1] ?? align;
      }),
    );
    const [only = ''] = aligned;
    return aligned.size === 1 && /^(left|right|center)$/.test(only) ? (only as AlignType) : null;
  });
}

function span(cell: ElementNode, name: 'colspan' | 'rowspan'): number {
  const value = Number(cell.attributes?.[name] ?? 1);
  return Number.isInteger(value) && value > 0 ? Math.min(value, name === 'colspan' ? maxSpan : 1000) : 1;
}

function emptyCell(): TableCell {
  return { type: 'tableCell', children: [] };
}
