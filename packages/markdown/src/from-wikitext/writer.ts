/** Interfaces between the parts of one conversion: blocks, inline content and notes use each other. */
import type {
  ExtensionNode,
  FileNode,
  LinkNode,
  Node,
  Resolved,
  ResolvedFile,
  ResolvedPage,
  Tree,
} from '@coppice/wikitext';
import type { BlockContent, DefinitionContent, PhrasingContent } from 'mdast';

/** Addresses of links and files in the Markdown. */
export type ToMarkdownOptions = {
  /** Prefix for addresses on this wiki, which begin with a slash: `https://wiki.example`. */
  origin?: string | undefined;
  /**
   * Returns the address of a link, or undefined to write only its label. Defaults to `/path#Heading`, and `[[Title]]` for
   * missing pages.
   */
  page?: ((link: LinkNode, page: ResolvedPage | undefined) => string | undefined) | undefined;
  /**
   * Returns the address of a file, or undefined to write only its caption. Defaults to `/files/name`; missing files become
   * text.
   */
  file?: ((file: FileNode, resolved: ResolvedFile | undefined) => string | undefined) | undefined;
};

export type Block = BlockContent | DefinitionContent;

export type Writer = {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly options: ToMarkdownOptions;
  blocks(nodes: readonly Node[]): Block[];
  /** Whether the node is a block, or inline formatting around blocks. */
  holdsBlocks(node: Node): boolean;
  readonly phrasing: {
    of(nodes: readonly Node[]): PhrasingContent[];
    /** Converts content for headings and terms, which cannot contain line breaks. */
    onOneLine(nodes: readonly Node[]): PhrasingContent[];
    /** Address of a link to a page; undefined if it has none. */
    href(node: LinkNode): string | undefined;
  };
  readonly notes: {
    /** The footnote mark in the text. */
    mark(node: ExtensionNode): PhrasingContent[];
    /** `<references>`: the notes of a group so far, including those defined inside the tag. */
    list(node: ExtensionNode): Block[];
    /** Notes that no list on the page shows. */
    rest(): Block[];
  };
};
