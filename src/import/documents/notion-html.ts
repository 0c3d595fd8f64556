/**
 * HTML of Notion's export in the terms of Markdown: callouts, tasks, bookmarks, and lists, of which Notion makes one for each item.
 * Properties of a page of a database become data.
 */
import type { Element, ElementContent, Root } from 'hast';
import { all, find, textOf } from './html.ts';

/** Modifies the tree, and returns the properties. */
export function inMarkdownTerms(root: Root): Record<string, string> | undefined {
  const properties = find(root, (one) => one.tagName === 'table' && has(one, 'properties'));
  const data: Record<string, string> = {};
  for (const row of properties ? all(properties, ({ tagName }) => tagName === 'tr') : []) {
    const [name, value] = row.children.filter((one) => one.type === 'element');
    if (name && value) data[textOf(name).trim()] = textOf(withCells(value)).trim();
  }
  convert(root);
  return properties && data;
}

function convert(node: Root | Element): void {
  const out: ElementContent[] = [];
  for (const child of node.children as ElementContent[]) {
    if (child.type !== 'element') {
      out.push(child);
      continue;
    }
    if (isDropped(child)) continue;
    // Wrappers of newer exports.
    if (child.tagName === 'div' && /display:\s*contents/.test(String(child.properties.style ?? ''))) {
      convert(child);
      for (const one of child.children) add(out, one);
      continue;
    }
    add(out, converted(child));
  }
  node.children = out;
}

/** An item belongs to the list before it, if that is of the same kind; a numbered one that begins again is another list. */
function add(out: ElementContent[], child: ElementContent): void {
  const before = out.findLast((one) => one.type !== 'text' || one.value.trim() !== '');
  const kind = child.type === 'element' ? listOf(child) : undefined;
  const isNew = child.type === 'element' && String(child.properties.start) === '1';
  if (kind !== undefined && !isNew && before?.type === 'element' && listOf(before) === kind)
    before.children.push(...(child as Element).children);
  else out.push(child);
}

function listOf(element: Element): string | undefined {
  return classesOf(element).find((name) => /^(?:bulleted-list|numbered-list|to-do-list|toggle)$/.test(name));
}

function isDropped(element: Element): boolean {
  const { tagName } = element;
  return (
    tagName === 'style' ||
    tagName === 'svg' ||
    has(element, 'page-header-icon') ||
    has(element, 'property-icon') ||
    (tagName === 'table' && has(element, 'properties'))
  );
}

function converted(child: Element): Element {
  if (child.tagName === 'nav' && has(child, 'table_of_contents')) return element('p', [markdown('[TOC]')]);
  if (has(child, 'bookmark')) return bookmark(child);
  if (has(child, 'checkbox'))
    return element('input', [], { type: 'checkbox', checked: has(child, 'checkbox-on') });
  if (/^t[dh]$/.test(child.tagName)) withCells(child);
  if (has(child, 'link-to-page'))
    for (const link of all(child, ({ tagName }) => tagName === 'a'))
      link.children = link.children.filter((one) => one.type !== 'element' || !has(one, 'icon'));
  convert(child);
  if (child.tagName === 'figure' && has(child, 'callout')) return callout(child);
  const [only] = child.children;
  // A picture links to itself.
  if (child.tagName === 'a' && only?.type === 'element' && child.children.length === 1)
    if (only.tagName === 'img' && only.properties.src === child.properties.href) return only;
  return child;
}

/** The icon stands before the first words, as in Notion's Markdown. */
function callout(figure: Element): Element {
  const icon = find(figure, (one) => has(one, 'icon'));
  const [sign, ...rest] = figure.children.filter((one) => one.type === 'element');
  const isApart = sign !== undefined && icon !== undefined && textOf(sign).trim() === textOf(icon).trim();
  const children: ElementContent[] = isApart ? rest.flatMap(({ children }) => children) : figure.children;
  const first = children.find((one) => one.type !== 'text' || one.value.trim() !== '');
  const words = isApart ? textOf(icon).trim() : '';
  if (first?.type === 'element' && first.tagName === 'p' && words !== '')
    first.children.unshift(text(`${words} `));
  else if (words !== '') children.unshift(text(`${words} `));
  return element('blockquote', [element('p', [markdown('[!note]')]), ...children]);
}

function bookmark(link: Element): Element {
  const part = (name: string) => textOf(find(link, (one) => has(one, name))).trim();
  const address = String(link.properties.href ?? '');
  const title = element('a', [text(part('bookmark-title') || address)], { href: address });
  const description = part('bookmark-description');
  return element('div', [element('p', [title]), ...(description ? [element('p', [text(description)])] : [])]);
}

/** Values that stand side by side are separated, and boxes to tick say what they say in Notion's tables. Modifies the cell. */
function withCells(cell: Element): Element {
  const children: ElementContent[] = [];
  for (const child of cell.children) {
    const isValue = child.type === 'element' && has(child, 'selected-value');
    if (isValue && children.length > 0) children.push(text(', '));
    if (child.type === 'element' && has(child, 'checkbox'))
      children.push(text(has(child, 'checkbox-on') ? 'Yes' : 'No'));
    else children.push(child);
  }
  cell.children = children;
  return cell;
}

function markdown(value: string): Element {
  return element('x-raw', [text(value)], { value, hidden: true });
}

function element(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function has(element: Element, name: string): boolean {
  return classesOf(element).includes(name);
}

function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
}
