/** Parts of one conversion, as they know each other: blocks, lines and notes need one another. */
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

export type ToMarkdownOptions = {
  /** Put before addresses on this wiki, which begin with a slash: `https://wiki.example`. */
  origin?: string | undefined;
  /** The address of a link; undefined: its label is text. By default `/path#Heading`, and missing pages are `[[Title]]`. */
  page?: ((link: LinkNode, page: ResolvedPage | undefined) => string | undefined) | undefined;
  /** The address of a file; undefined: its caption is text. By default `/files/name`, and missing files are text. */
  file?: ((file: FileNode, resolved: ResolvedFile | undefined) => string | undefined) | undefined;
};

export type Block = BlockContent | DefinitionContent;

export type Writer = {
  readonly tree: Tree;
  readonly resolved: Resolved;
  readonly options: ToMarkdownOptions;
  blocks(nodes: readonly Node[]): Block[];
  /** Whether the node is a block, or a mark of the line around blocks. */
  holdsBlocks(node: Node): boolean;
  readonly phrasing: {
    of(nodes: readonly Node[]): PhrasingContent[];
    /** For headings and cells, which cannot be broken. */
    onOneLine(nodes: readonly Node[], lineBreak?: string): PhrasingContent[];
    /** Address of a link to a page; undefined where there is none to lead to. */
    href(node: LinkNode): string | undefined;
  };
  readonly notes: {
    /** Mark in the text. */
    mark(node: ExtensionNode): PhrasingContent[];
    /** `<references>`: the notes so far of a group, also those that are written in it. */
    list(node: ExtensionNode): Block[];
    /** Notes that no list of the page shows. */
    rest(): Block[];
  };
};
