/**
 * The inline language on one screen: which construct begins with which character.
 *
 * What counts at the start of a line only is in `blocks/line-start.ts` (tables, headings, rules) and
 * `blocks/paragraph.ts` (lists, indented text, paragraphs); what hides its inside (comments, nowiki, templates) in `scan.ts`,
 * switches like `__NOTOC__` in `switch.ts`.
 */
import { externalLink, freeLink } from './inlines/address.ts';
import type { Construct } from './inlines/inline.ts';
import { internalLink } from './inlines/link.ts';
import { lineEnd, mark, quoteRun } from './inlines/plain.ts';

export const constructs: Readonly<Record<string, Construct>> = {
  '\0': mark, //             an HTML tag, or what scan.ts has set aside
  '\n': lineEnd,
  "'": quoteRun, //          ''italic'' '''bold'''
  '[': (scanner, at, limit) => internalLink(scanner, at, limit) || externalLink(scanner, at, limit) || at + 1,
  ':': freeLink, //          https://example.org
};
