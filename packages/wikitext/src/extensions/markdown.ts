/**
 * `<markdown>…</markdown>`, which wraps the whole body of a template written in Markdown. All nodes have the offsets of the
 * tag, because the text comes from `expand`.
 */
import { isBlockNode } from '../blocks/block-node.ts';
import type { Context } from '../context.ts';
import { limits } from '../limits.ts';
import { hideNested } from '../nested-tags.ts';
import { placeAt } from '../place-at.ts';
import type { ExtensionPlace } from '../reader.ts';
import type { Node } from '../tree.ts';
import type { Extension } from './extension.ts';

export const markdown: Extension = {
  name: 'markdown',
  expand: ({ body, inner }) => (body === undefined ? '' : `<markdown>${hideNested(inner(body))}</markdown>`),
  parse(reader, node, at) {
    if (node.body === undefined) return node;
    node.children = readMarkdown(reader.context, node.body, at);
    node.isBlock = node.children.some(isBlockNode);
    return node;
  },
  render: (writer, node) => writer.html(node.children ?? []),
};

function readMarkdown(context: Context, body: string, at: ExtensionPlace): Node[] {
  if (!context.markdown || context.fragmentDepth >= limits.fragmentDepth)
    return [{ type: 'text', value: body, start: at.start, end: at.end }];
  context.fragmentDepth++;
  const nodes = context.markdown(body, context);
  context.fragmentDepth--;
  placeAt(nodes, at.start, at.end);
  return nodes;
}
