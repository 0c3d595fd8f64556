/**
 * A page as a document of an editor: ProseMirror's JSON. Nodes read from a source state their range in it as `origin`, so that
 * a node that was not edited keeps its bytes. The document is edited elsewhere and comes back as data that nobody checked.
 */
import type { Range } from '../edit/nodes.ts';

export type { Range };

/** Attributes of a node or mark, as ProseMirror has them. */
export type Attributes = Readonly<Record<string, unknown>>;
/** Formatting of a piece of text, such as bold or a link. */
export type DocumentMark = { type: string; attrs?: Attributes };
/** A node in ProseMirror's JSON. `text` and `marks` belong to text nodes. */
export type DocumentNode = {
  type: string;
  attrs?: Attributes;
  content?: DocumentNode[];
  text?: string;
  marks?: DocumentMark[];
};

/** Every type of node, with the attributes that count and their defaults. Other attributes are only for display. */
export const nodeTypes: Readonly<Record<string, Attributes>> = {
  doc: {},
  paragraph: {},
  heading: { level: 1 },
  bulletList: {},
  orderedList: { start: 1 },
  listItem: {},
  taskItem: { checked: false },
  definitionList: {},
  term: {},
  definition: {},
  quote: {},
  callout: { kind: 'note', title: null },
  codeBlock: { language: '' },
  rule: {},
  formula: { source: '', display: true },
  table: {},
  caption: {},
  row: {},
  cell: { header: false, colspan: 1, rowspan: 1, align: null },
  figure: { file: '', alt: null, width: null, height: null, side: null, kind: 'thumb', link: null },
  call: { name: '', params: [], display: 'block' },
  source: { text: '' },
  image: { file: '', alt: null, width: null, height: null, side: null, kind: 'plain', link: null },
  note: { name: null, text: null },
  inlineCall: { name: '', params: [] },
  inlineFormula: { source: '' },
  inlineSource: { text: '' },
  comment: { text: '' },
  hardBreak: {},
};

/** Blocks that hold inline content. */
export const lineTypes: ReadonlySet<string> = new Set(['paragraph', 'heading', 'term', 'caption', 'figure']);
/** Blocks that hold nothing. */
export const atomTypes: ReadonlySet<string> = new Set(['rule', 'formula', 'call', 'source']);
/** Inline nodes other than text. */
export const inlineTypes: ReadonlySet<string> = new Set([
  'image',
  'note',
  'inlineCall',
  'inlineFormula',
  'inlineSource',
  'comment',
  'hardBreak',
]);

/** Every type of mark, with the attributes that count. */
export const markTypes: Readonly<Record<string, Attributes>> = {
  bold: {},
  italic: {},
  code: {},
  sub: {},
  sup: {},
  strike: {},
  underline: {},
  highlight: {},
  link: { to: '', kind: 'page', title: null },
  element: { tag: '', open: '' },
};

/** A mark at its place in the source, between `open` and `close`. */
export type SourceMark = {
  type: string;
  attrs: Attributes;
  key: string;
  open: string;
  close: string;
  /** Range of a mark that is written anew as soon as anything in it changes, such as a link without a label. */
  whole?: Range;
};

/** A character or an inline node. */
export type Unit = {
  /** The character; for nodes, a key that is equal for equal ones. */
  value: string;
  /** Keys of its marks, sorted; equal for equal ones. */
  marked: string;
  marks: readonly SourceMark[];
  node?: DocumentNode;
  /** Range in the source; without one, the unit is new. */
  at?: Range;
};

/** A block, of a source or of an edited document. */
export type Block = {
  type: string;
  attrs: Attributes;
  /** Equal for equal blocks, wherever they stand. */
  key: string;
  /** Inline content. */
  units?: Unit[];
  /** Content of a code block. */
  text?: string;
  children?: Block[];
  /** Indexes of children from the document down. */
  path: readonly number[];
  /** Range in the source. */
  origin: Range | undefined;
};

/** A block as the source has it. `content`: the range of its units or children, within the marks around them. */
export type SourceBlock = Omit<Block, 'children'> & {
  origin: Range;
  content: Range;
  children?: SourceBlock[];
};

/** Equal for marks that mean the same: attributes with their default value, and those only for display, do not count. */
export function keyOfMark(type: string, attrs: Attributes): string {
  return `${type}${JSON.stringify(stated(attrs, markTypes[type] ?? {}))}`;
}

/** Attributes that count and differ from their defaults, in a fixed order. */
export function stated(attrs: Attributes | undefined, defaults: Attributes): Attributes {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(defaults)) {
    const given = attrs?.[name] ?? null;
    if (given !== null && JSON.stringify(given) !== JSON.stringify(value)) found[name] = given;
  }
  return found;
}

