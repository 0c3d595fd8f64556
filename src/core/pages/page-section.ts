/** A section of a page, identified by its anchor: the ID of its heading in the page's HTML. */
import { say } from '#words/say.ts';
import { type Language, TooCostly } from '../content/language.ts';
import type { SourceSection } from '../content/page-sections.ts';
import type { Content } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { matchIn, speechOf } from '../search/excerpt.ts';

/** Maximum number of characters of source in which one search looks for sections. */
const maxSearched = 400_000;

/** Sections with a heading in the page's own source; none if finding them takes too long. */
export async function listSections(
  reader: Reader,
  language: Language,
  { body, format, path }: Pick<Content, 'body' | 'format' | 'path'>,
): Promise<SourceSection[]> {
  try {
    return (await language.parts({ body, format, path }, reader.dialect)).sections;
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    return [];
  }
}

/** Finds a section by anchor, with or without `#`, or else by title in any case. Refuses `not-found`. */
export function getSection(sections: readonly SourceSection[], name: string): SourceSection {
  const anchor = name.replace(/^#/, '');
  const title = anchor.trim().toLowerCase();
  const found =
    sections.find(({ id }) => id === anchor) ??
    sections.find((section) => section.title.toLowerCase() === title);
  if (!found) throw new Problem('not-found', say('problem.thePageHasNoSuchSectionRead'));
  return found;
}

/** The innermost section that contains this offset of the source. */
function sectionAt(sections: readonly SourceSection[], offset: number): SourceSection | undefined {
  return sections.findLast(({ start, end }) => start <= offset && offset < end);
}

/**
 * For each page ID the innermost section in which the search first found its words. Pages without such a section, or for which
 * finding it takes too long, are left out.
 */
export async function sectionsFound(
  reader: Reader,
  language: Language,
  pages: readonly { id: number; content: Content }[],
  query: string,
): Promise<Map<number, SourceSection>> {
  const found = new Map<number, SourceSection>();
  let left = maxSearched;
  for (const { id, content } of pages) {
    const at = matchIn(content.body, query, speechOf(reader, content.language));
    if (at < 0 || content.body.length > left) continue;
    left -= content.body.length;
    const section = sectionAt(await listSections(reader, language, content), at);
    if (section) found.set(id, section);
  }
  return found;
}

/** The body with a section, including its heading, replaced by a text. Empty lines before the next heading are kept. */
export function replaceSection(body: string, { start, end }: SourceSection, text: string): string {
  const before = body.slice(start, end);
  const gap = before.slice(before.trimEnd().length);
  return body.slice(0, start) + (text.trim() === '' ? '' : text.trimEnd() + gap) + body.slice(end);
}
