/**
 * Expands `{{subst:…}}` once, when a page is saved, like signatures (`sign.ts`).
 *
 *   {{subst:Greeting|Ann}}            Hello Ann!, and no trace of the template
 *   {{subst:CURRENTYEAR}}             the year in which the page was saved
 *   {{subst:#if: {{{1|}}} | a | b }}  functions, too
 *
 * Calls without `subst:` stay as written, in the page and in the text that a template produces; `{{safesubst:…}}` in a template
 * is expanded with it. Calls of missing pages, loops, and calls in `<nowiki>`, `<pre>` or a comment stay as well.
 */
import { expandAll } from './expand.ts';
import type { ExpandContext } from './options.ts';
import { sign } from './sign.ts';
import type { Expansion } from './tree.ts';

/** Whether `substitute` may change the source. */
export function hasSubstitutions(source: string): boolean {
  return /subst:|~~~/i.test(source);
}

/**
 * Expands `{{subst:…}}` and signatures. The caller fetches `needs` and calls again, as with `expand`. If the page becomes too
 * long, all calls stay.
 */
export function substitute(
  source: string,
  context: ExpandContext,
): Pick<Expansion, 'text' | 'needs' | 'notices' | 'isCut'> {
  const { texts, ...others } = substituteAll([source], context);
  return { ...others, text: sign(texts[0] ?? source, context) };
}

/** Expands `{{subst:…}}` in parts of one page, which share its limits. Signatures stay. */
export function substituteAll(
  sources: readonly string[],
  context: ExpandContext,
): Pick<Expansion, 'needs' | 'notices' | 'isCut'> & { texts: readonly string[] } {
  const { texts, needs, notices, isCut } = expandAll(sources, {
    ...context,
    // The spread omits `now` if it is an accessor of a class.
    now: context.now,
    substitutes: true,
  });
  // Restores end tags that functions hid for the next parser.
  const saved = texts.map((text) => text.replace(/\u0001\d{1,3}\//g, '</'));
  return { texts: isCut ? sources : saved, needs, notices, isCut };
}
