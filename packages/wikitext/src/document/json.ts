/** Writes a document that was read from a source as ProseMirror's JSON. */
import {
  type Block,
  type DocumentNode,
  markTypes,
  nodeTypes,
  type SourceBlock,
  type SourceMark,
  stated,
  type Unit,
} from './nodes.ts';

/** Blocks that ProseMirror wants to begin with a paragraph, and those that may not be empty. */
const beginWithParagraph = new Set(['listItem', 'taskItem']);
const mayNotBeEmpty = new Set(['doc', 'cell', 'definition', 'quote', 'callout']);

/** Returns a block as an editor gets it. Every node but the document has its range in the source in `origin`. */
export function toJson(block: SourceBlock): DocumentNode {
  const { type, origin, units, text, children } = block;
  const attrs = {
    ...nodeTypes[type],
    ...block.attrs,
    ...(type === 'doc' ? {} : { origin: [origin.start, origin.end] }),
  };
  const node: DocumentNode = { type, ...(Object.keys(attrs).length > 0 ? { attrs } : {}) };
  if (units) node.content = inlineOf(units);
  else if (text !== undefined) node.content = text === '' ? [] : [{ type: 'text', text }];
  else if (children) {
    node.content = children.map(toJson);
    const needsOne = children.length === 0 && mayNotBeEmpty.has(type);
    if (needsOne || (beginWithParagraph.has(type) && children[0]?.type !== 'paragraph'))
      node.content.unshift({ type: 'paragraph', content: [] });
  }
  return node;
}

function inlineOf(units: readonly Unit[]): DocumentNode[] {
  const nodes: DocumentNode[] = [];
  let last: { text: string; key: string; node: DocumentNode } | undefined;
  for (const unit of units) {
    const key = unit.marks.map((mark) => mark.key).join();
    if (!unit.node && last?.key === key) {
      last.text += unit.value;
      last.node.text = last.text;
      continue;
    }
    const marks = marksOf(unit.marks);
    if (unit.node) {
      const { type, attrs } = unit.node;
      const all = {
        ...nodeTypes[type],
        ...attrs,
        ...(unit.at ? { origin: [unit.at.start, unit.at.end] } : {}),
      };
      nodes.push({ type, attrs: all, ...marks });
      last = undefined;
    } else {
      last = { text: unit.value, key, node: { type: 'text', text: unit.value, ...marks } };
      nodes.push(last.node);
    }
  }
  return nodes;
}

function marksOf(marks: readonly SourceMark[]): Pick<DocumentNode, 'marks'> {
  if (marks.length === 0) return {};
  const different = new Map(marks.map((mark) => [mark.key, mark]));
  return {
    marks: [...different.values()].map(({ type, attrs }) => {
      const own = { ...markTypes[type], ...stated(attrs, markTypes[type] ?? {}) };
      return { type, ...(Object.keys(own).length > 0 ? { attrs: own } : {}) };
    }),
  };
}

/** The first and smallest block of `one` in which another document differs, if it does. */
export function firstDifference(one: Block, other: Block): Block | undefined {
  if (one.key === other.key) return undefined;
  const before = one.children ?? [];
  const after = other.children ?? [];
  if (one.type !== other.type) return one;
  for (const [index, child] of before.entries()) {
    const second = after[index];
    const found = second ? firstDifference(child, second) : child;
    if (found) return found;
  }
  return before.at(-1) ?? one;
}
