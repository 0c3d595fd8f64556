/** Blocks of rendered HTML: their source range, and a key that is equal for equal blocks. */
import type { Rules } from '../options.ts';
import { findElement, type HtmlElement, type HtmlNode, hasClass, isElement, textOf } from './html-tree.ts';
import { trimmedRange } from './pieces.ts';
import { isSpacer } from './spacing.ts';

export type Range = { start: number; end: number };
/** `spacers`: empty paragraphs before the block. */
export type Block = { node: HtmlNode; key: string; range: Range | undefined; spacers: number };
/** A range of the source and its blocks, from index `first` to before `after`. */
export type Unit = Range & { first: number; after: number };

/** `spacers`: empty paragraphs behind the last block. */
export type Blocks = { blocks: Block[]; spacers: number };

/** Returns the blocks of a page with the empty paragraphs before each, which are only blank lines. */
export function blocksOf(nodes: readonly HtmlNode[], isIgnored: (node: HtmlElement) => boolean): Blocks {
  const notes = notesOf(nodes);
  const blocks: Block[] = [];
  /** Range of a table of contents, which goes with the heading after it. */
  let carried: Range | undefined;
  let spacers = 0;
  for (const node of nodes) {
    if (isSpacer(node)) {
      spacers++;
      continue;
    }
    if (node.type === 'text' ? node.value.trim() === '' : node.type === 'comment') continue;
    if (node.type === 'element' && (isOwnAddition(node) || isIgnored(node))) {
      if (hasClass(node, 'toc')) carried = rangeOf(node);
      continue;
    }
    blocks.push({ node, key: keyOf(node, notes), range: rangeOf(node) ?? carried, spacers });
    carried = undefined;
    spacers = 0;
  }
  return { blocks, spacers };
}

/** The listed notes by ID. The key of a note is made once, because each of its references asks for it. */
export class Notes extends Map<string, HtmlElement> {
  readonly #keys = new Map<string, string>();

  keyOf(id: string): string {
    const item = this.get(id);
    if (!item) return '';
    const key = this.#keys.get(id) ?? keyOf(textOfNote(item), this, true);
    this.#keys.set(id, key);
    return key;
  }
}

/** Returns the texts of all notes in lists below these nodes, by their IDs. */
export function notesOf(nodes: readonly HtmlNode[]): Notes {
  const notes = new Notes();
  for (const node of nodes) collectNotes(node, notes);
  return notes;
}

function collectNotes(node: HtmlNode, notes: Map<string, HtmlElement>): void {
  if (node.type !== 'element') return;
  const { id } = node.attributes;
  if (node.name === 'li' && id?.startsWith('cite_note')) notes.set(id, node);
  for (const child of node.children) collectNotes(child, notes);
}

/** Whether the renderer added the element: table of contents, notices, notes without a `<references>` tag, space for blank lines. */
export function isOwnAddition(node: HtmlNode): boolean {
  if (node.type !== 'element') return false;
  if (hasClass(node, 'toc')) return true;
  if (node.attributes['data-source'] !== undefined) return false;
  return hasClass(node, 'wikitext-notice') || isNoteList(node) || (node.name === 'p' && isEmpty(node));
}

/** Whether nothing stands in the paragraph but line breaks and what the renderer says about notes. */
function isEmpty({ children }: HtmlElement): boolean {
  return children.every((child) =>
    isElement(child)
      ? child.name === 'br' || hasClass(child, 'mw-ext-cite-error')
      : child.type === 'comment' || child.value.trim() === '',
  );
}

export function isNoteList(node: HtmlNode): boolean {
  return (
    isElement(node) &&
    (hasClass(node, 'mw-references-wrap') || (node.name === 'ol' && hasClass(node, 'references')))
  );
}

/**
 * Returns a key that is equal for nodes with the same content. The key of a reference includes the text of its note, which the
 * source has there.
 */
export function keyOf(node: HtmlNode, notes: Notes, isInNote = false): string {
  if (node.type === 'text') return node.value.replace(/\s+/g, ' ').replaceAll('<', '&lt;');
  if (node.type === 'comment') return '';
  if (node.name === 'sup' && hasClass(node, 'reference') && !isInNote) {
    const note = noteOf(node);
    // The number is left out because it depends on the order.
    return `<ref ${note.replace(/-\d+$/, '')}>${notes.keyOf(note)}</ref>`;
  }
  const isList = isNoteList(node);
  const attributes = Object.entries(node.attributes)
    .filter(([name]) => name !== 'data-source')
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .sort()
    .join('');
  const inside = isList ? '' : node.children.map((child) => keyOf(child, notes, isInNote)).join('');
  return `<${node.name}${attributes}>${inside.trim()}</${node.name}>`.replace(/> </g, '><');
}

function noteOf(node: HtmlElement): string {
  const link = findElement(node.children, ({ name }) => name === 'a');
  return /#(cite_note-.*)$/s.exec(link?.attributes.href ?? '')?.[1] ?? '';
}

/** Returns the text of an item in a list of notes, without the links back to its uses. */
export function textOfNote(item: HtmlElement): HtmlElement {
  return findElement([item], (one) => hasClass(one, 'reference-text')) ?? item;
}

/** Returns the range of the source that an element came from; undefined without one. */
export function rangeOf(node: HtmlNode | undefined): Range | undefined {
  const written =
    node?.type === 'element' ? /^(\d+)-(\d+)$/.exec(node.attributes['data-source'] ?? '') : null;
  return written ? { start: Number(written[1]), end: Number(written[2]) } : undefined;
}

