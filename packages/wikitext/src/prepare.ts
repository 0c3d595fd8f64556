/**
 * Source + what `scan.ts` found in it → prepared text: comments gone, tags, calls and extensions as marks.
 */

import { isBlockExtension } from './blocks/wrap.ts';
import { isLetter, isSpace } from './characters.ts';
import type { Context } from './context.ts';
import { decodeEntities } from './entities.ts';
import { imageTag } from './inlines/image.ts';
import { Composer, type Prepared } from './prepared.ts';
import { allowedElements, readAnyAttributes, readAttributes } from './sanitize.ts';
import type { Element } from './scan.ts';
import { nextSwitch } from './switch.ts';
import type { Attributes, HeadingNode, Node } from './tree.ts';

/** Makes nodes of what has an inside of its own. Given by `parse.ts`, which reads insides. */
export type Insides = {
  extension(name: string, attributes: Attributes, body: string | undefined, at: Element): Node | undefined;
  template(element: Element, index: number): Node;
};

/** A source text, its elements, and where the text stands in the page's source. */
export type Fragment = { text: string; elements: readonly Element[]; base: number };

/** The part of a fragment between two offsets; `firstElement` is the first that begins there. */
export function prepare(
  context: Context,
  fragment: Fragment,
  from: number,
  to: number,
  firstElement: number,
  insides: Insides,
): Prepared {
  const { text, elements, base } = fragment;
  const first = elements[firstElement];
  const part = text.slice(from, to);
  const hasTags = part.includes('<');
  const hasMore = part.includes('__') || part.includes('\r');
  if (hasTags || hasMore || (first && first.start < to))
    return prepareMarkup(context, fragment, from, to, firstElement, insides, hasTags);
  const out = new Composer();
  out.copy(part, base + from);
  return out.finish();
}

