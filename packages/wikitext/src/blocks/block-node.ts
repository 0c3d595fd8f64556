/** Which nodes are blocks, in what is read as in what is written. */
import type { FileOptions, Node } from '../tree.ts';

const blocks = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr caption ul'.split(
    ' ',
  ),
);

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

/** Whether the file is a block of its own rather than part of the line. */
export function isFigure(options: FileOptions): boolean {
  return options.format === 'thumb' || options.format === 'frame' || options.align !== undefined;
}
