/**
 * Reads a document that an editor returned. It may be anything: what is no document of this schema is refused, and what shows
 * nothing is left out.
 */
import type { DocumentLanguage } from './language.ts';
import {
  type Attributes,
  atomTypes,
  type Block,
  type DocumentMark,
  type DocumentNode,
  inlineTypes,
  isNothing,
  keyOfBlock,
  keyOfMark,
  keyOfNode,
  lineTypes,
  markTypes,
  nodeTypes,
  normalised,
  type Range,
  type SourceBlock,
  type SourceMark,
  stated,
  type Unit,
} from './nodes.ts';
import { parametersAsRead } from './wikitext/calls.ts';

/** Thrown if a document cannot be written in the language, or is none. */
export class NotExpressible extends Error {
  /** Indexes of children from the document down to the smallest part concerned. */
  readonly path: readonly number[];
  /** Range in the source of that part, or of the smallest part around it that the source has. */
  readonly range: Range | undefined;

  constructor(message: string, path: readonly number[] = [], range?: Range) {
    super(message);
    this.name = 'NotExpressible';
    this.path = path;
    this.range = range;
  }
}

const maxDepth = 60;
const maxNodes = 200_000;
const containers = new Set(Object.keys(nodeTypes).filter((type) => !inlineTypes.has(type)));

type Reading = Pick<DocumentLanguage, 'read' | 'complete'>;

/**
 * Reads an edited document; `root` is that of the source. The language also reads sources that the person wrote into an atom,
 * which may be anything.
 */
export function readEdited(document: unknown, source: string, language: Reading, root: SourceBlock): Block {
  return new EditedReader(source, language, root).document(document);
}

class EditedReader {
  readonly #source: string;
  readonly #language: Reading;
  /** Number of calls of the source by their parameters, as far as they were not met yet. */
  readonly #calls: Map<string, number>;
  #nodes = 0;

  constructor(source: string, language: Reading, root: SourceBlock) {
    this.#source = source;
    this.#language = language;
    this.#calls = callsOf(root);
  }

  document(document: unknown): Block {
    const [only, ...others] = this.#blocks([document], [], -1);
    if (only?.type !== 'doc' || others.length > 0) throw new NotExpressible('A document begins with a doc.');
    return only;
  }

  #blocks(given: readonly unknown[], path: readonly number[], depth: number): Block[] {
    if (depth > maxDepth) throw new NotExpressible(`A document is at most ${maxDepth} levels deep.`, path);
    return given.flatMap((one, index) => this.#block(one, depth < 0 ? [] : [...path, index], depth + 1));
  }

