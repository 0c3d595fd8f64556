/**
 * Finds the wiki's own constructs in Markdown: `[[links]]`, `![[embeds]]`, `{{calls}}` and wikitext's extension tags, anywhere
 * except in code. Each is replaced by a placeholder of the same length, made of characters that occur in no text and in no
 * Markdown rule. So offsets stay valid, and a bar or blank line inside the construct has no effect.
 *
 * A single pass over the relevant tokens, with all backticks located beforehand, keeps this linear in the length of the text.
 */
import { char, extensionTags } from '@coppice/wikitext/build';
import { readFrontMatter, withoutFacts } from './front-matter.ts';

export type SpanKind = 'link' | 'picture' | 'call' | 'tag' | 'hidden';
export type Span = {
  kind: SpanKind;
  start: number;
  end: number;
  /** The wikitext of a call written in another syntax, such as `![[Page]]`. */
  wikitext?: string;
};

/** Placeholders use Unicode noncharacters: `opener`, then the span's number in base 30, then filler. */
const opener = '\uFDEF';
const firstDigit = 0xfdd0;
const base = 30;
/** Replaces a brace or angle bracket of code in a template until the template has been expanded. */
const guards: Readonly<Record<string, string>> = { '\uFFFE': '{', '\uFFFF': '<' };
const spanOrGuard = /\uFDEF[\uFDD0-\uFDED]{4}\uFDEE*/g;

/** Extension tags that HTML also has, or that mark Markdown itself; they are left to Markdown. */
const ownTags = new Set(['pre', 'source', 'markdown']);
/** Tags whose content is parsed by wikitext's rules. */
const tags = [...extensionTags.keys(), 'ce', 'chem', 'includeonly', 'section'].filter(
  (name) => !ownTags.has(name) && !extensionTags.get(name)?.isReserved,
);
const token = new RegExp(
  `\\[\\[|\\]\\]|\\{{2,}|\\}{2,}|\`+|~{3,}|\\n[ \\t]*(?=\\n)|<(?:${tags.join('|')})(?=[\\s/>])|\\\\.`,
  'gi',
);

export type Prepared = { text: string; spans: readonly Span[] };

/** Returns `source` with its spans replaced. Placeholder characters already present in the source are removed first. */
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

/** Returns the outermost template calls and embedded pages in `source`, in wikitext. */
export function callsIn(source: string): string[] {
  return callSpansIn(withoutFacts(source)).map(
    ({ start, end, wikitext }) => wikitext ?? source.slice(start, end),
  );
}

/** Positions of calls and embedded pages in `source`; those in its front matter are included, and end within it. */
export function callSpansIn(source: string): Span[] {
  const end = readFrontMatter(source)?.end ?? 0;
  const inFacts = end > 0 ? setAside(source.slice(0, end)).spans : [];
  return [...inFacts, ...setAside(withoutFacts(source, end)).spans].filter(({ kind }) => kind === 'call');
}

/** Returns a template's body with braces and tags in code protected while arguments are substituted. */
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

/** Undoes `guardCode`, after the arguments have been substituted. */
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

/** Splits a text with placeholders into pieces: text, or the number of a span. */
export function* piecesOf(text: string): Generator<{ at: number; text?: string; span?: number }> {
  let at = 0;
  for (const { 0: found, index } of text.matchAll(spanOrGuard)) {
    if (at < index) yield { at, text: text.slice(at, index) };
    yield { at: index, span: indexOf(found) };
    at = index + found.length;
  }
  if (at < text.length) yield { at, text: text.slice(at) };
}

/** Restores the text as it was written. */
export function restore(text: string, source: string, spans: readonly Span[]): string {
  if (!text.includes(opener)) return text;
  return text.replace(spanOrGuard, (found) => {
    const span = spans[indexOf(found)];
    return span ? source.slice(span.start, span.end) : '';
  });
}

/** Whether a text holds a placeholder of `setAside`. */
export function hasSpan(text: string): boolean {
  return text.includes(opener);
}

/** Ranges of code spans and of fenced code. */
export function* codeIn(text: string): Generator<[start: number, end: number]> {
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
        // A link ends with its block; a call may continue.
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

/** Closes as much as possible of the open run of braces: `{{{1}}}` is one parameter, not a template in braces. */
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

/** Returns the outermost spans in order. An exclamation mark before a link is part of it. */
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

/** Types of files; a page may be called `Node.js`. */
const files =
  /\.(?:7z|avif|bmp|bz2|canvas|csv|docx?|drawio|dwg|dxf|eml|eps|epub|excalidraw|flac|geojson|gif|gpx|gz|heic|html?|ics|ipynb|jpe?g|json|kml|log|m4a|mkv|mov|mp3|mp4|mpg|od[gpst]|ogg|ogv|opus|pdf|png|pptx?|psd|rar|rtf|sql|sqlite|step|stl|svg|tar|tgz|tiff?|toml|tsv|txt|wav|webm|webp|xlsx?|xml|xz|ya?ml|zip)$/i;

/**
 * `![[oak.png|100]]` shows a file, `![[Page]]` embeds a page as a template would, `![[Page#Heading]]` embeds a section, and
 * `![[Page#^id]]` or `![[Page^id]]` a block.
 */
function embed(text: string, start: number, end: number): Span {
  const [name = ''] = text.slice(start + 3, end - 2).split(/\\?\|/, 1);
  if (files.test(name.trim()) || !/^[^[\]{}<>\n]+$/.test(name)) return { kind: 'picture', start, end };
  const [, page = '', part] = /^([^#]*)#(.*)$/.exec(name) ?? /^([^#^]+)(\^[\w-]+)\s*$/.exec(name) ?? [];
  const call = part === undefined ? `{{:${name.trim()}}}` : `{{#part:${page.trim()}|${part.trim()}}}`;
  const wikitext = `<div class="page-embed">\n${call}\n</div>`;
  return { kind: 'call', start, end, wikitext };
}

/** Longest run of backticks that is recognised. Each length is searched for once per block. */
const maxTicks = 32;

/** Finds where the code ends that a run of backticks or tildes begins. */
class Ticks {
  /** Offset up to which everything is code. */
  after = 0;
  readonly #text: string;
  /** Run length → offset from which the search for its end in this block failed. */
  #unclosed = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  endBlock(index: number): void {
    this.after = Math.max(this.after, index);
    this.#unclosed.clear();
  }

  /** Returns where the code that begins at `index` ends, or 0 if it does not end. */
  codeEnd(index: number, run: string): number {
    const end =
      run.length >= 3 && this.#isLineStart(index) ? this.#fenceEnd(index, run) : this.#spanEnd(index, run);
    this.after = Math.max(this.after, end);
    return end;
  }

  #isLineStart(index: number): boolean {
    // Looks back over a bounded number of characters, however long the line is.
    const from = Math.max(0, index - 101);
    const before = this.#text.slice(from, index);
    const lineStart = before.lastIndexOf('\n') + 1;
    return (
      (lineStart > 0 || from === 0) && /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]*)?$/.test(before.slice(lineStart))
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

/** Finds end tags. Each tag name is searched for once. */
class ClosingTags {
  readonly #text: string;
  readonly #missing = new Set<string>();
  /** The latest `>` found: many tags may have the same one. */
  #tagEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset after the end tag, or after the tag itself if it is self-closing; 0 if the tag is never closed. */
  endOf(name: string, from: number): number {
    if (this.#missing.has('>')) return 0;
    if (this.#tagEnd < from) this.#tagEnd = this.#text.indexOf('>', from);
    const tagEnd = this.#tagEnd;
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
