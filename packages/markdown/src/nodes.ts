/** Helpers that build nodes of the tree. */
import type { Attributes, ExtensionNode, Node, Range } from '@coppice/wikitext';
import { extensionNode, readAttributes } from '@coppice/wikitext/build';
import type { Token } from 'markdown-it';
import type { AttributeMeta } from './rules/attributes.ts';

/** Returns a use of a note. `name`: undefined for a note in its place. `text`: undefined if another use holds the text. */
export function noteNode(name: string | undefined, text: Node[] | undefined, at: Range): ExtensionNode {
  const attributes: Attributes = name === undefined ? {} : { name: `md-${name}` };
  const node = extensionNode({ name: 'ref', attributes, body: text && '' }, at);
  node.children = text && onlyLine(text);
  return node;
}

/** Rules for the builder under which all text is taken literally. */
export function emptyText() {
  return {
    text: '',
    marks: [],
    markAt: [],
    markEnd: [],
    pieceAt: [],
    pieceSource: [],
    lastPiece: 0,
    lastMark: 0,
  };
}

/** Returns an attribute of a token; empty if it has none of that name. */
export function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

/** Attributes in braces that the element may have. */
export function attributesOf(token: Token, element: string): Attributes | undefined {
  const { attributes } = (token.meta ?? {}) as AttributeMeta;
  return attributes === undefined ? undefined : readAttributes(attributes, element);
}

/** Attributes of a list that does not begin with 1. */
export function startOf(token: Token): Attributes {
  const start = token.attrGet('start');
  return start === null ? {} : { start: String(start) };
}

/** Attributes of a cell whose column is aligned. */
export function alignment(token: Token): Attributes {
  const style = token.attrGet('style');
  return style === null ? {} : { style: String(style) };
}

/** Returns the text of a picture's label, without formatting and tags. */
export function altOf(tokens: readonly Token[]): string {
  let text = '';
  for (const { type, content, children } of tokens) {
    if (type === 'softbreak' || type === 'hardbreak') text += '\n';
    else if (type === 'image') text += altOf(children ?? []);
    else if (type !== 'html_inline') text += content;
  }
  return text;
}

/** Returns the content of a single paragraph, without the line end after it. */
export function onlyLine(nodes: Node[]): Node[] {
  const [only, ...others] = nodes.filter((node) => node.type !== 'text' || node.value.trim() !== '');
  if (only?.type !== 'element' || only.name !== 'p' || only.attributes || others.length > 0) return nodes;
  const last = only.children.at(-1);
  if (last?.type === 'text') last.value = last.value.replace(/\n$/, '');
  return only.children;
}
