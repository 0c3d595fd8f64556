/**
 * Plan of an import: which page goes where, what is there already, which old addresses lead on. Made from the outline alone,
 * so that everything that can be refused is refused before anything is written.
 */
import type { Page } from '#domain/pages/page.ts';
import { isReserved, madeSlugOf, readPath } from '#domain/pages/path.ts';
import type { Store } from '#domain/ports/store.ts';
import { Problem } from '#domain/problem.ts';
import { titleKey } from '#domain/search/fold.ts';
import { hashOf, type ImportNote, noteOf } from './note.ts';
import type { LinkPlan, Omission, PageOutline, Source } from './source.ts';

export interface PlannedPage {
  /** Undefined if the source has only pages beneath it. */
  outline: PageOutline | undefined;
  title: string;
  /** Path that it has, or will have. */
  path: string;
  parentPath: string | null;
  /** Number of the pass over the source in which the page is written, later than its parent's. */
  round: number;
  existing: ExistingPage | undefined;
}

/** A page that an earlier run made. */
export type ExistingPage = Pick<Page, 'id' | 'path' | 'changeId'> & { note: ImportNote; isEdited: boolean };

export interface PlannedAlias {
  path: string;
  to: PlannedPage;
  /** Whether it is the path of a redirect; otherwise it is a former address of the page itself. */
  isRedirect: boolean;
}

export interface Plan extends LinkPlan {
  pageOf(key: string): PlannedPage | undefined;
  pages: PlannedPage[];
  aliases: PlannedAlias[];
  leftOut: Omission[];
  /** Paths that were taken, and the paths that pages got instead. */
  collisions: { title: string; wanted: string; path: string }[];
  rounds: number;
  numbers: { pages: number; revisions: number; files: number; redirects: number };
}

export interface PlanOptions {
  parentPath: string | null;
  /** Further old addresses of every page, from the root of the wiki. */
  keepsAddresses: boolean;
}

const askedAtOnce = 500;
/** Most pages of one import, because the plan is held in memory. */
const maxPages = 2_000_000;
const maxRedirects = 10;
const separator = '\0';

export async function planImport(
  store: Store,
  source: Source,
  { parentPath, keepsAddresses }: PlanOptions,
): Promise<Plan> {
  const leftOut: Omission[] = [];
  const outlines = new Map<string, PageOutline>();
  for await (const told of source.outline()) {
    if (!('key' in told)) leftOut.push(told);
    else if (outlines.has(told.key)) leftOut.push({ source: told.key, why: 'it is in the source twice' });
    else outlines.set(told.key, told);
    if (outlines.size > maxPages)
      throw new Problem('too-large', `The source holds more than ${maxPages} pages: import it in parts.`);
  }
  if (outlines.size === 0) throw new Problem('invalid', 'There is no page in the source.');

  const { pages, aliases } = placesOf(outlines, parentPath, leftOut);
  const collisions: Plan['collisions'] = [];
  await findExisting(store, source, pages, collisions);
  const numbers = { pages: 0, revisions: 0, files: 0, redirects: 0 };
  for (const outline of outlines.values()) {
    if (outline.redirect === undefined) numbers.pages++;
    else numbers.redirects++;
    numbers.revisions += outline.revisions;
    numbers.files += outline.files?.length ?? 0;
  }

  const byKey = new Map(pages.flatMap((page) => (page.outline ? [[page.outline.key, page] as const] : [])));
  const pageOf = (key: string): PlannedPage | undefined => byKey.get(finalTarget(outlines, key) ?? key);
  const titles = new Map<string, PlannedPage>();
  const inOrder = pages.toSorted((a, b) => a.round - b.round);
  for (const page of inOrder) {
    const key = titleKey(page.title);
    if (!titles.has(key)) titles.set(key, page);
  }
  const foreign = await foreignTitles(store, pages);
  return {
    ...{ pages, leftOut, collisions, numbers, pageOf },
    rounds: Math.max(0, ...new Set(pages.map(({ round }) => round))) + 1,
    aliases: [
      ...aliases.flatMap(({ path, key }) => {
        const to = pageOf(key);
        return to && to.path !== path ? [{ path, to, isRedirect: true }] : [];
      }),
      ...(keepsAddresses ? oldAddresses(outlines, pageOf) : []),
    ],
    pathOfTitle: (title) => foreign.get(titleKey(title)) ?? titles.get(titleKey(title))?.path,
  };
}

