/** Interface of the comparison for its parts, which therefore need not import `tree-edits.ts`. */
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import type { Range } from './source-blocks.ts';
import type { SourceText } from './source-text.ts';
import type { Change } from './text-edits.ts';
import type { Writing } from './writing.ts';

export interface Editing {
  readonly text: SourceText;
  readonly writer: Writing;
  /** Returns a key that is equal for nodes with the same content, of the rendered and of the edited HTML. */
  keyBefore(node: HtmlNode): string;
  keyAfter(node: HtmlNode): string;
  /**
   * Returns the changes for an element with other contents; undefined if they are not certain. `level`: the number of marks
   * before the items of a list.
   */
  edit(old: HtmlElement, now: HtmlElement, within: Range, level: number): Change[] | undefined;
}