function prepareMarkup(
  context: Context,
  fragment: Fragment,
  from: number,
  to: number,
  firstElement: number,
  insides: Insides,
  hasTags: boolean,
): Prepared {
  const { text, elements, base } = fragment;
  const out = new Composer();
  let index = firstElement;
  let at = from;
  // Without a tag in this part, one is not looked for in all that follows: a call may have many parts.
  let nextTag = hasTags ? -2 : -1;
  let lineEnd = 0;
  let isTableLine = false;
  while (at < to) {
    const element = elements[index];
    const elementStart = element && element.start < to ? element.start : to;
    if (nextTag < at && nextTag !== -1) nextTag = text.indexOf('<', at);
    if (nextTag >= at && nextTag < elementStart) {
      const tag = readTag(nextTag);
      if (tag) {
        copy(at, nextTag);
        writeTag(tag, nextTag);
        at = tag.end;
        index = tag.index;
        continue;
      }
      // No tag: the character is text, and what follows it may be one.
      const after = text.indexOf('<', nextTag + 1);
      nextTag = after < 0 ? -1 : after;
      continue;
    }
    copy(at, elementStart);
    at = elementStart;
    if (element && element.start < to) {
      write(element, index);
      index = element.next;
      at = element.end;
    }
  }
  return out.finish();

  function copy(start: number, end: number): void {
    if (start >= end) return;
    let from = start;
    const slice = text.slice(start, end);
    if (slice.includes('__')) {
      for (
        let found = nextSwitch(context, slice, 0, base + start);
        found;
        found = nextSwitch(context, slice, found.end, base + start)
      ) {
        if (isOnTableLine(start + found.start)) continue;
        copyLines(from, start + found.start);
        if (found.contents) out.leaf(found.contents, true);
        from = start + found.end;
      }
    }
    copyLines(from, end);
  }

  /** Attributes of tables and rows are read before switches are. */
  function isOnTableLine(at: number): boolean {
    if (at >= lineEnd) {
      const lineStart = text.lastIndexOf('\n', at) + 1;
      const newline = text.indexOf('\n', at);
      lineEnd = newline < 0 ? text.length : newline;
      isTableLine = /^[\s:]{0,100}(?:\{\||\|-)/.test(text.slice(lineStart, lineStart + 103));
    }
    return isTableLine;
  }

  /** Line ends of two characters become one. */
  function copyLines(start: number, end: number): void {
    if (start >= end) return;
    const slice = text.slice(start, end);
    if (!slice.includes('\r')) {
      out.copy(slice, base + start);
      return;
    }
    let from = start;
    for (
      let found = text.indexOf('\r\n', from);
      found >= 0 && found < end;
      found = text.indexOf('\r\n', from)
    ) {
      out.copy(text.slice(from, found), base + from);
      from = found + 1;
    }
    out.copy(text.slice(from, end), base + from);
  }

  function write(element: Element, index: number): void {
    switch (element.kind) {
      case 'comment':
      case 'skip':
        return;
      case 'extension': {
        const body = element.bodyStart < 0 ? undefined : text.slice(element.bodyStart, element.bodyEnd);
        const { start, end } = element.parts[0] ?? { start: 0, end: 0 };
        if (element.name === 'nowiki') {
          const value = decodeEntities(body ?? '');
          out.leaf({ type: 'text', value, start: base + element.start, end: base + element.end }, false);
          return;
        }
        const attributes = readAnyAttributes(text.slice(start, end));
        const node = insides.extension(element.name, attributes, body, element);
        if (!node) return;
        out.leaf(node, node.type === 'extension' && isBlockExtension(node.name, node.attributes));
        return;
      }
      default:
        out.leaf(insides.template(element, index), false);
    }
  }

  type Tag = { name: string; isClosing: boolean; attributes: string; end: number; index: number };

  /** The tag of an allowed element that begins at `start`; what stands in braces in it counts for nothing. */
  function readTag(start: number): Tag | undefined {
    let nameStart = start + 1;
    const isClosing = text.charCodeAt(nameStart) === 47;
    if (isClosing) nameStart++;
    let nameEnd = nameStart;
    while (nameEnd - nameStart < 12 && isNameCharacter(text.charCodeAt(nameEnd))) nameEnd++;
    const after = text.charCodeAt(nameEnd);
    // A comment may stand right after the name, nowiki may not.
    const startsElement = elements[index]?.start === nameEnd && elements[index]?.kind !== 'extension';
    if (after !== 62 && after !== 47 && !isSpace(after) && !startsElement) return undefined;
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    if (!allowedElements.has(name) && !(name === 'img' && context.rules.imageTags)) return undefined;
    let attributes = '';
    let at = nameEnd;
    let copied = nameEnd;
    let next = index;
    while (at < to) {
      const element = elements[next];
      if (element?.start === at) {
        attributes += text.slice(copied, at);
        if (element.name === 'nowiki' && element.bodyStart >= 0) {
          attributes += text.slice(element.bodyStart, element.bodyEnd);
        }
        next = element.next;
        at = element.end;
        copied = at;
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === 60) return undefined;
      if (code === 62) {
        attributes += text.slice(copied, at);
        return { name, isClosing, attributes, end: at + 1, index: next };
      }
      at++;
    }
    return undefined;
  }

  function writeTag(tag: Tag, start: number): void {
    const { name } = tag;
    const from = base + start;
    const to = base + tag.end;
    if (name === 'img') {
      if (tag.isClosing) return;
      const node = imageTag(readAnyAttributes(tag.attributes), from, to);
      if (node) out.leaf(node, false);
      else out.copy(text.slice(start, tag.end), from);
      return;
    }
    if (tag.isClosing && name !== 'br') {
      out.close(name, from, to);
      return;
    }
    const written = tag.attributes.endsWith('/') ? tag.attributes.slice(0, -1) : tag.attributes;
    const attributes = written === '' ? undefined : readAttributes(written, name);
    const level = name.length === 2 && name !== 'hr' && name[0] === 'h' ? Number(name[1]) : 0;
    const heading: HeadingNode | undefined =
      level > 0
        ? { type: 'heading', name, attributes, level, id: '', children: [], start: from, end: to }
        : undefined;
    out.open(name, from, to, attributes, heading);
  }
}

function isNameCharacter(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}