function oldAddresses(outlines: Map<string, PageOutline>, pageOf: Plan['pageOf']): PlannedAlias[] {
  return [...outlines.values()].flatMap(({ key, addresses = [] }) => {
    const to = pageOf(key);
    return to
      ? addresses.flatMap((path) => ('path' in readPath(path) ? [{ path, to, isRedirect: false }] : []))
      : [];
  });
}

/** Key of the page that a redirect leads to in the end; undefined where it is none, or leads nowhere. */
function finalTarget(outlines: ReadonlyMap<string, PageOutline>, key: string): string | undefined {
  let at = key;
  for (let steps = 0; steps < maxRedirects; steps++) {
    const next = outlines.get(at)?.redirect;
    if (next === undefined) return at === key || !outlines.has(at) ? undefined : at;
    at = next;
  }
  return undefined;
}

/** A page for each outline and for each name above it that no outline has; redirects become aliases where they lead somewhere. */
function placesOf(outlines: Map<string, PageOutline>, parentPath: string | null, leftOut: Omission[]) {
  const byPlace = new Map<string, PageOutline>();
  const redirects: PageOutline[] = [];
  for (const outline of outlines.values()) {
    if (finalTarget(outlines, outline.key) !== undefined) redirects.push(outline);
    else byPlace.set(outline.place.join(separator), outline);
  }
  const pages: PlannedPage[] = [];
  const made = new Map<string, PlannedPage | undefined>();
  const taken = new Set<string>();

  const freePath = (parent: string | null, name: string): string => {
    const wanted = `${parent ?? ''}/${segmentOf(name)}`;
    for (let number = 1; ; number++) {
      const path = number === 1 ? wanted : `${wanted}-${number}`;
      if (!taken.has(path) && !isReserved(path)) return path;
    }
  };
  const add = (outline: PageOutline | undefined, names: readonly string[], above: PlannedPage | null) => {
    const name = names.at(-1) ?? '';
    const path = freePath(above?.path ?? parentPath, name);
    const read = readPath(path);
    if ('problem' in read) {
      leftOut.push({ source: outline?.key ?? names.join('/'), why: read.problem, isRefusal: true });
      return undefined;
    }
    taken.add(path);
    const page: PlannedPage = {
      ...{ outline, title: outline?.title ?? name, path, parentPath: above?.path ?? parentPath },
      ...{ round: above?.round ?? 0, existing: undefined },
    };
    pages.push(page);
    return page;
  };
  /** The page at a place, made together with those above it. A page whose parent comes later is written a reading later. */
  const pageAt = (names: readonly string[]): PlannedPage | null | undefined => {
    if (names.length === 0) return null;
    const key = names.join(separator);
    if (made.has(key)) return made.get(key);
    made.set(key, undefined);
    const divided = dividedPlace(names, byPlace);
    const above = pageAt(divided.length === names.length ? names.slice(0, -1) : parentOf(names, divided));
    if (above === undefined) return undefined;
    const page = add(byPlace.get(key), divided, above);
    made.set(key, page);
    return page;
  };

  // Parents as pages of their own come first: a page for the whole import is made like any other.
  for (const above of prefixes(parentPath)) {
    taken.add(above);
    pages.push({
      ...{ outline: undefined, title: above.slice(above.lastIndexOf('/') + 1), path: above },
      ...{ parentPath: above.slice(0, above.lastIndexOf('/')) || null, round: 0, existing: undefined },
    });
  }
  let order = 0;
  const orderOf = new Map<PageOutline, number>();
  for (const outline of byPlace.values()) orderOf.set(outline, order++);
  for (const outline of byPlace.values()) {
    if (pageAt(outline.place) === undefined && !leftOut.some(({ source }) => source === outline.key))
      leftOut.push({ source: outline.key, why: 'the page above it could not be made', isRefusal: true });
  }
  const byPath = new Map(pages.map((page) => [page.path, page]));
  for (const page of pages) {
    const above = page.parentPath === null ? undefined : byPath.get(page.parentPath);
    // In each reading, pages without text of their own are written first.
    const isLater =
      above?.outline &&
      (!page.outline || (orderOf.get(above.outline) ?? 0) > (orderOf.get(page.outline) ?? 0));
    page.round = (above?.round ?? 0) + (isLater ? 1 : 0);
  }
  const aliases = redirects.map(({ key, place, revisions }) => {
    const why = `it only leads on, so its address does; its revisions (${revisions}) say nothing else`;
    leftOut.push({ source: key, why });
    const above = made.get(place.slice(0, -1).join(separator));
    const path = freePath(above?.path ?? parentPath, place.at(-1) ?? '');
    taken.add(path);
    return { key, path };
  });
  return { pages, aliases };
}

