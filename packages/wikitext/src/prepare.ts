/**
 * Converts source and the elements that `scan.ts` found to prepared text: comments are removed; tags, calls and extensions
 * become marks.
 */

import { char, isBlank } from './characters.ts';
import type { Context } from './context.ts';
import type { Element, Fragment, FragmentRange } from './elements.ts';
import { decodeEntities } from './entities.ts';
import type { ExtensionTag, ReadNodes } from './extensions/extension.ts';
import { readTag, type Tag } from './html-tag.ts';
import { imageTag } from './inlines/image.ts';
import { showNested } from './nested-tags.ts';
import { Composer, type Prepared } from './prepared.ts';
import { readAnyAttributes, readAttributes } from './sanitize.ts';
import { nextSwitch } from './switch.ts';
import type { Node } from './tree.ts';

/** Creates the nodes of elements that have content. Implemented by `parse.ts`, which parses the content. */
export type Insides = {
  extension(tag: ExtensionTag, at: Element): ReadNodes;
  template(element: Element, index: number): Node;
};

/** Prepares a part of a fragment. */
export function prepare(
  context: Context,
  fragment: Fragment,
  range: FragmentRange,
  insides: Insides,
): Prepared {
  const { text, elements, base } = fragment;
  const { start: from, end: to } = range;
  const first = elements[range.first];
  const part = text.slice(from, to);
  const hasTags = part.includes('<');
  const hasMore = part.includes('__') || part.includes('\r');
  if (hasTags || hasMore || (first && first.start < to))
    return new Preparation(context, fragment, insides).prepare(range, hasTags);
  const out = new Composer();
  out.copy(part, base + from);
  return out.finish();
}

class Preparation {
  readonly #context: Context;
  readonly #fragment: Fragment;
  readonly #insides: Insides;
  readonly #out = new Composer();
  /** End of the last switch that began a line, including the space after it. */
  #switchEnd = -1;
  /** End of the line that `#isOnTableLine` checked last. */
  #lineEnd = 0;
  #isTableLine = false;

  constructor(context: Context, fragment: Fragment, insides: Insides) {
    this.#context = context;
    this.#fragment = fragment;
    this.#insides = insides;
  }

  /**
   * `hasTags`: whether the part contains a tag. If false, the rest of the text is not searched for one, which matters because a
   * call may have many parts.
   */
  prepare({ start: from, end: to, first }: FragmentRange, hasTags: boolean): Prepared {
    const { text, elements } = this.#fragment;
    const { rules } = this.#context;
    let index = first;
    let at = from;
    let nextTag = hasTags ? -2 : -1;
    while (at < to) {
      const element = elements[index];
      const elementStart = element && element.start < to ? element.start : to;
      if (nextTag < at && nextTag !== -1) nextTag = text.indexOf('<', at);
      if (nextTag >= at && nextTag < elementStart) {
        const tag = readTag(this.#fragment, nextTag, index, rules);
        if (tag && tag.end <= to) {
          this.#copy(at, nextTag);
          this.#writeTag(tag, nextTag);
          at = tag.end;
          index = tag.nextElement;
        } else {
          // The `<` is text; a tag may begin after it.
          nextTag = text.indexOf('<', nextTag + 1);
        }
        continue;
      }
      this.#copy(at, elementStart);
      at = elementStart;
      if (element && element.start < to) {
        this.#write(element, index);
        index = element.next;
        at = element.end;
      }
    }
    return this.#out.finish();
  }

  #copy(start: number, end: number): void {
    if (start >= end) return;
    const { text, base } = this.#fragment;
    let from = start;
    const slice = text.slice(start, end);
    if (slice.includes('__')) {
      const next = (at: number) => nextSwitch(this.#context, slice, at, base + start);
      for (let found = next(0); found; found = next(found.end)) {
        if (this.#isOnTableLine(start + found.start)) continue;
        this.#copyLines(from, start + found.start);
        if (found.contents) this.#out.leaf(found.contents, true);
        from = this.#endOfSwitch(start + found.start, start + found.end, end);
      }
    }
    this.#copyLines(from, end);
  }

  /** Returns the end of a switch, including a space after it, because a line that begins with a space would be preformatted. */
  #endOfSwitch(start: number, end: number, limit: number): number {
    const { text } = this.#fragment;
    const { rules } = this.#context;
    const isFirst = start === 0 || text.charCodeAt(start - 1) === char.newline || start === this.#switchEnd;
    if (!isFirst || rules.indentsAfterMarkers) return end;
    let after = end;
    while (after < limit && isBlank(text.charCodeAt(after))) after++;
    this.#switchEnd = after;
    return after;
  }

  /** Attributes of tables and rows are read before switches, so switches in them do not count. */
  #isOnTableLine(at: number): boolean {
    if (at >= this.#lineEnd) {
      const { text } = this.#fragment;
      const lineStart = text.lastIndexOf('\n', at) + 1;
      const newline = text.indexOf('\n', at);
      this.#lineEnd = newline < 0 ? text.length : newline;
      this.#isTableLine = /^[\s:]{0,100}(?:\{\||\|-)/.test(text.slice(lineStart, lineStart + 103));
    }
    return this.#isTableLine;
  }