  #block(given: unknown, path: readonly number[], depth: number): Block[] {
    const node = this.#node(given, path, containers);
    const { type } = node;
    const origin = rangeOf(node.attrs?.origin);
    const block: Omit<Block, 'key'> = { type, attrs: this.#values(node), path, origin };
    if (type === 'source' && !this.#isAsBefore(node)) {
      // Source that the person changed is whatever it reads as.
      const parts = this.#language.read(String(node.attrs?.text ?? '')).children ?? [];
      const only = parts.length === 1 ? parts[0] : undefined;
      if (only?.type !== 'source' || only.attrs.text !== node.attrs?.text)
        return parts.map((part) => written(part, path));
    }
    const content = node.content ?? [];
    if (type === 'codeBlock') block.text = content.map((one) => this.#text(one, path)).join('');
    else if (lineTypes.has(type)) block.units = normalised(this.#units(content, path));
    else if (!atomTypes.has(type)) block.children = this.#blocks(content, path, depth);
    this.#language.complete?.(block);
    return isNothing(block) ? [] : [{ ...block, key: keyOfBlock(block) }];
  }

  #text(given: unknown, path: readonly number[]): string {
    return this.#node(given, path, new Set(['text'])).text ?? '';
  }

  #units(content: readonly unknown[], path: readonly number[]): Unit[] {
    const units: Unit[] = [];
    for (const given of content) {
      const node = this.#node(given, path, inlineOrText);
      const marks = (node.marks ?? []).map((mark) => this.#mark(mark, path));
      if (node.type === 'text') {
        for (const value of node.text ?? '')
          units.push({ value: value === '\n' ? ' ' : value, marks, marked: '' });
      } else if (node.type === 'inlineSource') units.push(...this.#written(node, marks));
      else units.push(this.#unit(node, marks));
    }
    return units;
  }

  #written(node: DocumentNode, marks: SourceMark[]): Unit[] {
    if (this.#isAsBefore(node)) return [this.#unit(node, marks)];
    const [only, ...others] = this.#language.read(String(node.attrs?.text ?? '')).children ?? [];
    if (!only?.units || others.length > 0) return [this.#unit(node, marks)];
    return only.units.map(({ at: _at, ...unit }) => ({ ...unit, marks: [...marks, ...unit.marks] }));
  }

  #isAsBefore({ attrs }: DocumentNode): boolean {
    const origin = rangeOf(attrs?.origin);
    return origin !== undefined && this.#source.slice(origin.start, origin.end) === attrs?.text;
  }

  #unit(node: DocumentNode, marks: SourceMark[]): Unit {
    const { origin } = node.attrs ?? {};
    const attrs = { ...this.#values(node), ...(rangeOf(origin) ? { origin } : {}) };
    const value = keyOfNode({ ...node, attrs });
    return { value, node: { ...node, attrs }, marks, marked: '' };
  }

  /** All attributes that count. */
  #values({ type, attrs }: DocumentNode): Attributes {
    const defaults = nodeTypes[type] ?? {};
    const values = { ...defaults, ...stated(attrs, defaults) };
    if ('alt' in values && typeof values.alt === 'string')
      values.alt = values.alt.replace(/\s+/g, ' ').trim() || (values.alt === '' ? '' : null);
    if ('params' in values && !this.#isOfSource(values)) values.params = parametersAsRead(values);
    return values;
  }

  /** Whether the source has the call as it is: it may hold signs that nobody would write into a new one. */
  #isOfSource(attrs: Attributes): boolean {
    const key = keyOfCall(attrs);
    const count = this.#calls.get(key) ?? 0;
    this.#calls.set(key, count - 1);
    return count > 0;
  }

  #mark(mark: unknown, path: readonly number[]): SourceMark {
    const { type, attrs } = (mark ?? {}) as DocumentMark;
    if (typeof type !== 'string' || !Object.hasOwn(markTypes, type))
      throw new NotExpressible(`There is no mark "${String(type).slice(0, 40)}".`, path);
    const own = { ...markTypes[type], ...stated(attrs, markTypes[type] ?? {}) };
    return { type, attrs: own, key: keyOfMark(type, own), open: '', close: '' };
  }

  #node(given: unknown, path: readonly number[], allowed: ReadonlySet<string>): DocumentNode {
    if (++this.#nodes > maxNodes) throw new NotExpressible(`A document has at most ${maxNodes} nodes.`, path);
    const node = given as DocumentNode | null;
    const isNode =
      typeof node === 'object' &&
      node !== null &&
      (node.content === undefined || Array.isArray(node.content)) &&
      (node.marks === undefined || Array.isArray(node.marks)) &&
      (node.text === undefined || typeof node.text === 'string');
    if (!isNode || !allowed.has(node.type))
      throw new NotExpressible(`"${String(node?.type).slice(0, 40)}" may not stand here.`, path);
    return node;
  }
}

const inlineOrText: ReadonlySet<string> = new Set([...inlineTypes, 'text']);

function callsOf(root: SourceBlock): Map<string, number> {
  const calls = new Map<string, number>();
  const open = [root];
  for (let block = open.pop(); block; block = open.pop()) {
    for (const { attrs } of [block, ...(block.units ?? []).flatMap(({ node }) => node ?? [])]) {
      if (!attrs?.params) continue;
      const key = keyOfCall(attrs);
      calls.set(key, (calls.get(key) ?? 0) + 1);
    }
    open.push(...(block.children ?? []));
  }
  return calls;
}

function keyOfCall({ name, params }: Attributes): string {
  const all = Array.isArray(params) ? (params as Record<string, unknown>[]) : [];
  return JSON.stringify([name, all.map((one) => [one?.name, one?.value, one?.positional])]);
}

function written(part: SourceBlock, path: readonly number[]): Block {
  const { type, attrs, key, units, text, children } = part;
  return {
    type,
    attrs,
    key,
    path,
    origin: undefined,
    ...(text === undefined ? {} : { text }),
    ...(units ? { units: units.map(({ at: _at, ...unit }) => unit) } : {}),
    ...(children ? { children: children.map((child) => written(child, path)) } : {}),
  };
}

/** Reads the range that an editor returns in `origin`. Undefined if it is no pair of offsets in order. */
export function rangeOf(origin: unknown): Range | undefined {
  if (!Array.isArray(origin) || origin.length !== 2) return undefined;
  const [start, end] = origin as unknown[];
  const isRange =
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    Number(start) >= 0 &&
    Number(start) <= Number(end);
  return isRange ? { start: Number(start), end: Number(end) } : undefined;
}
