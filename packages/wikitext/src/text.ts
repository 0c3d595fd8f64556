/** Converts nodes to plain text: for IDs of headings, alternative texts, descriptions and search. */
import { isFigure } from './blocks/block-node.ts';
import type { Node } from './tree.ts';

const blockNames = new Set(
  'blockquote br caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table td th tr ul'.split(
    ' ',
  ),
);
const deepest = 400;

/** Returns the text of inline nodes on one line, without notes and markers. */
export function inlineText(nodes: readonly Node[]): string {
  const [first] = nodes;
  let text = '';
  if (first?.type === 'text' && nodes.length === 1) text = first.value;
  else {
    const out: string[] = [];
    collect(nodes, out, 0);
    text = out.join('');
  }
  return /[\t\r\n]| {2}/.test(text) ? text.replace(/[ \t\r\n]+/g, ' ') : text;
}

/** Returns the text of a page, with blocks on separate lines and without notes. */
export function blockText(nodes: readonly Node[]): string {
  const out: string[] = [];
  collect(nodes, out, 0);
  return (
    out
      .join('')
      // Single spaces, which are nearly all white space, need no replacement.
      .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/g, ' ')
      .replace(/ ?\n[\s]*/g, '\n')
      .trim()
  );
}

function collect(nodes: readonly Node[], out: string[], depth: number): void {
  if (depth > deepest) return;
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
        out.push(node.value);
        break;
      case 'element': {
        const isBlock = blockNames.has(node.name);
        if (isBlock) out.push('\n');
        collect(node.children, out, depth + 1);
        if (isBlock) out.push('\n');
        break;
      }
      case 'heading':
        out.push('\n');
        collect(node.children, out, depth + 1);
        out.push('\n');
        break;
      case 'external-link':
        if (node.kind !== 'numbered') collect(node.children, out, depth + 1);
        break;
      case 'link':
        collect(node.children, out, depth + 1);
        break;
      case 'file':
        if (node.options.format === 'link') collect(node.caption, out, depth + 1);
        else if (isFigure(node.options) && node.caption.length > 0) {
          out.push('\n');
          collect(node.caption, out, depth + 1);
          out.push('\n');
        }
        break;
      case 'extension':
        if (!node.isText) break;
        if (node.isBlock) out.push('\n');
        if (node.children) collect(node.children, out, depth + 1);
        else if (node.body !== undefined) out.push(node.body);
        if (node.isBlock) out.push('\n');
        break;
      default:
        break;
    }
  }
}

/** Whether the node shows nothing in the text: markers, and notes that continue another and appear only in the list. */
export function isInvisible(node: Node): boolean {
  if (node.type === 'marker') return true;
  if (node.type !== 'extension' || node.name !== 'ref') return false;
  const { follow, name, extends: whole } = node.attributes;
  if (!follow || name || whole || /^\d+$/.test(follow)) return false;
  return /[^ \t\n\r\v]/.test(node.body ?? '');
}
