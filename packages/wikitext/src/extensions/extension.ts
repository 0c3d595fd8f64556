/**
 * An extension tag: its inside is read by rules of its own. Each file of this folder is one tag and holds all that the engine
 * asks about it; `constructs.ts` lists them.
 */
import type { Writer } from '../output/writer.ts';
import type { ExtensionPlace, Reader } from '../reader.ts';
import type { Attributes, ExtensionNode, Node } from '../tree.ts';

export type Extension = {
  /** Name of its nodes; a tag may have other names as well. */
  name: string;
  /** Between paragraphs instead of within one; by default it is not. */
  isBlock?: boolean | ((attributes: Attributes) => boolean);
  /** Inside counts as text of the page at this place, as for search; by default it does. */
  isText?: boolean;
  /** May be drawn with links in it, so that it cannot stand in a link; by default it may. */
  bringsLinks?: boolean;
  /** May stand within another one, in dialects with loose notes. */
  nests?: boolean;
  /** Needs neither slash nor end tag, in dialects with loose notes. */
  mayLackEnd?: boolean;
  /** Made by the engine alone; as written by a page it is plain text. */
  isReserved?: boolean;
  /** How editors read its inside: as wikitext, or as wikitext whose lines are no lines of a page. By default not at all. */
  inside?: 'wikitext' | 'loose wikitext';
  /** The tag with templates in place. By default it stays as written. */
  expand?(tag: WrittenTag): string;
  /**
   * Completes the node, replaces it, or leaves it out; several stand on lines of their own. `body` is set already; the default is
   * the node as it is.
   */
  parse?(reader: Reader, node: ExtensionNode, at: ExtensionPlace): ReadNodes;
  render(writer: Writer, node: ExtensionNode): string;
};

export type ReadNodes = Node | undefined | readonly (Node | undefined)[];

/** A tag in a text that is being expanded. */
export type WrittenTag = {
  name: string;
  /** All of it. */
  written: string;
  /** Source between the name and the end of the start tag. */
  attributes: string;
  /** Undefined for a self-closing tag. */
  body: string | undefined;
  /** Expands a part that belongs to the page, not to the template in which it is written: MediaWiki's rule for insides. */
  outer(text: string): string;
  /** Expands a part that belongs to the text around the tag. */
  inner(text: string): string;
};
