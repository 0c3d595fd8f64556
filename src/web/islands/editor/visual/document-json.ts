/**
 * The server's document and ProseMirror's differ in tables alone: the server's have their caption as first child, and cells that
 * say whether they are headers, where prosemirror-tables wants rows only and two types of cells.
 */
import { Node } from 'prosemirror-model';
import { schema } from './schema.ts';

export interface DocumentJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocumentJson[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
}

/** Throws an error if the document is not one of the schema. */
export function documentFrom(json: DocumentJson): Node {
  const document = Node.fromJSON(schema, fromServer(json));
  document.check();
  return document;
}

/** JSON of blocks by node, and their origins. Nodes are never changed, and most blocks stay the same from one edit to the next. */
export type WrittenBlocks = WeakMap<Node, { text: string; origins: ReadonlySet<string> }>;

/**
 * JSON of the document for the server. An origin belongs to the first node that has it: both halves of a split paragraph have the
 * same. Takes as long as the blocks are that `written` has not.
 */
export function textOf(document: Node, written: WrittenBlocks): string {
  const seen = new Set<string>();
  const isApart = (origins: ReadonlySet<string>) => ![...origins].some((origin) => seen.has(origin));
  const blocks = document.children.map((block) => {
    const known = written.get(block) ?? blockText(block);
    written.set(block, known);
    if (!isApart(known.origins)) return blockText(block, seen).text;
    for (const origin of known.origins) seen.add(origin);
    return known.text;
  });
  return `{"type":"doc","content":[${blocks.join()}]}`;
}

function blockText(block: Node, origins = new Set<string>()) {
  return { text: JSON.stringify(toServer(block.toJSON() as DocumentJson, origins)), origins };
}

/** Containers that need a paragraph to write in. */
const boxes = new Set(['cell', 'headerCell', 'listItem', 'taskItem', 'definition', 'quote', 'callout']);

function fromServer(json: DocumentJson): DocumentJson {
  const content = json.content?.map(fromServer) ?? [];
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

function toServer(json: DocumentJson, seen: Set<string>): DocumentJson {
  if (json.text !== undefined) return json;
  if (json.type === 'captionedTable') {
    const [caption, table] = json.content ?? [];
    if (!caption || !table) throw new Error('A captioned table has no table.');
    return toServer({ ...table, content: [caption, ...(table.content ?? [])] }, seen);
  }
  const attrs = { ...json.attrs };
  if (attrs.origin) {
    const key = `${json.type} ${attrs.origin}`;
    if (seen.has(key)) attrs.origin = null;
    seen.add(key);
  }
  delete attrs.colwidth;
  const isHeader = json.type === 'headerCell';
  if (isHeader || json.type === 'cell') attrs.header = isHeader;
  return {
    ...json,
    type: isHeader ? 'cell' : json.type,
    ...(Object.keys(attrs).length > 0 ? { attrs } : {}),
    ...(json.content ? { content: contentOf(json, seen) } : {}),
  };
}

function contentOf({ type, content = [] }: DocumentJson, seen: Set<string>): DocumentJson[] {
  const children = content.map((child) => toServer(child, seen));
  return type === 'codeBlock' ? children : children.flatMap(linked);
}

const address = /\bhttps?:\/\/[^\s<>"'[\]{}|]*[^\s<>"'[\]{}|.,;:!?)]/g;

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
