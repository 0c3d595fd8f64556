/** Pages as Markdown, requested by `format=md` or by `Accept` (RFC 9110 §12.5.1). */

import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { oneOf, option } from '#core/operations/fields.ts';
import type { MarkdownView } from '#core/pages/markdown-page.ts';
import { mediaRangesOf } from './accept.ts';
import { pageTag } from './etag.ts';

export const markdownType = 'text/markdown';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the form of the response depends on `Accept`. */
    isNegotiated?: boolean;
  }
}

/**
 * Whether `Accept` prefers Markdown: it is named, and no other type has a greater weight, or the same weight and an earlier
 * position. Wildcards alone select the default.
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
    '`md` returns the page as Markdown, like `Accept: text/markdown`. `json` returns JSON whatever `Accept` says.',
    'json',
  ),
);

export const frontMatterField = option(
  'Adds the page’s metadata to Markdown as YAML front matter, unless the page has front matter of its own.',
  false,
);

/** Sends exactly the bytes from which the tag was made. */
export function sendMarkdown(reply: FastifyReply, { page, markdown }: MarkdownView): FastifyReply {
  return reply
    .header('etag', pageTag(page.changeId, markdown))
    .type(`${markdownType}; charset=utf-8`)
    .send(markdown);
}
