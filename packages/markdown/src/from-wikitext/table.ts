/** Tables of a page, as the common writer of tables reads them. */
import type { ElementNode, Node } from '@coppice/wikitext';
import { isBlockNode } from '@coppice/wikitext/build';
import { type TableTree, writeTable } from '../writing-tables.ts';
import { isHidden, verbatim } from './lines.ts';
import type { Block, Writer } from './writer.ts';

export function table(writer: Writer, node: ElementNode): Block[] {
  return writeTable<Node>(treeOf(writer), node, { needsHeadings: true }) as Block[];
}

function treeOf(writer: Writer): TableTree<Node> {
  return {
    nameOf: (node) => (node.type === 'element' ? node.name : node.type === 'heading' ? `h${node.level}` : ''),
    childrenOf: (node) =>
      'children' in node && node.children ? node.children.filter((child) => !isHidden(child)) : [],
    attributeOf: (node, name) => (node.type === 'element' ? node.attributes?.[name] : undefined),
    isBlank: (node) => node.type === 'text' && node.value.trim() === '',
    isBlock: isBlockNode,
    holdsBlocks: (node) => writer.holdsBlocks(node),
    programOf,
    phrasing: (nodes) => writer.phrasing.of(nodes),
    blocks: (nodes) => writer.blocks(nodes),
  };
}

function programOf(node: Node): string | undefined {
  if (node.type === 'element') return node.name === 'pre' ? verbatim(node.children) : undefined;
  if (node.type !== 'extension' || !/^(?:pre|syntaxhighlight|code-block)$/.test(node.name)) return undefined;
  return isBlockNode(node) ? (node.body ?? '') : undefined;
}
