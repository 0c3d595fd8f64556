/** Decides which nodes are blocks, for parsing and for writing. */
import type { FileOptions, Node } from '../tree.ts';

const blocks = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr caption ul'.split(
    ' ',
  ),
);

/** Whether the node stands on lines of its own in HTML, and so ends a paragraph. */
export function isBlockNode(node: Node): boolean {
  switch (node.type) {
    case 'element':
      return blocks.has(node.name);
    case 'heading':
      return true;
    case 'file':
      return isFigure(node.options);
    case 'extension':
      return node.isBlock;
    default:
      return false;
  }
}

/** Whether the file is a separate block rather than part of a line. */
export function isFigure(options: FileOptions): boolean {
  return options.format === 'thumb' || options.format === 'frame' || options.align !== undefined;
}
