/** Sections and named blocks of a page's own source, which can be edited or embedded separately. */
import { type Node, references, type Tree } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content } from '../model/page.ts';
import { parseBody } from './parse-body.ts';

type Source = Pick<Content, 'body' | 'format' | 'path'>;

export interface SourceSection {
  /** ID of the heading in the markup, which connects the rendered heading to its source. */
  id: string;
  title: string;
  /** Offsets into the body: from its heading to the next one of the same or a higher level. */
  start: number;
  end: number;
}

/** Everything in a body that other pages can embed. */
export interface SourceParts {
  sections: SourceSection[];
  /** Blocks with an ID that begins with `^`, as offsets into the body. */
  blocks: { id: string; start: number; end: number }[];
}

/** Sections of the source. Headings that come from templates are not included. */
export function sectionsOf(source: Source, dialect: Dialect): SourceSection[] {
  return sectionsIn(treeOf(source, dialect), source.body.length);
}

/** Sections and blocks of the unexpanded body with their positions in UTF-16 units, for edits of one part. */
export function partsOf(source: Source, dialect: Dialect): SourceParts {
  const tree = treeOf(source, dialect);
  return { sections: sectionsIn(tree, source.body.length), blocks: blocksIn(tree.children, source.body) };
}

function treeOf({ body, format, path }: Source, dialect: Dialect): Tree {
  return parseBody(body, format, path, rulesOf(dialect));
}

function sectionsIn(tree: Tree, length: number): SourceSection[] {
  const sections: SourceSection[] = [];
  /** Open sections, the innermost last; the next heading may end some of them. */
  const open: { level: number; section: SourceSection }[] = [];
  for (const { id, title, level, start } of references(tree).sections) {
    while ((open.at(-1)?.level ?? 0) >= level) (open.pop() as (typeof open)[number]).section.end = start;
    const section = { id, title, start, end: length };
    sections.push(section);
    open.push({ level, section });
  }
  return sections;
}

/**
 * Blocks with a name (`^name`), which is not part of them where it stands at their end: pages that embed a block do not show it. A
 * name on a line of its own belongs to the block above, such as a table.
 */
function blocksIn(nodes: readonly Node[], body: string): SourceParts['blocks'] {
  let above: { start: number; end: number } | undefined;
  return nodes.flatMap((node) => {
    if (node.type === 'text' && node.value.trim() === '') return [];
    const before = above;
    above = node;
    if (node.type !== 'element') return [];
    const { start, attributes, children } = node;
    const id = attributes?.id;
    if (!id?.startsWith('^')) return blocksIn(children, body);
    const end = endBefore(id, body, start, node.end);
    const isBelow = end <= start && before !== undefined;
    const block = isBelow
      ? { id, start: before.start, end: endOfLine(body, before.end) }
      : { id, start, end };
    return [block, ...blocksIn(children, body)];
  });
}

function endOfLine(body: string, at: number): number {
  const end = body.indexOf('\n', at);
  return body[at - 1] === '\n' ? at : end < 0 ? body.length : end;
}

function endBefore(name: string, body: string, start: number, end: number): number {
  const text = body.slice(start, end).trimEnd();
  return text.endsWith(name) ? start + text.slice(0, -name.length).trimEnd().length : end;
}
