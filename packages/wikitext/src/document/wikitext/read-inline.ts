/**
 * Reads inline content of wikitext into units: characters and nodes with their marks and places. What is neither text nor known
 * markup becomes a node that holds its source.
 */
import { decodeEntities } from '../../entities.ts';
import type { ElementNode, ExternalLinkNode, LinkNode, Node } from '../../tree.ts';
import {
  type Attributes,
  type DocumentNode,
  keyOfMark,
  keyOfNode,
  normalised,
  type Range,
  type SourceMark,
  type Unit,
} from '../nodes.ts';
import { attributesOfCall } from './calls.ts';
import { attributesOfFile } from './file-attributes.ts';

const marksOfElements: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  u: 'underline',
  ins: 'underline',
};
const otherElements = new Set(
  'abbr bdi bdo big cite data dfn font kbd mark q samp small span time tt var b strong i em code sub sup s strike del u ins'.split(
    ' ',
  ),
);

/** Parts of a source that show nothing wherever they stand: comments, switches, tags for templates. In order. */
export type Invisible = Range & { isComment: boolean };

export function readUnits(
  source: string,
  nodes: readonly Node[],
  invisible: readonly Invisible[],
  content: Range,
): Unit[] {
  const reader = new InlineReader(source);
  reader.nodes(nodes, []);
  const units = withInvisible(source, reader.units, invisible, content).filter(
    ({ at, marks }) =>
      (at && at.start >= content.start && at.end <= content.end) || marks.some(({ whole }) => whole),
  );
  return normalised(inOrder(units) ? units : [opaque(source, content)]);
}

/** A node that holds its source. */
export function opaque(source: string, { start, end }: Range): Unit {
  return unitOf({ type: 'inlineSource', attrs: { text: source.slice(start, end) } }, { start, end }, []);
}

function unitOf(node: DocumentNode, at: Range, marks: readonly SourceMark[]): Unit {
  return { value: keyOfNode(node), node, at, marks, marked: '' };
}

function placeOf(unit: Unit): Range | undefined {
  return unit.at ?? unit.marks.find(({ whole }) => whole)?.whole;
}

function inOrder(units: readonly Unit[]): boolean {
  let last: Range = { start: 0, end: 0 };
  for (const unit of units) {
    const at = placeOf(unit);
    if (!at || (at.start < last.end && at !== last)) return false;
    last = at;
  }
  return true;
}

/** Puts invisible parts at their places, so that edits beside them keep them. */
function withInvisible(
  source: string,
  units: readonly Unit[],
  invisible: readonly Invisible[],
  content: Range,
): Unit[] {
  const within = invisible.filter(({ start, end }) => start >= content.start && end <= content.end);
  if (within.length === 0) return [...units];
  const out: Unit[] = [];
  let next = 0;
  const put = (before: number, marks: readonly SourceMark[]) => {
    for (let one = within[next]; one && one.end <= before; one = within[++next]) {
      const range = trimmed(source, one);
      const text = source.slice(range.start, range.end);
      const isWhole = one.isComment && /^<!--[\s\S]*-->$/.test(text);
      const node: DocumentNode = isWhole
        ? { type: 'comment', attrs: { text: text.slice(4, -3) } }
        : { type: 'inlineSource', attrs: { text } };
      out.push(unitOf(node, range, marks));
    }
  };
  for (const unit of units) {
    const at = placeOf(unit);
    if (at) {
      const shared = unit.marks.filter(({ open, whole }) => open !== '' && !whole);
      put(
        at.start,
        shared.filter((mark) => out.at(-1)?.marks.includes(mark)),
      );
      // Comments within a node are part of it.
      while (within[next] && (within[next] as Invisible).start < at.end) next++;
    }
    out.push(unit);
  }
  put(content.end, []);
  return out;
}

class InlineReader {
  readonly units: Unit[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  nodes(nodes: readonly Node[], marks: readonly SourceMark[]): void {
    for (const node of nodes) this.#node(node, marks);
  }

  #node(node: Node, marks: readonly SourceMark[]): void {
    switch (node.type) {
      case 'text':
        this.#text(node.value, node.start, node.end, marks);
        break;
      case 'element':
        this.#element(node, marks);
        break;
      case 'link':
      case 'external-link':
        this.#link(node, marks);
        break;
      case 'file': {
        const attrs = attributesOfFile(this.#source, node);
        if (attrs) this.#add({ type: 'image', attrs }, node, marks);
        else this.#opaque(node, marks);
        break;
      }
      case 'template': {
        const attrs = attributesOfCall(this.#source.slice(node.start, node.end));
        if (attrs) this.#add({ type: 'inlineCall', attrs }, node, marks);
        else this.#opaque(node, marks);
        break;
      }
      case 'extension': {
        const written = this.#source.slice(node.start, node.end);
        const inside = /^<[^<>]*[^/]>([\s\S]*)<\/[a-z]+\s*>$/i.exec(written)?.[1];
        const { name, group, ...others } = node.attributes;
        const isPlain = Object.keys(others).length === 0 && group === undefined;
        if (node.name === 'ref' && isPlain && /^<ref\b/i.test(written))
          this.#add({ type: 'note', attrs: { name: name ?? null, text: inside ?? null } }, node, marks);
        else if (node.name === 'math' && inside !== undefined && !node.isBlock)
          this.#add({ type: 'inlineFormula', attrs: { source: inside } }, node, marks);
        else this.#opaque(node, marks);
        break;
      }
      default:
        this.#opaque(node, marks);
    }
  }

  #add(node: DocumentNode, { start, end }: Range, marks: readonly SourceMark[]): void {
    this.units.push(unitOf(node, { start, end }, marks));
  }

  #opaque({ start, end }: Range, marks: readonly SourceMark[]): void {
    if (end > start)
      this.#add(
        { type: 'inlineSource', attrs: { text: this.#source.slice(start, end) } },
        { start, end },
        marks,
      );
  }

  #element(node: ElementNode, marks: readonly SourceMark[]): void {
    const written = this.#source.slice(node.start, node.end);
    // A line break that the parser put in has no source.
    if (node.name === 'br') {
      if (/^<br\s*\/?>$/i.test(written)) this.#add({ type: 'hardBreak' }, node, marks);
      else this.#opaque(node, marks);
      return;
    }
    const mark = otherElements.has(node.name) ? markOf(node.name, written) : undefined;
    if (!mark || marks.some(({ key }) => key === mark.key)) this.#opaque(node, marks);
    else this.nodes(node.children, [...marks, mark]);
  }

