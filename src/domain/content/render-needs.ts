/**
 * Needs of a rendering: templates, links, files and listings that a page asks of the wiki, answered in one batch as
 * far as its reader may see.
 */
import type { ExpandPage, ListingRows, Needs } from '@coppice/wikitext';
import type { AttachedFile } from '../pages/page.ts';
import type { LinkReads, Reader } from '../reader.ts';
import { answerListings } from './listings.ts';

/** Needs of a page over all nesting levels: what it asks of the wiki. */
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

/** One batch: the queries do not wait for each other. */
export async function answerNeeds(
  reader: Reader,
  needs: RenderNeeds,
  { page, files: own }: { page: ExpandPage; files?: AttachedFile[] },
): Promise<Answers> {
  const { links } = reader;
  const foreign = own ? needs.files.filter((file) => file.startsWith('/')) : needs.files;
  const [templates, exists, listings, targets, files] = await Promise.all([
    links.templates(needs.templates),
    links.resolve(needs.exists),
    answerListings(reader, needs.listings, page),
    links.resolve(needs.links),
    links.files(page.id ?? null, foreign),
  ]);
  const names = new Set(needs.files);
  for (const file of own ?? []) if (names.has(file.filename)) files.set(file.filename, file);
  return { templates, exists, listings, links: targets, files };
}

/** Equal for equal answers: every part of them that a rendering shows or depends on. */
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