/** The same for nodes. The key never equals a character of text. */
export function keyOfNode({ type, attrs }: DocumentNode): string {
  return `\0${type}${JSON.stringify(stated(attrs, nodeTypes[type] ?? {}))}`;
}

/** The key of a block whose parts have their keys. */
export function keyOfBlock(block: Omit<Block, 'key'>): string {
  const { type, attrs, units, text, children } = block;
  const own = type + JSON.stringify(stated(attrs, nodeTypes[type] ?? {}));
  if (units) return `${own}(${keyOfUnits(units)})`;
  if (children) return `${own}[${children.map(({ key }) => key).join()}]`;
  return text === undefined ? own : own + JSON.stringify(text);
}

/**
 * The marks of a unit are stated where they differ from those before, and a mark after its first time by its number: each
 * character of a long address has the whole address in its marks.
 */
function keyOfUnits(units: readonly Unit[]): string {
  const numbers = new Map<string, number>();
  let before = '';
  const stateOf = (key: string): string | number => {
    const number = numbers.get(key);
    if (number === undefined) numbers.set(key, numbers.size);
    return number ?? key;
  };
  const keys = units.map(({ value, marked }) => {
    if (marked === before) return value;
    before = marked;
    return value + betweenMarks + marked.split(betweenMarks).map(stateOf).join(betweenMarks);
  });
  return keys.join(betweenUnits);
}

/** Whether a block shows nothing, so that documents with and without it are equal. */
export function isNothing({ type, units, children }: Omit<Block, 'key'>): boolean {
  if (type === 'paragraph' || type === 'heading' || type === 'caption') return units?.length === 0;
  return /List$|^quote$|^table$/.test(type) && children?.length === 0;
}

/** Separates the keys in `marked`. JSON escapes this character, so no key holds it. */
export const betweenMarks = '\u0001';

/** Units are never empty, so keys joined by this character differ if the units do. */
const betweenUnits = '\u0002';

/** Whether the unit is white space that shows nothing at the ends of a line. */
export function isSpace({ value, node }: Unit): boolean {
  return !node && (value === ' ' || value === '\n' || value === '\t');
}

/**
 * Removes white space at both ends and beside line breaks, where it shows nothing, and sets `marked`. Marks of white space count only where the text on both sides has them,
 * because programs differ in whether a bold word includes the space after it.
 */
export function normalised(units: readonly Unit[]): Unit[] {
  let start = 0;
  let end = units.length;
  while (start < end && isSpace(units[start] as Unit)) start++;
  while (end > start && isSpace(units[end - 1] as Unit)) end--;
  const kept = besideBreaks(units.slice(start, end));
  const known = new Map<string, string>();
  let before: readonly SourceMark[] = [];
  let marked = '';
  for (let at = 0; at < kept.length; ) {
    const unit = kept[at] as Unit;
    if (!isSpace(unit)) {
      unit.marked = unit.marks === before ? marked : markedBy(unit.marks, known);
      before = unit.marks;
      marked = unit.marked;
      at++;
      continue;
    }
    let next = at;
    while (isSpace(kept[next] as Unit)) next++;
    const after = new Set((kept[next] as Unit).marks.map(({ key }) => key));
    const both = new Set(before.map(({ key }) => key).filter((key) => after.has(key)));
    for (; at < next; at++) {
      const one = kept[at] as Unit;
      one.marked = markedBy(
        one.marks.filter(({ key, type }) => type === 'code' || both.has(key)),
        known,
      );
    }
  }
  return kept;
}

function besideBreaks(units: Unit[]): Unit[] {
  if (!units.some(isBreak)) return units;
  const kept: Unit[] = [];
  for (const unit of units) {
    if (isSpace(unit) && isBreak(kept.at(-1))) continue;
    if (isBreak(unit)) while (kept.length > 0 && isSpace(kept.at(-1) as Unit)) kept.pop();
    kept.push(unit);
  }
  return kept;
}

function isBreak(unit: Unit | undefined): boolean {
  return unit?.node?.type === 'hardBreak';
}

/** `known`: results so far, so that equal ones are one text in memory. */
function markedBy(marks: readonly SourceMark[], known: Map<string, string>): string {
  if (marks.length === 0) return '';
  const marked = [...new Set(marks.map(({ key }) => key))].sort().join(betweenMarks);
  const equal = known.get(marked);
  if (equal === undefined) known.set(marked, marked);
  return equal ?? marked;
}
