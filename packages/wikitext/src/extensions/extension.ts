/**
 * An extension tag, whose content is read by its own rules. Each file of this folder defines one tag and everything the engine
 * needs to know about it; `constructs.ts` lists them.
 */
import type { Writer } from '../output/writer.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import type { Attributes, ExtensionNode, Node } from '../tree.ts';

export type Extension = {
  /** Name of its nodes. The tag may have other names as well. */
  name: string;
  /** Whether the element stands between paragraphs instead of within one; false by default. */
  isBlock?: boolean | ((attributes: Attributes) => boolean);
  /** Whether the content counts as text of the page at this place, for example for search; true by default. */
  isText?: boolean;
  /** Whether its HTML may contain links, so that it cannot stand in a link; true by default. */
  bringsLinks?: boolean;
  /** Whether the tag may stand within another tag of its name, in dialects with loose notes. */
  nests?: boolean;
  /** Whether the tag may lack both its slash and its end tag, in dialects with loose notes. */
  mayLackEnd?: boolean;
  /** Whether only the engine may create it; the tag in a page is plain text. */
  isReserved?: boolean;
  /**
   * How editors read the content: as wikitext, or as wikitext whose lines are not those of a page. If absent, they do not read
   * it.
   */
  inside?: 'wikitext' | 'loose wikitext';
  /** Returns the tag with templates expanded. By default, it stays as written. */
  expand?(tag: WrittenTag): string;
  /**
   * Completes the node, replaces it, or leaves it out. Several nodes are put on separate lines. `body` is already set; by
   * default, the node stays as it is.
   */
  parse?(reader: Reader, node: ExtensionNode, at: ExtensionPlace): ReadNodes;
  render(writer: Writer, node: ExtensionNode): string;
};

/** A tag that is read. `body`: undefined if the tag is self-closing. */
export type ExtensionTag = { name: string; attributes: Attributes; body: string | undefined };

export type ReadNodes = Node | undefined | readonly (Node | undefined)[];

/** A tag in a text that is being expanded. */
export type WrittenTag = {
  name: string;
  /** Source of the whole tag. */
  written: string;
  /** Source between the name and the end of the start tag. */
  attributes: string;
  /** Undefined if the tag is self-closing. */
  body: string | undefined;
  /**
   * Expands text with the arguments of the page, not of the template that contains the tag: MediaWiki's rule for the content of
   * tags.
   */
  outer(text: string): string;
  /** Expands text with the arguments of the text around the tag. */
  inner(text: string): string;
};
