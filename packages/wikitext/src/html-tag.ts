/**
 * Tags of allowed elements as written in a source:
 *
 *   tag ::= '<' '/'? name attributes? '/'? '>'        attributes hold no '<'; comments and calls in them count for nothing
 */
import { char, isDigit, isLetter, isSpace } from './characters.ts';
import type { Fragment } from './elements.ts';
import type { Rules } from './options.ts';
import { allowedElements, microdata, readAnyAttributes } from './sanitize.ts';

/** `nextElement`: the first of the fragment's elements that begins after the tag. */
export type Tag = { name: string; isClosing: boolean; attributes: string; end: number; nextElement: number };

/** Reads the tag that begins at `start`, if there is one. `index`: the first element that begins after `start`. */
export function readTag(
  { text, elements }: Fragment,
  start: number,
  index: number,
  { imageTags, moreElements }: Pick<Rules, 'imageTags' | 'moreElements'>,
): Tag | undefined {
  let nameStart = start + 1;
  const isClosing = text.charCodeAt(nameStart) === char.slash;
  if (isClosing) nameStart++;
  let nameEnd = nameStart;
  while (nameEnd - nameStart < 12 && isNameCharacter(text.charCodeAt(nameEnd))) nameEnd++;
  const after = text.charCodeAt(nameEnd);
  // A comment may follow the name directly; `<nowiki>` may not.
  const startsElement = elements[index]?.start === nameEnd && elements[index]?.kind !== 'extension';
  if (after !== char.greaterThan && after !== char.slash && !isSpace(after) && !startsElement)
    return undefined;
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  const stated = isClosing || !Object.hasOwn(microdata, name) ? undefined : microdata[name];
  if (!allowedElements.has(name) && !(name === 'img' && imageTags) && !moreElements?.has(name) && !stated)
    return undefined;
  let attributes = '';
  let at = nameEnd;
  let copied = nameEnd;
  let nextElement = index;
  while (at < text.length) {
    const element = elements[nextElement];
    if (element?.start === at) {
      attributes += text.slice(copied, at);
      if (element.name === 'nowiki' && element.bodyStart >= 0) {
        attributes += text.slice(element.bodyStart, element.bodyEnd);
      }
      nextElement = element.next;
      at = element.end;
      copied = at;
      continue;
    }
    const code = text.charCodeAt(at);
    if (code === char.lessThan) return undefined;
    if (code === char.greaterThan) {
      attributes += text.slice(copied, at);
      if (stated !== undefined) {
        const all = readAnyAttributes(attributes);
        if (all.itemprop === undefined || all[stated] === undefined) return undefined;
      }
      return { name, isClosing, attributes, end: at + 1, nextElement };
    }
    at++;
  }
  return undefined;
}

function isNameCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code);
}
