/**
 * Converts lists.
 *
 *   <ul><li>a<ul><li>b</li></ul></li></ul>    * a
 *                                             ** b
 *
 * An item is one line, so blocks in it are written as tags. A list that cannot be written with marks is written as tags entirely.
 */

import { attributesOf, isNew, lists, wasTag } from './elements.ts';
import { comment } from './escape.ts';
import { type HtmlElement, type HtmlNode, isElement, jsonOf, stringAt } from './html-tree.ts';
import { oneLine } from './one-line.ts';
import { table } from './table.ts';
import type { Writing } from './writing.ts';

const deepest = 40;

/** Whether list marks can express the list: nothing has attributes, and inner lists come last in their items. */
export function mayBeList(writer: Writing, node: HtmlElement): boolean {
  return isMarked(writer, node, 1);
}

function isMarked(writer: Writing, node: HtmlElement, depth: number): boolean {
  if (wasTag(node) || attributesOf(node) !== '' || depth > deepest) return false;
  let hasItem = false;
  for (const item of node.children) {
    if (item.type === 'text' && item.value.trim() !== '') return false;
    if (item.type !== 'element') continue;
    hasItem = true;
    if (lists.has(item.name)) {
      if (!isMarked(writer, item, depth + 1)) return false;
      continue;
    }
    if (!/^(?:li|dt|dd)$/.test(item.name) || attributesOf(item) !== '' || wasTag(item)) return false;
    let hasInner = false;
    for (const child of item.children) {
      const isInner = child.type === 'element' && lists.has(child.name) && !wasTag(child);
      if (isInner && isMarked(writer, child, depth + 1)) hasInner = true;
      else if (isInner) return false;
      else if (hasInner && !(child.type === 'text' && child.value.trim() === '') && child.type !== 'comment')
        return false;
    }
  }
  return hasItem;
}

/** Writes a list. `above`: the marks of the lists around it, as `*#`. */
export function list(writer: Writing, node: HtmlElement, above: string): void {
  const { out } = writer;
  let isFirst = true;
  for (const item of node.children) {
    if (item.type === 'comment') {
      out.gap(isFirst && above === '' ? 0 : 1, 1);
      out.putTransparent(comment(item.value));
      isFirst = true;
      continue;
    }
    if (item.type !== 'element') continue;
    const mark =
      item.name === 'dt'
        ? ';'
        : item.name === 'dd'
          ? ':'
          : node.name === 'ol'
            ? '#'
            : node.name === 'dl'
              ? ':'
              : '*';
    if (lists.has(item.name)) {
      if (!isFirst) out.gap(1, 1);
      list(writer, item, above + mark);
    } else if (item.name === 'dd' && !isFirst && stringAt(jsonOf(item, 'data-parsoid'), 'stx') === 'row') {
      out.put(' :');
      contents(writer, item, { marks: '', above, mark });
    } else {
      if (!isFirst) out.gap(1, 1);
      contents(writer, item, { marks: above + mark, above, mark }, isFirst);
    }
    isFirst = false;
  }
}

/** `marks` begin the item's line; `above` are those of the lists around it, and `mark` is its own. A first item that has only an inner list needs no line. */
function contents(
  writer: Writing,
  item: HtmlElement,
  { marks, above, mark }: { marks: string; above: string; mark: string },
  isFirst = false,
): void {
  const { out } = writer;
  const inner = item.children.filter(
    (child): child is HtmlElement => child.type === 'element' && lists.has(child.name) && !wasTag(child),
  );
  const own = item.children.filter((child) => !inner.includes(child as HtmlElement));
  const shown = own.filter((child) => !isBlank(child) && child.type !== 'comment');
  const isIndentedTable = mark === ':' && isElement(shown[0], 'table') && shown.length === 1;
  if (isIndentedTable) {
    out.put(marks);
    for (const child of own) {
      if (isElement(child, 'table')) table(writer, child);
      else if (child.type === 'comment') out.putTransparent(comment(child.value));
    }
  } else if (!own.every(isBlank) || inner.length === 0 || !isFirst || marks === '') {
    // `{|` after marks would begin a table.
    const text = (
      writer.keptContents(item) ?? out.capture(() => oneLine(writer, own, { inTerm: mark === ';' }))
    )
      .trim()
      .replace(/^\{\|/, '<nowiki>{|</nowiki>');
    const isTight = marks !== '' && !isNew(item) && !/^[*#:;]/.test(text);
    if (marks === '') out.put(text);
    else if (!isNew(item))
      out.put(isTight ? marks + text : `${marks}<nowiki>${text[0]}</nowiki>${text.slice(1)}`);
    else out.put(text === '' ? marks : `${marks} ${text}`);
  }
  let isAlone = isFirst && own.every(isBlank) && marks !== '';
  for (const child of inner) {
    if (!isAlone) out.gap(1, 1);
    list(writer, child, above + mark);
    isAlone = false;
  }
}

function isBlank(node: HtmlNode): boolean {
  return node.type === 'text' && /^[ \t\n\r\f]*$/.test(node.value);
}
