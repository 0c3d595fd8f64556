/**
 * The tree of a source that keeps every byte: `source.slice(node.start, node.end)` is the node's text, the children of a node follow
 * each other without gaps, and the leaves together are the source. Unlike the tree that `parse` makes, it knows what was written
 * rather than what is shown.
 */

import type { Rules } from '../options.ts';
import type { FileOptions } from '../tree.ts';

/** Offsets in the source. */
export type Range = { start: number; end: number };

type Inner = Range & { children: SourceNode[] };

/** Text, markup signs (`{{`, `|`, `==`), comments, and tags such as `<noinclude>` that stand for nothing on the page. */
export type LeafNode = Range & { type: 'text' | 'mark' | 'comment' | 'include-tag' };

/** `<includeonly>…</includeonly>`: what only pages get that include this one. */
export type IncludeNode = Inner & { type: 'include-only'; body: Range };

/** `{{Name|…}}`. Functions and variables are calls, too: `{{#if:…}}` has the name `#if:`. */
export type TemplateNode = Inner & {
  type: 'template';
  /** The name in the source, trimmed, without comments. */
  name: string;
  /** The page that is included; undefined for functions, variables and computed names. */
  target: string | undefined;
  nameRange: Range;
  parameters: ParameterNode[];
};

export type ParameterNode = Inner & {
  type: 'parameter';
  /** Its number, counted from 1, if it has no name of its own. */
  name: string;
  isPositional: boolean;
  /** Source of the value; without white space around it unless the parameter is positional. */
  value: string;
  valueRange: Range;
};

/** `{{{name|default}}}`. */
export type ArgumentNode = Inner & { type: 'argument'; name: string; default: string | undefined };

/** A tag whose inside is not markup of the page: `<ref>`, `<nowiki>`, `<gallery>`, … */
export type ExtensionNode = Inner & { type: 'extension'; name: string; body: Range | undefined };

/** `[[target|label]]`, a file, a marker such as `[[Height: 20 m]]` or `[[Category:Trees]]`. */
export type LinkNode = Inner & {
  type: 'link' | 'file' | 'marker';
  /** The target by the wiki's rules: title or path of a page, name of a file, key of a marker. */
  target: string;
  /** The part of the source before the first pipe. */
  targetRange: Range;
  /** The parts after the first pipe: a label, or the options and caption of a file. */
  labelRange: Range | undefined;
  /** Options of a file. */
  options?: FileOptions;
  /** Value of a marker. */
  value?: string;
};

/** `[https://example.org label]`, or a bare address. */
export type ExternalLinkNode = Inner & {
  type: 'external-link';
  url: string;
  targetRange: Range;
  labelRange: Range | undefined;
};

export type HeadingNode = Inner & {
  type: 'heading';
  level: number;
  /** The plain text, without markup. */
  title: string;
  id: string;
  /** Undefined for a heading written as a tag that is never closed. */
  titleRange: Range | undefined;
};

/** `{| … |}`. */
export type TableNode = Inner & { type: 'table'; cells: CellNode[] };

export type CellNode = Inner & {
  type: 'cell';
  kind: 'td' | 'th' | 'caption';
  /** Counted from 0 over the rows that have cells; -1 for a caption. */
  row: number;
  column: number;
  /** Without attributes and white space around it. */
  content: Range;
};

export type PageNode = Inner & { type: 'page' };

export type SourceNode =
  | LeafNode
  | PageNode
  | IncludeNode
  | TemplateNode
  | ParameterNode
  | ArgumentNode
  | ExtensionNode
  | LinkNode
  | ExternalLinkNode
  | HeadingNode
  | TableNode
  | CellNode;

export type SourceTree = { source: string; rules: Rules; page: PageNode };
