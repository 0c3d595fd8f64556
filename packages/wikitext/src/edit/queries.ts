/** Queries on a source: walks over its tree, in source order. */
import type {
  ExternalLinkNode,
  HeadingNode,
  LeafNode,
  LinkNode,
  ParameterNode,
  SourceNode,
  SourceTree,
  TableNode,
  TemplateNode,
} from './nodes.ts';

/** Yields a node and all its descendants, outer ones first. */
export function* walk(node: SourceNode): Generator<SourceNode> {
  const open: SourceNode[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    if (!('children' in next)) continue;
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index];
      if (child) open.push(child);
    }
  }
}

/** Yields nodes without children. Their texts joined are the source. */
export function* leaves({ page }: SourceTree): Generator<LeafNode> {
  for (const node of walk(page)) if (!('children' in node)) yield node;
}

/**
 * Returns calls of templates, functions and variables; if a name is given, only calls of that page, according to the wiki's
 * rules.
 */
export function templates(tree: SourceTree, name?: string): TemplateNode[] {
  const found: TemplateNode[] = [];
  const target = name === undefined ? undefined : tree.rules.template(name, () => undefined);
  for (const node of walk(tree.page))
    if (
      node.type === 'template' &&
      (name === undefined || node.name === name || (target !== undefined && node.target === target))
    )
      found.push(node);
  return found;
}

/** Returns the effective parameter: the last one of that name. */
export function parameter(template: TemplateNode, name: string): ParameterNode | undefined {
  return template.parameters.findLast((one) => one.name === name);
}

/** Returns links to pages. Files, markers and categories are separate types of links. */
export function links(tree: SourceTree, type: LinkNode['type'] = 'link'): LinkNode[] {
  const found: LinkNode[] = [];
  for (const node of walk(tree.page)) if (node.type === type) found.push(node as LinkNode);
  return found;
}

export function externalLinks(tree: SourceTree): ExternalLinkNode[] {
  return [...walk(tree.page)].filter((node) => node.type === 'external-link');
}

/** Returns all headings: those of the page itself and those in cells, calls and notes. */
export function headings(tree: SourceTree): HeadingNode[] {
  return [...walk(tree.page)].filter((node) => node.type === 'heading');
}

export function tables(tree: SourceTree): TableNode[] {
  return [...walk(tree.page)].filter((node) => node.type === 'table');
}

/** A section, from its heading up to the next heading of the same or a higher level. */
export type SourceSection = {
  heading: HeadingNode;
  start: number;
  end: number;
  /** Start of the text after the heading's line. */
  bodyStart: number;
  /** End of the section's own text: the start of its first subsection. */
  bodyEnd: number;
};

/** Headings inside tables, calls and notes do not begin a section. */
export function sections({ source, page }: SourceTree): SourceSection[] {
  const all: SourceSection[] = [];
  const open: SourceSection[] = [];
  for (const heading of page.children) {
    if (heading.type !== 'heading') continue;
    const last = all[all.length - 1];
    if (last) last.bodyEnd = heading.start;
    for (
      let top = open[open.length - 1];
      top && top.heading.level >= heading.level;
      top = open[open.length - 1]
    ) {
      top.end = heading.start;
      open.pop();
    }
    const newline = source.indexOf('\n', heading.end);
    const bodyStart = newline < 0 ? source.length : newline + 1;
    const section = { heading, start: heading.start, end: source.length, bodyStart, bodyEnd: source.length };
    all.push(section);
    open.push(section);
  }
  return all;
}
