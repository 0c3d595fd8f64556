/**
 * A limit on the parts of a text, which the parser itself lacks: it would take a hundred bytes or more for each mark of a huge
 * text. Once a text has more parts than a tree may hold nodes, the rest is plain text.
 */
import { limits } from '@coppice/wikitext';
import type { MarkdownIt } from 'markdown-it';

export type CountedParts = { parts: number };

export function partLimit(parser: MarkdownIt): void {
  const counted = ({ env }: { env: object }) => env as CountedParts;
  const isFull = (state: { env: object }) => counted(state).parts > limits.nodes;
  const { State: Block } = parser.block;
  const { State: Inline } = parser.inline;
  parser.block.State = class CountedBlocks extends Block {
    override push(...token: Parameters<InstanceType<typeof Block>['push']>) {
      if (token[2] >= 0) counted(this).parts++;
      return super.push(...token);
    }
  };
  parser.inline.State = class CountedInlines extends Inline {
    override push(...token: Parameters<InstanceType<typeof Inline>['push']>) {
      if (token[2] >= 0) counted(this).parts++;
      return super.push(...token);
    }
  };
  parser.block.ruler.before('table', 'part limit', (state, startLine, endLine, silent) => {
    if (!isFull(state)) return false;
    if (silent) return true;
    state.push('paragraph_open', 'p', 1).map = [startLine, endLine];
    const text = state.push('inline', '', 0);
    text.content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
    text.map = [startLine, endLine];
    text.children = [];
    state.push('paragraph_close', 'p', -1);
    state.line = endLine;
    return true;
  });
  parser.inline.ruler.before('text', 'part limit', (state, silent) => {
    if (!isFull(state)) return false;
    if (!silent) state.pending += state.src.slice(state.pos, state.posMax);
    state.pos = state.posMax;
    return true;
  });
}
