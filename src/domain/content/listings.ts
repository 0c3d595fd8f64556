/** Answers the built-in listing templates (`{{Children}}`, `{{Tagged|…}}` …) from the wiki's own data, with the reader's visibility. */
import type { ExpandPage, Listing, ListingRow, ListingRows } from '@coppice/wikitext';
import type { PageOutline } from '../pages/page.ts';
import { readPath } from '../pages/path.ts';
import type { Visibility } from '../permission.ts';
import { fileUrl } from '../ports/file-store.ts';
import type { Store } from '../ports/store.ts';

const maxRows = 500;
const defaultRows = 100;

/** Each distinct listing is asked once; a page that asks for very many gets empty answers beyond these. */
const maxListings = 20;

export async function answerListings(
  store: Store,
  visibility: Visibility,
  listings: Listing[],
  page: ExpandPage,
): Promise<Map<string, ListingRows>> {
  const answers = new Map<string, ListingRows>();
  for (const listing of listings.slice(0, maxListings)) {
    answers.set(listing.key, await answer(store, visibility, listing, page));
  }
  return answers;
}

async function answer(
  store: Store,
  visibility: Visibility,
  listing: Listing,
  page: ExpandPage,
): Promise<ListingRows> {
  const { name, arguments: given } = listing;
  const limit = readLimit(given.limit);
  switch (name) {
    case 'Children': {
      const of = await pageNamed(store, visibility, given['1'] ?? given.of ?? given.path, page);
      if (of === undefined) return { rows: [] };
      const { pages, total } = await store.lists.children(of, visibility, { limit, offset: 0 });
      return { rows: pages.map(({ title, path }) => ({ title, path })), more: total - pages.length };
    }
    case 'Tagged': {
      const tags = tagsOf(given);
      if (tags.length === 0) return { rows: [] };
      return list(store, visibility, { tags, limit });
    }
    case 'Wanted': {
      const wanted = await store.links.wanted(visibility, limit, 1);
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
      const belowId = below === undefined ? undefined : await pageNamed(store, visibility, below, page);
      if (below !== undefined && belowId === undefined) return { rows: [] };
      const updates = await store.lists.updates(visibility, { limit, offset: 0 }, belowId ?? undefined);
      return {
        rows: updates.map(({ title, path, at, editor }) => ({ title, path, time: at, author: editor.name })),
      };
    }
    case 'Map': {
      const tags = tagsOf(given);
      const ancestor = given.of ?? given.path;
      if (tags.length > 0) return list(store, visibility, { tags, limit });
      const ancestorId = await pageNamed(store, visibility, ancestor, page);
      if (ancestorId == null) return { rows: [] };
      return list(store, visibility, { ancestorId, limit });
    }
    case 'Count':
      return { rows: [], more: await count(store, visibility, given) };
    case 'Gallery': {
      const of = await pageNamed(store, visibility, given['1'] ?? given.of ?? given.path, page);
      if (of == null) return { rows: [] };
      const [named] = await store.pages.outlines([of]);
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
async function count(
  store: Store,
  visibility: Visibility,
  given: Readonly<Record<string, string>>,
): Promise<number> {
  switch (given.of) {
    case 'pages':
      // Every path begins so.
      return (await search(store, visibility, { pathPrefix: '/', limit: 1 })).total;
    case 'tag': {
      const value = (given.value ?? '').trim();
      if (value === '') return 0;
      return (await search(store, visibility, { tags: [{ key: given.key ?? '', value }], limit: 1 })).total;
    }
    default: {
      const id = await namedId(store, visibility, given.page ?? '');
      const [found] = id === undefined ? [] : await store.pages.contents([id]);
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

function search(
  store: Store,
  visibility: Visibility,
  criteria: Criteria,
): Promise<{ ids: number[]; total: number }> {
  return store.lists.search({ ...criteria, logic: 'and', order: 'alphabetical', offset: 0 }, visibility);
}

async function list(store: Store, visibility: Visibility, criteria: Criteria): Promise<ListingRows> {
  const { ids, total } = await search(store, visibility, criteria);
  const pages = await store.pages.outlines(ids);
  return { rows: pages.map(pageRow), more: total - pages.length };
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
  store: Store,
  visibility: Visibility,
  name: string | undefined,
  page: ExpandPage,
): Promise<number | null | undefined> {
  if (name === undefined || name.trim() === '') return page.id;
  if (name.trim() === '/') return null;
  return namedId(store, visibility, name);
}

async function namedId(store: Store, visibility: Visibility, name: string): Promise<number | undefined> {
  const target = name.trim().startsWith('/') ? readPath(name) : { path: name.trim() };
  if ('problem' in target) return undefined;
  return (await store.links.resolve([target.path], visibility)).get(target.path)?.id;
}
