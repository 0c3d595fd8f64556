/**
 * Tables in GitHub's form: one line for each row, the first one with headings. A cell that spans several is followed by empty
 * cells, blocks in a cell become lines, and a caption becomes a paragraph above. A table with a single cell, as used for boxes
 * and frames, is replaced by its content. Tables within tables become lines as well.
 */
import type { Element, ElementContent } from 'hast';
import type { AlignType, PhrasingContent, RootContent, TableCell, TableRow } from 'mdast';
import { element, holdsBlocks, isBlock, isElement, text, textOf } from './elements.ts';

/** A cell whose blocks became lines, because cells of Markdown hold one line. */
export interface FlattenedCell {
  /** Text of the cell. */
  text: string;
}

const maxSpan = 20;
const maxColumns = 100;

export class Table {
  readonly #phrasingOf: (cell: Element) => PhrasingContent[];
  readonly #flattened: FlattenedCell[];

  /** Alignments of the cells below the first row, by column. */
  readonly #aligned: Set<string>[] = [];

  /** `phrasingOf`: Markdown of an element that holds no blocks. `flattened` is added to. */
  constructor(phrasingOf: (cell: Element) => PhrasingContent[], flattened: FlattenedCell[]) {
    this.#phrasingOf = phrasingOf;
    this.#flattened = flattened;
  }

  /** `blocksOf`: Markdown of an element that may hold blocks. */
  write(table: Element, blocksOf: (node: Element) => RootContent[]): RootContent[] {
    const rows = rowsOf(table);
    const caption = table.children.find((child) => isElement(child, 'caption')) as Element | undefined;
    const above = caption ? this.#caption(caption) : [];
    const cells = rows.flatMap(cellsOf);
    const [only] = cells;
    if (!only) return above;
    if (cells.length === 1) return [...above, ...blocksOf(element('div', only.children))];
    const laidOut = this.#layOut(rows);
    const columns = Math.max(...laidOut.map((row) => row.length));
    const children = laidOut.map((row): TableRow => {
      while (row.length < columns) row.push(emptyCell());
      return { type: 'tableRow', children: row };
    });
    const align = Array.from({ length: columns }, (_, column) => this.#alignment(column));
    return [...above, { type: 'table', align, children }];
  }

  #caption(caption: Element): RootContent[] {
    const content = this.#phrasingOf(element('strong', onOneLine(caption.children)));
    return content.length > 0
      ? [{ type: 'paragraph', children: [{ type: 'strong', children: content }] }]
      : [];
  }

  #layOut(rows: readonly Element[]): TableCell[][] {
    /** For each column: how many further rows are covered by a cell above. */
    const reaching: number[] = [];
    return rows.map((row, at) => {
      const out: TableCell[] = [];
      const skipReached = () => {
        while ((reaching[out.length] ?? 0) > 0 && out.length < maxColumns) {
          reaching[out.length] = (reaching[out.length] ?? 0) - 1;
          out.push(emptyCell());
        }
      };
      for (const cell of cellsOf(row)) {
        skipReached();
        if (at > 0 || rows.length === 1) this.#align(out.length, alignmentOf(cell));
        const [width, height] = [span(cell, 'colSpan'), span(cell, 'rowSpan')];
        for (let index = 0; index < width && out.length < maxColumns; index++) {
          reaching[out.length] = height - 1;
          out.push(index === 0 ? this.#cell(cell) : emptyCell());
        }
      }
      skipReached();
      return out;
    });
  }

  #align(column: number, alignment: string): void {
    const known = this.#aligned[column] ?? new Set();
    this.#aligned[column] = known.add(alignment);
  }

  #alignment(column: number): AlignType {
    const [only = '', ...others] = this.#aligned[column] ?? [];
    return others.length === 0 && /^(?:left|right|center)$/.test(only) ? (only as AlignType) : null;
  }

  #cell(cell: Element): TableCell {
    const [first, ...others] = cell.children.filter(
      (child) => child.type !== 'text' || child.value.trim() !== '',
    );
    const isPlain =
      !holdsBlocks(cell.children) ||
      (isElement(first, 'p', 'div') && others.length === 0 && !holdsBlocks(first.children));
    if (!isPlain) this.#flattened.push({ text: textOf(cell).trim() });
    return { type: 'tableCell', children: this.#phrasingOf(element('span', onOneLine(cell.children))) };
  }
}

