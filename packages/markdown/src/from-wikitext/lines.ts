/** Helpers shared by the conversion of blocks and of inline content. */
import type { ElementNode, Node } from '@coppice/wikitext';
import type { Link, PhrasingContent } from 'mdast';
import type { Block } from './writer.ts';

const deepest = 50;

export function isTag(node: Node, name: string): node is ElementNode {
  return node.type === 'element' && node.name === name;
}

/** Whether the page hides the node from readers. */
export function isHidden(node: Node): boolean {
  if (node.type !== 'element' || !node.attributes) return false;
  return /(?:^|;)\s*display\s*:\s*none/i.test(node.attributes.style ?? '');
}

/** Returns no paragraph for a line without visible content. */
export function paragraph(line: PhrasingContent[], mark?: 'strong' | 'emphasis'): Block[] {
  const children = trimmed(line);
  if (children.length === 0) return [];
  return [{ type: 'paragraph', children: mark ? [{ type: mark, children }] : children }];
}

export function linkTo(url: string, children: PhrasingContent[], title?: string): Link {
  return { type: 'link', url, ...(title ? { title } : {}), children: children as Link['children'] };
}

/** Puts the wiki's origin before an address on this host; others stay. */
export function withOrigin(url: string, origin = ''): string {
  return /^\/(?!\/)/.test(url) ? origin + url : url;
}

/** Removes white space and line breaks at both ends of a line. */
export function trimmed(line: readonly PhrasingContent[]): PhrasingContent[] {
  const nodes = [...line];
  let start = 0;
  let end = nodes.length;
  while (start < end && isBlank(nodes, start, /^[ \n]+/)) start++;
  while (start < end && isBlank(nodes, end - 1, /(?<![ \n])[ \n]+$/)) end--;
  return nodes.slice(start, end);
}

/** Trims the node at the edge. Returns true if nothing is left of it. */
function isBlank(nodes: PhrasingContent[], at: number, space: RegExp): boolean {
  const node = nodes[at];
  if (node?.type !== 'text') return node?.type === 'break';
  const value = node.value.replace(space, '');
  nodes[at] = { type: 'text', value };
  return value === '';
}

/** Text of nodes with line ends kept and formatting ignored. */
export function verbatim(nodes: readonly Node[], depth = 0): string {
  if (depth > deepest) return '';
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text') text += node.value;
    else if (isTag(node, 'br')) text += '\n';
    else if (node.type === 'external-link' && node.kind === 'numbered') text += node.url;
    else if (node.type === 'extension' && !node.children)
      text += node.name === 'ref' ? '' : (node.body ?? '');
    else if ('children' in node && node.children && node.type !== 'extension')
      text += verbatim(node.children, depth + 1);
  }
  return text;
}
