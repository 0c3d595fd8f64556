/** Parts of a page's own source: its sections, which are edited or taken by other pages alone, and its named blocks. */
import { type Node, references, type Tree } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content } from '../pages/page.ts';
import { parseBody } from './parse-body.ts';

type Source = Pick<Content, 'body' | 'format' | 'path'>;

export interface SourceSection {
  /** ID of the heading in the markup, so that a heading there leads to its source. */
  id: string;
  title: string;
  /** Offsets into the body: from its heading to the next one of the same or a higher level. */
  start: number;
  end: number;
}

/** All that other pages may take of a body. */
export interface SourceParts {
  sections: SourceSection[];
  /** Blocks with an ID that begins with `^`, as offsets into the body. */
  blocks: { id: string; start: number; end: number }[];
}

/** Headings that come from templates have no source in this page and are not among them. */
export function sectionsOf(source: Source, dialect: Dialect): SourceSection[] {
  return sectionsIn(treeOf(source, dialect), source.body.length);
}

export function partsOf(source: Source, dialect: Dialect): SourceParts {
  const tree = treeOf(source, dialect);
  return { sections: sectionsIn(tree, source.body.length), blocks: blocksIn(tree.children) };
}

function treeOf({ body, format, path }: Source, dialect: Dialect): Tree {
  return parseBody(body, format, path, rulesOf(dialect));
}

function sectionsIn(tree: Tree, length: number): SourceSection[] {
  const sections: SourceSection[] = [];
  /** Sections that the next heading may end, the innermost last. */
  const open: { level: number; section: SourceSection }[] = [];
  for (const { id, title, level, start } of references(tree).sections) {
    while ((open.at(-1)?.level ?? 0) >= level) (open.pop() as (typeof open)[number]).section.end = start;
    const section = { id, title, start, end: length };
    sections.push(section);
    open.push({ level, section });
  }
  return sections;
}

function blocksIn(nodes: readonly Node[]): SourceParts['blocks'] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return [];
    const { start, end, attributes, children } = node;
    const id = attributes?.id;
    return [...(id?.startsWith('^') ? [{ id, start, end }] : []), ...blocksIn(children)];
  });
}
