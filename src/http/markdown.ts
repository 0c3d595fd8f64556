/** Pages as Markdown: who asks for it, by `format=md` or by `Accept` (RFC 9110 §12.5.1), and how it is sent. */

import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { MarkdownView } from '#domain/pages/markdown-page.ts';
import { mediaRangesOf } from './accept.ts';
import { pageTag } from './etag.ts';
import { oneOf, option } from './schemas/fields.ts';

export const markdownType = 'text/markdown';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its form follows `Accept`. */
    isNegotiated?: boolean;
  }
}

/**
 * Whether `Accept` names Markdown, and nothing that weighs more or, weighing as much, stands before it. Wildcards alone ask for
 * what has always been given.
 */
export function prefersMarkdown(accept: string | undefined, otherwise: string): boolean {
  if (!accept?.toLowerCase().includes(markdownType)) return false;
  const ranges = mediaRangesOf(accept);
  const markdown = ranges.find(({ type }) => type === markdownType);
  if (!markdown || markdown.weight <= 0) return false;
  const [major] = otherwise.split('/');
  const exact = ranges.find(({ type }) => type === otherwise);
  if (exact)
    return markdown.weight > exact.weight || (markdown.weight === exact.weight && markdown.at < exact.at);
  const wild = ranges.find(({ type }) => type === `${major}/*`) ?? ranges.find(({ type }) => type === '*/*');
  return !wild || markdown.weight >= wild.weight;
}

export const formatField = Type.Optional(
  oneOf(
    ['json', 'md'],
    '`md`: the page as Markdown, as `Accept: text/markdown` also asks. `json`: as JSON whatever is accepted.',
    'json',
  ),
);

export const frontMatterField = option(
  'With Markdown: what the wiki knows of the page stands before it as YAML, unless the page has front matter of its own.',
  false,
);

/** The very bytes that the tag is of. */
export function sendMarkdown(reply: FastifyReply, { page, markdown }: MarkdownView): FastifyReply {
  return reply
    .header('etag', pageTag(page.changeId, markdown))
    .type(`${markdownType}; charset=utf-8`)
    .send(markdown);
}
