/**
 * First pass, shared by `parse` and `expand`: finds the elements that hide their content from all other constructs.
 *
 *   <!-- comment -->   <nowiki>…</nowiki> <pre> <ref> …   <noinclude> …   {{call|…}}   {{{argument|default}}}
 *
 * The result is a flat list in source order; an element's descendants follow it directly, up to `next`. One walk with an
 * explicit stack (`braces.ts`) that searches each end tag once: linear in the length of the text.
 */

import { Braces, type Part } from './braces.ts';
import { char, isBlank, isLetter, isSpace } from './characters.ts';
import { extensionTags } from './constructs.ts';
import { type Element, inSourceOrder } from './elements.ts';
import { EndTags } from './end-tags.ts';
import type { Rules } from './options.ts';

export type ScanMode = {
  /** Whether the text is a template's: `<noinclude>` is left out, `<includeonly>` is included. */
  isIncluded: boolean;
  /** Whether braces are markup. */
  hasTemplates: boolean;
  /** Whether a `<ref>` may stand within another, and `<references>` needs neither a slash nor an end tag. */
  hasLooseNotes: boolean;
  /** Whether variants and headings hide pipes and braces inside calls, as in MediaWiki. */
  strictCalls?: boolean;
  /** Tags of the host and the dialect, in addition to those of `constructs.ts`. */
  tags?: Rules['tags'];
  /** Whether inclusion tags have been processed already, so that any left over are text. */
  isExpanded?: boolean;
};

const includeNames = new Set(['noinclude', 'includeonly', 'onlyinclude']);

/** Returns the elements of `text` in source order, each before its descendants. */
export function scan(text: string, mode: ScanMode): Element[] {
  // Most notes and arguments are plain text.
  return text.includes('<') || (mode.hasTemplates && text.includes('{{'))
    ? new Scanner(text, mode).scan()
    : [];
}

/** Walks once over a text that may contain markup. */
class Scanner {
  readonly #text: string;
  readonly #mode: ScanMode;
  readonly #elements: Element[] = [];
  readonly #braces: Braces;
  readonly #endTags: EndTags;
  /** Whether only the content of `<onlyinclude>` is included. */
  readonly #takesOnlyParts: boolean;
  #nextTag = -1;
  #nextCall = -1;
  #hasMoreTagEnds = true;

