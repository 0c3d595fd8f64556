/**
 * Finds what belongs to the wiki and not to Markdown: `[[links]]`, `![[embeds]]`, `{{calls}}` and the extension tags of
 * wikitext, wherever they stand but in code. Each is replaced by characters that no text has and no rule of Markdown knows,
 * as many as it is long, so that offsets stay and a bar or a blank line within it breaks nothing.
 *
 * One walk over the tokens that matter, with the places of all backticks known beforehand: linear in the length of the text.
 */
import { char, extensionTags } from '@coppice/wikitext/build';

export type SpanKind = 'link' | 'picture' | 'call' | 'tag' | 'hidden';
export type Span = {
  kind: SpanKind;
  start: number;
  end: number;
  /** The wikitext of a call that is written in another syntax, such as `![[Page]]`. */
  wikitext?: string;
};

/** Unicode's noncharacters, which are for internal use: `opener`, then the span's number in base 30, then filling. */
const opener = '\uFDEF';
const firstDigit = 0xfdd0;
const base = 30;
/** Stands for a brace or angle bracket of code in a template, until the template has been put in place. */
const guards: Readonly<Record<string, string>> = { '\uFFFE': '{', '\uFFFF': '<' };
const spanOrGuard = /\uFDEF[\uFDD0-\uFDED]{4}\uFDEE*/g;

/** Tags that HTML has as well, or that stand for Markdown itself. */
const ownTags = new Set(['pre', 'source', 'markdown']);
/** Tags whose inside is read by wikitext's rules. */
const tags = [...extensionTags.keys(), 'ce', 'chem', 'includeonly', 'section'].filter(
  (name) => !ownTags.has(name) && !extensionTags.get(name)?.isReserved,
);
const token = new RegExp(
  `\\[\\[|\\]\\]|\\{{2,}|\\}{2,}|\`+|~{3,}|\\n[ \\t]*(?=\\n)|<(?:${tags.join('|')})(?=[\\s/>])|\\\\.`,
  'gi',
);

export type Prepared = { text: string; spans: readonly Span[] };

/** `source` with its spans replaced. What the replacements are made of is taken from the source first. */
export function setAside(source: string): Prepared {
  const text = source.replace(/[\uFDD0-\uFDEF]/g, '\uFFFD');
  const found = findSpans(text);
  // The shortest span is `[[a]]`.
  const spans = found.filter(({ start, end }) => end - start >= 5).slice(0, base ** 4);
  let out = '';
  let at = 0;
  spans.forEach(({ start, end }, index) => {
    out += text.slice(at, start) + replacement(index, end - start);
    at = end;
  });
  return { text: out + text.slice(at), spans };
}

/** The calls of templates and embedded pages in `source`, outermost ones, in wikitext. */
export function callsIn(source: string): string[] {
  return callSpansIn(source).map(({ start, end, wikitext }) => wikitext ?? source.slice(start, end));
}

/** The places of these calls. */
export function callSpansIn(source: string): Span[] {
  return setAside(source).spans.filter(({ kind }) => kind === 'call');
}

/** A template's body in which code keeps its braces and tags while arguments are put in place. */
export function guardCode(body: string): string {
  const text = body.replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
  let out = '';
  let at = 0;
  for (const [start, end] of codeIn(text)) {
    out += text.slice(at, start) + text.slice(start, end).replaceAll('{', '\uFFFE').replaceAll('<', '\uFFFF');
    at = end;
  }
  return out + text.slice(at);
}

export function withoutGuards(text: string): string {
  return /[\uFFFE\uFFFF]/.test(text) ? text.replace(/[\uFFFE\uFFFF]/g, (one) => guards[one] ?? '') : text;
}

function replacement(index: number, length: number): string {
  let digits = '';
  for (let rest = index, digit = 0; digit < 4; digit++) {
    digits = String.fromCharCode(firstDigit + (rest % base)) + digits;
    rest = Math.floor(rest / base);
  }
  return opener + digits + '\uFDEE'.repeat(length - 5);
}

