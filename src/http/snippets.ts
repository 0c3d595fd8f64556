/** Snippets for a search by `text`: the matching words in context, and the section that contains them. */
import { escapeHtml } from '@coppice/wikitext';
import type { Language } from '#core/content/language.ts';
import { sectionsFound } from '#core/pages/page-section.ts';
import type { Reader } from '#core/ports/reader.ts';
import { type ExcerptPart, excerptOf, markMatches, speechOf } from '#core/search/excerpt.ts';

export interface SearchedFor {
  text: string;
  /** Finds sections. */
  language: Language;
}

/** Snippets by page ID; empty without a text query. */
export async function snippetsOf(
  reader: Reader,
  ids: number[],
  { text, language }: SearchedFor,
): Promise<Map<number, object>> {
  if (text.trim() === '') return new Map();
  const pages = await reader.pages.load(ids, 'none');
  const sections = await sectionsFound(reader, language, pages, text);
  return new Map(
    pages.map(({ id, title, content }) => {
      const spoken = speechOf(reader, content.language);
      const parts = excerptOf(content.body, text, spoken);
      const section = sections.get(id);
      const snippet = {
        text: parts.map((part) => part.text).join(''),
        html: markedHtml(parts),
        title: markedHtml(markMatches(title, text, spoken)),
        ...(section && { section: { id: section.id, title: section.title } }),
      };
      return [id, snippet];
    }),
  );
}

function markedHtml(parts: ExcerptPart[]): string {
  return parts
    .map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text)))
    .join('');
}
