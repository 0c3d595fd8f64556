/** Interface of the writer for its parts, which therefore need not import `writer.ts`. */
import type { Rules } from '../options.ts';
import type { Blocks } from './elements.ts';
import type { Container } from './gap.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';

/** Requirements of the place where inline content is written. */
export type Place = {
  /** Whether line ends become spaces. */
  isOneLine: boolean;
  inLink?: 'page' | 'file' | 'external';
  inTerm?: boolean;
  /** Whether indented lines are not code here. */
  keepsIndent?: boolean;
  /** Whether white space is significant. */
  isPre?: boolean;
};

export interface Writing {
  readonly options: Options;
  readonly rules: Rules;
  readonly blocks: Blocks;
  readonly out: Output;
  read(html: string): HtmlNode[];
  /** Returns the source of an element if it is known and the element was not edited. */
  keptSource(node: HtmlElement): string | undefined;
  /** Writes that source. Returns false if there is none. */
  putKept(node: HtmlElement): boolean;
  /** Stands for the source of a row's cells or an item's words, which were not edited; undefined without one. */
  keptContents(node: HtmlElement): string | undefined;
  /** Writes inline content. */
  inline(nodes: readonly HtmlNode[], place: Place): void;
  /** Writes blocks. */
  write(nodes: readonly HtmlNode[], container: Container): void;
  /** Returns what `write` writes, from the start of a line on. */
  lines(write: () => void): string;
  /** Returns the wikitext of blocks inside another construct. */
  fragment(nodes: readonly HtmlNode[]): string;
  /** Whether another node of the group has written this one. */
  isSkipped(node: HtmlElement): boolean;
  /** Skips the other nodes of a group, which is written as a whole at this node. */
  skipRest(node: HtmlElement): void;
  byId(id: string): HtmlElement | undefined;
  /** Writes a rendered reference as `<ref>`, with the note's text at its first use. */
  note(node: HtmlElement): void;
}
