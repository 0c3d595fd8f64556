/**
 * Keeps the text to what its language can say. Pasted lists may have items of several paragraphs, two items may be joined, and Enter
 * begins a paragraph in a cell: as they are, wikitext or Markdown could not save them. They become line breaks, or stand below.
 */
import { isHistoryTransaction } from 'prosemirror-history';
import { Fragment, type Node, NodeRange } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import { TableMap } from 'prosemirror-tables';
import { liftTarget } from 'prosemirror-transform';
import type { Format } from '../marks.ts';
import { nodeType } from './commands.ts';

const items = new Set(['listItem', 'taskItem', 'definition']);
const lists = new Set(['bulletList', 'orderedList', 'definitionList']);
const cells = new Set(['cell', 'headerCell']);
const inMarkdown = new Set(['table', 'captionedTable', 'definitionList']);
const inWikitext = new Set([...items, 'orderedList']);

export function fitting(format: () => Format): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, { doc, tr }) {
      const changes = transactions.filter(({ docChanged }) => docChanged);
      if (changes.length === 0 || changes.every(isHistoryTransaction)) return null;
      const known = new Set(before.doc.children);
      const changed: number[] = [];
      const isMarkdown = format() === 'markdown';
      doc.forEach((block, at) => {
        if (known.has(block)) return;
        const add = (node: Node, offset: number) => {
          const { name } = node.type;
          const fits = isMarkdown ? inMarkdown.has(name) || cells.has(name) : inWikitext.has(name);
          if (fits || node.inlineContent || items.has(name)) changed.push(offset);
          return !node.isTextblock;
        };
        if (add(block, at)) block.descendants((node, inside) => add(node, at + 1 + inside));
      });
      // The last ones first, so that the places of those before stay.
      for (const at of changed.reverse()) {
        const type = tr.doc.nodeAt(at)?.type.name ?? '';
        if (items.has(type)) {
          joinLists(tr, at);
          if (!isMarkdown) fitItem(tr, at);
        } else if (type === 'orderedList') fitNumbers(tr, at);
        else if (cells.has(type)) fitCell(tr, at);
        else if (type === 'table') {
          fitHeaders(tr, at);
          fitMerged(tr, at);
          fitAlignment(tr, at);
        } else if (type === 'captionedTable') fitCaption(tr, at);
        else if (type === 'definitionList') fitDefinitions(tr, at);
        else fitLine(tr, at, isMarkdown);
      }
      if (isMarkdown) keepFrontMatter(tr, before.doc.firstChild);
      return tr.docChanged ? tr : null;
    },
  });
}

/** An item in wikitext is one line, with lists beneath. Other paragraphs are lines of it; anything else stands below the list. */
function fitItem(tr: Transaction, at: number): void {
  const first = tr.doc.nodeAt(at)?.firstChild;
  if (first && !isParagraph(first)) tr.replaceWith(at + 1, at + 1 + first.nodeSize, linesOf(first));
  for (let index = 1; ; index++) {
    const item = tr.doc.nodeAt(at);
    if (!item || index >= item.childCount) return;
    const child = item.child(index);
    if (lists.has(child.type.name)) continue;
    const place = placeOf(item, index, at);
    if (isParagraph(child) && isParagraph(item.child(index - 1))) {
      joinLines(tr, place);
      index--;
      continue;
    }
    const $from = tr.doc.resolve(place);
    const range = new NodeRange($from, tr.doc.resolve(at + item.nodeSize - 1), $from.depth);
    const target = liftTarget(range);
    if (target !== null) tr.lift(range, target);
    return;
  }
}

/** A cell in Markdown is one paragraph. */
function fitCell(tr: Transaction, at: number): void {
  const cell = tr.doc.nodeAt(at);
  if (!cell) return;
  for (let index = cell.childCount - 1; index >= 0; index--) {
    const child = cell.child(index);
    const place = placeOf(cell, index, at);
    if (!isParagraph(child)) tr.replaceWith(place, place + child.nodeSize, linesOf(child));
  }
  for (let now = tr.doc.nodeAt(at); now && now.childCount > 1; now = tr.doc.nodeAt(at))
    joinLines(tr, placeOf(now, 1, at), true);
}

/** The first row in Markdown is the one of headers. */
function fitHeaders(tr: Transaction, at: number): void {
  tr.doc.nodeAt(at)?.forEach((row, offset, index) => {
    const type = nodeType(index === 0 ? 'headerCell' : 'cell');
    row.forEach((cell, inside) => {
      if (cell.type !== type) tr.setNodeMarkup(at + 2 + offset + inside, type, cell.attrs);
    });
  });
}

/** Merged cells become cells beside empty ones. */
function fitMerged(tr: Transaction, at: number): void {
  const table = tr.doc.nodeAt(at);
  if (!table) return;
  const isMerged = ({ attrs }: Node) => attrs.colspan > 1 || attrs.rowspan > 1;
  if (!table.children.some((row) => row.children.some(isMerged))) return;
  const map = TableMap.get(table);
  const rows = table.children.map((row, index) => {
    const found: Node[] = [];
    for (let column = 0; column < map.width; column++) {
      const place = map.map[index * map.width + column] ?? 0;
      const cell = table.nodeAt(place);
      if (!cell) continue;
      const { top, left } = map.findCell(place);
      const attrs = { ...cell.attrs, colspan: 1, rowspan: 1, colwidth: null };
      if (top === index && left === column)
        found.push(isMerged(cell) ? cell.type.create(attrs, cell.content) : cell);
      else found.push(cell.type.create({ ...attrs, origin: null }, nodeType('paragraph').create()));
    }
    return row.copy(Fragment.from(found));
  });
  tr.replaceWith(at + 1, at + 1 + table.content.size, rows);
}

