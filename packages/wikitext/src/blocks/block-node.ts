/** Which nodes are blocks, in what is read as in what is written. */
import type { ExtensionNode, FileOptions, Node } from '../tree.ts';

const blocks = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr caption ul'.split(
    ' ',
  ),
);
const blockExtensions = new Set(['pre', 'code-block', 'references', 'gallery', 'toc', 'listing', 'poem']);

export function isBlockNode(node: Node): boolean {
  switch (node.type) {
    case 'element':
      return blocks.has(node.name);
    case 'heading':
      return true;
    case 'file':
      return isFigure(node.options);
    case 'extension':
      return isBlockExtension(node);
    default:
      return false;
  }
}

export function isBlockExtension({ name, attributes, isBlock }: ExtensionNode): boolean {
  if (name === 'syntaxhighlight') return attributes.inline === undefined;
  if (name === 'math') return attributes.display === 'block';
  if (name === 'markdown') return attributes.display === 'block';
  return isBlock ?? blockExtensions.has(name);
}

/** Whether the file is a block of its own rather than part of the line. */
export function isFigure(options: FileOptions): boolean {
  return options.format === 'thumb' || options.format === 'frame' || options.align !== undefined;
}
