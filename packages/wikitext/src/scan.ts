/**
 * The first pass, shared by `parse` and `expand`: finds what hides its inside from everything else.
 *
 *   <!-- comment -->   <nowiki>…</nowiki> <pre> <ref> …   <noinclude> …   {{call|…}}   {{{argument|default}}}
 *
 * The result is a flat list in source order; an element's descendants stand right after it, up to `next`.
 * One walk with an explicit stack, each closing tag searched once: linear in the length of the text.
 * Brackets nest as in MediaWiki: an open `[[` hides `}}` until it is closed, three braces bind before two.
 */

import { limits } from './limits.ts';

export type Part = { start: number; end: number; equals: number };

export type Element = {
  kind: 'comment' | 'skip' | 'extension' | 'template' | 'argument';
  start: number;
  end: number;
  /** Index after the last descendant. */
  next: number;
  /** Extension: lower-case tag name. */
  name: string;
  /** Template, argument: what stands between the pipes. */
  parts: Part[];
  /** Extension: where attributes end, and where the body lies; -1 when self-closing. */
  attributesEnd: number;
  bodyStart: number;
  bodyEnd: number;
};

export type ScanMode = {
  /** The text is a template's: `<noinclude>` is left out, `<includeonly>` taken. */
  isIncluded: boolean;
  /** Braces count. */
  hasTemplates: boolean;
  /** A `<ref>` may stand within another, and `<references>` needs neither slash nor end tag. */
  hasLooseNotes: boolean;
};

/** Tags whose inside is not markup of the page. */
export const extensionNames: ReadonlySet<string> = new Set([
  'nowiki',
  'pre',
  'ref',
  'references',
  'gallery',
  'syntaxhighlight',
  'source',
  'math',
  'poem',
  'listing',
]);

const includeNames = new Set(['noinclude', 'includeonly', 'onlyinclude']);

type Piece = { open: number; close: number; start: number; count: number; parts: Part[] };

/** Elements of `text` in source order, each before what is inside it. */
export function scan(text: string, mode: ScanMode): Element[] {
  // Most notes and arguments are plain.
  return text.includes('<') || (mode.hasTemplates && text.includes('{{')) ? scanMarkup(text, mode) : [];
}