/** Columns in Markdown stand as their first cell does. That takes over how all others stand, such as numbers of a spreadsheet. */
function fitAlignment(tr: Transaction, at: number): void {
  const rows = tr.doc.nodeAt(at)?.children ?? [];
  const sides = rows[0]?.children.map(({ attrs }, column) => {
    const cells = rows.slice(1).flatMap((row) => row.maybeChild(column) ?? []);
    const others = new Set(cells.filter((cell) => cell.textContent !== '').map((cell) => cell.attrs.align));
    return attrs.align ?? (others.size === 1 ? [...others][0] : null);
  });
  let place = at + 1;
  for (const row of rows) {
    row.forEach((cell, offset, column) => {
      const side = sides?.[column] ?? null;
      if (cell.attrs.align !== side) tr.setNodeAttribute(place + 1 + offset, 'align', side);
    });
    place += row.nodeSize;
  }
}

/** Markdown has no captions: the words stand above the table. */
function fitCaption(tr: Transaction, at: number): void {
  const whole = tr.doc.nodeAt(at);
  const [caption, table] = whole?.children ?? [];
  if (!whole || !caption || !table) return;
  const words = caption.content.size > 0 ? [nodeType('paragraph').create(null, caption.content)] : [];
  tr.replaceWith(at, at + whole.nodeSize, [...words, table]);
}

/** Two lists of a kind beneath an item are read as one. */
function joinLists(tr: Transaction, at: number): void {
  const item = tr.doc.nodeAt(at);
  for (let index = (item?.childCount ?? 0) - 1; item && index > 0; index--) {
    const { type } = item.child(index);
    if (lists.has(type.name) && item.child(index - 1).type === type) tr.join(placeOf(item, index, at));
  }
}

/** Lists in wikitext begin with 1. */
function fitNumbers(tr: Transaction, at: number): void {
  if (tr.doc.nodeAt(at)?.attrs.start !== 1) tr.setNodeAttribute(at, 'start', 1);
}

/** Markdown has no lists of definitions: terms are bold lines above what they mean. */
function fitDefinitions(tr: Transaction, at: number): void {
  const list = tr.doc.nodeAt(at);
  if (!list) return;
  const bold = list.type.schema.mark('bold');
  const blocks = list.children.flatMap((child) =>
    child.isTextblock
      ? [
          nodeType('paragraph').create(
            null,
            child.children.map((part) => part.mark(bold.addToSet(part.marks))),
          ),
        ]
      : child.children,
  );
  tr.replaceWith(at, at + list.nodeSize, blocks);
}

/** A heading in Markdown is one line, code there is text only, and a link to a page has plain words without signs of links. */
function fitLine(tr: Transaction, at: number, isMarkdown: boolean): void {
  const line = tr.doc.nodeAt(at);
  line?.forEach((child, offset) => {
    const from = at + 1 + offset;
    const to = from + child.nodeSize;
    const { name } = child.type;
    const link = child.marks.find(({ type }) => type.name === 'link');
    const code = child.marks.find(({ type }) => type.name === 'code');
    const isPage = isMarkdown && link?.attrs.kind === 'page';
    // A note is a link itself.
    if (link && (name === 'note' || (isPage && !child.isText))) tr.removeMark(from, to, link);
    if (isMarkdown && code && (isPage || !child.isText)) tr.removeMark(from, to, code);
    if (isPage && child.isText)
      for (const { 0: signs, index } of child.text?.matchAll(/[[\]{}|<>]+/g) ?? [])
        tr.removeMark(from + index, from + index + signs.length, link);
    // A letter for another, so that the places after it stay.
    if (isMarkdown && name === 'hardBreak' && line.type.name === 'heading')
      tr.replaceWith(from, to, child.type.schema.text(' ', child.marks));
  });
}

/** The lines of data at the top of a page in Markdown mean something only there. */
function keepFrontMatter(tr: Transaction, first: Node | null): void {
  const isOne = first?.type.name === 'source' && /^---\n/.test(String(first.attrs.text));
  if (!isOne || tr.doc.firstChild === first) return;
  tr.doc.descendants((node, at) => {
    if (node === first) tr.delete(at, at + node.nodeSize).insert(0, node);
    return !node.isTextblock;
  });
}

function isParagraph({ type }: Node): boolean {
  return type.name === 'paragraph';
}

function placeOf(parent: Node, index: number, at: number): number {
  return parent.children.slice(0, index).reduce((place, { nodeSize }) => place + nodeSize, at + 1);
}

/** Makes one paragraph of the two around a place, with a line break between their words. `isTyped`: words may follow. */
function joinLines(tr: Transaction, place: number, isTyped = false): void {
  const { nodeBefore, nodeAfter } = tr.doc.resolve(place);
  if (nodeBefore?.content.size && (isTyped || nodeAfter?.content.size))
    tr.replaceWith(place - 1, place + 1, nodeType('hardBreak').create());
  else tr.delete(place - 1, place + 1);
}

/** A block as paragraphs: items of lists with a sign in front, code line by line. */
function linesOf(block: Node): Node[] {
  const { schema } = block.type;
  const line = (content: Fragment) => nodeType('paragraph').create(null, content);
  const found: Node[] = [];
  const text = (words: string) => (words === '' ? Fragment.empty : Fragment.from(schema.text(words)));
  const add = (node: Node, sign: string): void => {
    if (node.type.name === 'codeBlock')
      for (const words of node.textContent.split('\n')) found.push(line(text(words)));
    else if (node.isTextblock) found.push(line(text(sign).append(node.content)));
    else
      for (const [index, child] of node.children.entries())
        add(child, items.has(node.type.name) && index === 0 ? '• ' : '');
  };
  add(block, '');
  return found.length > 0 ? found : [line(Fragment.empty)];
}
