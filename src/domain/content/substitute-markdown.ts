/**
 * `{{subst:…}}` in Markdown: words, functions and templates that are in Markdown themselves are put in place as they are written.
 * Templates in wikitext stay calls, as their text would mean something else here.
 */
import { callSpansIn, withoutGuards } from '@coppice/markdown';
import { type ExpandContext, type Expansion, substituteAll } from '@coppice/wikitext';
import { markdownOf } from './parse-body.ts';

export function substituteMarkdown(
  body: string,
  context: ExpandContext,
): Pick<Expansion, 'text' | 'needs' | 'notices' | 'isCut'> {
  const calls = callSpansIn(body).filter(({ wikitext }) => wikitext === undefined);
  const templates = new Map([...context.templates].map(([name, text]) => [name, markdownOf(text)]));
  const written = calls.map(({ start, end }) => body.slice(start, end));
  const { texts, ...others } = substituteAll(written, { ...context, now: context.now, templates });
  let text = '';
  let at = 0;
  calls.forEach(({ start, end }, index) => {
    // Wikitext begins lists and tables on a line of their own, by characters that are emphasis or headings here.
    text += body.slice(at, start) + withoutGuards(texts[index] ?? '').replace(/^\n(?=\{\||[:;#*])/, '');
    at = end;
  });
  return { ...others, text: text + body.slice(at) };
}