/**
 * Groups blocks that overlap in the source, and blocks without a range with their neighbours. Each unit is kept or rewritten as
 * a whole.
 */
export function unitsOf(
  source: string,
  old: readonly Block[],
  matched: Map<number, number>,
  rules: Rules,
): Unit[] {
  const units: Unit[] = [];
  let first = 0;
  for (const [index, { range }] of old.entries()) {
    if (!range || range.end > source.length || range.start >= range.end) continue;
    const last = units[units.length - 1];
    if (last && range.start < last.end) {
      last.end = Math.max(last.end, range.end);
      last.after = index + 1;
    } else units.push({ ...range, first, after: index + 1 });
    first = index + 1;
  }
  const end = units[units.length - 1];
  if (end) end.after = old.length;
  for (const unit of units) {
    Object.assign(unit, trimmedRange(source, unit, rules));
    unit.end -= emptyCalls(source.slice(unit.start, unit.end), old[unit.after - 1]?.node).length;
    const to = matched.get(unit.first);
    const indexes = Array.from({ length: unit.after - unit.first }, (_, at) => unit.first + at);
    if (to === undefined || indexes.some((index, at) => matched.get(index) !== to + at))
      for (const index of indexes) matched.delete(index);
  }
  return units;
}

/** Returns the calls at the end of a paragraph, on lines of their own, that show nothing: the text ends with the words before. */
function emptyCalls(source: string, node: HtmlNode | undefined): string {
  const at = source.endsWith('}}') ? callsAtEnd(source, 0, source.length) : source.length;
  const words = /[\p{L}\p{N} .,:;]{3,20}$/u.exec(source.slice(0, at))?.[0];
  const isShown = words !== undefined && isElement(node, 'p') && textOf(node).trimEnd().endsWith(words);
  return isShown ? source.slice(at) : '';
}

/** Returns where the lines of nothing but calls begin with which a part of the source ends, blank lines before them included. */
export function callsAtEnd(source: string, start: number, end: number): number {
  let at = end;
  for (;;) {
    const close = start + source.slice(start, at).trimEnd().length;
    const open = source.startsWith('}}', close - 2) ? callStart(source, start, close) : -1;
    const line = source.lastIndexOf('\n', open - 1);
    if (open < 0 || line < start || source.slice(line, open).trim() !== '') return at;
    at = start + source.slice(start, line).trimEnd().length;
  }
}

/** Returns where the call begins that ends at `end`; -1 if none does. */
function callStart(source: string, start: number, end: number): number {
  let depth = 0;
  for (let at = end - 2; at >= start; at--) {
    const isClose = source.startsWith('}}', at);
    if (!isClose && !source.startsWith('{{', at)) continue;
    depth += isClose ? 1 : -1;
    if (depth === 0) return at;
    at--;
  }
  return -1;
}

/** If the block with the first use of a note is gone, the next block that uses it is rewritten to contain the note's text. */
export function keepNotes(old: readonly Block[], now: readonly Block[], matched: Map<number, number>): void {
  const firstUse = new Map<string, number>();
  for (const [index, { node }] of old.entries())
    for (const note of usesOf(node)) if (!firstUse.has(note)) firstUse.set(note, index);
  const isKept = (block: number, note: string) => {
    const to = now[matched.get(block) ?? -1];
    return to !== undefined && usesOf(to.node).includes(note);
  };
  const back = new Map([...matched].map(([from, to]) => [to, from]));
  const seen = new Set<string>();
  for (const [index, { node }] of now.entries()) {
    for (const note of usesOf(node)) {
      const from = back.get(index);
      const place = firstUse.get(note);
      if (
        !seen.has(note) &&
        from !== undefined &&
        place !== undefined &&
        place !== from &&
        !isKept(place, note)
      )
        matched.delete(from);
      seen.add(note);
    }
  }
}

/** Returns the names of the notes that a node refers to. */
export function usesOf(node: HtmlNode): string[] {
  if (node.type !== 'element') return [];
  if (node.name === 'sup' && hasClass(node, 'reference')) return [noteOf(node).replace(/-\d+$/, '')];
  return isNoteList(node) ? [] : node.children.flatMap(usesOf);
}

/** Returns the ID of each listed note → the range of the only reference that contains its text. */
export function noteSources(nodes: readonly HtmlNode[], source: string): Map<string, Range> {
  const found = new Map<string, Range | undefined>();
  const collect = (node: HtmlNode): void => {
    if (node.type !== 'element') return;
    const range = rangeOf(node);
    if (range && node.name === 'sup' && hasClass(node, 'reference')) {
      const note = noteOf(node);
      const hasText = source.startsWith('</', source.lastIndexOf('<', range.end - 1));
      if (hasText) found.set(note, found.has(note) ? undefined : range);
    } else node.children.forEach(collect);
  };
  nodes.forEach(collect);
  return new Map([...found].flatMap(([note, range]) => (range ? [[note, range]] : [])));
}

/** Stands for the own words of an item or a cell while what is below them is written. */
export const ownWords = 'ownwordsoftheitem';

/** Returns an element with its first children only, without white space at their end. */
export function firstChildren(element: HtmlElement, count: number): HtmlElement {
  const children = element.children.slice(0, count);
  const last = children.at(-1);
  if (last?.type === 'text') children[count - 1] = { ...last, value: last.value.trimEnd() };
  return { ...element, children };
}