function scanMarkup(text: string, mode: ScanMode): Element[] {
  const elements: Element[] = [];
  const stack: Piece[] = [];
  const unclosed = new Set<string>();
  const { length } = text;
  let hasMoreTagEnds = true;
  let notes: ReadonlyMap<number, { start: number; end: number }> | undefined;
  let noEqualsUntil = 0;
  let at = 0;
  const onlyParts = mode.isIncluded && text.includes('<onlyinclude>');
  if (onlyParts) skipToOnly(0);
  let nextTag = -1;
  let nextCall = -1;
  while (at < length) {
    if (stack.length === 0) {
      at = nextStart();
      if (at >= length) break;
    }
    const code = text.charCodeAt(at);
    switch (code) {
      case 60: // <
        tag();
        break;
      case 123: // {
      case 91: {
        // [
        const count = run(code);
        // Brackets hide braces from an open call only.
        if (count >= 2 && stack.length < limits.openCalls && (code === 123 || stack.length > 0)) {
          const inside = at + count;
          stack.push({
            open: code,
            close: code + 2,
            start: at,
            count,
            parts: code === 123 ? [{ start: inside, end: inside, equals: -1 }] : [],
          });
        }
        at += count;
        break;
      }
      case 125: // }
      case 93: // ]
        close(code);
        break;
      case 124: {
        // |
        const top = stack[stack.length - 1];
        // What nests too deep is no call any more, and its pipes are no parts of the last one that is.
        if (top?.open === 123 && stack.length < limits.openCalls && top.parts.length <= limits.arguments) {
          const part = top.parts[top.parts.length - 1];
          if (part) part.end = at;
          top.parts.push({ start: at + 1, end: at + 1, equals: -1 });
        }
        at++;
        break;
      }
      case 61: {
        // =
        const top = stack[stack.length - 1];
        if (top?.open === 123 && top.parts.length > 1 && at >= noEqualsUntil) {
          const part = top.parts[top.parts.length - 1];
          if (part && part.equals < 0) {
            // A heading inside an argument does not name it.
            const lineEnd = isHeadingStart() ? text.indexOf('\n', at) : -1;
            if (lineEnd > 0 && text.slice(at, lineEnd).trimEnd().endsWith('=')) noEqualsUntil = lineEnd;
            else part.equals = at;
          }
        }
        at++;
        break;
      }
      default:
        at++;
    }
  }
  return link(elements);

  /** While no call is open, plain text is passed over: only a tag or a call may begin here. */
  function nextStart(): number {
    if (nextTag < at) nextTag = indexOrEnd(text, '<', at);
    if (nextCall < at) nextCall = mode.hasTemplates ? indexOrEnd(text, '{{', at) : length;
    return Math.min(nextTag, nextCall);
  }

  function run(code: number): number {
    let count = 1;
    while (text.charCodeAt(at + count) === code) count++;
    return count;
  }

  function isHeadingStart(): boolean {
    return text.charCodeAt(at - 1) === 10 && text.charCodeAt(at + 1) === 61;
  }

  function close(code: number): void {
    const top = stack[stack.length - 1];
    if (!top || top.close !== code) {
      at += run(code);
      return;
    }
    // Only as many as can match are counted: a long run is walked once, not once for each pair.
    const most = Math.min(top.count, code === 125 ? 3 : 2);
    let matched = 1;
    while (matched < most && text.charCodeAt(at + matched) === code) matched++;
    if (matched < 2) {
      at += matched;
      return;
    }
    if (code === 125) {
      const last = top.parts[top.parts.length - 1];
      if (last) last.end = at;
      const start = top.start + top.count - matched;
      add(matched === 3 ? 'argument' : 'template', start, at + matched, '', top.parts);
    }
    at += matched;
    top.count -= matched;
    if (top.count >= 2) {
      const inside = top.start + top.count;
      if (code === 125) top.parts = [{ start: inside, end: inside, equals: -1 }];
    } else stack.pop();
  }

  function tag(): void {
    if (text.startsWith('<!--', at)) {
      comment();
      return;
    }
    let nameStart = at + 1;
    const isClosing = text.charCodeAt(nameStart) === 47;
    if (isClosing) nameStart++;
    let nameEnd = nameStart;
    while (nameEnd - nameStart < 16 && isLetter(text.charCodeAt(nameEnd))) nameEnd++;
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    const isInclude = includeNames.has(name);
    if (!isInclude && (isClosing || !extensionNames.has(name))) {
      at++;
      return;
    }
    const after = text.charCodeAt(nameEnd);
    if (after !== 62 && after !== 47 && !isSpace(after)) {
      at++;
      return;
    }
    const tagEnd = hasMoreTagEnds ? text.indexOf('>', nameEnd) : -1;
    if (tagEnd < 0) {
      hasMoreTagEnds = false;
      at++;
      return;
    }
    if (isInclude) include(name, isClosing, tagEnd + 1);
    else extension(name, nameEnd, tagEnd);
  }

  function include(name: string, isClosing: boolean, tagEnd: number): void {
    const hides = name === (mode.isIncluded ? 'noinclude' : 'includeonly');
    if (onlyParts && name === 'onlyinclude' && isClosing) {
      skipToOnly(at);
      return;
    }
    // The end of what is not open is text.
    if (hides && isClosing) {
      at = tagEnd;
      return;
    }
    let end = tagEnd;
    if (hides && !isClosing && text.charCodeAt(tagEnd - 2) !== 47)
      end = findClose(name, tagEnd)?.end ?? length;
    add('skip', at, end, name);
    at = end;
  }

  function extension(name: string, nameEnd: number, tagEnd: number): void {
    const start = at;
    const hasSlash = text.charCodeAt(tagEnd - 1) === 47;
    const closing = hasSlash ? undefined : (noteEnd(name, tagEnd + 1) ?? findClose(name, tagEnd + 1));
    // People forget the slash of `<references/>`; there is nothing else that it could mean.
    const isSelfClosing = hasSlash || (name === 'references' && !closing && mode.hasLooseNotes);
    if (!isSelfClosing && !closing) {
      at = tagEnd + 1;
      return;
    }
    const element = add('extension', start, closing?.end ?? tagEnd + 1, name);
    element.bodyStart = closing ? tagEnd + 1 : -1;
    element.bodyEnd = closing?.start ?? -1;
    element.attributesEnd = hasSlash ? tagEnd - 1 : tagEnd;
    element.parts = [{ start: nameEnd, end: element.attributesEnd, equals: -1 }];
    at = element.end;
  }

  /** End tag of the note that begins here and whose inside begins at `from`, if it closes with others inside it. */
  function noteEnd(name: string, from: number): { start: number; end: number } | undefined {
    if (name !== 'ref' || !mode.hasLooseNotes) return undefined;
    const first = findClose(name, from);
    if (!first || !/<ref[\s>]/i.test(text.slice(from, first.start))) return first;
    notes ??= pairNotes(text);
    return notes.get(at);
  }

  function findClose(name: string, from: number): { start: number; end: number } | undefined {
    if (unclosed.has(name)) return undefined;
    for (let found = text.indexOf('</', from); found >= 0; found = text.indexOf('</', found + 2)) {
      let end = found + 2 + name.length;
      if (text.slice(found + 2, end).toLowerCase() !== name) continue;
      while (isSpace(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) === 62) return { start: found, end: end + 1 };
    }
    unclosed.add(name);
    return undefined;
  }

  function skipToOnly(from: number): void {
    const open = text.indexOf('<onlyinclude>', from);
    const end = open < 0 ? length : open + '<onlyinclude>'.length;
    add('skip', from, end, 'onlyinclude');
    at = end;
  }

  /** Comments alone on their lines go with these lines, newline included. */
  function comment(): void {
    const first = at;
    const comments: [number, number][] = [];
    let end = at;
    for (;;) {
      const close = text.indexOf('-->', end + 4);
      const from = end;
      end = close < 0 ? length : close + 3;
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
    if (text.charCodeAt(lineStart - 1) === 10 && text.charCodeAt(lineEnd) === 10) {
      add('comment', lineStart, lineEnd + 1, '');
      at = lineEnd + 1;
      return;
    }
    for (const [from, to] of comments) add('comment', from, to, '');
    at = end;
  }

  function add(kind: Element['kind'], start: number, end: number, name: string, parts: Part[] = []): Element {
    const element = { kind, start, end, next: 0, name, parts, attributesEnd: -1, bodyStart: -1, bodyEnd: -1 };
    elements.push(element);
    return element;
  }
}

/** End tags of notes by the offsets of their start tags, inner ones first, in one walk. */
function pairNotes(text: string): Map<number, { start: number; end: number }> {
  const pairs = new Map<number, { start: number; end: number }>();
  const open: number[] = [];
  for (const tag of text.matchAll(/<ref(?=[\s>])[^<>]*>|<\/ref\s{0,100}>/gi)) {
    const [written] = tag;
    if (written.charCodeAt(1) !== 47) {
      if (!written.endsWith('/>')) open.push(tag.index);
      continue;
    }
    const start = open.pop();
    if (start !== undefined) pairs.set(start, { start: tag.index, end: tag.index + written.length });
  }
  return pairs;
}

/** Index of the first of `elements`, which are in order, that starts at or after `position`. */
export function firstFrom(elements: readonly { start: number }[], position: number, low = 0): number {
  let high = elements.length;
  let from = low;
  while (from < high) {
    const middle = (from + high) >> 1;
    if ((elements[middle]?.start ?? 0) < position) from = middle + 1;
    else high = middle;
  }
  return from;
}

/** Orders elements by start, outer before inner, and fills in `next`. */
function link(elements: Element[]): Element[] {
  elements.sort((left, right) => left.start - right.start || right.end - left.end);
  const open: Element[] = [];
  elements.forEach((element, index) => {
    let top = open[open.length - 1];
    while (top && top.end <= element.start) {
      top.next = index;
      open.pop();
      top = open[open.length - 1];
    }
    open.push(element);
  });
  for (const element of open) element.next = elements.length;
  return elements;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
