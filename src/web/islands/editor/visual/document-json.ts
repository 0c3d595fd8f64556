/**
 * The server's document and ProseMirror's differ in tables alone: the server's have their caption as first child, and cells that
 * say whether they are headers, where prosemirror-tables wants rows only and two types of cells.
 */
import { Node } from 'prosemirror-model';
import { schema } from './schema.ts';
import { asRead, type FilledRows } from './table-holes.ts';

export interface DocumentJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentJson[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
}

/**
 * Throws an error if the document is not one of the schema. `generation`: how many sources the document was made from before, which
 * the origins of its nodes then state: undo brings back nodes of earlier ones, whose origins mean nothing in the source of now.
 */
export function documentFrom(json: DocumentJson, generation: number): Node {
  const document = Node.fromJSON(schema, fromServer(json, generation));
  document.check();
  return document;
}

/** Range of a node in the source of a generation; undefined if it has none there. */
export function originIn({ attrs }: Pick<Node, 'attrs'>, generation: number): [number, number] | undefined {
  const [start, end, own = 0] = (attrs.origin ?? []) as number[];
  return start === undefined || end === undefined || own !== generation ? undefined : [start, end];
}

/** Nodes are never changed, and most blocks stay the same from one edit to the next. */
export interface Known {
  /** JSON of blocks by node, and their origins. */
  written: WeakMap<Node, { text: string; origins: ReadonlySet<string> }>;
  filled: FilledRows;
}

/**
 * JSON of the document for the server. An origin belongs to the first node that has it: both halves of a split paragraph have the
 * same. Takes as long as the blocks are that are not known.
 */
export function textOf(document: Node, { written, filled }: Known, generation: number): string {
  const seen = new Set<string>();
  const isApart = (origins: ReadonlySet<string>) => ![...origins].some((origin) => seen.has(origin));
  const blocks = document.children.map((shown) => {
    const known = written.get(shown) ?? blockText(asRead(shown, filled), generation);
    written.set(shown, known);
    if (!isApart(known.origins)) return blockText(asRead(shown, filled), generation, seen).text;
    for (const origin of known.origins) seen.add(origin);
    return known.text;
  });
  return `{"type":"doc","content":[${blocks.join()}]}`;
}

function blockText(block: Node, generation: number, origins = new Set<string>()) {
  const json = toServer(block.toJSON() as DocumentJson, { generation, origins });
  return { text: JSON.stringify(json), origins };
}

/** Containers that need a paragraph to write in. */
const boxes = new Set(['cell', 'headerCell', 'listItem', 'taskItem', 'definition', 'quote', 'callout']);

function fromServer(given: DocumentJson, generation: number): DocumentJson {
  const content = given.content?.map((child) => fromServer(child, generation)) ?? [];
  const origin = given.attrs?.origin;
  const isLater = generation > 0 && Array.isArray(origin);
  const json = isLater ? { ...given, attrs: { ...given.attrs, origin: [...origin, generation] } } : given;
  if (json.type === 'table') {
    const [first, ...rest] = content;
    if (first?.type !== 'caption') return { ...json, content };
    return { type: 'captionedTable', content: [first, { ...json, content: rest }] };
  }
  const type = json.type === 'cell' && json.attrs?.header === true ? 'headerCell' : json.type;
  const isItem = type === 'listItem' || type === 'taskItem';
  if (boxes.has(type) && (content.length === 0 || (isItem && content[0]?.type !== 'paragraph')))
    content.unshift({ type: 'paragraph' });
  return { ...json, type, ...(content.length > 0 ? { content } : {}) };
}

/** `origins`: those that other nodes have already. */
interface Written {
  generation: number;
  origins: Set<string>;
}

function toServer(json: DocumentJson, written: Written): DocumentJson {
  if (json.text !== undefined) return json;
  if (json.type === 'captionedTable') {
    const [caption, table] = json.content ?? [];
    if (!caption || !table) throw new Error('A captioned table has no table.');
    return toServer({ ...table, content: [caption, ...(table.content ?? [])] }, written);
  }
  const attrs = { ...json.attrs };
  if (attrs.origin) {
    const origin = originIn({ attrs }, written.generation);
    const key = `${json.type} ${origin}`;
    attrs.origin = origin && !written.origins.has(key) ? origin : null;
    if (origin) written.origins.add(key);
  }
  delete attrs.colwidth;
  const isHeader = json.type === 'headerCell';
  if (isHeader || json.type === 'cell') attrs.header = isHeader;
  return {
    ...json,
    type: isHeader ? 'cell' : json.type,
    ...(Object.keys(attrs).length > 0 ? { attrs } : {}),
    ...(json.content ? { content: contentOf(json, written) } : {}),
  };
}

function contentOf({ type, content = [] }: DocumentJson, written: Written): DocumentJson[] {
  const children = content.map((child) => toServer(child, written));
  return type === 'codeBlock' ? children : children.flatMap(linked);
}

const address = /\bhttps?:\/\/[^\s<>"'[\]{}|\\]*[^\s<>"'[\]{}|\\.,;:!?)]/g;

/** A text in which an address was typed, with the address as a link to it. */
function linked(json: DocumentJson): DocumentJson[] {
  const { text, marks = [] } = json;
  if (
    text === undefined ||
    !text.includes('://') ||
    marks.some(({ type }) => type === 'link' || type === 'code')
  )
    return [json];
  const parts: DocumentJson[] = [];
  let from = 0;
  for (const { 0: to, index } of text.matchAll(address)) {
    if (index > from) parts.push({ ...json, text: text.slice(from, index) });
    parts.push({ ...json, text: to, marks: [...marks, { type: 'link', attrs: { to, kind: 'address' } }] });
    from = index + to.length;
  }
  if (from < text.length) parts.push({ ...json, text: text.slice(from) });
  return parts;
}
