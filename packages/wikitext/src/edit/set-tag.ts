/** Changes of tags: HTML, such as `<span class="x">`, and tags with content of their own, such as `<ref name="x">`. */
import { type Change, repeatable } from './apply.ts';
import { guardText, placeOf } from './guard.ts';
import type {
  CellNode,
  ExtensionNode,
  ExternalLinkNode,
  LinkNode,
  Range,
  SourceRow,
  SourceTree,
  TableNode,
  TagNode,
} from './nodes.ts';

import { ancestors } from './queries.ts';
import { rows } from './rows.ts';
import { inNumbered } from './set-parameter.ts';

type Tag = TagNode | ExtensionNode;

/**
 * Sets an attribute of a tag, table, row or cell to a plain text, adding it if it is missing; undefined removes it. A row
 * without `|-` gets that line.
 */
export function setAttribute(
  tree: SourceTree,
  tag: Tag | TableNode | SourceRow | CellNode,
  name: string,
  value: string | undefined,
): Change[] {
  const isMarkup = 'attributeRange' in tag;
  if (!isMarkup) checkWritten(tree, tag);
  if (!/^[a-z_:][\w:.-]*$/i.test(name)) throw new RangeError(`"${name}" cannot name an attribute.`);
  const found = tag.attributes.filter((one) => one.name === name.toLowerCase());
  const [first, ...others] = found;
  const removed = (value === undefined ? found : others).map(({ start, end }) => ({
    start: tag.start + tree.source.slice(tag.start, start).trimEnd().length,
    end,
    text: '',
  }));
  const changes: Change[] = removed;
  if (value !== undefined) {
    const written = `${name}="${escapeAttribute(value)}"`;
    if (first) changes.push({ start: first.start, end: first.end, text: written });
    else if (!isMarkup) {
      const end = tag.attributes.at(-1)?.end ?? tag.start + 1 + tag.name.length;
      changes.push({ start: end, end, text: ` ${written}` });
    } else changes.push(addedToMarkup(tree, tag, written));
  }
  if ('type' in tag)
    return repeatable(
      inNumbered(tree, tag, changes),
      tag,
      (later, node) => setAttribute(later, node, name, value),
      !first,
    );
  // A row is no node; its first cell tells which one it is.
  const [cell] = tag.cells;
  if (!cell) return changes;
  return repeatable(
    changes,
    cell,
    (later, node) => setAttribute(later, rowOf(later, node) ?? tag, name, value),
    !first,
  );
}

function rowOf(tree: SourceTree, cell: CellNode): SourceRow | undefined {
  const table = ancestors(tree, cell).findLast((node) => node.type === 'table');
  return table && rows(tree, table).find(({ cells }) => cells.includes(cell));
}

function addedToMarkup(tree: SourceTree, part: TableNode | SourceRow | CellNode, written: string): Change {
  const at = part.attributes.at(-1)?.end ?? part.attributeRange?.start;
  if (at !== undefined) return { start: at, end: at, text: ` ${written}` };
  if (!('type' in part)) return { start: part.start, end: part.start, text: `|- ${written}\n` };
  // `||` and `!!` begin a cell in the line of another.
  const mark = /^(?:\|\+|\|\||!!|\||!)/.exec(tree.source.slice(part.start, part.start + 2))?.[0] ?? '';
  const start = part.start + mark.length;
  const isSpaced = /^\s/.test(tree.source.slice(start, start + 1));
  return { start, end: start, text: ` ${written} |${isSpaced ? '' : ' '}` };
}

/** Changes the content between the two tags, in wikitext. A tag without content gets an end tag. */
export function setBody(tree: SourceTree, tag: Tag, text: string): Change[] {
  const { name, body } = tag;
  const inside = body ?? { start: tag.end - 1, end: tag.end };
  const place = placeOf(tree, inside);
  const guarded = guardText(text, place).replace(new RegExp(`<(?=/${name}\\b)`, 'gi'), '&lt;');
  let change: Change;
  // Quotes end with their line.
  if (body && tree.source[tag.start] === "'")
    change = { ...body, text: guarded.replace(/(?<!\s)\s*\n\s*/g, ' ') };
  else if (body) change = { ...body, text: guarded };
  else {
    checkWritten(tree, tag);
    const open = tree.source.slice(tag.start, tag.end);
    const start = tag.start + open.replace(/(?<!\s)\s*\/?>$/, '').length;
    change = { start, end: tag.end, text: `>${guarded}</${name}>` };
  }
  return repeatable(inNumbered(tree, tag, [change]), tag, (later, node) => setBody(later, node, text));
}

/** Changes the name of a tag, at both ends. */
export function renameTag(tree: SourceTree, tag: Tag, name: string): Change[] {
  checkWritten(tree, tag);
  if (!/^[a-z][a-z0-9]*$/i.test(name)) throw new RangeError(`"${name}" cannot name a tag.`);
  const open = { start: tag.start + 1, end: tag.start + 1 + tag.name.length, text: name };
  const changes: Change[] = [open];
  const close = tag.body && /^<\/([a-z][a-z0-9]*)/i.exec(tree.source.slice(tag.body.end, tag.end));
  if (tag.body && close?.[1]) {
    const start = tag.body.end + 2;
    changes.push({ start, end: start + close[1].length, text: name });
  }
  return repeatable(changes, tag, (later, node) => renameTag(later, node, name));
}

/**
 * Removes the tags of an element, or the brackets and the target of a link, and keeps the text between them. A file, a marker
 * or a tag without content is removed.
 */
export function unwrap(node: Tag | LinkNode | ExternalLinkNode): Change[] {
  const { start, end } = node;
  const kept = keptOf(node);
  // Letters after the brackets of a link belong to its text.
  const close = kept && ('body' in node ? end : Math.min(end, kept.end + 2));
  const changes: Change[] = kept
    ? [
        { start, end: kept.start, text: '' },
        { start: kept.end, end: close ?? end, text: '' },
      ]
    : [{ start, end, text: '' }];
  return repeatable(changes, node, (_tree, later) => unwrap(later));
}

function keptOf(node: Tag | LinkNode | ExternalLinkNode): Range | undefined {
  if ('body' in node) return node.body;
  return node.type === 'link' || 'url' in node ? (node.labelRange ?? node.targetRange) : undefined;
}

function checkWritten(tree: SourceTree, tag: Tag): void {
  if (tree.source[tag.start] !== '<')
    throw new RangeError("Quotes such as ''' have no attributes and no name. Replace the node.");
}

/** References in the text are kept as text, and so is what would end the tag, a call or a cell. */
function escapeAttribute(value: string): string {
  return value
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replace(/["<>[\]{}|]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
