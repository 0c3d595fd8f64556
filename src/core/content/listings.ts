/** Answers the built-in listing templates (`{{Children}}`, `{{Tagged|…}}` …) from the wiki's data, with the reader's rights. */
import type { ExpandPage, Listing, ListingRow, ListingRows } from '@coppice/wikitext';
import { onePerTranslationSet } from '../model/one-per-translation-set.ts';
import type { PageOutline } from '../model/page.ts';
import { readPath } from '../model/path.ts';
import { fileUrl } from '../ports/file-store.ts';
import type { LinkingPage, Reader } from '../ports/reader.ts';

const maxRows = 500;
const defaultRows = 100;

/** Maximum number of distinct listings on a page; further ones are empty. */
const maxListings = 20;

/**
 * Rows of the first listings by their keys, for this reader. The others are left out, because each is a search. Of translations, lists
 * by tag and place have the one in the language of the page.
 */
export async function answerListings(
  reader: Reader,
  listings: Listing[],
  page: ExpandPage,
  from: LinkingPage,
): Promise<Map<string, ListingRows>> {
  const answers = new Map<string, ListingRows>();
  for (const listing of listings.slice(0, maxListings)) {
    answers.set(listing.key, await answer(reader, listing, page, from));
  }
  return answers;
}

async function answer(
  reader: Reader,
  listing: Listing,
  page: ExpandPage,
  from: LinkingPage,
): Promise<ListingRows> {
  const { name, arguments: given } = listing;
  const limit = readLimit(given.limit);
  switch (name) {
    case 'Children': {
      const of = await pageNamed(reader, given['1'] ?? given.of ?? given.path, page);
      if (of === undefined) return { rows: [] };
      const { pages, total } = await reader.lists.children(of, { limit, offset: 0 });
      return { rows: pages.map(({ title, path }) => ({ title, path })), more: total - pages.length };
    }
    case 'Tagged': {
      const tags = tagsOf(given);
      if (tags.length === 0) return { rows: [] };
      return list(reader, { tags, limit }, from);
    }
    case 'Wanted': {
      const wanted = await reader.links.wanted(limit, 1);
      return {
        rows: wanted.map(({ title, count }) => ({
          title,
          count,
          ...(title.startsWith('/') ? { path: title } : {}),
        })),
      };
    }
    case 'Recent': {
      const below = given['1'] ?? given.below ?? given.path;
      const belowId = below === undefined ? undefined : await pageNamed(reader, below, page);
      if (below !== undefined && belowId === undefined) return { rows: [] };
      const updates = await reader.lists.updates({ limit, offset: 0 }, belowId ?? undefined);
      return {
        rows: updates.map(({ title, path, at, editor }) => ({ title, path, time: at, author: editor.name })),
      };
    }
    case 'Map': {
      const tags = tagsOf(given);
      const ancestor = given.of ?? given.path;
      if (tags.length > 0) return list(reader, { tags, limit }, from);
      const ancestorId = await pageNamed(reader, ancestor, page);
      if (ancestorId == null) return { rows: [] };
      return list(reader, { ancestorId, limit }, from);
    }
    case 'Count':
      return { rows: [], more: await count(reader, given) };
    case 'Gallery': {
      const of = await pageNamed(reader, given['1'] ?? given.of ?? given.path, page);
      if (of == null) return { rows: [] };
      const [named] = await reader.pages.outlines([of]);
      return {
        rows: (named?.files ?? [])
          .filter((file) => file.width !== null)
          .slice(0, limit)
          .map(imageRow),
      };
    }
  }
}

/** Counts only what the reader may read. A page's size is that of its source. */
async function count(reader: Reader, given: Readonly<Record<string, string>>): Promise<number> {
  switch (given.of) {
    case 'pages':
      // Every path begins so.
      return (await search(reader, { pathPrefix: '/', limit: 1 })).total;
    case 'tag': {
      const value = (given.value ?? '').trim();
      if (value === '') return 0;
      return (await search(reader, { tags: [{ key: given.key ?? '', value }], limit: 1 })).total;
    }
    default: {
      const id = await namedId(reader, given.page ?? '');
      const found = id === undefined ? undefined : await reader.pages.findById(id);
      if (given.of === 'id') return found?.id ?? 0;
      return found ? Buffer.byteLength(found.content.body) : 0;
    }
  }
}

type Criteria = {
  pathPrefix?: string;
  tags?: { key?: string; value: string }[];
  ancestorId?: number;
  limit: number;
};

function search(reader: Reader, criteria: Criteria): Promise<{ ids: number[]; total: number }> {
  return reader.lists.search({ ...criteria, logic: 'and', order: 'alphabetical', offset: 0 });
}

async function list(
  reader: Reader,
  criteria: Criteria,
  { language, wiki }: LinkingPage,
): Promise<ListingRows> {
  const { ids, total } = await search(reader, criteria);
  const pages = await reader.pages.outlines(ids);
  return { rows: onePerTranslationSet(pages, language, wiki).map(pageRow), more: total - pages.length };
}

function pageRow(page: PageOutline): ListingRow {
  const thumbnail = page.files.find((file) => file.thumbnail !== null)?.thumbnail;
  return {
    title: page.title,
    path: page.path,
    description: page.description,
    ...(thumbnail ? { thumbnail: fileUrl(thumbnail) } : {}),
    ...(page.location ?? {}),
  };
}

function imageRow(file: PageOutline['files'][number]): ListingRow {
  return {
    title: file.filename,
    url: fileUrl(file.name),
    thumbnail: fileUrl(file.thumbnail ?? file.name),
  };
}

/** `{{Tagged|key=value}}` and `{{Tagged|value}}`. */
function tagsOf(given: Readonly<Record<string, string>>): { key?: string; value: string }[] {
  const settings = new Set(['limit', 'of', 'path', 'below', 'width', 'height', 'zoom']);
  return Object.entries(given)
    .filter(([key, value]) => !settings.has(key) && value.trim() !== '')
    .map(([key, value]) =>
      /^\d+$/.test(key) ? { value: value.trim() } : { key: key.trim().toLowerCase(), value: value.trim() },
    );
}

function readLimit(text: string | undefined): number {
  const limit = Number(text);
  return Number.isInteger(limit) && limit >= 1 ? Math.min(limit, maxRows) : defaultRows;
}

/** The named page's ID, the listing page's own without a name, undefined for none; null: the roots (`/`). */
async function pageNamed(
  reader: Reader,
  name: string | undefined,
  page: ExpandPage,
): Promise<number | null | undefined> {
  if (name === undefined || name.trim() === '') return page.id;
  if (name.trim() === '/') return null;
  return namedId(reader, name);
}

async function namedId(reader: Reader, name: string): Promise<number | undefined> {
  const target = name.trim().startsWith('/') ? readPath(name) : { path: name.trim() };
  if ('problem' in target) return undefined;
  return (await reader.links.resolve([target.path])).get(target.path)?.id;
}
