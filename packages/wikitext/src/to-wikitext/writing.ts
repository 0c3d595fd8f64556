/** Interface between the parts of the writer: `writer.ts` is all of this, and its parts know only this. */
import type { Rules } from '../options.ts';
import type { Blocks } from './elements.ts';
import type { Container } from './gap.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import type { Options } from './options.ts';
import type { Output } from './output.ts';

/** Surroundings of inline content, and their requirements. */
export type Place = {
  /** Line ends become spaces. */
  isOneLine: boolean;
  inLink?: 'page' | 'file' | 'external';
  inTerm?: boolean;
  /** Indented lines are no code here. */
  keepsIndent?: boolean;
  /** White space counts. */
  isPre?: boolean;
};

export interface Writing {
  readonly options: Options;
  readonly rules: Rules;
  readonly blocks: Blocks;
  readonly out: Output;
  read(html: string): HtmlNode[];
  /** Writes inline content. */
  inline(nodes: readonly HtmlNode[], place: Place): void;
  /** Writes blocks. */
  write(nodes: readonly HtmlNode[], container: Container): void;
  /** Wikitext of blocks that stand within something. */
  fragment(nodes: readonly HtmlNode[]): string;
  /** Another node of its group has written it. */
  isSkipped(node: HtmlElement): boolean;
  /** The other nodes of the group that this one has written. */
  skipRest(node: HtmlElement): void;
  byId(id: string): HtmlElement | undefined;
  /** Writes the number of a note, as the renderer writes it: its text goes where it is used first. */
  note(node: HtmlElement): void;
}
