/**
 * Normalises inline nodes, so that text which is adjacent in wikitext is one node and escaped as a whole. Elements without any wikitext of
 * their own are replaced by their contents. Adjacent text is joined, and so is adjacent emphasis of the same kind.
 *
 *   {<custom>{x}}</custom>    {{x}}            <b>[[</b><b>x]]</b>    <b>[[x]]</b>
 */
import { emphasisOf, isDropped, mayBeTag } from './elements.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { isBookNumber, linkTo } from './links.ts';
import { isMedia } from './media.ts';
import type { Place, Writing } from './writing.ts';

/** Returns the nodes that are shown, with adjacent texts and equal formatting joined. The given nodes are not changed. */
export function joined(writer: Writing, nodes: readonly HtmlNode[], place: Place): HtmlNode[] {
  const result: HtmlNode[] = [];
  for (const node of nodes.flatMap((one) => shownOf(writer, one, place))) {
    const last = result[result.length - 1];
    const mark = markOf(writer, node);
    // The input is not changed: only copies are appended to.
    if (node.type === 'text') {
      if (last?.type === 'text') last.value += node.value;
      else result.push({ ...node });
    } else if (node.type === 'comment' || mark === undefined) result.push(node);
    else if (last?.type === 'element' && mark === markOf(writer, last)) {
      for (const child of node.children) last.children.push(child);
    } else result.push({ ...node, children: [...node.children] });
  }
  return result;
}

/** Returns the kind of emphasis if it may be joined with adjacent emphasis. */
function markOf(writer: Writing, node: HtmlNode): 'bold' | 'italic' | undefined {
  if (node.type !== 'element' || isOfGroup(node) || writer.keptSource(node) !== undefined) return undefined;
  return emphasisOf(node, writer.blocks);
}

function shownOf(writer: Writing, node: HtmlNode, place: Place): HtmlNode[] {
  if (node.type !== 'element' || isOfGroup(node) || writer.keptSource(node) !== undefined) return [node];
  if (isDropped(node) && !isMedia(node)) return [];
  const isEmphasis = emphasisOf(node, writer.blocks) !== undefined;
  if (!isEmphasis && !writesNothing(writer, node, place)) return [node];
  const inside = node.children.flatMap((child) => shownOf(writer, child, place));
  return isEmphasis && inside.length > 0 ? [node] : inside;
}

function writesNothing(writer: Writing, node: HtmlElement, place: Place): boolean {
  const { name } = node;
  const { rules, options, blocks } = writer;
  if (name !== 'a')
    return (
      name !== 'link' && name !== 'meta' && !isMedia(node) && !mayBeTag(node, rules) && !blocks.has(node)
    );
  if (place.inLink && place.inLink !== 'file') return true;
  if (isBookNumber(node) && rules.letters) return false;
  return node.attributes.href === undefined || linkTo(node, options).kind === 'none';
}

/** Whether Parsoid describes the node, possibly as part of a group that is written as a whole at its first node. */
function isOfGroup({ attributes }: HtmlElement): boolean {
  return attributes.about !== undefined || /\bmw:/.test(attributes.typeof ?? '');
}
