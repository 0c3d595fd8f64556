/**
 * `{{subst:…}}`: calls that are put in place once, when a page is saved, like signatures (`sign.ts`).
 *
 *   {{subst:Greeting|Ann}}            Hello Ann!, and no trace of the template
 *   {{subst:CURRENTYEAR}}             the year in which the page was saved
 *   {{subst:#if: {{{1|}}} | a | b }}  functions, too
 *
 * Calls without `subst:` stay as they are written, in the page and in what a template brings; `{{safesubst:…}}` in a template is
 * put in place with it. What is missing, loops or stands in `<nowiki>`, `<pre>` or a comment stays as well.
 */
import { expandAll } from './expand.ts';
import type { ExpandContext } from './options.ts';
import { sign } from './sign.ts';
import type { Expansion } from './tree.ts';

/** Whether `substitute` may change the source. */
export function hasSubstitutions(source: string): boolean {
  return /subst:|~~~/i.test(source);
}

/** To be called again with what it needs, like `expand`. Where the page grows too long, all calls stay. */
export function substitute(
  source: string,
  context: ExpandContext,
): Pick<Expansion, 'text' | 'needs' | 'notices' | 'isCut'> {
  const { texts, ...others } = substituteAll([source], context);
  return { ...others, text: sign(texts[0] ?? source, context) };
}

/** Parts of one page, which share its limits; signatures stay. */
export function substituteAll(
  sources: readonly string[],
  context: ExpandContext,
): Pick<Expansion, 'needs' | 'notices' | 'isCut'> & { texts: readonly string[] } {
  const { texts, needs, notices, isCut } = expandAll(sources, {
    ...context,
    // Spread alone leaves out what is an accessor of a class.
    now: context.now,
    substitutes: true,
  });
  // End tags that functions hid for whoever reads the text next.
  const saved = texts.map((text) => text.replace(/\u0001\d{1,3}\//g, '</'));
  return { texts: isCut ? sources : saved, needs, notices, isCut };
}
