/**
 * Needs of a rendering: templates, links, files and listings that a page asks of the wiki, answered in one batch with the
 * reader's visibility, and as dependencies.
 */
import type { ExpandPage, ListingRows, Needs } from '@coppice/wikitext';
import { type Dependency, leadsTo } from '#cache/dependency.ts';
import type { AttachedFile } from '../pages/page.ts';
import {
  type Audience,
  everything,
  intersect,
  type SharedWith,
  sharedWithReaders,
  type Visibility,
} from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { titleKey } from '../search/fold.ts';
import { answerListings } from './listings.ts';
import { moduleTitle } from './module-body.ts';

/** Needs of a page over all nesting levels: what it asks of the wiki. */
export interface RenderNeeds extends Needs {
  links: string[];
}

export type Targets = ReadonlyMap<string, { id: number; path: string; title: string }>;
export type Templates = Awaited<ReturnType<Store['links']['templates']>>;
type Resolved = Awaited<ReturnType<Store['links']['resolve']>>;

export interface Answers {
  templates: Templates;
  exists: Targets;
  listings: ReadonlyMap<string, ListingRows>;
  links: Targets;
  files: ReadonlyMap<string, AttachedFile>;
  sharedWith: SharedWith;
}

export function dependenciesOf(
  { templates, exists, links, files }: RenderNeeds,
  found: Templates,
): Dependency[] {
  const modules = templates.flatMap((name) => moduleTitle(name) ?? []);
  const pages = [...templates, ...modules, ...exists, ...links, ...files.flatMap(pagePathOf)];
  const names = new Set(pages.map(titleKey));
  return [...new Set([...found.values()].map(({ id }) => id)), ...[...names].map(leadsTo)];
}

/** Page path of a file that another page has. */
function pagePathOf(file: string): string[] {
  return file.startsWith('/') ? [file.slice(0, file.lastIndexOf('/'))] : [];
}

/** One batch: the queries do not wait for each other. */
export async function answerNeeds(
  store: Store,
  visibility: Visibility,
  needs: RenderNeeds,
  { page, files: own }: { page: ExpandPage; files?: AttachedFile[] },
): Promise<Answers> {
  const resolve = (targets: string[], visibility: Visibility): Promise<Resolved> =>
    store.links.resolve(targets, visibility);
  const foreign = own ? needs.files.filter((file) => file.startsWith('/')) : needs.files;
  const [templates, exists, listings, links, files] = await Promise.all([
    lookUp((names, visibility) => store.links.templates(names, visibility), needs.templates, visibility),
    lookUp(resolve, needs.exists, visibility),
    needs.listings.length > 0 ? answerListings(store, visibility, needs.listings, page) : new Map(),
    lookUp(resolve, needs.links, visibility),
    foreign.length > 0
      ? store.links.files(page.id ?? null, foreign, visibility)
      : new Map<string, AttachedFile>(),
  ]);
  const names = new Set(needs.files);
  for (const file of own ?? []) if (names.has(file.filename)) files.set(file.filename, file);
  // Listings and files of other pages are asked for with this visibility alone.
  const mayDiffer = needs.listings.length > 0 || needs.files.some((file) => pagePathOf(file).length > 0);
  const sharedWith = [templates, exists, links].map((looked) => looked.sharedWith).reduce(intersect);
  return {
    templates: templates.found,
    exists: exists.found,
    listings,
    links: links.found,
    files,
    sharedWith: mayDiffer ? undefined : sharedWith,
  };
}

/**
 * Resolves names for this visibility. Names are first resolved as if everything was visible: usually nothing of it is
 * hidden, and the result can be shared with all readers of the same audience.
 */
async function lookUp<Page extends { audience: Audience }>(
  ask: (names: string[], visibility: Visibility) => Promise<Map<string, Page>>,
  names: string[],
  visibility: Visibility,
): Promise<{ found: Map<string, Page>; sharedWith: SharedWith }> {
  if (names.length === 0) return { found: new Map(), sharedWith: 0 };
  const found = await ask(names, everything);
  const pages = [...found.values()];
  if (pages.some(({ audience }) => audience > visibility.maxAudience))
    return { found: await ask(names, visibility), sharedWith: undefined };
  return { found, sharedWith: sharedWithReaders(visibility, pages) };
}

/** Equal for equal answers: every part of them that a rendering shows or depends on. */
export function fingerprint({
  templates,
  exists,
  listings,
  links,
  files,
}: Omit<Answers, 'sharedWith'>): string {
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