/** Content without blocks, in which each line ends with `<br>`. */
function onOneLine(nodes: readonly ElementContent[]): ElementContent[] {
  const lines = new Lines();
  lines.read(nodes);
  return lines.all().flatMap((line, index) => (index === 0 ? line : [lineBreak(), ...line]));
}

class Lines {
  readonly #lines: ElementContent[][] = [];
  #line: ElementContent[] = [];

  all(): ElementContent[][] {
    this.#end();
    return this.#lines;
  }

  /** `depth`: number of lists around. */
  read(nodes: readonly ElementContent[], depth = 0): void {
    for (const node of nodes) this.#readOne(node, depth);
  }

  #readOne(node: ElementContent, depth: number): void {
    if (isElement(node, 'br')) this.#end(true);
    else if (isElement(node, 'ul', 'ol', 'menu')) this.#list(node, depth);
    else if (isElement(node, 'pre')) this.#program(node);
    else if (isElement(node, 'table')) this.#table(node);
    else if (node.type === 'element' && isBlock(node)) {
      this.#end();
      if (/^(?:h[1-6]|dt|summary|th)$/.test(node.tagName) && !holdsBlocks(node.children))
        this.#line.push(element('strong', node.children));
      else this.read(node.children, depth);
      this.#end();
    } else if (node.type === 'element' && holdsBlocks(node.children)) this.read(node.children, depth);
    else if (node.type === 'element' || node.type === 'text') this.#line.push(node);
  }

  #list(list: Element, depth: number): void {
    this.#end();
    let number = Number(list.properties.start ?? 1) || 1;
    for (const item of list.children) {
      if (item.type !== 'element') continue;
      const at = this.#lines.length;
      this.read(item.children, depth + 1);
      this.#end();
      const first = this.#lines[at];
      const mark = list.tagName === 'ol' ? `${number++}.` : '•';
      if (first) first.unshift(text(`${'\u00a0\u00a0'.repeat(depth)}${mark} `));
    }
  }

  #program(node: Element): void {
    this.#end();
    for (const line of textOf(node)
      .replace(/^\n|\n$/g, '')
      .split('\n')) {
      if (line.trim() !== '') this.#line.push(element('code', [text(line)]));
      this.#end();
    }
  }

  #table(node: Element): void {
    this.#end();
    for (const row of rowsOf(node)) {
      for (const [index, cell] of cellsOf(row).entries()) {
        if (index > 0) this.#line.push(text(' | '));
        this.#line.push(...onOneLine(cell.children));
      }
      this.#end();
    }
  }

  /** `isForced`: whether an empty line within the content stays. */
  #end(isForced = false): void {
    const line = trimmed(this.#line);
    if (line.length > 0 || (isForced && this.#lines.length > 0)) this.#lines.push(line);
    this.#line = [];
  }
}

function trimmed(nodes: readonly ElementContent[]): ElementContent[] {
  const isBlank = (node: ElementContent | undefined) => node?.type === 'text' && node.value.trim() === '';
  let [from, to] = [0, nodes.length];
  while (from < to && isBlank(nodes[from])) from++;
  while (to > from && isBlank(nodes[to - 1])) to--;
  return nodes.slice(from, to);
}

function lineBreak(): ElementContent {
  return element('x-raw', [text('<br>')]);
}

function rowsOf(node: Element): Element[] {
  return node.children.flatMap((child) => {
    if (isElement(child, 'tr')) return cellsOf(child).length > 0 ? [child] : [];
    return isElement(child, 'thead', 'tbody', 'tfoot') ? rowsOf(child) : [];
  });
}

function cellsOf(row: Element): Element[] {
  return row.children.filter((child): child is Element => isElement(child, 'td', 'th'));
}

function alignmentOf({ properties }: Element): string {
  const { style = '', align = '' } = properties;
  return /text-align\s*:\s*(left|right|center)/i.exec(String(style))?.[1] ?? String(align);
}

function span(cell: Element, name: 'colSpan' | 'rowSpan'): number {
  const value = Number(cell.properties[name] ?? 1);
  return Number.isInteger(value) && value > 0 ? Math.min(value, name === 'colSpan' ? maxSpan : 1000) : 1;
}

function emptyCell(): TableCell {
  return { type: 'tableCell', children: [] };
}
