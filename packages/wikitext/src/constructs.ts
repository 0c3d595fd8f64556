/**
 * The language on one screen: the tables by which everything is read. A new construct begins with a line here.
 *
 * What counts at the start of a line only is in `blocks/line-start.ts` (tables, headings, rules) and
 * `blocks/paragraph.ts` (lists, indented text, paragraphs); what hides its inside (comments, nowiki, templates) in `scan.ts`,
 * switches like `__NOTOC__` in `switch.ts`.
 */
import type { Extension } from './extensions/extension.ts';
import { gallery } from './extensions/gallery.ts';
import { section, unsupported } from './extensions/host.ts';
import { listing } from './extensions/listing.ts';
import { markdown } from './extensions/markdown.ts';
import { math } from './extensions/math.ts';
import { nowiki } from './extensions/nowiki.ts';
import { poem } from './extensions/poem.ts';
import { pre } from './extensions/pre.ts';
import { ref } from './extensions/ref.ts';
import { references, unlisted } from './extensions/references.ts';
import { codeBlock, syntaxhighlight } from './extensions/syntaxhighlight.ts';
import { externalLink, freeLink } from './inlines/address.ts';
import type { Construct } from './inlines/inline.ts';
import { internalLink } from './inlines/link.ts';
import { lineEnd, mark, quoteRun } from './inlines/plain.ts';
import { toc } from './output/toc.ts';

/** Characters within a line, and what begins with them. */
export const constructs: Readonly<Record<string, Construct>> = {
  '\0': mark, //             an HTML tag, or what scan.ts has set aside
  '\n': lineEnd,
  "'": quoteRun, //          ''italic'' '''bold'''
  '[': (scanner, at, limit) => internalLink(scanner, at, limit) || externalLink(scanner, at, limit) || at + 1,
  ':': freeLink, //          https://example.org
};

/** Tags whose inside is read by rules of its own, by their names: `<ref>…</ref>`. */
export const extensionTags = named({
  nowiki,
  pre,
  ref,
  references,
  gallery,
  syntaxhighlight,
  source: syntaxhighlight,
  math,
  poem,
  listing, //                the three that `expand` makes of calls
  markdown,
  unsupported,
});

/** Tags that exist in dialects only which name them. */
export const dialectTags = named({ section });

/** Nodes of the same form that no tag makes. */
export const generatedExtensions = named({ toc, unlisted, 'code-block': codeBlock });

function named(table: Record<string, Extension>): ReadonlyMap<string, Extension> {
  return new Map(Object.entries(table));
}
