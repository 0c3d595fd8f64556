/**
 * Reads Markdown as blocks of a document, from the parser's tokens. Every part of the source belongs to a block, or to the space
 * and the marks between two: what is unknown becomes a block that holds its source.
 */

import { limits } from '@coppice/wikitext';
import {
  type Attributes,
  attributesOfCall,
  isNothing,
  keyOfBlock,
  type Range,
  type SourceBlock,
  type Unit,
} from '@coppice/wikitext/document';
import type { Token } from 'markdown-it';
import { readFrontMatter, withoutFacts } from '../front-matter.ts';
import { Lines } from '../positions.ts';
import type { Box } from '../rules/admonitions.ts';
import type { BlockMeta } from '../rules/block-marks.ts';
import type { CountedParts } from '../rules/part-limit.ts';
import { piecesOf, setAside } from '../spans.ts';
import { type PlacedBlock, parser } from './placed-parser.ts';
import { type Places, readUnits, type Text } from './read-inline.ts';
import { cellsOf } from './table-cells.ts';

/** Reads a source as a document. Any text is valid; what an editor does not know becomes a block or a unit of source. */
export function readMarkdown(source: string): SourceBlock {
  const facts = readFrontMatter(source)?.end ?? 0;
  const { text, spans } = setAside(withoutFacts(source, facts));
  const counted: CountedParts = { parts: 0 };
  const reader = new BlockReader({ source, text, spans }, parser.parse(text, counted));
  const whole = { start: 0, end: source.length };
  const front = facts > 0 ? [reader.source({ start: 0, end: source.slice(0, facts).trimEnd().length })] : [];
  const isLong = counted.parts > limits.documentNodes;
  const children = isLong ? [reader.source(whole)] : [...front, ...reader.blocks(0, reader.tokens.length)];
  return placed(reader.block('doc', {}, whole, { children: reader.complete(children, whole) }), []);
}

function placed(block: SourceBlock, path: readonly number[]): SourceBlock {
  const children = block.children?.map((child, index) => placed(child, [...path, index]));
  return { ...block, path, ...(children ? { children } : {}) };
}

/** Comments show nothing, and stay between the blocks around them. */
const comments = /<!--[\s\S]*?(-->|$)/g;

class BlockReader {
  readonly tokens: readonly PlacedBlock[];
  readonly #text: Text;
  readonly #lines: Lines;

  constructor(text: Text, tokens: readonly PlacedBlock[]) {
    this.#text = text;
    this.#lines = new Lines(text.text);
    this.tokens = tokens;
  }

  block(
    type: string,
    attrs: Attributes,
    origin: Range,
    more: { content?: Range; units?: Unit[]; text?: string; children?: SourceBlock[] } = {},
  ): SourceBlock {
    const { content = origin, ...parts } = more;
    const block = { type, attrs, path: [], origin, content, ...parts };
    return { ...block, key: keyOfBlock(block) };
  }

  source({ start, end }: Range): SourceBlock {
    return this.block('source', { text: this.#text.source.slice(start, end) }, { start, end });
  }

  /** Blocks of the tokens between two indexes. */
  blocks(from: number, to: number): SourceBlock[] {
    const found: SourceBlock[] = [];
    for (let at = from; at < to; ) {
      const token = this.tokens[at] as PlacedBlock;
      const end = token.nesting === 1 ? this.#closeOf(at) : at;
      if (token.nesting >= 0) found.push(...this.#block(token, at, end));
      at = end + 1;
    }
    return found.filter((block) => !isNothing(block));
  }

  /** Adds what no token stands for: definitions of links, comments. */
  complete(blocks: readonly SourceBlock[], content: Range): SourceBlock[] {
    const all: SourceBlock[] = [];
    let end = content.start;
    for (const block of [...blocks, undefined]) {
      const next = block?.origin ?? { start: content.end, end: content.end };
      if (next.start < end) continue;
      const gap = this.#text.source.slice(end, next.start);
      const start = end + (/^\s*/.exec(gap)?.[0].length ?? 0);
      if (withoutComments(gap).trim() !== '')
        all.push(this.source({ start, end: end + gap.trimEnd().length }));
      if (block) all.push(block);
      end = next.end;
    }
    return all;
  }

  #closeOf(open: number): number {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at++) {
      depth += this.tokens[at]?.nesting ?? 0;
      if (depth === 0) return at;
    }
    return this.tokens.length - 1;
  }

  #block(token: PlacedBlock, at: number, close: number): SourceBlock[] {
    const range = this.#rangeOf(token);
    if (!range) return [];
    const known = this.#known(token, at, close, range);
    return known ?? [this.source(range)];
  }