  constructor(text: string, mode: ScanMode) {
    this.#text = text;
    this.#mode = mode;
    this.#braces = new Braces(text, mode.strictCalls ?? false, (kind, start, end, parts) => {
      this.#add(kind, start, end, '').parts = parts;
    });
    this.#endTags = new EndTags(text);
    this.#takesOnlyParts =
      mode.isIncluded && text.includes('<onlyinclude>') && text.includes('</onlyinclude>');
  }

  scan(): Element[] {
    const text = this.#text;
    const braces = this.#braces;
    let at = this.#takesOnlyParts ? this.#skipToOnly(0) : 0;
    while (at < text.length) {
      if (!braces.isAnyOpen) {
        at = this.#nextStart(at);
        if (at >= text.length) break;
      }
      const code = text.charCodeAt(at);
      switch (code) {
        case char.lessThan:
          at = this.#tag(at);
          break;
        case char.openBrace:
        case char.openBracket:
          at = braces.open(code, at);
          break;
        case char.closeBrace:
        case char.closeBracket:
          at = braces.close(code, at);
          break;
        case char.pipe:
          braces.separate(at++);
          break;
        case char.equals:
          at = braces.equals(at);
          break;
        case char.newline:
          braces.endLine();
          at++;
          break;
        default:
          at++;
      }
    }
    return inSourceOrder(this.#elements);
  }

  /** Returns the next position where a tag or a call may begin. While no call is open, the plain text before it is skipped. */
  #nextStart(at: number): number {
    const text = this.#text;
    if (this.#nextTag < at) this.#nextTag = indexOrEnd(text, '<', at);
    if (this.#nextCall < at)
      this.#nextCall = this.#mode.hasTemplates ? indexOrEnd(text, '{{', at) : text.length;
    return Math.min(this.#nextTag, this.#nextCall);
  }

  /**
   * Reads the construct that begins with the `<` at `at`, if any. Returns the offset to continue from, like the methods below.
   */
  #tag(at: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', at)) return this.#comment(at);
    if (this.#takesOnlyParts && text.startsWith('</onlyinclude>', at)) return this.#skipToOnly(at);
    let nameStart = at + 1;
    const isClosing = text.charCodeAt(nameStart) === char.slash;
    if (isClosing) nameStart++;
    let nameEnd = nameStart;
    while (nameEnd - nameStart < 16 && isLetter(text.charCodeAt(nameEnd))) nameEnd++;
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    const isTransparent = this.#mode.tags?.get(name) === 'transparent';
    const isInclude = isTransparent || this.#isIncludeName(name);
    if (!isInclude && (isClosing || !(extensionTags.has(name) || this.#mode.tags?.has(name)))) return at + 1;
    const after = text.charCodeAt(nameEnd);
    if (after !== char.greaterThan && !isSpace(after) && !text.startsWith('/>', nameEnd)) return at + 1;
    const tagEnd = this.#hasMoreTagEnds ? text.indexOf('>', nameEnd) : -1;
    if (tagEnd < 0) {
      this.#hasMoreTagEnds = false;
      return at + 1;
    }
    if (isTransparent) {
      this.#add('skip', at, tagEnd + 1, name);
      return tagEnd + 1;
    }
    return isInclude
      ? this.#include(at, name, isClosing, tagEnd + 1)
      : this.#extension(at, name, nameEnd, tagEnd);
  }

  /**
   * On a page, `<onlyinclude>` has no effect. In a template, only its exact form has an effect, and is handled elsewhere; any
   * other form is text.
   */
  #isIncludeName(name: string): boolean {
    return (
      includeNames.has(name) && !this.#mode.isExpanded && !(this.#mode.isIncluded && name === 'onlyinclude')
    );
  }

  #include(at: number, name: string, isClosing: boolean, tagEnd: number): number {
    const hides = name === (this.#mode.isIncluded ? 'noinclude' : 'includeonly');
    // An end tag without a start tag is text.
    if (hides && isClosing) return tagEnd;
    let end = tagEnd;
    if (hides && this.#text.charCodeAt(tagEnd - 2) !== char.slash)
      end = this.#endTags.find(name, tagEnd)?.end ?? this.#text.length;
    this.#add('skip', at, end, name);
    return end;
  }

  #extension(start: number, name: string, nameEnd: number, tagEnd: number): number {
    const hasSlash = this.#text.charCodeAt(tagEnd - 1) === char.slash;
    const extension = extensionTags.get(name);
    const mayNest = extension?.nests && this.#mode.hasLooseNotes;
    const closing = hasSlash
      ? undefined
      : mayNest
        ? this.#endTags.findNested(name, start, tagEnd + 1)
        : this.#endTags.find(name, tagEnd + 1);
    // Authors often forget the slash of `<references/>`, and the tag could mean nothing else.
    const isSelfClosing = hasSlash || (extension?.mayLackEnd && !closing && this.#mode.hasLooseNotes);
    if (!isSelfClosing && !closing) return tagEnd + 1;
    const element = this.#add('extension', start, closing?.end ?? tagEnd + 1, name);
    element.bodyStart = closing ? tagEnd + 1 : -1;
    element.bodyEnd = closing?.start ?? -1;
    element.attributesEnd = hasSlash ? tagEnd - 1 : tagEnd;
    element.parts = [{ start: nameEnd, end: element.attributesEnd, equals: -1 }];
    return element.end;
  }

  #skipToOnly(from: number): number {
    const open = this.#text.indexOf('<onlyinclude>', from);
    const end = open < 0 ? this.#text.length : open + '<onlyinclude>'.length;
    this.#add('skip', from, end, 'onlyinclude');
    return end;
  }

  /** Skips a comment. Comments alone on their lines are removed with those lines, newline included. */
  #comment(first: number): number {
    const text = this.#text;
    const comments: [number, number][] = [];
    let end = first;
    for (;;) {
      const close = text.indexOf('-->', end + 4);
      const from = end;
      end = close < 0 ? text.length : close + 3;
      comments.push([from, end]);
      let next = end;
      while (isBlank(text.charCodeAt(next))) next++;
      if (!text.startsWith('<!--', next)) break;
      end = next;
    }
    let lineStart = first;
    while (lineStart > 0 && isBlank(text.charCodeAt(lineStart - 1))) lineStart--;
    let lineEnd = end;
    while (isBlank(text.charCodeAt(lineEnd))) lineEnd++;
    if (text.charCodeAt(lineStart - 1) === char.newline && text.charCodeAt(lineEnd) === char.newline) {
      this.#add('comment', lineStart, lineEnd + 1, '');
      return lineEnd + 1;
    }
    for (const [from, to] of comments) this.#add('comment', from, to, '');
    return end;
  }

  #add(kind: Element['kind'], start: number, end: number, name: string): Element {
    const parts: Part[] = [];
    const element = { kind, start, end, next: 0, name, parts, attributesEnd: -1, bodyStart: -1, bodyEnd: -1 };
    this.#elements.push(element);
    return element;
  }
}

function indexOrEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found;
}