  /** Copies text, with CR LF replaced by LF. */
  #copyLines(start: number, end: number): void {
    if (start >= end) return;
    const { text, base } = this.#fragment;
    const slice = text.slice(start, end);
    if (!slice.includes('\r')) {
      this.#out.copy(slice, base + start);
      return;
    }
    let from = start;
    for (
      let found = text.indexOf('\r\n', from);
      found >= 0 && found < end;
      found = text.indexOf('\r\n', from)
    ) {
      this.#out.copy(text.slice(from, found), base + from);
      from = found + 1;
    }
    this.#out.copy(text.slice(from, end), base + from);
  }

  #write(element: Element, index: number): void {
    const { text, base } = this.#fragment;
    switch (element.kind) {
      case 'comment':
      case 'skip':
        return;
      case 'extension': {
        const body = element.bodyStart < 0 ? undefined : text.slice(element.bodyStart, element.bodyEnd);
        const { start, end } = element.parts[0] ?? { start: 0, end: 0 };
        if (element.name === 'nowiki') {
          const value = decodeEntities(showNested(body ?? ''));
          this.#out.leaf(
            { type: 'text', value, start: base + element.start, end: base + element.end },
            false,
          );
          return;
        }
        const attributes = readAnyAttributes(text.slice(start, end));
        const nodes = this.#insides.extension({ name: element.name, attributes, body }, element);
        for (const [index, node] of [nodes].flat().entries()) {
          if (index > 0) this.#out.copy('\n', base + element.start);
          if (node) this.#out.leaf(node, node.type === 'extension' && node.isBlock);
        }
        return;
      }
      default:
        this.#out.leaf(this.#insides.template(element, index), false);
    }
  }

  #writeTag({ name, isClosing, attributes: written, end }: Tag, start: number): void {
    const { text, base } = this.#fragment;
    const out = this.#out;
    const [from, to] = [base + start, base + end];
    if (name === 'img') {
      if (isClosing) return;
      const node = imageTag(readAnyAttributes(written), from, to);
      if (node) out.leaf(node, false);
      else out.copy(text.slice(start, end), from);
      return;
    }
    if (isClosing && name !== 'br') {
      out.close(name, from, to);
      return;
    }
    const unslashed = written.endsWith('/') ? written.slice(0, -1) : written;
    const attributes = unslashed === '' ? undefined : readAttributes(unslashed, name);
    const level = name.length === 2 && name !== 'hr' && name[0] === 'h' ? Number(name[1]) : 0;
    if (level > 0)
      out.openNode({ type: 'heading', name, attributes, level, id: '', children: [], start: from, end: to });
    else out.open(name, from, to, attributes);
    if (written !== unslashed && (name === 'li' || name === 'dt' || name === 'dd')) out.close(name, to, to);
  }
}