/** A name divided at a slash where the part before is a page itself: `AC/DC` is one name unless there is `AC`. */
function dividedPlace(
  names: readonly string[],
  byPlace: ReadonlyMap<string, PageOutline>,
): readonly string[] {
  const name = names.at(-1) ?? '';
  const above = names.slice(0, -1);
  for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
    const parent = [...above, name.slice(0, slash)];
    if (byPlace.has(parent.join(separator))) return [...parent, name.slice(slash + 1)];
  }
  return names;
}

/** Place of the page above one whose last name was divided: its names are joined as they stand there. */
function parentOf(names: readonly string[], divided: readonly string[]): string[] {
  return [...names.slice(0, -1), divided.at(-2) ?? ''];
}

function prefixes(path: string | null): string[] {
  if (path === null) return [];
  const segments = path.slice(1).split('/');
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}

function segmentOf(name: string): string {
  const slug = madeSlugOf(name);
  if (slug !== '') return slug;
  const bare = name.replaceAll('/', '-').trim();
  return 'path' in readPath(`/${bare}`) ? bare : 'page';
}

/** Finds what earlier runs made, and gives pages whose path somebody else has another one. */
async function findExisting(
  store: Store,
  { name }: Source,
  pages: PlannedPage[],
  collisions: Plan['collisions'],
): Promise<void> {
  if ((await store.maintenance.pagesAfter(0, 1)).length === 0) return;
  const taken = new Set(pages.map(({ path }) => path));
  const moved = new Map<string, string>();
  let waiting = pages;
  for (let number = 2; waiting.length > 0 && number < 100; number++) {
    const again: PlannedPage[] = [];
    for (const some of slices(waiting)) {
      const there = await pagesAt(
        store,
        some.map(({ path }) => path),
      );
      for (const page of some) {
        const found = there.get(page.path);
        const note = found && noteOf(found.content.data);
        const isOurs = note && note.from === name && note.source === (page.outline?.key ?? note.source);
        if (found && (isOurs || !page.outline)) {
          page.existing = existingOf(found, note);
          moved.set(page.path, found.path);
          page.path = found.path;
        } else if (found && found.path === page.path) {
          const wanted = page.path;
          let path = `${wanted}-${number}`;
          for (let next = number + 1; taken.has(path); next++) path = `${wanted}-${next}`;
          taken.add(path);
          collisions.push({ title: page.title, wanted, path });
          moved.set(wanted, path);
          page.path = path;
          again.push(page);
        }
      }
    }
    waiting = again;
  }
  for (const page of pages) {
    // Beneath a page that has another path than planned, a new page follows it; what was made before stays where it is.
    const above = page.parentPath === null ? undefined : moved.get(page.parentPath);
    if (above === undefined || above === page.parentPath) continue;
    page.parentPath = above;
  }
}

function existingOf(page: Page, note: ImportNote | undefined): ExistingPage {
  const { id, path, changeId, content } = page;
  return {
    ...{ id, path, changeId, note: note ?? { from: '', source: '', revision: '', body: '', title: '' } },
    isEdited: note !== undefined && note.body !== '' && note.body !== hashOf(content.body),
  };
}

/** Pages found by their planned path, including those that have moved away since. */
async function pagesAt(store: Store, paths: string[]): Promise<Map<string, Page>> {
  const reader = store.readAsSystem();
  const resolved = await reader.links.resolve(paths);
  const pages = await reader.pages.load([...new Set([...resolved.values()].map(({ id }) => id))], 'none');
  const byId = new Map(pages.map((page) => [page.id, page]));
  return new Map(
    [...resolved].flatMap(([path, { id }]) => {
      const page = byId.get(id);
      return page ? [[path, page] as const] : [];
    }),
  );
}

/** Titles of pages that are not of this import: links to our pages of that title have to use paths. */
async function foreignTitles(store: Store, pages: PlannedPage[]): Promise<Map<string, string>> {
  const foreign = new Map<string, string>();
  if ((await store.maintenance.pagesAfter(0, 1)).length === 0) return foreign;
  const ours = new Set(pages.flatMap(({ existing }) => (existing ? [existing.id] : [])));
  for (const some of slices(pages)) {
    const resolved = await store.readAsSystem().links.resolve(some.map(({ title }) => title));
    for (const [title, { id, path }] of resolved) if (!ours.has(id)) foreign.set(titleKey(title), path);
  }
  return foreign;
}

function* slices<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += askedAtOnce) yield all.slice(from, from + askedAtOnce);
}
