/** One section of a page, named by its anchor: the ID that its heading has in the page's HTML. */
import { type Language, TooCostly } from '../content/language.ts';
import type { SourceSection } from '../content/page-sections.ts';
import { Problem } from '../problem.ts';
import type { Reader } from '../reader.ts';
import { matchIn } from '../search/excerpt.ts';
import type { Content } from './page.ts';

/** Characters of sources that one search looks for sections in. */
const maxSearched = 400_000;

/** Sections with a heading in the page's own source; none where finding them takes too much time. */
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

/** By anchor, with or without `#`, else by title without regard to case. Refuses `not-found`. */
export function getSection(sections: readonly SourceSection[], name: string): SourceSection {
  const anchor = name.replace(/^#/, '');
  const title = anchor.trim().toLowerCase();
  const found =
    sections.find(({ id }) => id === anchor) ??
    sections.find((section) => section.title.toLowerCase() === title);
  if (!found)
    throw new Problem('not-found', 'The page has no such section: read it without one to see its sections.');
  return found;
}

/** The innermost section that this offset of the source lies in. */
function sectionAt(sections: readonly SourceSection[], offset: number): SourceSection | undefined {
  return sections.findLast(({ start, end }) => start <= offset && offset < end);
}

/**
 * By ID of the page, the innermost section in which a search first found its words; pages where that is none, or takes too
 * long to find out, are left out.
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
    const at = matchIn(content.body, query);
    if (at < 0 || content.body.length > left) continue;
    left -= content.body.length;
    const section = sectionAt(await listSections(reader, language, content), at);
    if (section) found.set(id, section);
  }
  return found;
}

/** The body with another text in place of a section, its heading included. Empty lines before the next heading stay. */
export function replaceSection(body: string, { start, end }: SourceSection, text: string): string {
  const before = body.slice(start, end);
  const gap = before.slice(before.trimEnd().length);
  return body.slice(0, start) + (text.trim() === '' ? '' : text.trimEnd() + gap) + body.slice(end);
}
