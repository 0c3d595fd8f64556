/**
 * Converts tables.
 *
 *   {| class="wikitable"
 *   |+caption
 *   !head
 *   |-
 *   | colspan="2" |cell
 *   |}
 */

import { attributesOf, wasTag } from './elements.ts';
import { comment } from './escape.ts';
import { type HtmlElement, type HtmlNode, isElement, jsonOf, stringAt } from './html-tree.ts';
import { oneLine } from './one-line.ts';
import type { Writing } from './writing.ts';

const sections = new Set(['tbody', 'thead', 'tfoot']);

/** Writes a table with bars, its cells on lines of their own. */
export function table(writer: Writing, node: HtmlElement): void {
  const { out } = writer;
  const isAiry = writer.options.layout === 'airy';
  out.put(`{|${attributesOf(node)}`);
  const state = { rows: 0 };
  const visit = (children: readonly HtmlNode[]): void => {
    for (const child of children) {
      if (child.type === 'comment') out.put(comment(child.value));
      if (child.type !== 'element') continue;
      if (sections.has(child.name)) visit(child.children);
      else if (child.name === 'caption') {
        out.put(`\n|+${cellAttributes(child)}`);
        if (isAiry && cellAttributes(child) === '') out.put(' ');
        cell(writer, child, 'td');
      } else if (child.name === 'tr') row(writer, child, state, isAiry);
    }
  };
  visit(node.children);
  if (jsonOf(node, 'data-parsoid')?.autoInsertedEnd === true) return;
  out.forgetSpace();
  out.put('\n|}');
}

function row(writer: Writing, node: HtmlElement, state: { rows: number }, isAiry: boolean): void {
  const { out } = writer;
  if (wasTag(node)) {
    out.put('\n');
    oneLine(writer, [node], {});
    state.rows++;
    return;
  }
  const attributes = attributesOf(node);
  const source = stringAt(jsonOf(node, 'data-parsoid'), 'startTagSrc');
  const cells = node.children.filter((child): child is HtmlElement => isElement(child, 'td', 'th'));
  if (state.rows > 0 || attributes !== '' || source !== undefined || cells.length === 0)
    out.put(`\n${source ?? '|-'}${attributes}`);
  state.rows++;
  if (isAiry && isShort(writer, cells)) {
    const [first] = cells;
    const bar = first?.name === 'th' ? '!' : '|';
    for (const [index, one] of cells.entries()) {
      out.put(index === 0 ? `\n${bar}` : ` ${bar}${bar}`);
      airyCell(writer, one);
    }
    return;
  }
  for (const child of node.children) {
    if (child.type === 'comment') out.put(comment(child.value));
    if (!isElement(child, 'td', 'th')) continue;
    if (wasTag(child)) {
      out.put('\n');
      oneLine(writer, [child], {});
      continue;
    }
    const bar = child.name === 'th' ? '!' : '|';
    const parsoid = jsonOf(child, 'data-parsoid');
    const isRow = stringAt(parsoid, 'stx') === 'row' && out.cellLine === (child.name as 'td' | 'th');
    const start = stringAt(parsoid, 'startTagSrc');
    const open = isRow ? (start ?? bar + bar) : `\n${start === '{{!}}' ? start : bar}`;
    out.forgetSpace();
    out.put(open);
    if (isAiry) airyCell(writer, child);
    else {
      out.put(cellAttributes(child));
      cell(writer, child, child.name as 'td' | 'th');
    }
  }
}

/** Whether the row fits on one line: cells of one kind, without blocks. */
function isShort({ blocks }: Writing, cells: readonly HtmlElement[]): boolean {
  const [first] = cells;
  return (
    first !== undefined &&
    cells.every((one) => one.name === first.name && !one.children.some((child) => blocks.has(child)))
  );
}

function airyCell(writer: Writing, node: HtmlElement): void {
  const { out } = writer;
  const attributes = cellAttributes(node);
  if (attributes !== '') out.put(attributes);
  const text = out.capture(() => {
    out.put(' ');
    cell(writer, node, node.name as 'td' | 'th');
  });
  out.put(text.replace(/^ (?=\n|$)/, ''));
  out.cellLine = text.includes('\n') ? undefined : (node.name as 'td' | 'th');
}

/** Returns what follows the bars of a cell: attributes and contents, after `space`. */
export function cellText(writer: Writing, node: HtmlElement, space: string): string {
  const attributes = cellAttributes(node);
  const text = writer.lines(() => {
    writer.out.put(`|${space}`);
    cell(writer, node, node.name === 'th' ? 'th' : 'td');
  });
  return attributes + text.slice(1).replace(/^ +(?=\n|$)/, '');
}

/** Returns the attributes of a cell and their bar; an empty text for none. */
export function cellAttributes(node: HtmlElement): string {
  const attributes = attributesOf(node)
    .replaceAll('|', '&#124;')
    .replaceAll('!!', '&#33;!')
    .replaceAll('[[', '&#91;&#91;');
  return attributes === '' ? '' : `${attributes} |`;
}

/** Writes the contents of a cell, starting on its first line. */
function cell(writer: Writing, node: HtmlElement, kind: 'td' | 'th'): void {
  const { out } = writer;
  out.cellLine = kind;
  out.isLineStart = false;
  const [only, ...others] = node.children.filter(
    (child) => child.type !== 'text' || child.value.trim() !== '',
  );
  const isOneParagraph =
    isElement(only, 'p') && others.length === 0 && attributesOf(only) === '' && !/^\n/.test(leading(node));
  writer.write(isOneParagraph ? only.children : node.children, 'cell');
  out.forgetSpace();
}

function leading(node: HtmlElement): string {
  const [first] = node.children;
  return first?.type === 'text' ? first.value : '';
}
