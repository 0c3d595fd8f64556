/**
 * Tables in GitHub's form, from any tree: one line for each row, the first one with headings. A cell that spans several is
 * followed by empty cells, blocks in a cell become lines, and a caption becomes a paragraph above. A table with a single cell, as
 * used for boxes and frames, is replaced by its content. Tables within tables become lines as well.
 */
import type { AlignType, PhrasingContent, RootContent, TableCell, TableRow } from 'mdast';
import { trimmed } from './from-wikitext/lines.ts';

/** How a tree is read. Hidden nodes are no children. */
export interface TableTree<N> {
  /** Name of an element, `h1` to `h6` for headings; empty for everything else. */
  nameOf(node: N): string;
  childrenOf(node: N): readonly N[];
  attributeOf(node: N, name: string): string | undefined;
  /** Whether the node is a text of nothing but white space. */
  isBlank(node: N): boolean;
  isBlock(node: N): boolean;
  /** Whether the node is a block, or inline formatting around blocks. */
  holdsBlocks(node: N): boolean;
  /** Text of preformatted blocks; undefined for everything else. */
  programOf(node: N): string | undefined;
  /** Content without blocks. */
  phrasing(nodes: readonly N[]): PhrasingContent[];
  blocks(nodes: readonly N[]): RootContent[];
}

export interface TableOptions<N> {
  /** Whether only `<th>` make a row of headings. Otherwise the first row is one. */
  needsHeadings: boolean;
  /** Called with each cell whose blocks became lines. */
  flattened?: (cell: N) => void;
}

const maxSpan = 20;
const maxHeight = 1000;
const maxColumns = 100;
/** Maximum nesting of blocks in a cell. */
const deepest = 50;

/** Returns a table with its caption above it, or the content of a table with a single cell. */
export function writeTable<N>(tree: TableTree<N>, table: N, options: TableOptions<N>): RootContent[] {
  return new Table(tree, options).write(table);
}

class Table<N> {
  readonly #tree: TableTree<N>;
  readonly #options: TableOptions<N>;
  /** Alignments of the cells below the first row, by column. */
  readonly #aligned: Set<string>[] = [];

  constructor(tree: TableTree<N>, options: TableOptions<N>) {
    this.#tree = tree;
    this.#options = options;
  }