function indexOf(found: string): number {
  let index = 0;
  for (let at = 1; at < 5; at++) index = index * base + found.charCodeAt(at) - firstDigit;
  return index;
}

/** Pieces of a text in which spans were replaced: text, or the number of a span. */
export function* piecesOf(text: string): Generator<{ at: number; text?: string; span?: number }> {
  let at = 0;
  for (const { 0: found, index } of text.matchAll(spanOrGuard)) {
    if (at < index) yield { at, text: text.slice(at, index) };
    yield { at: index, span: indexOf(found) };
    at = index + found.length;
  }
  if (at < text.length) yield { at, text: text.slice(at) };
}

/** The text as it was written. */
export function restore(text: string, source: string, spans: readonly Span[]): string {
  if (!text.includes(opener)) return text;
  return text.replace(spanOrGuard, (found) => {
    const span = spans[indexOf(found)];
    return span ? source.slice(span.start, span.end) : '';
  });
}

export function hasSpan(text: string): boolean {
  return text.includes(opener);
}

/** Stretches of fenced code and code spans. */
function* codeIn(text: string): Generator<[start: number, end: number]> {
  const ticks = new Ticks(text);
  for (const match of text.matchAll(/`+|~{3,}|\n[ \t]*(?=\n)/g)) {
    const { 0: found, index } = match;
    if (index < ticks.after) continue;
    if (found[0] === '\n') ticks.endBlock(index);
    else {
      const end = ticks.codeEnd(index, found);
      if (end > 0) yield [index, end];
    }
  }
}

function findSpans(text: string): Span[] {
  const spans: Span[] = [];
  const ticks = new Ticks(text);
  const tags = new ClosingTags(text);
  const links: number[] = [];
  const braces: { start: number; count: number }[] = [];
  let after = 0;
  for (const { 0: found, index } of text.matchAll(token)) {
    if (index < after || index < ticks.after) continue;
    switch (found[0]) {
      case '`':
      case '~':
        ticks.codeEnd(index, found);
        break;
      case '\n':
        // A link ends with its block, a call need not.
        links.length = 0;
        ticks.endBlock(index);
        break;
      case '[':
        links.push(index);
        break;
      case ']': {
        const start = links.pop();
        if (start !== undefined) spans.push({ kind: 'link', start, end: index + 2 });
        break;
      }
      case '{':
        braces.push({ start: index, count: found.length });
        break;
      case '}':
        closeBraces(spans, braces, index, found.length);
        break;
      case '<': {
        const name = found.slice(1).toLowerCase();
        const end = tags.endOf(name, index + found.length);
        if (end > 0) {
          spans.push({ kind: name === 'includeonly' ? 'hidden' : 'tag', start: index, end });
          after = end;
        }
        break;
      }
    }
  }
  return outermost(spans, text);
}

/** A run closes as much as it can of the run that is open: `{{{1}}}` is one parameter and no template in braces. */
function closeBraces(
  spans: Span[],
  braces: { start: number; count: number }[],
  index: number,
  count: number,
): void {
  let closed = 0;
  for (let open = braces.at(-1); open && count - closed >= 2; open = braces.at(-1)) {
    const both = Math.min(open.count, count - closed);
    closed += both;
    open.count -= both;
    spans.push({ kind: 'call', start: open.start + open.count, end: index + closed });
    if (open.count < 2) braces.pop();
  }
}

/** In order; an exclamation mark before a link is part of it. */
function outermost(spans: Span[], text: string): Span[] {
  spans.sort((left, right) => left.start - right.start || right.end - left.end);
  const out: Span[] = [];
  let after = 0;
  for (const span of spans) {
    if (span.start < after) continue;
    after = span.end;
    const isEmbed =
      span.kind === 'link' &&
      text.charCodeAt(span.start - 1) === char.exclamation &&
      text.charCodeAt(span.start - 2) !== char.backslash;
    out.push(isEmbed ? embed(text, span.start - 1, span.end) : span);
  }
  return out;
}

