/**
 * Tags and character references, as they are written.
 *
 * Parts of a tag: `<ref name="a" group=b>` has two attributes. `text` is the source with calls and comments masked, so
 * that their signs count for nothing; values are read from the source.
 */
import { decodeEntities } from '../entities.ts';
import type { EntityNode, Range, TagAttribute, TagNode } from './nodes.ts';

const attribute = /([^\s"'<>/=\0]+)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/dg;

/** `base`: offset of `text` in the source. Reads up to the first `>`, or `/>`. */
export function readTagAttributes(source: string, text: string, base: number): TagAttribute[] {
  const name = /^<[^\s/>]+/.exec(text)?.[0].length ?? 0;
  const close = text.indexOf('>');
  const end = close < 0 ? text.length : close;
  // The slash of `<ref name=a/>` ends the tag and belongs to no value.
  return readAttributes(source, text.slice(name, text[end - 1] === '/' ? end - 1 : end), base + name);
}

/** Reads attributes that stand alone, as after `{|` and `|-`. */
export function readAttributes(source: string, text: string, at: number): TagAttribute[] {
  const found: TagAttribute[] = [];
  for (const match of text.matchAll(attribute)) {
    const [whole = [0, 0], key = [0, 0], , double, single, bare] = match.indices ?? [];
    const value = double ?? single ?? bare;
    found.push({
      name: source.slice(at + key[0], at + key[1]).toLowerCase(),
      value: value ? decodeEntities(source.slice(at + value[0], at + value[1])) : '',
      start: at + whole[0],
      end: at + whole[1],
    });
  }
  return found;
}

/**
 * Returns the node of an element that is written as tags or quotes, and the range inside its markup. Other elements, such as
 * paragraphs, have no markup of their own.
 */
export function tagAt(
  source: string,
  text: string,
  name: string,
  start: number,
): { node: TagNode; inside: Range } | undefined {
  const end = start + text.length;
  const shared = { type: 'tag', name, start, end, children: [] } as const;
  const quotes = name === 'b' ? "'''" : name === 'i' ? "''" : '';
  if (quotes !== '' && text.startsWith(quotes)) {
    if (text.length < quotes.length * 2 || !text.endsWith(quotes)) return undefined;
    const body = { start: start + quotes.length, end: end - quotes.length };
    return { node: { ...shared, attributes: [], body, children: [] }, inside: body };
  }
  const close = text.indexOf('>') + 1;
  // Formatting that goes on in another block begins with what stands there: `<br>` is no `<b>`.
  if (close === 0 || /^<([a-z][a-z0-9]*)[\s/>]/i.exec(text)?.[1]?.toLowerCase() !== name) return undefined;
  const endTag = /<\/([a-z][a-z0-9]*)\s*>$/i.exec(text.slice(close));
  const isClosed = endTag?.[1]?.toLowerCase() === name;
  const inside = { start: start + close, end: isClosed ? start + close + endTag.index : end };
  const attributes = readTagAttributes(source, text, start);
  return { node: { ...shared, attributes, body: isClosed ? inside : undefined, children: [] }, inside };
}

/** Known character references in a text that begins at `base`. */
export function* entitiesIn(text: string, base: number): Generator<EntityNode> {
  for (const { 0: written, index } of text.matchAll(/&(?:#\d+|#[xX][\da-fA-F]+|[A-Za-z][A-Za-z0-9]*);/g)) {
    const value = decodeEntities(written);
    const start = base + index;
    if (value !== written) yield { type: 'entity', value, start, end: start + written.length };
  }
}
