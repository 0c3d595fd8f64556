/**
 * Marks at the end of a block's text that apply to the block: `- [x] done`, `## Title {#id}`, `text ^id`, and `[TOC]` alone.
 */
import type { MarkdownIt, Token } from 'markdown-it';

const task = /^\[([ xX])\](?:[ \t]+|\n|$)/;
const headingId = /(?:^|[ \t])\{#([^\s{}]{1,200})\}[ \t]*$/;
const blockId = /(?:^|[ \t\n])\^([A-Za-z0-9-]{1,64})$/;

export type BlockMeta = { isDone?: boolean; id?: string };

export function blockMarks(parser: MarkdownIt): void {
  parser.core.ruler.before('inline', 'block_marks', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'inline') continue;
      const block = tokens[index - 1];
      const item = tokens[index - 2]?.type === 'list_item_open' ? tokens[index - 2] : undefined;
      if (block?.type === 'heading_open') cut(token, headingId, (id) => mark(block, { id }));
      else if (block?.type === 'paragraph_open') {
        if (item) cut(token, task, (box) => mark(item, { isDone: box !== ' ' }));
        cut(token, blockId, (id) => mark(block.hidden && item ? item : block, { id: `^${id}` }));
        if (/^\[(?:TOC|\[_TOC_\])\]$/i.test(token.content)) contents(tokens, index);
      }
    }
  });
}

function cut(token: Token, pattern: RegExp, found: (value: string) => void): void {
  const { content } = token;
  // The patterns match at the end only, so a short tail is enough.
  const tail = content.slice(-300);
  const match = pattern.exec(pattern === task ? content.slice(0, 8) : tail);
  if (match?.[1] === undefined) return;
  found(match[1]);
  token.content =
    pattern === task
      ? content.slice(match[0].length)
      : content.slice(0, content.length - tail.length + match.index);
}

function mark(token: Token, meta: BlockMeta): void {
  token.meta = { ...token.meta, ...meta };
}

function contents(tokens: Token[], index: number): void {
  for (const at of [index - 1, index + 1]) Object.assign(tokens[at] ?? {}, { type: 'nothing' });
  Object.assign(tokens[index] ?? {}, { type: 'contents', children: null });
}