  write(table: N): RootContent[] {
    const rows = rowsOf(this.#tree, table);
    const above = this.#caption(table);
    const cells = rows.flatMap((row) => cellsOf(this.#tree, row));
    const [first] = rows;
    const [only] = cells;
    if (!first || !only) return above;
    if (cells.length === 1) return [...above, ...this.#tree.blocks(this.#tree.childrenOf(only))];
    const laidOut = this.#layOut(rows);
    const columns = laidOut.reduce((most, row) => Math.max(most, row.length), 0);
    const children = laidOut.map((row): TableRow => {
      while (row.length < columns) row.push(emptyCell());
      return { type: 'tableRow', children: row };
    });
    const hasHeadings = cellsOf(this.#tree, first).every((cell) => this.#tree.nameOf(cell) === 'th');
    if (this.#options.needsHeadings && !hasHeadings)
      children.unshift({ type: 'tableRow', children: Array.from({ length: columns }, emptyCell) });
    const align = Array.from({ length: columns }, (_, column) => this.#alignment(column));
    return [...above, { type: 'table', align, children }];
  }

  #caption(table: N): RootContent[] {
    const caption = this.#tree.childrenOf(table).find((child) => this.#tree.nameOf(child) === 'caption');
    const content = caption === undefined ? [] : onOneLine(this.#tree, this.#tree.childrenOf(caption));
    return content.length === 0
      ? []
      : [{ type: 'paragraph', children: [{ type: 'strong', children: content }] }];
  }

  #layOut(rows: readonly N[]): TableCell[][] {
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
      for (const cell of cellsOf(this.#tree, row)) {
        skipReached();
        if (at > 0 || rows.length === 1) this.#align(out.length, cell);
        const [width, height] = [
          this.#span(cell, 'colspan', maxSpan),
          this.#span(cell, 'rowspan', maxHeight),
        ];
        for (let index = 0; index < width && out.length < maxColumns; index++) {
          reaching[out.length] = height - 1;
          out.push(index === 0 ? this.#cell(cell) : emptyCell());
        }
      }
      skipReached();
      return out;
    });
  }

  #span(cell: N, name: string, most: number): number {
    const value = Number(this.#tree.attributeOf(cell, name) ?? 1);
    return Number.isInteger(value) && value > 0 ? Math.min(value, most) : 1;
  }

  #align(column: number, cell: N): void {
    const style = this.#tree.attributeOf(cell, 'style') ?? '';
    const stated = /text-align\s*:\s*(left|right|center)/i.exec(style)?.[1];
    const known = this.#aligned[column] ?? new Set();
    this.#aligned[column] = known.add(stated ?? this.#tree.attributeOf(cell, 'align') ?? '');
  }

  #alignment(column: number): AlignType {
    const [only = '', ...others] = this.#aligned[column] ?? [];
    return others.length === 0 && /^(?:left|right|center)$/.test(only) ? (only as AlignType) : null;
  }

  #cell(cell: N): TableCell {
    const { nameOf, childrenOf, isBlank, holdsBlocks } = this.#tree;
    const children = childrenOf(cell);
    const [first, ...others] = children.filter((child) => !isBlank(child));
    const isPlain =
      !children.some(holdsBlocks) ||
      (first !== undefined &&
        others.length === 0 &&
        /^(?:p|div)$/.test(nameOf(first)) &&
        !childrenOf(first).some(holdsBlocks));
    if (!isPlain) this.#options.flattened?.(cell);
    return { type: 'tableCell', children: onOneLine(this.#tree, children) };
  }
}

/** Content without blocks, in which lines are parted by `<br>`. */
function onOneLine<N>(tree: TableTree<N>, nodes: readonly N[]): PhrasingContent[] {
  return new Lines(tree).of(nodes).flatMap((line, index) => (index === 0 ? line : [lineBreak(), ...line]));
}

class Lines<N> {
  readonly #tree: TableTree<N>;
  readonly #lines: PhrasingContent[][] = [];
  #line: PhrasingContent[] = [];
  /** Nodes that are converted together, because white space between them counts. */
  #run: N[] = [];
  #depth = 0;

  constructor(tree: TableTree<N>) {
    this.#tree = tree;
  }

  of(nodes: readonly N[]): PhrasingContent[][] {
    this.#read(nodes, 0);
    this.#end();
    return this.#lines;
  }

  /** `lists`: number of lists around. */
  #read(nodes: readonly N[], lists: number): void {
    this.#depth++;
    for (const node of nodes) this.#readOne(node, lists);
    this.#depth--;
  }

  #readOne(node: N, lists: number): void {
    const { nameOf, childrenOf, isBlock, holdsBlocks, programOf } = this.#tree;
    const name = nameOf(node);
    const children = childrenOf(node);
    const program = programOf(node);
    if (name === 'br') this.#end(true);
    else if (program !== undefined) this.#program(program);
    else if (this.#depth > deepest || !holdsBlocks(node) || (children.length === 0 && name === ''))
      this.#run.push(node);
    else if (/^(?:ul|ol|menu)$/.test(name)) this.#list(node, lists);
    else if (name === 'table') this.#table(node);
    else if (isBlock(node)) {
      this.#end();
      if (/^(?:h[1-6]|dt|summary|th)$/.test(name) && !children.some(holdsBlocks)) this.#strong(children);
      else this.#read(children, lists);
      this.#end();
    } else this.#read(children, lists);
  }

  #strong(nodes: readonly N[]): void {
    const children = trimmed(this.#tree.phrasing(nodes));
    if (children.length > 0) this.#line.push({ type: 'strong', children });
  }

  #list(list: N, lists: number): void {
    this.#end();
    let number = Number(this.#tree.attributeOf(list, 'start') ?? 1) || 1;
    for (const item of this.#tree.childrenOf(list)) {
      if (this.#tree.nameOf(item) === '') continue;
      const at = this.#lines.length;
      this.#read(this.#tree.childrenOf(item), lists + 1);
      this.#end();
      const mark = this.#tree.nameOf(list) === 'ol' ? `${number++}.` : '•';
      this.#lines[at]?.unshift({ type: 'text', value: `${'\u00a0\u00a0'.repeat(lists)}${mark} ` });
    }
  }

  #program(program: string): void {
    this.#end();
    for (const line of program.replace(/^\n|\n$/g, '').split('\n')) {
      if (line.trim() !== '') this.#line.push({ type: 'inlineCode', value: line });
      this.#end();
    }
  }

  #table(node: N): void {
    this.#end();
    for (const row of rowsOf(this.#tree, node)) {
      for (const [index, cell] of cellsOf(this.#tree, row).entries()) {
        if (index > 0) this.#line.push({ type: 'text', value: ' | ' });
        const children = this.#tree.childrenOf(cell);
        this.#line.push(...(this.#depth > deepest ? [] : onOneLine(this.#tree, children)));
      }
      this.#end();
    }
  }

  /** `isForced`: whether an empty line within the content stays. */
  #end(isForced = false): void {
    if (this.#run.length > 0) this.#line.push(...withoutBreaks(this.#tree.phrasing(this.#run)));
    this.#run = [];
    const line = trimmed(this.#line);
    if (line.length > 0 || (isForced && this.#lines.length > 0)) this.#lines.push(line);
    this.#line = [];
  }
}

/** Line breaks within emphasis and links would end the row. */
function withoutBreaks(line: readonly PhrasingContent[]): PhrasingContent[] {
  return line.map((node): PhrasingContent => {
    if (node.type === 'break') return lineBreak();
    if (!('children' in node)) return node;
    return { ...node, children: withoutBreaks(node.children as PhrasingContent[]) } as PhrasingContent;
  });
}

function rowsOf<N>(tree: TableTree<N>, node: N): N[] {
  return tree.childrenOf(node).flatMap((child) => {
    const name = tree.nameOf(child);
    if (name === 'tr') return cellsOf(tree, child).length > 0 ? [child] : [];
    return /^t(?:head|body|foot)$/.test(name) ? rowsOf(tree, child) : [];
  });
}

function cellsOf<N>(tree: TableTree<N>, row: N): N[] {
  return tree.childrenOf(row).filter((child) => /^t[dh]$/.test(tree.nameOf(child)));
}

function lineBreak(): PhrasingContent {
  return { type: 'html', value: '<br>' };
}

function emptyCell(): TableCell {
  return { type: 'tableCell', children: [] };
}
