/**
 * Reads wikitext as blocks of a document, from the tree that the parser makes of the source with its calls unexpanded. Every
 * part of the source belongs to a block, or to the space between two: what is unknown becomes a block that holds its source.
 */
import { switches } from '../../constructs.ts';
import { limits } from '../../limits.ts';
import type { Rules } from '../../options.ts';
import { parse } from '../../parse.ts';
import { coppiceRules } from '../../rules.ts';
import { scan } from '../../scan.ts';
import type { ElementNode, ExtensionNode, FileNode, HeadingNode, Node } from '../../tree.ts';
import { type Attributes, isNothing, keyOfBlock, type Range, type SourceBlock, type Unit } from '../nodes.ts';
import { attributesOfCall } from './calls.ts';
import { attributesOfFile, partsOf } from './file-attributes.ts';
import { type Invisible, readUnits, trimmed } from './read-inline.ts';
import { readList } from './read-list.ts';
import { readTable } from './read-table.ts';
import type { Reading } from './reading.ts';

/** `clock`: milliseconds, for the time limit of parsing. */
export type WikitextOptions = { rules?: Rules; path?: string; clock?: () => number };

/** Reads a source as a document. Any text is valid; what an editor does not know becomes a block or a unit of source. */
export function readWikitext(
  source: string,
  { rules = coppiceRules, path, clock }: WikitextOptions,
): SourceBlock {
  const tree = parse(source, { rules, path, ...(clock ? { clock } : {}) });
  const whole = { start: 0, end: source.length };
  const reader = new BlockReader(source, rules);
  const children =
    tree.redirect || tree.excess || !hasAtMost(limits.documentNodes, tree.children)
      ? [reader.source(trimmed(source, whole))]
      : reader.blocks(tree.children, whole);
  return reader.block('doc', {}, whole, {
    content: whole,
    children: children.map((child, index) => placed(child, [index])),
  });
}

function hasAtMost(count: number, nodes: readonly Node[]): boolean {
  const next = [...nodes];
  for (let seen = 0; seen <= count; seen++) {
    const node = next.pop();
    if (!node) return true;
    if ('children' in node) for (const child of node.children ?? []) next.push(child);
  }
  return false;
}

function placed(block: SourceBlock, path: readonly number[]): SourceBlock {
  const children = block.children?.map((child, index) => placed(child, [...path, index]));
  return { ...block, path, ...(children ? { children } : {}) };
}

class BlockReader implements Reading {
  readonly text: string;
  readonly rules: Rules;
  readonly #invisible: readonly Invisible[];

  constructor(source: string, rules: Rules) {
    this.text = source;
    this.rules = rules;
    this.#invisible = invisibleIn(source, rules);
  }

  block(
    type: string,
    attrs: Attributes,
    origin: Range,
    more: { content?: Range; units?: Unit[]; text?: string; children?: SourceBlock[] } = {},
  ): SourceBlock {
    const { content = origin, ...parts } = more;
    const block = {
      type,
      attrs,
      path: [],
      origin: { start: origin.start, end: origin.end },
      content,
      ...parts,
    };
    return { ...block, key: keyOfBlock(block) };
  }

  source(range: Range): SourceBlock {
    return this.block('source', { text: this.text.slice(range.start, range.end) }, range);
  }

  units(nodes: readonly Node[], content: Range): Unit[] {
    return readUnits(this.text, nodes, this.#invisible, content);
  }

  /** Blocks within a range. Inline content that stands among them is a paragraph. */
  blocks(nodes: readonly Node[], content: Range): SourceBlock[] {
    const found: SourceBlock[] = [];
    let inline: Node[] = [];
    const flush = (end: number) => {
      const first = inline.find(({ start, end }) => end > start);
      const start = Math.max(first?.start ?? 0, content.start);
      if (first && start < end) found.push(...this.#loose(inline, trimmed(this.text, { start, end })));
      inline = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) {
        inline.push(node);
        continue;
      }
      flush(Math.min(node.start, content.end));
      found.push(...this.#block(node));
    }
    flush(content.end);
    return this.#checked(
      found.filter((block) => !isNothing(block)),
      content,
    );
  }

  /** Blocks in order without overlaps, with a block for each part of the source that is visible or unknown between them. */
  #checked(blocks: readonly SourceBlock[], content: Range): SourceBlock[] {
    const whole = trimmed(this.text, content);
    const all: SourceBlock[] = [];
    let end = content.start;
    for (const block of [...blocks, undefined]) {
      const next = block?.origin ?? { start: content.end, end: content.end };
      if (next.start < end || next.end > content.end)
        return whole.end > whole.start ? [this.source(whole)] : [];
      for (const part of this.#unknown({ start: end, end: next.start })) all.push(this.source(part));
      if (block) all.push(block);
      end = next.end;
    }
    return all;
  }

  #unknown(gap: Range): Range[] {
    const { start, end } = trimmed(this.text, gap);
    if (start >= end) return [];
    const found: Range[] = [];
    let at = start;
    for (const one of [
      ...this.#invisible.filter((part) => part.start >= start && part.end <= gap.end),
      { start: end, end },
    ]) {
      const part = trimmed(this.text, { start: at, end: one.start });
      if (part.end > part.start) found.push(part);
      at = Math.max(at, one.end);
    }
    return found;
  }

