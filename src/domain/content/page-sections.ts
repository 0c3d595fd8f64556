/** The sections of a page's own source, for editing one of them alone. */
import { references } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content } from '../pages/page.ts';
import { parseBody } from './language.ts';

export interface SourceSection {
  /** ID of the heading in the markup, so that a heading there leads to its source. */
  id: string;
  title: string;
  /** Offsets into the body: from its heading to the next one of the same or a higher level. */
  start: number;
  end: number;
}

/** Headings that come from templates have no source in this page and are not among them. */
export function sectionsOf(
  { body, format, path }: Pick<Content, 'body' | 'format' | 'path'>,
  dialect: Dialect,
): SourceSection[] {
  const { sections } = references(parseBody(body, format, path, rulesOf(dialect)));
  return sections.map(({ id, title, level, start }, index) => {
    const next = sections.slice(index + 1).find((later) => later.level <= level);
    return { id, title, start, end: next?.start ?? body.length };
  });
}
