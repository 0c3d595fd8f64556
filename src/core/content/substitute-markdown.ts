/**
 * Expands `{{subst:…}}` in Markdown: magic words, functions and templates written in Markdown are replaced by their text.
 * Templates in wikitext remain calls, because their text would mean something else here.
 */
import { callSpansIn, withoutGuards } from '@coppice/markdown';
import type { ExpandContext, Expansion } from '@coppice/wikitext';
import { substituteAll } from '@coppice/wikitext/substitute';
import { markdownOf } from './parse-body.ts';

/** Expands `{{subst:…}}` in Markdown, except in code. The result says which templates it still needs. */
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
    // Removes the line end that wikitext puts before lists and tables, whose first characters mean emphasis or headings in
    // Markdown.
    text += body.slice(at, start) + withoutGuards(texts[index] ?? '').replace(/^\n(?=\{\||[:;#*])/, '');
    at = end;
  });
  return { ...others, text: text + body.slice(at) };
}