  /** Undefined for blocks that are kept as their source. */
  #known(token: PlacedBlock, at: number, close: number, range: Range): SourceBlock[] | undefined {
    const meta = (token.meta ?? {}) as BlockMeta & { attributes?: string };
    if (meta.id !== undefined || meta.attributes !== undefined) return undefined;
    switch (token.type) {
      case 'html_block':
        return withoutComments(token.content).trim() === '' ? [] : undefined;
      case 'paragraph_open':
        return this.#paragraph(at);
      case 'heading_open':
        return this.#heading(token, at, range);
      case 'bullet_list_open':
      case 'ordered_list_open':
        return this.#list(token, at, close);
      case 'blockquote_open':
        return this.#quote({ type: 'quote', attrs: {} }, { from: at + 1, close }, range);
      case 'box_open':
        return this.#callout(token.meta as Box, at, close, range);
      case 'fence':
        return this.#fence(token, range);
      case 'nothing':
        return [];
      case 'hr':
        return [this.block('rule', {}, range)];
      case 'formula': {
        const content = this.#within(range, token.content);
        return (
          content && [this.block('formula', { source: token.content, display: true }, range, { content })]
        );
      }
      case 'table_open':
        return this.#table(at, close, range);
      default:
        return undefined;
    }
  }

  /** From behind the marks around the block to the end of its last line that is not blank. */
  #rangeOf({ start: from, map, level }: PlacedBlock): Range | undefined {
    if (!map || from === undefined) return undefined;
    // Spaces before a block that is in no other belong to it.
    const start = level === 0 ? Math.min(from, this.#lines.start(map[0])) : from;
    const end = this.#lines.end(map[1]);
    const kept = this.#text.source.slice(start, end).trimEnd().length;
    return kept > 0 ? { start, end: start + kept } : undefined;
  }

  #within(range: Range, content: string): Range | undefined {
    const at = this.#text.source.slice(range.start, range.end).indexOf(content);
    return at < 0 ? undefined : { start: range.start + at, end: range.start + at + content.length };
  }

  /** Places of a block's inline content. Undefined if it does not stand in the source as the parser gives it. */
  #placesOf({ content, map }: Token): Places | undefined {
    if (!map) return undefined;
    const place = this.#lines.place(content, map[0]);
    const starts: number[] = [];
    const ends: number[] = [];
    for (let index = 0; index < content.length; index++) {
      const at = place.offset(index);
      if (content[index] !== '\n' && this.#text.text[at] !== content[index]) return undefined;
      starts.push(at);
      ends.push(at + 1);
    }
    return { starts, ends };
  }

  #inline(at: number): { range: Range; units: Unit[] } | undefined {
    const token = this.tokens[at];
    const places = token?.type === 'inline' ? this.#placesOf(token) : undefined;
    if (!token || !places || token.content === '') return undefined;
    const range = { start: places.starts[0] ?? 0, end: places.ends.at(-1) ?? 0 };
    return { range, units: readUnits(this.#text, token, places, range) };
  }

  #paragraph(at: number): SourceBlock[] | undefined {
    const token = this.tokens[at + 1];
    const inline = this.#inline(at + 1);
    if (!token || !inline) return token?.content === '' ? [] : undefined;
    const calls = this.#callsAlone(token.content, inline.range);
    if (calls) return calls;
    const { range, units } = inline;
    const only = units.length === 1 ? units[0]?.node : undefined;
    // A paragraph of nothing but source is a block that holds it.
    if (only?.type === 'inlineSource') return [this.source(range)];
    return [this.block('paragraph', {}, range, { units })];
  }

  /** A call on lines of its own is a block. */
  #callsAlone(content: string, range: Range): SourceBlock[] | undefined {
    const pieces = [...piecesOf(content)].filter(({ text }) => text === undefined || text.trim() !== '');
    const spans = pieces.map(({ span }) => (span === undefined ? undefined : this.#text.spans[span]));
    if (
      pieces.length === 0 ||
      spans.some((span) => span === undefined || span.kind === 'link' || span.kind === 'picture')
    )
      return undefined;
    const [first] = spans;
    if (spans.length > 1 || !first) return [this.source(range)];
    const attrs = attributesOfCall(this.#text.source.slice(first.start, first.end));
    return [
      attrs
        ? this.block('call', { ...attrs, display: 'block' }, { start: first.start, end: first.end })
        : this.source(range),
    ];
  }

  #heading(token: PlacedBlock, at: number, range: Range): SourceBlock[] | undefined {
    const inline = this.#inline(at + 1);
    if (!inline || !token.markup.startsWith('#')) return undefined;
    const { range: content, units } = inline;
    return [this.block('heading', { level: token.markup.length }, range, { content, units })];
  }

  #list(token: PlacedBlock, at: number, close: number): SourceBlock[] | undefined {
    const items: SourceBlock[] = [];
    for (let from = at + 1; from < close; from = this.#closeOf(from) + 1) {
      const item = this.#item(from);
      if (!item) return undefined;
      items.push(item);
    }
    const origin = { start: items[0]?.origin.start ?? 0, end: items.at(-1)?.origin.end ?? 0 };
    const isOrdered = token.type === 'ordered_list_open';
    const start = Number(token.attrGet('start') ?? 1);
    const type = isOrdered ? 'orderedList' : 'bulletList';
    return [this.block(type, isOrdered ? { start } : {}, origin, { children: items })];
  }

  #item(at: number): SourceBlock | undefined {
    const token = this.tokens[at] as PlacedBlock;
    const { id, isDone } = (token.meta ?? {}) as BlockMeta;
    const { start } = token;
    if (token.type !== 'list_item_open' || id !== undefined || start === undefined) return undefined;
    const marker = /^(?:[-+*]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\](?=\s))?[ \t]*/.exec(
      this.#text.source.slice(start, start + 200),
    )?.[0];
    if (marker === undefined) return undefined;
    const from = start + marker.length;
    const children = this.blocks(at + 1, this.#closeOf(at));
    const end = Math.max(start + marker.trimEnd().length, children.at(-1)?.origin.end ?? 0);
    const content = { start: Math.min(from, children[0]?.origin.start ?? from, Math.max(end, start)), end };
    if (children.length === 0) content.start = end;
    const isTask = isDone !== undefined;
    if (children.some(({ origin }) => origin.start < content.start)) return undefined;
    return this.block(
      isTask ? 'taskItem' : 'listItem',
      isTask ? { checked: isDone } : {},
      { start, end },
      { content, children },
    );
  }

  /** `from`: index of the first token inside; `close`: that of the end. */
  #quote(
    { type, attrs }: { type: string; attrs: Attributes },
    { from, close }: { from: number; close: number },
    range: Range,
  ): SourceBlock[] | undefined {
    if (this.#text.source[range.start] !== '>') return undefined;
    const children = this.blocks(from, close);
    const [first] = children;
    const end = children.at(-1)?.origin.end;
    if (!first || end === undefined) return undefined;
    const origin = { start: range.start, end };
    return [this.block(type, attrs, origin, { content: { start: first.origin.start, end }, children })];
  }

  #callout({ kind, title, folded }: Box, at: number, close: number, range: Range): SourceBlock[] | undefined {
    let from = at + 1;
    if (folded || this.#text.source[range.start] !== '>') return undefined;
    while (/^box_title|^inline$/.test(this.tokens[from]?.type ?? '')) from++;
    const [line = ''] = this.#text.source.slice(range.start, range.end).split('\n', 1);
    // Words behind a bar have no place in the document.
    if (/^> ?\s*\[![\w-]+\|/.test(line)) return undefined;
    // The parser has placeholders in place of links.
    const written = title === undefined ? null : line.replace(/^> ?\s*\[![\w-]+\]/, '').trim();
    const attrs = { kind: kind.toLowerCase(), title: written };
    const content = { start: range.end, end: range.end };
    return (
      this.#quote({ type: 'callout', attrs }, { from, close }, range) ??
      (/^> ?\[![\w-]+\][^\n]*(?:\n[\s>]*)?$/.test(this.#text.source.slice(range.start, range.end))
        ? [this.block('callout', attrs, range, { content, children: [] })]
        : undefined)
    );
  }

  #fence({ info, content, markup }: PlacedBlock, range: Range): SourceBlock[] | undefined {
    const written = this.#text.source.slice(range.start, range.end);
    const isClosed = new RegExp(`\\n[ \\t>]*${markup}[\`~]*$`).test(written);
    const language = info.trim();
    if (
      !isClosed ||
      written.startsWith(' ') ||
      /[\s{]/.test(language) ||
      language === 'math' ||
      /[\uFDEF]/.test(content + info)
    )
      return undefined;
    const text = content.replace(/\n$/, '');
    const from = written.indexOf('\n') + 1;
    const to = Math.max(from, written.lastIndexOf('\n'));
    return [
      this.block('codeBlock', { language }, range, {
        content: { start: range.start + from, end: range.start + to },
        text,
      }),
    ];
  }

  #table(at: number, close: number, range: Range): SourceBlock[] | undefined {
    const rows: SourceBlock[] = [];
    for (let from = at + 1; from < close; from++) {
      const token = this.tokens[from] as PlacedBlock;
      if (token.type !== 'tr_open' || !token.map) continue;
      const row = this.#row(from, token.map[0], range);
      if (!row) return undefined;
      // The line below the first row belongs to it.
      const second = this.#text.source.slice(row.origin.start, this.#lines.end(token.map[0] + 2)).trimEnd();
      const origin =
        rows.length > 0 ? row.origin : { start: row.origin.start, end: row.origin.start + second.length };
      rows.push({ ...row, origin });
    }
    return [this.block('table', {}, range, { children: rows })];
  }

  #row(at: number, line: number, table: Range): SourceBlock | undefined {
    const tokens: Token[] = [];
    const opens: Token[] = [];
    for (let index = at + 1; this.tokens[index] && this.tokens[index]?.type !== 'tr_close'; index++) {
      const token = this.tokens[index] as Token;
      if (token.type === 'inline') tokens.push(token);
      else if (token.nesting === 1) opens.push(token);
    }
    const start = Math.max(this.#lines.start(line), table.start);
    const written = this.#text.text.slice(start, this.#lines.end(line + 1));
    // In quotes and lists, each row begins behind their marks.
    const indent = start === table.start ? 0 : (/^[ \t>]*/.exec(written)?.[0].length ?? 0);
    const origin = { start: start + indent, end: start + written.trimEnd().length };
    const cells = cellsOf(this.#text.text.slice(origin.start, origin.end), origin.start);
    const children: SourceBlock[] = [];
    for (const [index, token] of tokens.entries()) {
      const cell = cells[index];
      const open = opens[index];
      // A row may be shorter than the first one.
      if (!cell && token.content === '') continue;
      if (!cell || !open || cell.content !== token.content) return undefined;
      const units = readUnits(this.#text, token, cell.places, cell.range);
      const paragraph = this.block('paragraph', {}, cell.range, { units });
      const align = /text-align:(left|right|center)/.exec(String(open.attrGet('style') ?? ''))?.[1] ?? null;
      const attrs = { header: open.tag === 'th', colspan: 1, rowspan: 1, align };
      children.push(this.block('cell', attrs, cell.range, { children: units.length > 0 ? [paragraph] : [] }));
    }
    return this.block('row', {}, origin, { children });
  }
}

/** A comment without an end is text, up to the end. */
function withoutComments(text: string): string {
  return text.replace(comments, (comment, end: string) => (end === '' ? comment : ''));
}
