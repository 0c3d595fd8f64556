/** The writer as its parts see it, so that they need not import `writer.ts`. */
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
  /** Indented lines are not code here. */
  keepsIndent?: boolean;
  /** White space is significant. */
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
  /** Wikitext of blocks inside another construct. */
  fragment(nodes: readonly HtmlNode[]): string;
  /** Whether another node of its group has written it. */
  isSkipped(node: HtmlElement): boolean;
  /** Skips the other nodes of a group, as this one writes it as a whole. */
  skipRest(node: HtmlElement): void;
  byId(id: string): HtmlElement | undefined;
  /** Writes a rendered reference as `<ref>`, with the note's text at its first use. */
  note(node: HtmlElement): void;
}
