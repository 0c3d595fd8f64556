/** Tools of agents for comments. Their arguments are few, because a model reads all of them before its first call. */
import { Type } from 'typebox';
import { type Tool, tool } from '#http/mcp/tool.ts';
import { comment, listComments } from './operations.ts';
import type { ShownComment } from './schemas.ts';

/** Longest part of a list in one response. */
const maxCharacters = 20_000;

export const mcp: readonly Tool[] = [
  tool({
    name: 'comments',
    title: 'List comments',
    description: 'List the comments on one page, or on all pages.',
    operations: [listComments],
    strangersMs: 5,
    input: Type.Object({
      page: Type.Optional(Type.String()),
      open: Type.Optional(Type.Boolean()),
      cursor: Type.Optional(Type.String()),
    }),
    async run({ carry }, { open, ...given }) {
      const state = open === undefined ? {} : { state: open ? ('open' as const) : ('resolved' as const) };
      const { items, total, next } = await carry(listComments, { ...given, ...state, limit: 50 });
      const shown: ShownComment[] = [];
      const lines: string[] = [];
      for (const item of items) {
        const line = lineOf(item);
        if (shown.length > 0 && lines.join('\n').length + line.length > maxCharacters) break;
        shown.push(item);
        lines.push(line);
      }
      const last = shown.at(-1);
      const isCut = shown.length < items.length || next !== undefined;
      return {
        facts: { found: total, ...(isCut && last ? { 'read on with cursor': String(last.id) } : {}) },
        ...(last ? { written: lines.join('\n') } : {}),
      };
    },
  }),
  tool({
    name: 'comment',
    title: 'Comment on a page',
    description: 'Comment on a page, on words of its text (quote), or answer a comment (replyTo).',
    operations: [comment],
    strangersMs: 0,
    input: Type.Object({
      page: Type.Optional(Type.String()),
      body: Type.String({ description: 'Markdown.' }),
      quote: Type.Optional(Type.String()),
      replyTo: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    async run({ carry }, { quote: text, ...given }) {
      const made = await carry(comment, { ...given, ...(text === undefined ? {} : { quote: { text } }) });
      return {
        facts: {
          comment: made.id,
          page: made.page.path,
          ...(made.quote ? { 'quoted at': made.quote.start } : {}),
        },
      };
    },
  }),
];

function lineOf({ id, page, author, stranger, body, quote, replyTo, resolved }: ShownComment): string {
  const state = resolved ? 'resolved' : 'open';
  const place = replyTo === null ? page.path : `answer to ${replyTo}`;
  return [
    `comment ${id} (${place}, ${state}) by ${stranger === null ? author.name : `${stranger} (no member)`}`,
    ...(quote ? [`  on “${quote.text}” (${quote.state})`] : []),
    ...body.split('\n').map((line) => `  ${line}`),
  ].join('\n');
}
