/** Reads Markdown as blocks of a document. */
import { keyOfBlock, type Range, type SourceBlock } from '@coppice/wikitext/document';
import { readFrontMatter, withoutFacts } from '../front-matter.ts';
import { createParser } from '../parser.ts';
import { Lines } from '../positions.ts';
import type { CountedParts } from '../rules/part-limit.ts';
import { setAside } from '../spans.ts';

const parser = createParser();

export function readMarkdown(source: string): SourceBlock {
  const facts = readFrontMatter(source)?.end ?? 0;
  const { text } = setAside(withoutFacts(source, facts));
  const counted: CountedParts = { parts: 0 };
  const lines = new Lines(text);
  const children: SourceBlock[] = [];
  let end = 0;
  const add = (range: Range) => {
    const start = range.start;
    const written = source.slice(start, range.end).trimEnd();
    if (written !== '' && start >= end)
      children.push(block('source', { start, end: start + written.length }, { text: written }));
    end = Math.max(end, range.end);
  };
  if (facts > 0) add({ start: 0, end: facts });
  for (const { level, map, nesting } of parser.parse(text, counted))
    if (level === 0 && map && nesting >= 0) add({ start: lines.start(map[0]), end: lines.end(map[1]) });
  return block(
    'doc',
    { start: 0, end: source.length },
    {},
    children.map((child, index) => ({ ...child, path: [index] })),
  );
}

function block(
  type: string,
  origin: Range,
  attrs: SourceBlock['attrs'],
  children?: SourceBlock[],
): SourceBlock {
  const made = { type, attrs, origin, content: origin, path: [], ...(children ? { children } : {}) };
  return { ...made, key: keyOfBlock(made) };
}
