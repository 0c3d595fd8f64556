/** Draws a text as a page would be, step by step. */
import { defaultDialect } from '#core/content/dialect.ts';
import type { Language } from '#core/content/language.ts';

export const page = { title: 'Start', path: '/start' };
export const nothing = { templates: new Map(), exists: new Map(), listings: new Map() };

export async function draw(language: Language, body: string, templates = new Map<string, string | null>()) {
  const expanded = await language.expand(body, 'wikitext', {
    ...nothing,
    templates,
    page,
    now: 0,
    dialect: defaultDialect,
  });
  const text = await language.open(expanded, page.path);
  const drawn = await text.draw({
    pages: new Map([['Mill', { path: '/mill', title: 'Mill' }]]),
    files: new Map(),
    page,
  });
  return { expanded, references: text.references, drawn };
}
