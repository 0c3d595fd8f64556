/**
 * A lossless tree of a source: `source.slice(node.start, node.end)` is the node's text, the children of a node are adjacent,
 * and the leaves together are the source. Unlike the tree of `parse`, it describes what was written rather than what is shown.
 */

import type { Rules } from '../options.ts';
import type { FileOptions } from '../tree.ts';

/** Offsets in the source. */
export type Range = { start: number; end: number };

type Inner = Range & { children: SourceNode[] };

/** Text, markup characters (`{{`, `|`, `==`), comments, and tags such as `<noinclude>` that show nothing on the page. */
export type LeafNode = (Range & { type: 'text' | 'mark' | 'comment' | 'include-tag' }) | EntityNode;

/** A character reference: `&nbsp;`, `&#8212;`. */
export type EntityNode = Range & { type: 'entity'; value: string };

/** An attribute of a tag, with its name in lower case and its value decoded. */
export type TagAttribute = Range & { name: string; value: string };

/** An element written as HTML, or as quotes: `<b class="x">…</b>`, `'''…'''`, `<br>`. */
export type TagNode = Inner & {
  type: 'tag';
  name: string;
  attributes: TagAttribute[];
  /** Range between the two tags; undefined without an end tag. */
  body: Range | undefined;
};

/** `<includeonly>…</includeonly>`: text that only pages including this one receive. */
export type IncludeNode = Inner & { type: 'include-only'; body: Range };

/** `{{Name|…}}`. Functions and variables are calls too: `{{#if:…}}` has the name `#if:`. */
export type TemplateNode = Inner & {
  type: 'template';
  /** Name as in the source, trimmed, without comments. */
  name: string;
  /** Page that is included; undefined for functions, variables and computed names. */
  target: string | undefined;
  nameRange: Range;
  parameters: ParameterNode[];
};

export type ParameterNode = Inner & {
  type: 'parameter';
  /** The parameter's number, from 1, if it has no name. */
  name: string;
  isPositional: boolean;
  /** Source of the value; without white space around it unless the parameter is positional. */
  value: string;
  valueRange: Range;
};

/** `{{{name|default}}}`. */
export type ArgumentNode = Inner & {
  type: 'argument';
  name: string;
  default: string | undefined;
  defaultRange: Range | undefined;
};

/** A tag whose content is not markup of the page: `<ref>`, `<nowiki>`, `<gallery>`, … */
export type ExtensionNode = Inner & {
  type: 'extension';
  name: string;
  attributes: TagAttribute[];
  body: Range | undefined;
};

/** `[[target|label]]`, a file, a marker such as `[[Height: 20 m]]` or `[[Category:Trees]]`. */
export type LinkNode = Inner & {
  type: 'link' | 'file' | 'marker';
  /** Target according to the wiki's rules: title or path of a page, name of a file, key of a marker. */
  target: string;
  /** Range before the first pipe. */
  targetRange: Range;
  /** Range after the first pipe: a label, or the options and caption of a file. */
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
  /** Plain text of the title, without markup. */
  title: string;
  id: string;
  /** Undefined for a heading written as a tag without an end tag. */
  titleRange: Range | undefined;
};

/** Attributes that are written in the markup of a table, a row or a cell. */
type MarkupAttributes = {
  attributes: TagAttribute[];
  /** Range in which they stand; undefined for a row without `|-` and a cell without a bar after its attributes. */
  attributeRange: Range | undefined;
};

/** `{| … |}`. */
export type TableNode = Inner & MarkupAttributes & { type: 'table'; cells: CellNode[] };

/** Together, the rows are the table without its first line, its caption and its last line. */
export type SourceRow = MarkupAttributes & {
  /** Start of the line `|-`, or of the first cell of a row without it. */
  start: number;
  /** Start of the next row, or of the line that ends the table. */
  end: number;
  cells: CellNode[];
};

export type CellNode = Inner &
  MarkupAttributes & {
    type: 'cell';
    kind: 'td' | 'th' | 'caption';
    /** Row number, counted from 0 over the rows that have cells; -1 for a caption. */
    row: number;
    column: number;
    /** Range without attributes and surrounding white space. */
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
  | TagNode
  | LinkNode
  | ExternalLinkNode
  | HeadingNode
  | TableNode
  | CellNode;

/** `path`: the page's own, for relative links. */
export type SourceTree = { source: string; rules: Rules; page: PageNode; path?: string | undefined };
