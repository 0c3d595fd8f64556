/**
 * The HTML tree that wikitext is written from. The output of any HTML parser, or a browser's document, can easily be mapped to
 * it.
 */

/** A node of an HTML tree. */
export type HtmlNode = HtmlElement | HtmlText | HtmlComment;
/** Text with its entities decoded. */
export type HtmlText = { type: 'text'; value: string };
/** A comment, without its delimiters. */
export type HtmlComment = { type: 'comment'; value: string };
/** An element; values of its attributes are decoded. */
export type HtmlElement = {
  type: 'element';
  /** Name in lower case. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: HtmlNode[];
};

/** Whether a node is an element of one of these names; without names, any element. */
export function isElement(node: HtmlNode | undefined, ...names: string[]): node is HtmlElement {
  return node?.type === 'element' && (names.length === 0 || names.includes(node.name));
}

export function hasClass(node: HtmlElement, name: string): boolean {
  return ` ${node.attributes.class ?? ''} `.includes(` ${name} `);
}

/** Returns the text of a node and its descendants, with `<br>` as a line end. Recursive: the caller limits the depth. */
export function textOf(node: HtmlNode): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'comment') return '';
  return node.name === 'br' ? '\n' : node.children.map(textOf).join('');
}

/** Returns the first element that satisfies `is`, among these nodes and their descendants. */
export function findElement(
  nodes: readonly HtmlNode[],
  is: (node: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const found = is(node) ? node : findElement(node.children, is);
    if (found) return found;
  }
  return undefined;
}

/** Returns the object in a JSON attribute, such as Parsoid's `data-mw` and `data-parsoid`; undefined if there is none. */
export function jsonOf(node: HtmlElement, attribute: string): Record<string, unknown> | undefined {
  const written = node.attributes[attribute];
  if (written === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The attribute belongs to another program.
    return undefined;
  }
}

/** Returns the string at a path of keys in a JSON value; undefined if there is none. */
export function stringAt(value: unknown, ...path: string[]): string | undefined {
  let at = value;
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === 'string' ? at : undefined;
}

/** Whether two elements differ in nothing but their contents. */
export function isSameBut(one: HtmlElement, other: HtmlElement): boolean {
  return one.name === other.name && JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}