  #link(node: LinkNode | ExternalLinkNode, marks: readonly SourceMark[]): void {
    const { start } = node;
    const end = node.writtenEnd ?? node.end;
    const written = this.#source.slice(start, end);
    const mark = linkMark(node, written, { start, end });
    if (!mark || marks.some(({ type }) => type === 'link')) {
      this.#opaque({ start, end }, marks);
      return;
    }
    const before = this.units.length;
    this.nodes(node.children, [...marks, mark]);
    if (this.units.length === before) this.#opaque({ start, end }, marks);
    if (!mark.whole) return;
    for (let at = before; at < this.units.length; at++) {
      const unit = this.units[at] as Unit;
      const { at: _at, ...others } = unit;
      this.units[at] = others;
    }
  }

  #text(value: string, start: number, end: number, marks: readonly SourceMark[]): void {
    const spelled = this.#source.slice(start, end);
    const add = (one: string, from: number, to: number) =>
      this.units.push({ value: one === '\n' ? ' ' : one, at: { start: from, end: to }, marks, marked: '' });
    if (value.startsWith(spelled)) {
      let at = start;
      for (const one of spelled) {
        add(one, at, at + one.length);
        at += one.length;
      }
      // The parser counts the line end before a tag or a call to neither side.
      if (value.length > spelled.length && this.#source[end] === '\n') add('\n', end, end + 1);
      return;
    }
    if (/^<nowiki\b/i.test(spelled)) {
      // An empty one only keeps two marks apart.
      if (value !== '') this.#opaque({ start, end }, marks);
      return;
    }
    let index = 0;
    for (const { 0: written, index: at } of spelled.matchAll(/&#?\w{1,33};|[\s\S]/gu)) {
      const shown = decodeEntities(written);
      if (shown === '' || !value.startsWith(shown, index)) {
        this.#opaque({ start: start + at, end }, marks);
        return;
      }
      index += shown.length;
      add(shown, start + at, start + at + written.length);
    }
  }
}

function markOf(name: string, written: string): SourceMark | undefined {
  const quotes = written.startsWith("''") ? (name === 'b' ? "'''" : "''") : undefined;
  if (quotes && (name === 'b' || name === 'i') && written.startsWith(quotes))
    return made(marksOfElements[name] ?? '', {}, quotes, quotes);
  const open = new RegExp(`^<${name}(\\s[^<>]*)?>`, 'i').exec(written);
  const close = new RegExp(`</${name}\\s*>$`, 'i').exec(written);
  if (!open || !close) return undefined;
  const type = marksOfElements[name];
  if (type && !open[1]?.trim()) return made(type, {}, open[0], close[0]);
  return made('element', { tag: name, open: open[0] }, open[0], close[0]);
}

function linkMark(node: LinkNode | ExternalLinkNode, written: string, range: Range): SourceMark | undefined {
  const inBrackets = /^\[\[([^[\]|{}<>\n]*)(\|?)/.exec(written);
  if (inBrackets) {
    const [open, target = '', pipe] = inBrackets;
    const close = written.lastIndexOf(']]');
    const to = decodeEntities(target.trim());
    if (to === '' || close < 0 || decodeEntities(to) !== target.trim()) return undefined;
    const mark = made('link', { to, kind: 'page', title: null }, open, ']]');
    const hasLabel = pipe === '|' && written.slice(open.length, close).trim() !== '';
    return hasLabel && close === written.length - 2 ? mark : { ...mark, whole: range };
  }
  if (node.type !== 'external-link') return undefined;
  const address = { to: node.url, kind: 'address', title: null };
  if (node.kind === 'free') return { ...made('link', address, '', ''), whole: range };
  const [open, to] = /^\[([^\s[\]<>"{}|]+)[ \t]+/.exec(written) ?? [];
  if (node.kind !== 'text' || open === undefined || to === undefined || !written.endsWith(']'))
    return undefined;
  return made('link', { ...address, to }, open, ']');
}

function made(type: string, attrs: Attributes, open: string, close: string): SourceMark {
  return { type, attrs, key: keyOfMark(type, attrs), open, close };
}

/** The range without white space at its ends. */
export function trimmed(source: string, { start, end }: Range): Range {
  const text = source.slice(start, end);
  const from = start + text.length - text.trimStart().length;
  return { start: Math.min(from, end), end: Math.max(Math.min(from, end), start + text.trimEnd().length) };
}