  #block(node: Node): SourceBlock[] {
    if (node.end <= node.start) return [];
    const range = endTrimmed(this.text, node);
    if (node.type === 'heading') return [this.#heading(node, range)];
    if (node.type === 'extension') return [this.#extension(node, range)];
    if (node.type === 'file') return [this.#figure(node, range)];
    if (node.type !== 'element') return [this.source(range)];
    const isMarkup = !this.text
      .slice(node.start, node.start + node.name.length + 1)
      .toLowerCase()
      .startsWith(`<${node.name}`);
    if (node.name === 'p' && isMarkup && !node.attributes)
      return this.#paragraph(node.children, trimmed(this.text, range));
    if (isMarkup && /^[uod]l$/.test(node.name)) return [readList(this, node, range) ?? this.source(range)];
    if (isMarkup && node.name === 'table') return [readTable(this, node, range) ?? this.source(range)];
    if (isMarkup && node.name === 'hr' && /^-+$/.test(this.text.slice(range.start, range.end)))
      return [this.block('rule', {}, range)];
    if (node.name === 'blockquote') return [this.#box(node, range, 'quote', {})];
    const callout = /^<div class="callout callout-([a-z]{1,20})">/.exec(
      this.text.slice(range.start, range.start + 60),
    );
    if (callout) return [this.#box(node, range, 'callout', { kind: callout[1], title: null })];
    return [this.source(range)];
  }

  #heading(node: HeadingNode, range: Range): SourceBlock {
    const [, open = '', written = ''] =
      /^(={1,6})([^\n]*?)\1$/.exec(this.text.slice(range.start, range.end)) ?? [];
    if (open.length !== node.level || written === '') return this.source(range);
    const from = range.start + open.length;
    const content = trimmed(this.text, { start: from, end: from + written.length });
    return this.block('heading', { level: node.level }, range, {
      content,
      units: this.units(node.children, content),
    });
  }

  /**
   * Calls at both ends of a paragraph that stand on lines of their own are blocks, because most make boxes and tables, and so are
   * categories, which the parser takes into the paragraph before them: nobody writes behind them.
   */
  #paragraph(nodes: readonly Node[], range: Range): SourceBlock[] {
    let rest = nodes.filter(({ start, end }) => end > start);
    let { start, end } = range;
    const before: SourceBlock[] = [];
    const after: SourceBlock[] = [];
    const isBlank = (from: number, to: number) => this.text.slice(from, to).trim() === '';
    const beginsLine = (among: readonly Node[], { start: at, type }: Node) =>
      /\n[ \t]*$/.test(this.text.slice(start, at)) ||
      (type === 'marker' &&
        among.findLast((one) => one.start < at && !isBlank(one.start, one.end))?.type === 'marker');
    const endOfLine = (at: number) =>
      at >= end || /^[ \t]*(?:\n|$)/.test(this.text.slice(at, Math.min(end, at + 500)));
    for (let [first] = rest; first; [first] = rest) {
      if (first.type === 'text' && isBlank(first.start, first.end)) rest = rest.slice(1);
      else if (isApart(first) && first.start === start && endOfLine(first.end)) {
        before.push(this.#apart(first));
        rest = rest.slice(1);
        start = trimmed(this.text, { start: first.end, end }).start;
      } else break;
    }
    for (let last = rest.at(-1); last; last = rest.at(-1)) {
      if (last.type === 'text' && isBlank(last.start, last.end)) rest = rest.slice(0, -1);
      else if (isApart(last) && last.end === end && beginsLine(rest, last)) {
        after.unshift(this.#apart(last));
        rest = rest.slice(0, -1);
        end = trimmed(this.text, { start, end: last.start }).end;
      } else break;
    }
    return [...before, ...this.#loose(rest, { start, end }), ...after];
  }

  /** Inline content without a paragraph around it. */
  #loose(nodes: readonly Node[], range: Range): SourceBlock[] {
    if (range.end <= range.start) return [];
    const shown = nodes.filter(({ start, end }) => end > start && this.text.slice(start, end).trim() !== '');
    const [only] = shown;
    const isAlone = shown.length === 1 && only && only.start === range.start && only.end === range.end;
    if (isAlone && only.type === 'file' && isFigure(only)) return [this.#figure(only, range)];
    if (isAlone && isCall(only)) return [this.#call(only)];
    if (shown.length > 0 && shown.every(({ type }) => type === 'marker'))
      return shown.map(({ start, end }) => this.source({ start, end }));
    return [this.block('paragraph', {}, range, { units: this.units(nodes, range) })];
  }

  #apart(node: Node): SourceBlock {
    return isCall(node) ? this.#call(node) : this.source(node);
  }

  #call(node: Node): SourceBlock {
    const attrs = attributesOfCall(this.text.slice(node.start, node.end), this.rules);
    return attrs ? this.block('call', { ...attrs, display: 'block' }, node) : this.source(node);
  }

  #figure(node: FileNode, range: Range): SourceBlock {
    const written = this.text.slice(range.start, range.end);
    const attrs = attributesOfFile(this.text, node);
    if (!attrs || range.start !== node.start || range.end !== node.end) return this.source(range);
    const caption = node.caption.length > 0 ? (partsOf(written).at(-1) ?? '') : '';
    const end = range.end - 2;
    const content = trimmed(this.text, { start: end - caption.length, end });
    return this.block('figure', attrs, range, { content, units: this.units(node.caption, content) });
  }

  /** Blocks between two tags. */
  #box(node: ElementNode, range: Range, type: string, attrs: Attributes): SourceBlock {
    const written = this.text.slice(range.start, range.end);
    const open = /^<blockquote\s*>|^<div class="[a-z -]+">/i.exec(written)?.[0].length;
    const close = /<\/(?:blockquote|div)\s*>$/i.exec(written)?.[0].length;
    if (open === undefined || close === undefined) return this.source(range);
    const content = { start: range.start + open, end: range.end - close };
    return this.block(type, attrs, range, { content, children: this.blocks(node.children, content) });
  }

  #extension(node: ExtensionNode, range: Range): SourceBlock {
    const written = this.text.slice(range.start, range.end);
    const [, open = '', , inside] = /^(<([a-z]+)(?:\s[^<>]*)?>)([\s\S]*)<\/\2\s*>$/i.exec(written) ?? [];
    if (inside === undefined) return this.source(range);
    const from = range.start + open.length;
    const content = { start: from, end: from + inside.length };
    if (node.name === 'math') {
      return this.block('formula', { source: inside.trim(), display: true }, range, {
        content: trimmed(this.text, content),
      });
    }
    const isCode = node.name === 'syntaxhighlight' || node.name === 'source';
    const { lang = '', ...others } = node.attributes;
    if (!isCode || Object.keys(others).length > 0) return this.source(range);
    // Other white space shows nothing, but somebody may be about to write behind it.
    const text = inside.replace(/^\n/, '').replace(/\n$/, '');
    const start = content.start + (inside.startsWith('\n') ? 1 : 0);
    return this.block('codeBlock', { language: lang }, range, {
      content: { start, end: start + text.length },
      text,
    });
  }
}

/** The range without white space at its end and line ends at its start: spaces at the start of a line mean something. */
function endTrimmed(source: string, { start, end }: Range): Range {
  const text = source.slice(start, end);
  const from = start + (/^\n*/.exec(text)?.[0].length ?? 0);
  return { start: from, end: Math.max(from, start + text.trimEnd().length) };
}

function isCall({ type }: Node): boolean {
  return type === 'template';
}

function isApart(node: Node): boolean {
  return isCall(node) || node.type === 'marker';
}

function isFigure({ options }: FileNode): boolean {
  return options.format === 'thumb' || options.format === 'frame' || options.align !== undefined;
}

const blockElements = new Set(
  'p ul ol dl table hr pre blockquote div center h1 h2 h3 h4 h5 h6 section details'.split(' '),
);

function isBlock(node: Node): boolean {
  if (node.type === 'heading') return true;
  if (node.type === 'element') return blockElements.has(node.name);
  if (node.type === 'file') return isFigure(node);
  return node.type === 'extension' && node.isBlock;
}

/** Comments, switches and tags for templates that no other construct hides. */
function invisibleIn(source: string, rules: Rules): Invisible[] {
  const { hasLooseNotes, strictCalls, tags } = rules;
  const elements = scan(source, { isIncluded: false, hasTemplates: true, hasLooseNotes, strictCalls, tags });
  const found: Invisible[] = [];
  const hiding: Range[] = [];
  for (let index = 0; index < elements.length; ) {
    const element = elements[index];
    if (!element) break;
    const { kind, start, end, next } = element;
    if (kind === 'comment' || kind === 'skip') found.push({ start, end, isComment: kind === 'comment' });
    hiding.push({ start, end });
    index = Math.max(next, index + 1);
  }
  let at = 0;
  for (const { 0: written, 1: word = '', index } of source.matchAll(/__([\p{L}]{2,40})__/gu)) {
    while ((hiding[at]?.end ?? Number.POSITIVE_INFINITY) <= index) at++;
    const name = word.toLowerCase();
    const isSwitch = switches.has(name) || Object.hasOwn(rules.switches ?? {}, name);
    if (isSwitch && name !== 'toc' && (hiding[at]?.start ?? Number.POSITIVE_INFINITY) > index)
      found.push({ start: index, end: index + written.length, isComment: false });
  }
  return found.sort((one, other) => one.start - other.start);
}
