/**
 * The first pass, shared by `parse` and `expand`: finds what hides its inside from everything else.
 *
 *   <!-- comment -->   <nowiki>…</nowiki> <pre> <ref> …   <noinclude> …   {{call|…}}   {{{argument|default}}}
 *
 * The result is a flat list in source order; an element's descendants stand right after it, up to `next`.
 * One walk with an explicit stack (`braces.ts`), each closing tag searched once: linear in the length of the text.
 */

import { Braces, type Part } from './braces.ts';
import { char, isBlank, isLetter, isSpace } from './characters.ts';
import { extensionTags } from './constructs.ts';
import { type Element, inSourceOrder } from './elements.ts';
import { EndTags } from './end-tags.ts';
import type { Rules } from './options.ts';

export type ScanMode = {
  /** The text is a template's: `<noinclude>` is left out, `<includeonly>` taken. */
  isIncluded: boolean;
  /** Braces count. */
  hasTemplates: boolean;
  /** A `<ref>` may stand within another, and `<references>` needs neither slash nor end tag. */
  hasLooseNotes: boolean;
  /** Variants and headings in calls, as in MediaWiki, hide what would end or part these. */
  strictCalls?: boolean;
  /** Tags of the host and the dialect, besides those of `constructs.ts`. */
  tags?: Rules['tags'];
  /** Tags that say what is included are done with, and those that are left are text. */
  isExpanded?: boolean;
};

const includeNames = new Set(['noinclude', 'includeonly', 'onlyinclude']);

/** Elements of `text` in source order, each before what is inside it. */
export function scan(text: string, mode: ScanMode): Element[] {
  // Most notes and arguments are plain.
  return text.includes('<') || (mode.hasTemplates && text.includes('{{'))
    ? new Scanner(text, mode).scan()
    : [];
}

/** One walk over a text in which markup may be. */
class Scanner {
  readonly #text: string;
  readonly #mode: ScanMode;
  readonly #elements: Element[] = [];
  readonly #braces: Braces;
  readonly #endTags: EndTags;
  /** Only what stands in `<onlyinclude>` is taken. */
  readonly #takesOnlyParts: boolean;
  #nextTag = -1;
  #nextCall = -1;
  #hasMoreTagEnds = true;

  constructor(text: string, mode: ScanMode) {
    this.#text = text;
    this.#mode = mode;
    this.#braces = new Braces(text, mode.strictCalls ?? false, (kind, start, end, parts) =>
      this.#add(kind, start, end, '', parts),
    );
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

  /** While no call is open, plain text is passed over: only a tag or a call may begin here. */
  #nextStart(at: number): number {
    const text = this.#text;
    if (this.#nextTag < at) this.#nextTag = indexOrEnd(text, '<', at);
    if (this.#nextCall < at)
      this.#nextCall = this.#mode.hasTemplates ? indexOrEnd(text, '{{', at) : text.length;
    return Math.min(this.#nextTag, this.#nextCall);
  }

  /** Reads the construct that `<` at `at` begins, if any. Returns where to go on, like the methods below. */
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

  /** On a page `<onlyinclude>` means nothing; in a template it does in exactly this form, and its like is text. */
  #isIncludeName(name: string): boolean {
    return (
      includeNames.has(name) && !this.#mode.isExpanded && !(this.#mode.isIncluded && name === 'onlyinclude')
    );
  }

  #include(at: number, name: string, isClosing: boolean, tagEnd: number): number {
    const hides = name === (this.#mode.isIncluded ? 'noinclude' : 'includeonly');
    // The end of what is not open is text.
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
    // People forget the slash of `<references/>`; there is nothing else that it could mean.
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

  /** Comments alone on their lines go with these lines, newline included. */
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

  #add(kind: Element['kind'], start: number, end: number, name: string, parts: Part[] = []): Element {
    const element = { kind, start, end, next: 0, name, parts, attributesEnd: -1, bodyStart: -1, bodyEnd: -1 };
    this.#elements.push(element);
    return element;
  }
}

function indexOrEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found;
}
