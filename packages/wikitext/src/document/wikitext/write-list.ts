/** Writes lists line by line: each item begins with the marks of all lists around it. */
import { NotExpressible } from '../edited.ts';
import type { Place } from '../inline.ts';
import type { Block, SourceBlock } from '../nodes.ts';
import { writeSequence } from '../sequence.ts';
import { boxOf, openWithBox } from './tasks.ts';
import type { Writing } from './writing.ts';

const line: Place = { kind: 'line', isOneLine: true, isLineStart: false };
const term: Place = { kind: 'term', isOneLine: true, isLineStart: false };
/** Blocks other than lists that may stand in an item, if they are on one line. */
const inItem = new Set(['call', 'source', 'figure', 'formula']);

function isList({ type }: Block): boolean {
  return type.endsWith('List');
}

/** Marks of an item, below the marks of the lists around it. */
function marksOf(list: Block, item: Block, around: string): string {
  if (item.type === 'term') return `${around};`;
  if (item.type === 'definition') return `${around}:`;
  if (!/^(?:list|task)Item$/.test(item.type))
    throw new NotExpressible(`Wikitext has no "${item.type}".`, item.path);
  return around + (list.type === 'orderedList' ? '#' : '*');
}

/** Returns the lines of a new list. `around`: the marks of the lists around it. */
export function writeList(writer: Writing, list: Block, around: string): string {
  return (list.children ?? [])
    .map((item) => writeItem(writer, item, marksOf(list, item, around), ' '))
    .join('\n');
}

function writeItem(writer: Writing, item: Block, marks: string, space: string): string {
  if (item.type === 'term') return `${marks}${space || ' '}${writer.inline(undefined, item, term)}`;
  const [first, ...others] = item.children ?? [];
  const box = boxOf(item);
  if (!first) return box ? `${marks} ${box.trim()}` : marks;
  const lines: string[] = [];
  const open = `${marks}${box ? ' ' : space}${box}`;
  if (first.type === 'paragraph') lines.push(`${open}${writer.inline(undefined, first, line)}`);
  else if (isList(first)) lines.push(box ? open.trimEnd() : marks, writeList(writer, first, marks));
  else lines.push(`${open}${onOneLine(writer.write(first), first)}`);
  for (const other of others) lines.push(writePart(writer, other, marks));
  return lines.join('\n');
}

function writePart(writer: Writing, part: Block, marks: string): string {
  if (isList(part)) return writeList(writer, part, marks);
  throw new NotExpressible('An item of a list in wikitext has one paragraph.', part.path);
}

function onOneLine(text: string, { type, path }: Block): string {
  if (inItem.has(type) && (!text.includes('\n') || text.startsWith('{{'))) return text;
  throw new NotExpressible('An item of a list in wikitext is one line.', path);
}

/** Returns the source of a list in which only the items that differ are changed. `around`: the marks of the lists around it. */
export function changeList(writer: Writing, old: SourceBlock, now: Block, around: string): string {
  const space = spaceIn(writer, old);
  return writeSequence(
    writer.source,
    { content: old.content, children: old.children ?? [] },
    now.children ?? [],
    {
      change: (from, item) => changeItem(writer, from, item, { marks: marksOf(now, item, around), space }),
      write: (item) => writeItem(writer, item, marksOf(now, item, around), space),
      separator: () => '\n',
    },
  );
}

/** Space after the marks, as the first item with text has it. */
function spaceIn(writer: Writing, { children = [] }: SourceBlock): string {
  const item = children.find(
    ({ origin, content }) => content.start > origin.start && content.end > content.start,
  );
  const open = item ? writer.source.slice(item.origin.start, item.content.start) : ' ';
  return /(?<![ \t])[ \t]*$/.exec(open)?.[0] ?? ' ';
}

function changeItem(
  writer: Writing,
  old: SourceBlock,
  now: Block,
  { marks, space }: { marks: string; space: string },
): string {
  const { origin, content } = old;
  const open = openWithBox(writer.source.slice(origin.start, content.start), old, now);
  if (now.type === 'term')
    return open + writer.inline(old, now, term) + writer.source.slice(content.end, origin.end);
  const before = old.children ?? [];
  const hasLine = open !== '';
  const startsAlike = before[0]?.type === now.children?.[0]?.type;
  if (!hasLine && !startsAlike) return writeItem(writer, now, marks, space);
  if (hasLine && before.length === 0 && now.children?.length) return writeItem(writer, now, marks, space);
  const text = writeSequence(writer.source, { content, children: before }, now.children ?? [], {
    change: (from, part) =>
      isList(part)
        ? changeList(writer, from, part, marks)
        : part.type === 'paragraph'
          ? writer.inline(from, part, line)
          : onOneLine(writer.change(from, part), part),
    write: (part, written) =>
      written === '' && part.type === 'paragraph'
        ? writer.inline(undefined, part, line)
        : writePart(writer, part, marks),
    separator: () => '\n',
  });
  // A nested list begins a line.
  const needsLine = hasLine && before[0]?.type === 'paragraph' && isNested(now.children?.[0]);
  return needsLine ? `${open.trimEnd()}\n${text}` : open + text;
}

function isNested(block: Block | undefined): boolean {
  return block !== undefined && isList(block);
}
