/**
 * Lookups that rendering a page needs: templates, links, files and listings, answered in one batch within the reader's rights.
 */
import type { ExpandPage, ListingRows, Needs } from '@coppice/wikitext';
import type { AttachedFile } from '../model/page.ts';
import type { LinkingPage, LinkReads, Reader } from '../ports/reader.ts';
import { answerListings } from './listings.ts';

/** Lookups of a page over all nesting levels. */
export interface RenderNeeds extends Needs {
  links: string[];
}

export type Targets = ReadonlyMap<string, { id: number; path: string; title: string }>;
export type Templates = Awaited<ReturnType<LinkReads['templates']>>;

export interface Answers {
  templates: Templates;
  exists: Targets;
  listings: ReadonlyMap<string, ListingRows>;
  links: Targets;
  files: ReadonlyMap<string, AttachedFile>;
}

/** Answers all lookups in one batch of concurrent queries. `language` of the page: absent for that of the wiki. */
export async function answerNeeds(
  reader: Reader,
  needs: RenderNeeds,
  { page, files: own, language }: { page: ExpandPage; files?: AttachedFile[]; language?: string | null },
): Promise<Answers> {
  const { links } = reader;
  const wiki = reader.dialect.language;
  const from: LinkingPage = { id: page.id ?? 0, language: language ?? wiki, wiki };
  const foreign = own ? needs.files.filter((file) => file.startsWith('/')) : needs.files;
  const [templates, exists, listings, targets, files] = await Promise.all([
    links.templates(needs.templates),
    links.resolve(needs.exists),
    answerListings(reader, needs.listings, page, from),
    links.resolve(needs.links, from),
    links.files(page.id ?? null, foreign),
  ]);
  const names = new Set(needs.files);
  for (const file of own ?? []) if (names.has(file.filename)) files.set(file.filename, file);
  return { templates, exists, listings, links: targets, files };
}

/** A string that is equal for equal answers; covers everything that a rendering depends on. */
export function fingerprint({ templates, exists, listings, links, files }: Answers): string {
  const sorted = <V>(map: ReadonlyMap<string, V>, shown: (value: V) => unknown) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, value]) => [key, shown(value)]);
  return JSON.stringify([
    sorted(templates, ({ id, changeId }) => [id, changeId]),
    sorted(exists, ({ id }) => id),
    sorted(listings, (rows) => rows),
    sorted(links, ({ path, title }) => [path, title]),
    sorted(files, ({ name, width, height, thumbnail }) => [name, width, height, thumbnail]),
  ]);
}
