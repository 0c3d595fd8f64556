/** Elements of pasted HTML: creation, text, cells, classes and styles. */
import type { Element, ElementContent, RootContent, Text } from 'hast';

export function isTag<Name extends string>(
  node: ElementContent | undefined,
  name: Name,
): node is Element & { tagName: Name } {
  return node?.type === 'element' && node.tagName === name;
}

export function cellsOf(table: Element): Element[] {
  return table.children.flatMap((row) => (isTag(row, 'tr') ? (row.children as Element[]) : []));
}

export function hasPicture(node: ElementContent): boolean {
  return node.type === 'element' && (node.tagName === 'img' || node.children.some(hasPicture));
}

/** All text in a node, with line breaks. Iterative, because pasted HTML may be nested deeply. */
export function textOf(node: RootContent): string {
  let text = '';
  const open: RootContent[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.type === 'text') text += next.value;
    else if (next.type === 'element' && next.tagName === 'br') text += '\n';
    else if (next.type === 'element') for (const child of next.children.toReversed()) open.push(child);
  }
  return text;
}

export function text(value: string): Text {
  return { type: 'text', value };
}

export function tag(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}

export function spansOf({ properties }: Element): Element['properties'] {
  const result: Element['properties'] = {};
  for (const name of ['colSpan', 'rowSpan']) {
    const count = Number(properties[name]);
    if (count > 1 && count <= 1000) result[name] = count;
  }
  return result;
}

export function languageOf(node: Element): Element['properties'] {
  const code = node.children.find((child) => isTag(child, 'code')) as Element | undefined;
  const language = /\b(?:language|lang|highlight-source)-([\w+#.-]{1,40})/.exec(
    `${classOf(node)} ${code ? classOf(code) : ''}`,
  )?.[1];
  return language === undefined ? {} : { className: [`language-${language}`] };
}

export function styleOf({ properties }: Element): string {
  return String(properties.style ?? '').toLowerCase();
}

export function classOf({ properties }: Element): string {
  const names = properties.className;
  return Array.isArray(names) ? names.join(' ') : String(names ?? '');
}
