/** Queries on a source: walks over its tree, in source order. */
import { withoutComments } from '../comments.ts';
import { firstFrom } from '../elements.ts';
import { parse } from '../parse.ts';
import { blockText } from '../text.ts';
import type {
  ExternalLinkNode,
  HeadingNode,
  LeafNode,
  LinkNode,
  ParameterNode,
  Range,
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

/** Returns all nodes of a type, in source order: `find(tree, 'comment')`. */
export function find<T extends SourceNode['type']>(
  tree: SourceTree,
  type: T,
): Extract<SourceNode, { type: T }>[] {
  return [...walk(tree.page)].filter((node): node is Extract<SourceNode, { type: T }> => node.type === type);
}

/** Returns the nodes around a node, from the page to its parent. */
export function ancestors({ page }: SourceTree, node: SourceNode): SourceNode[] {
  const found: SourceNode[] = [];
  for (let at: SourceNode | undefined = page; at && at !== node && 'children' in at; ) {
    found.push(at);
    at = childAround(at.children, node);
  }
  return found;
}

/** Returns the child that holds a part of the source, found in logarithmic time. Siblings are in source order. */
export function childAround(children: readonly SourceNode[], { start, end }: Range): SourceNode | undefined {
  // Several children start at one place only if all but the last are empty.
  const child = children[firstFrom(children, start + 1) - 1];
  return child && child.end >= end && child.end > start ? child : undefined;
}

/**
 * Returns the range inside the markup of a node: of a comment, tag, heading or cell, the label of a link, the
 * value of a parameter, the default of an argument.
 */
export function contents(node: SourceNode): Range | undefined {
  switch (node.type) {
    case 'comment':
      return { start: node.start + 4, end: Math.max(node.start + 4, node.end - 3) };
    case 'extension':
    case 'tag':
    case 'include-only':
      return node.body;
    case 'heading':
      return node.titleRange;
    case 'cell':
      return node.content;
    case 'parameter':
      return node.valueRange;
    case 'argument':
      return node.defaultRange;
    case 'link':
    case 'external-link':
      return node.labelRange;
    default:
      return undefined;
  }
}

/** Returns the source of a range; an empty text for none. */
export function textOf({ source }: SourceTree, range: Range | undefined): string {
  return range ? source.slice(range.start, range.end) : '';
}

/** Returns the text that a range shows: without markup, calls, comments and notes, with characters for their references. */
export function plainText({ source, rules, path }: SourceTree, { start, end }: Range): string {
  return blockText(parse(source.slice(start, end), { rules, path }).children);
}

/** Yields nodes without children. Their texts joined are the source. */
export function* leaves({ page }: SourceTree): Generator<LeafNode> {
  for (const node of walk(page)) if (!('children' in node)) yield node;
}

/**
 * Returns calls of templates, functions and variables; if a name is given, only calls of that page, according to the wiki's
 * rules and to `isNamed`.
 */
export function templates(tree: SourceTree, name?: string): TemplateNode[] {
  const found: TemplateNode[] = [];
  for (const node of walk(tree.page))
    if (node.type === 'template' && (name === undefined || isNamed(tree, node, name))) found.push(node);
  return found;
}

/**
 * Whether a call or a link names a page. The case of the first letter, underscores, repeated spaces, comments and the namespace
 * that calls imply make no difference.
 */
export function isNamed(tree: SourceTree, node: TemplateNode | LinkNode, name: string): boolean {
  if (node.type !== 'template') return loose(node.target) === loose(name);
  if (node.name === name) return true;
  const target = tree.rules.template(name, () => undefined);
  return loose(node.target ?? node.name) === loose(target ?? name);
}

function loose(name: string): string {
  const text = withoutComments(name)
    .replace(/[\s_]+/g, ' ')
    .trim();
  const colon = text.indexOf(':') + 1;
  const upper = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
  return upper(text.slice(0, colon)) + upper(text.slice(colon).trim());
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

/** Returns links to addresses outside the wiki, in order of appearance. */
export function externalLinks(tree: SourceTree): ExternalLinkNode[] {
  return [...walk(tree.page)].filter((node) => node.type === 'external-link');
}

/** Returns all headings: those of the page itself and those in cells, calls and notes. */
export function headings(tree: SourceTree): HeadingNode[] {
  return [...walk(tree.page)].filter((node) => node.type === 'heading');
}

/** Returns all tables in order of appearance, an outer one before those in its cells. */
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

/** Returns the text before the first section. */
export function lead(tree: SourceTree): Range {
  return { start: 0, end: sections(tree)[0]?.start ?? tree.source.length };
}

/** Returns the first section whose heading shows this text, on any level or on this one. */
export function section(tree: SourceTree, title: string, level?: number): SourceSection | undefined {
  return sections(tree).find(
    ({ heading }) => heading.title === title.trim() && (level === undefined || heading.level === level),
  );
}

/** Headings of the page, also in HTML elements. */
function* ownHeadings(nodes: readonly SourceNode[]): Generator<HeadingNode> {
  for (const node of nodes) {
    if (node.type === 'heading') yield node;
    else if (node.type === 'tag') yield* ownHeadings(node.children);
  }
}

/** Headings inside tables, calls and notes do not begin a section. */
export function sections({ source, page }: SourceTree): SourceSection[] {
  const all: SourceSection[] = [];
  const open: SourceSection[] = [];
  for (const heading of ownHeadings(page.children)) {
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
