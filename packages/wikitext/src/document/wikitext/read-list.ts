/** Reads lists that are written with marks at the start of lines. */
import type { ElementNode } from '../../tree.ts';
import type { Range, SourceBlock } from '../nodes.ts';
import { trimmed } from './read-inline.ts';
import type { Reading } from './reading.ts';
import { boxIn } from './tasks.ts';

const lists: Readonly<Record<string, string>> = { ul: 'bulletList', ol: 'orderedList', dl: 'definitionList' };

/** Undefined for lists that are not written item by item. */
export function readList(reader: Reading, node: ElementNode, range: Range): SourceBlock | undefined {
  const items: SourceBlock[] = [];
  for (const child of node.children) {
    if (child.type === 'text' && child.value.trim() === '') continue;
    if (child.type !== 'element' || !/^(?:li|dt|dd)$/.test(child.name)) return undefined;
    const item = readItem(reader, child);
    if (!item) return undefined;
    items.push(item);
  }
  return reader.block(lists[node.name] ?? 'bulletList', {}, range, { content: range, children: items });
}

function readItem(reader: Reading, node: ElementNode): SourceBlock | undefined {
  const source = reader.text;
  const range = {
    start: node.start,
    end: Math.max(node.start, node.start + source.slice(node.start, node.end).trimEnd().length),
  };
  const marks = /^[*#:;]+[ \t]*/.exec(source.slice(range.start, range.end))?.[0];
  if (marks === undefined) return undefined;
  const nested = node.children.find((child) => child.type === 'element' && /^[uod]l$/.test(child.name));
  // `** a` without an item above it has no line of its own.
  const hasLine = nested?.start !== range.start;
  const content = {
    start: hasLine ? Math.min(range.start + marks.length, range.end) : range.start,
    end: range.end,
  };
  if (node.name === 'dt') {
    const line = trimmed(source, content);
    return reader.block('term', {}, range, { content: line, units: reader.units(node.children, line) });
  }
  const box = node.name === 'li' && hasLine ? boxIn(source.slice(content.start, content.end)) : undefined;
  if (box) content.start += box.length;
  const type = node.name === 'dd' ? 'definition' : box ? 'taskItem' : 'listItem';
  const attrs = box ? { checked: box.checked } : {};
  return reader.block(type, attrs, range, { content, children: reader.blocks(node.children, content) });
}
