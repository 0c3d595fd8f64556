/** Changes of links, cells, headings, sections and whole nodes. Bytes outside their ranges stay as they are. */
import { type Change, repeatable } from './apply.ts';
import { guardCell, guardLabel, guardText, guardTitle, placeOf } from './guard.ts';
import type {
  CellNode,
  ExternalLinkNode,
  HeadingNode,
  LinkNode,
  Range,
  SourceNode,
  SourceTree,
} from './nodes.ts';
import type { SourceSection } from './queries.ts';
import { inNumbered } from './set-parameter.ts';

/** A node, a section, a row, or another range of the source. */
type Place = SourceNode | SourceSection | Range;

/** Replaces the source of a node. The text is not escaped. */
export function replaceNode(node: Place, text: string): Change {
  return inPlace(node, { start: node.start, end: node.end, text }, (later) => replaceNode(later, text));
}

/** Inserts wikitext before a node. The text is not escaped. */
export function insertBefore(node: Place, text: string): Change {
  const change = { start: node.start, end: node.start, text, side: 1 } as const;
  return inPlace(node, change, (later) => insertBefore(later, text));
}

/** Inserts wikitext after a node. The text is not escaped. */
export function insertAfter(node: Place, text: string): Change {
  const change = { start: node.end, end: node.end, text, side: -1 } as const;
  return inPlace(node, change, (later) => insertAfter(later, text));
}

/** Removes a node, a section or a row. */
export function remove(node: Place): Change {
  return inPlace(node, { start: node.start, end: node.end, text: '' }, remove);
}

function inPlace(node: Place, change: Change, make: (later: Place) => Change): Change {
  if (!('type' in node) && !('heading' in node)) return change;
  return repeatable(change, node, (_tree, later) => make(later))[0] ?? change;
}

/** Changes the page, file or address of a link. The label stays; a link without one shows its new target. */
export function setTarget(tree: SourceTree, link: LinkNode | ExternalLinkNode, target: string): Change[] {
  const changes = inNumbered(tree, link, [targetChange(tree, link, target)]);
  return repeatable(changes, link, (later, node) => setTarget(later, node, target));
}

function targetChange(tree: SourceTree, link: LinkNode | ExternalLinkNode, target: string): Change {
  const { start, end } = link.targetRange;
  const isBare = link.type === 'external-link' && start === link.start;
  if (
    link.type === 'external-link'
      ? /[\s[\]<>"{}|]/.test(target) || target === ''
      : /[[\]{}|<>\n]/.test(target) || target.trim() === ''
  )
    throw new RangeError(
      `"${target}" cannot be the target of a link. Encode spaces, brackets, braces and bars as %XX.`,
    );
  const before = tree.source.slice(0, start);
  // A bare address directly after a letter would not be a link.
  if (isBare && /\w$/.test(before)) return { start, end, text: ` ${target}` };
  return { start, end, text: target };
}

/** Changes the label of a link, in wikitext; undefined removes it. */
export function setLabel(
  tree: SourceTree,
  link: LinkNode | ExternalLinkNode,
  label: string | undefined,
): Change[] {
  const changes = inNumbered(tree, link, [labelChange(tree, link, label)]);
  return repeatable(changes, link, (later, node) => setLabel(later, node, label));
}

function labelChange(tree: SourceTree, link: LinkNode | ExternalLinkNode, label: string | undefined): Change {
  const { labelRange, targetRange } = link;
  if (link.type !== 'link' && link.type !== 'external-link')
    throw new RangeError('A file or marker has options instead of a label. Replace the node.');
  const isSingle = link.type === 'external-link' && !tree.source.startsWith('[[', link.start);
  const isBare = targetRange.start === link.start;
  if (label === undefined)
    return { start: targetRange.end, end: labelRange?.end ?? targetRange.end, text: '' };
  const guarded = guardLabel(label, placeOf(tree, link));
  const text = isSingle ? guarded.replaceAll(']', '&#93;').replaceAll('\n', ' ') : guarded;
  if (isBare)
    return { start: link.start, end: link.end, text: `[${tree.source.slice(link.start, link.end)} ${text}]` };
  if (labelRange) return { start: labelRange.start, end: labelRange.end, text };
  return { start: targetRange.end, end: targetRange.end, text: `${isSingle ? ' ' : '|'}${text}` };
}

/** Changes the content of a cell, in wikitext. Its attributes stay. */
export function setCell(tree: SourceTree, cell: CellNode, content: string): Change[] {
  const { start, end } = cell.content;
  const text = guardCell(content.trim(), cell.kind, placeOf(tree, cell));
  const before = tree.source[start - 1] ?? '';
  // A space keeps the text from forming `|-`, `|+` or `|}`; a list or a table must begin a line.
  const needsSpace = /[|!+]/.test(before) && /^[-+}|!]/.test(text);
  const space = /^(?:[*#:;]|\{\|)/.test(text) ? '\n' : needsSpace ? ' ' : '';
  const changes: Change[] = [{ start, end, text: space + text }];
  // After content of several lines, the next cell must begin a line.
  if (changes[0]?.text.includes('\n') && /^(?:\|\||!!)/.test(tree.source.slice(cell.end, cell.end + 2)))
    changes.push({ start: cell.end, end: cell.end + 2, text: cell.kind === 'th' ? '\n!' : '\n|' });
  return repeatable(changes, cell, (later, node) => setCell(later, node, content));
}

/** Changes the title of a heading, in wikitext of one line, and its level. */
export function setHeading(
  tree: SourceTree,
  heading: HeadingNode,
  wanted: { title?: string; level?: number },
): Change[] {
  const changes = headingChanges(tree, heading, wanted);
  return repeatable(changes, heading, (later, node) => setHeading(later, node, wanted));
}

function headingChanges(
  tree: SourceTree,
  heading: HeadingNode,
  { title, level }: { title?: string; level?: number },
): Change[] {
  const { titleRange } = heading;
  if (!titleRange)
    throw new RangeError('The heading is written as a tag that is never closed. Replace the node.');
  if (title?.trim() === '') throw new RangeError('A heading needs a title. To remove it, replace the node.');
  const changes: Change[] = [];
  if (title !== undefined)
    changes.push({ ...rangeOf(titleRange), text: guardTitle(title, placeOf(tree, heading)) });
  if (level === undefined || level === heading.level) return changes;
  if (!Number.isInteger(level) || level < 1 || level > 6)
    throw new RangeError('The level of a heading is 1 to 6.');
  if (tree.source[heading.start] !== '=')
    throw new RangeError('The heading is written as a tag. Replace the node to change its level.');
  const signs = '='.repeat(level);
  changes.push({ start: heading.start, end: heading.start + heading.level, text: signs });
  const close = tree.source.lastIndexOf('='.repeat(heading.level), heading.end);
  changes.push({ start: close, end: close + heading.level, text: signs });
  return changes;
}

function rangeOf({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end };
}

/**
 * Changes the text below the heading of a section, including its subsections. The text is made to end with a line end, so that
 * the next heading begins a line.
 */
export function setSection(tree: SourceTree, section: SourceSection, text: string): Change[] {
  const { bodyStart: start, end } = section;
  const guarded = guardText(text, placeOf(tree, section));
  const isLast = end === tree.source.length;
  const before = start > 0 && tree.source[start - 1] !== '\n' ? '\n' : '';
  const body = isLast || guarded === '' || guarded.endsWith('\n') ? guarded : `${guarded}\n`;
  const change = { start, end, text: before + body };
  return repeatable(change, section, (later, one) => setSection(later, one, text));
}
