/** Elements of HTML: kinds, text, creation. */
import type { Element, ElementContent, Nodes } from 'hast';

const blocks = new Set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

export function isElement<Name extends string>(
  node: Nodes | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } {
  return node?.type === 'element' && (names as string[]).includes(node.tagName);
}

export function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && isBlockNamed(node.tagName);
}

/** Whether HTML elements of this name, in lower case, stand on lines of their own. */
export function isBlockNamed(name: string): boolean {
  return blocks.has(name);
}

/** Whether a block stands anywhere within the nodes. */
export function holdsBlocks(nodes: readonly ElementContent[]): boolean {
  return nodes.some((node) => isBlock(node) || (node.type === 'element' && holdsBlocks(node.children)));
}

/** Returns the text of a node and its descendants, with `<br>` as a line end. */
export function textOf(node: Nodes | undefined): string {
  if (!node) return '';
  if (node.type === 'text') return node.value;
  if (isElement(node, 'br')) return '\n';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

export function element(
  tagName: string,
  children: ElementContent[],
  properties: Element['properties'] = {},
): Element {
  return { type: 'element', tagName, properties, children };
}

export function text(value: string): ElementContent {
  return { type: 'text', value };
}
