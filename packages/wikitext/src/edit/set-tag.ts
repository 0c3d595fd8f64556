/** Changes of tags: HTML, such as `<span class="x">`, and tags with content of their own, such as `<ref name="x">`. */
import { type Change, repeatable } from './apply.ts';
import { guardText, placeOf } from './guard.ts';
import type { ExtensionNode, SourceTree, TagNode } from './nodes.ts';

type Tag = TagNode | ExtensionNode;

/** Sets an attribute to a plain text, adding it if it is missing; undefined removes it. */
export function setAttribute(tree: SourceTree, tag: Tag, name: string, value: string | undefined): Change[] {
  checkWritten(tree, tag);
  if (!/^[a-z_:][\w:.-]*$/i.test(name)) throw new RangeError(`"${name}" cannot name an attribute.`);
  const found = tag.attributes.filter((one) => one.name === name.toLowerCase());
  const [first, ...others] = found;
  const removed = (value === undefined ? found : others).map(({ start, end }) => ({
    start: start - (/\s*$/.exec(tree.source.slice(tag.start, start))?.[0].length ?? 0),
    end,
    text: '',
  }));
  const changes: Change[] = removed;
  if (value !== undefined) {
    const written = `${name}="${escapeAttribute(value)}"`;
    const last = tag.attributes[tag.attributes.length - 1];
    const end = last?.end ?? tag.start + 1 + tag.name.length;
    if (first) changes.push({ start: first.start, end: first.end, text: written });
    else changes.push({ start: end, end, text: ` ${written}` });
  }
  return repeatable(changes, tag, (later, node) => setAttribute(later, node, name, value), !first);
}

/** Changes the content between the two tags, in wikitext. A tag without content gets an end tag. */
export function setBody(tree: SourceTree, tag: Tag, text: string): Change[] {
  const { name, body } = tag;
  const inside = body ?? { start: tag.end - 1, end: tag.end };
  const place = placeOf(tree, inside);
  const guarded = guardText(text, place).replace(new RegExp(`<(?=/${name}\\b)`, 'gi'), '&lt;');
  let change: Change;
  if (body) change = { ...body, text: guarded };
  else {
    checkWritten(tree, tag);
    const open = tree.source.slice(tag.start, tag.end);
    const start = tag.start + open.replace(/\s*\/?>$/, '').length;
    change = { start, end: tag.end, text: `>${guarded}</${name}>` };
  }
  return repeatable(change, tag, (later, node) => setBody(later, node, text));
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

/** Removes the tags and keeps what is between them. */
export function unwrap(tag: Tag): Change[] {
  const { start, end, body } = tag;
  const changes: Change[] = body
    ? [
        { start, end: body.start, text: '' },
        { start: body.end, end, text: '' },
      ]
    : [{ start, end, text: '' }];
  return repeatable(changes, tag, (_tree, node) => unwrap(node));
}

function checkWritten(tree: SourceTree, tag: Tag): void {
  if (tree.source[tag.start] !== '<')
    throw new RangeError("Quotes such as ''' have no attributes and no name. Replace the node.");
}

/** References in the text are kept as text, and so is what would end the tag, a call or a cell. */
function escapeAttribute(value: string): string {
  return value
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/["<>[\]{}|]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