const media = /\.(?:avif|bmp|flac|gif|jpe?g|m4a|mkv|mov|mp3|mp4|ogg|ogv|opus|pdf|png|svg|wav|webm|webp)$/i;

/** `![[oak.png|100]]` shows a file, `![[Page]]` puts that page in place as a template would be, `![[Page#Heading]]` a section of it, `![[Page#^id]]` or
 * `![[Page^id]]` a block. */
function embed(text: string, start: number, end: number): Span {
  const [name = ''] = text.slice(start + 3, end - 2).split(/\\?\|/, 1);
  if (media.test(name.trim()) || !/^[^[\]{}<>\n]+$/.test(name)) return { kind: 'picture', start, end };
  const [, page = '', part] = /^([^#]*)#(.*)$/.exec(name) ?? /^([^#^]+)(\^[\w-]+)\s*$/.exec(name) ?? [];
  const call = part === undefined ? `{{:${name.trim()}}}` : `{{#part:${page.trim()}|${part.trim()}}}`;
  const wikitext = `<div class="page-embed">\n${call}\n</div>`;
  return { kind: 'call', start, end, wikitext };
}

/** Backticks of a code span that is looked for: each length is searched once in each block. */
const maxTicks = 32;

/** End of the code that a run of backticks or tildes begins. */
class Ticks {
  /** Offset up to which all is code. */
  after = 0;
  readonly #text: string;
  /** Length of a run → where the search for its end in this block found none. */
  #unclosed = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  endBlock(index: number): void {
    this.after = Math.max(this.after, index);
    this.#unclosed.clear();
  }

  /** The end of the code that begins at `index`; 0 if none does. */
  codeEnd(index: number, run: string): number {
    const end =
      run.length >= 3 && this.#isLineStart(index) ? this.#fenceEnd(index, run) : this.#spanEnd(index, run);
    this.after = Math.max(this.after, end);
    return end;
  }

  #isLineStart(index: number): boolean {
    const lineStart = this.#text.lastIndexOf('\n', index - 1) + 1;
    return (
      index - lineStart <= 100 &&
      /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]*)?$/.test(this.#text.slice(lineStart, index))
    );
  }

  #fenceEnd(index: number, run: string): number {
    const fence = new RegExp(`^[ \\t>]*${run[0]}{${run.length},}[ \\t]*$`, 'gm');
    fence.lastIndex = index + run.length;
    const closing = fence.exec(this.#text);
    return closing ? closing.index + closing[0].length : this.#text.length;
  }

  #spanEnd(index: number, run: string): number {
    if (run[0] !== '`' || run.length > maxTicks || this.#unclosed.has(run.length)) return 0;
    const runs = /`+|\n[ \t]*\n/g;
    runs.lastIndex = index + run.length;
    for (let next = runs.exec(this.#text); next; next = runs.exec(this.#text)) {
      if (next[0][0] === '\n') break;
      if (next[0].length === run.length) return next.index + run.length;
    }
    this.#unclosed.add(run.length);
    return 0;
  }
}

/** Ends of tags, each kind searched once. */
class ClosingTags {
  readonly #text: string;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** After the end tag, or after the tag itself where it ends in a slash; 0 if it does not end. */
  endOf(name: string, from: number): number {
    if (this.#missing.has('>')) return 0;
    const tagEnd = this.#text.indexOf('>', from);
    if (tagEnd < 0) {
      this.#missing.add('>');
      return 0;
    }
    if (this.#text.charCodeAt(tagEnd - 1) === char.slash || extensionTags.get(name)?.mayLackEnd)
      return tagEnd + 1;
    if (this.#missing.has(name)) return 0;
    const closing = new RegExp(`</${name}\\s*>`, 'gi');
    closing.lastIndex = tagEnd + 1;
    const found = closing.exec(this.#text);
    if (found) return found.index + found[0].length;
    this.#missing.add(name);
    return 0;
  }
}
