/** Reads tables written with bars. A table with anything between its rows and cells is kept as its source. */
import { withoutComments } from '../../comments.ts';
import type { ElementNode, Node } from '../../tree.ts';
import type { Attributes, Range, SourceBlock } from '../nodes.ts';
import { trimmed } from './read-inline.ts';
import type { Reading } from './reading.ts';

/** Bars of a cell, with its attributes and their bar. */
const emptyCell = /^(?:\|\||!!|[|!])(?:[^|\n]*\|(?!\|))?[ \t]*/;

/** Reads a table; undefined if its source has more than rows, cells and a caption. */
export function readTable(reader: Reading, node: ElementNode, range: Range): SourceBlock | undefined {
  const source = reader.text;
  const written = source.slice(range.start, range.end);
  const firstLine = /^\{\|[^\n]*\n?/.exec(written)?.[0].length;
  if (firstLine === undefined || !written.endsWith('|}')) return undefined;
  const content = { start: range.start + firstLine, end: range.end - 2 };
  const children: SourceBlock[] = [];
  let end = content.start;
  for (const child of partsOf(node.children)) {
    const part = child.name === 'caption' ? readCaption(reader, child) : readRow(reader, child, end);
    if (part === 'empty') continue;
    if (!part || part.origin.start < end || !isGap(source.slice(end, part.origin.start))) return undefined;
    children.push(part);
    end = part.origin.end;
  }
  if (!isGap(source.slice(end, content.end)) || !children.some(({ type }) => type === 'row'))
    return undefined;
  return reader.block('table', {}, range, { content, children });
}

function partsOf(nodes: readonly Node[]): ElementNode[] {
  return nodes.flatMap((child) => {
    if (child.type !== 'element') return [];
    return /^t(?:body|head|foot)$/.test(child.name) ? partsOf(child.children) : [child];
  });
}

function isGap(text: string): boolean {
  return withoutComments(text)
    .split('\n')
    .every((line) => /^\s*(?:\|-|$)/.test(line));
}

function readCaption(reader: Reading, node: ElementNode): SourceBlock | undefined {
  const range = ended(reader.text, node);
  const marks = marksOf(reader.text, node, range, /^\|\+(?:[^|\n]*\|(?!\|))?[ \t]*/);
  if (!marks?.startsWith('|+')) return undefined;
  const content = { start: range.start + marks.length, end: range.end };
  const units = reader.units(node.children, content);
  return units.length === 0 ? undefined : reader.block('caption', {}, range, { content, units });
}

function readRow(reader: Reading, node: ElementNode, after: number): SourceBlock | 'empty' | undefined {
  if (node.name !== 'tr') return undefined;
  const cells: SourceBlock[] = [];
  for (const child of node.children) {
    if (child.type === 'text' && child.value.trim() === '') continue;
    if (child.type !== 'element' || !/^t[dh]$/.test(child.name)) return undefined;
    // The parser adds a cell to a table without cells; it has no source.
    if (child.start === child.end) continue;
    const cell = readCell(reader, child);
    if (!cell) return undefined;
    cells.push(cell);
  }
  const first = cells[0];
  const last = cells.at(-1);
  if (!first || !last) return 'empty';
  const before = reader.text.slice(after, first.origin.start);
  const bars = before.lastIndexOf('|-');
  const start = bars < 0 ? first.origin.start : after + bars;
  const content = { start: first.origin.start, end: last.origin.end };
  return reader.block('row', {}, { start, end: content.end }, { content, children: cells });
}

function readCell(reader: Reading, node: ElementNode): SourceBlock | undefined {
  const range = ended(reader.text, node);
  const marks = marksOf(reader.text, node, range, emptyCell);
  if (!marks || !/^[|!]/.test(marks)) return undefined;
  const content = { start: range.start + marks.length, end: range.end };
  return reader.block('cell', attributesOf(node), range, {
    content,
    children: reader.blocks(node.children, content),
  });
}

function ended(source: string, { start, end }: Range): Range {
  const kept = source.slice(start, end).trimEnd().length;
  return { start, end: start + kept };
}

/** Everything before the content. */
function marksOf(source: string, node: ElementNode, range: Range, empty: RegExp): string | undefined {
  const first = node.children.find(({ start, end }) => end > start && source.slice(start, end).trim() !== '');
  if (!first) return empty.exec(source.slice(range.start, range.end))?.[0];
  const content = trimmed(source, first);
  // A comment before the text belongs to the content.
  const marks = source.slice(range.start, content.start);
  const comment = marks.indexOf('<!--');
  return comment < 0 ? marks : marks.slice(0, comment);
}

function attributesOf({ name, attributes = {} }: ElementNode): Attributes {
  const span = (value: string | undefined) =>
    /^\d{1,4}$/.test(value ?? '') ? Math.max(1, Number(value)) : 1;
  const side = /text-align\s*:\s*(left|right|center)/i.exec(attributes.style ?? '')?.[1] ?? attributes.align;
  const align = side?.toLowerCase() ?? '';
  return {
    header: name === 'th',
    colspan: span(attributes.colspan),
    rowspan: span(attributes.rowspan),
    align: /^(?:left|right|center)$/.test(align) ? align : null,
  };
}
