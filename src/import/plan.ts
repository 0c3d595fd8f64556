/**
 * Plan of an import: paths of pages, existing pages, and old addresses. Based on the outline only, so that everything that can
 * be refused is refused before anything is written. Stored outside memory, because sources may have millions of pages.
 */
import { titleKey } from '#core/model/fold.ts';
import type { Page } from '#core/model/page.ts';
import { isReserved, readNewPath, slugOf } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { type EarlierPages, existingOf, findEarlier, noEarlier } from './earlier-pages.ts';
import { deletedHere, findGone, type GonePage } from './gone-pages.ts';
import { type LargeMap, LargeMaps } from './large-map.ts';
import { noteOf } from './note.ts';
import { type OriginFacts, originOf, unclearOrigin } from './origin.ts';
import { outlinesOf } from './outlines.ts';
import { type PlacedPage, Places } from './places.ts';
import { isOnlyParent, type PlannedPage } from './planned-page.ts';
import { slicesOf } from './slices.ts';
import type { LinkPlan, Omission, Source } from './source.ts';
import { stemOf } from './wikitext/outline.ts';

export interface PlannedAlias {
  path: string;
  to: PlannedPage;
  /** Whether the path is that of a redirect; otherwise it is a former address of the page itself. */
  isRedirect: boolean;
}

/** Pages are copies; changing them does not change the plan. */
export interface Plan extends LinkPlan, PlannedTree, Disposable {
  pageOf(key: string): PlannedPage | undefined;
  /** The page with exactly this key; none for redirects that became aliases. */
  placed(key: string): PlannedPage | undefined;
  pages(): Iterable<PlannedPage>;
  aliases(): Iterable<PlannedAlias>;
  /** Paths that were taken, with the paths that pages got instead. */
  collisions: { title: string; wanted: string; path: string }[];
  rounds: number;
  /** Name under which the pages are recorded, and by which a later run continues this import. */
  origin: string;
  /** Names of earlier imports that may have read the same source, in a dry run. */
  unclear: readonly string[];
  gone: readonly GonePage[];
  /** Keys that the source tells more than once. */
  repeated: ReadonlySet<string>;
  numbers: { pages: number; revisions: number; files: number; redirects: number };
}

/** Pages in tree order. */
export interface PlannedTree {
  pages(): Iterable<{ path: string; title: string; existing?: unknown }>;
  count: number;
}

export interface PlanOptions {
  parentPath: string | null;
  /** Facts about the identity of the source. */
  origin: OriginFacts;
  /** Whether nothing will be written, so that an unclear source is named instead of refused. */
  isDry: boolean;
  /** Whether pages that were deleted in the wiki come back. */
  isForced: boolean;
  /** Whether further old addresses, from the root of the wiki, become aliases. */
  keepsAddresses: boolean;
}

export async function planImport(
  store: Store,
  source: Source,
  { parentPath, keepsAddresses, isForced, isDry, origin: facts }: PlanOptions,
  leaveOut: (omission: Omission) => void,
): Promise<Plan> {
  // No page beneath it could have an address.
  if (parentPath !== null && isReserved(parentPath))
    throw new Problem('invalid', `${parentPath} is an address of the wiki itself. Choose another parent.`);
  const maps = new LargeMaps();
  try {
    const outlines = await outlinesOf(source, maps, leaveOut);
    const numbers = { pages: 0, revisions: 0, files: 0, redirects: 0 };
    for (const outline of outlines.all.values()) {
      if (outline.redirect !== undefined) numbers.redirects++;
      else if (!isOnlyParent(outline)) numbers.pages++;
      numbers.revisions += outline.revisions;
      numbers.files += outline.files?.length ?? 0;
    }
    const places = new Places(maps, outlines, parentPath, leaveOut);
    places.fill();
    const { pages, redirects } = places;
    const origin = originOf(source, facts);
    const isFirst =
      (await store.maintenance.pagesAfter(0, 1)).length === 0 &&
      (await store.trash.before(Number.MAX_SAFE_INTEGER, 1)).length === 0;
    const earlier = isFirst
      ? noEarlier(origin)
      : await findEarlier(store, maps, { origin, parentPath }, pages);
    if (earlier.unclear.length > 0 && !isDry) throw unclearOrigin(parentPath, earlier.unclear);
    const collisions = isFirst ? [] : await findExisting(store, earlier, parentPath, places);
    const skipped =
      isFirst || isForced ? new Set<string>() : await deletedHere(store, earlier, pages, leaveOut);
    const gone = isFirst ? [] : findGone(earlier, pages);
    const written = (key: string) => (skipped.has(key) ? undefined : pages.get(key));
    const titles = maps.make<{ path: string; at: [round: number, turn: number] }>();
    let rounds = 1;
    for (const { title, path, round, outline, order } of pages.values()) {
      rounds = Math.max(rounds, round + 1);
      const known = titles.get(titleKey(title));
      // The page that is written first has the title. In each round, pages that only list others are written first.
      const at: [number, number] = [round, outline ? order : -1];
      const isEarlier = known && (known.at[0] - at[0] || known.at[1] - at[1]) > 0;
      if (!known || isEarlier) titles.set(titleKey(title), { path, at });
    }
    const foreign = await foreignTitles(store, pages, maps);
    const pageOf = (key: string) => written(outlines.finalTarget(key) ?? key);
    return {
      parent: parentPath ?? '',
      collisions,
      gone,
      origin: earlier.origin,
      unclear: earlier.unclear,
      numbers,
      rounds,
      pageOf,
      count: pages.size - skipped.size,
      repeated: outlines.repeated,
      placed: written,
      *pages() {
        for (const [key, page] of pages.entries()) if (!skipped.has(key)) yield page;
      },
      pathOfTitle: (title) => foreign.get(titleKey(title)) ?? titles.get(titleKey(title))?.path,
      *aliases() {
        for (const [path, key] of redirects.entries()) {
          const to = pageOf(key);
          if (to && to.path !== path) yield { path, to, isRedirect: true };
        }
        if (!keepsAddresses) return;
        for (const { key, addresses = [] } of outlines.all.values()) {
          const to = pageOf(key);
          for (const address of addresses) {
            const read = readNewPath(address);
            if (to && 'path' in read) yield { path: read.path, to, isRedirect: false };
          }
        }
      },
      [Symbol.dispose]: () => maps[Symbol.dispose](),
    };
  } catch (error) {
    maps[Symbol.dispose]();
    throw error;
  }
}

/** Finds pages of earlier runs, and assigns other paths to pages whose path is taken. */
async function findExisting(
  store: Store,
  earlier: EarlierPages,
  parentPath: string | null,
  { pages, taken }: Places,
): Promise<Plan['collisions']> {
  const collisions = new Map<string, Plan['collisions'][number]>();
  const moved = new Map<string, string>();
  const move = (from: string, to: string) => from !== to && moved.set(from, to);
  let waiting = pages.slices();
  for (let number = 2; number < 100; number++) {
    const again: [string, PlacedPage][] = [];
    for (const some of waiting) {
      const pagesHere = await pagesAt(
        store,
        some.map(([, { path }]) => path),
      );
      for (const [key, page] of some) {
        const found = pagesHere.get(page.path);
        const ours = page.outline && earlier.pageOf(page.outline.key);
        // A page elsewhere counts only if it had the path before: everybody can copy its record.
        const isWithin = ours && (ours.path.startsWith(`${parentPath ?? ''}/`) || ours.id === found?.id);
        if (isWithin || (found && !page.outline)) {
          page.existing = isWithin ? ours : existingOf(found as Page, noteOf((found as Page).content.data));
          move(page.path, page.existing.path);
          page.path = page.existing.path;
        } else if (found && isSuccessor(found, earlier, pages)) {
          page.existing = existingOf(found, noteOf(found.content.data));
          move(page.path, found.path);
          page.path = found.path;
        } else if (found && page.path === parentPath) {
          // The page beneath which everything goes is not of this source, so its own goes beneath as well.
          page.wanted = `${parentPath}/${slugOf(stemOf(page.outline?.key ?? '')) || 'files'}`;
          page.path = page.wanted;
          page.parentPath = parentPath;
          again.push([key, page]);
        } else if (found && found.path === page.path) {
          const { title, wanted } = page;
          let path = `${wanted}-${number}`;
          for (let next = number + 1; taken.has(path); next++) path = `${wanted}-${next}`;
          taken.set(path, true);
          collisions.set(key, { title, wanted, path });
          move(wanted, path);
          page.path = path;
          again.push([key, page]);
        } else continue;
        pages.set(key, page);
      }
    }
    if (again.length === 0) break;
    waiting = slicesOf(again);
  }
  if (moved.size === 0) return [];
  for (const [key, page] of pages.entries()) {
    // New pages follow the changed path of an ancestor; existing pages stay where they are.
    const above = page.parentPath === null ? undefined : moved.get(page.parentPath);
    if (above !== undefined) pages.set(key, { ...page, parentPath: above });
  }
  return [...collisions.values()];
}

/** Whether an earlier run made this page for a file or folder that the source does not have any more. */
function isSuccessor(found: Page, earlier: EarlierPages, pages: LargeMap<PlacedPage>): boolean {
  const note = noteOf(found.content.data);
  return note !== undefined && earlier.isOurs(note) && !pages.has(note.source);
}

/** Pages at their planned paths, or that had these paths before. */
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

/** Titles of pages outside this import: links to imported pages with such a title must use paths. */
async function foreignTitles(
  store: Store,
  pages: LargeMap<PlacedPage>,
  maps: LargeMaps,
): Promise<LargeMap<string>> {
  const foreign = maps.make<string>();
  const ours = maps.make<true>();
  for (const { existing } of pages.values()) if (existing) ours.set(String(existing.id), true);
  if ((await store.maintenance.pagesAfter(0, 1)).length === 0) return foreign;
  for (const some of pages.slices()) {
    const resolved = await store.readAsSystem().links.resolve(some.map(([, { title }]) => title));
    for (const [title, { id, path }] of resolved)
      if (!ours.has(String(id))) foreign.set(titleKey(title), path);
  }
  return foreign;
}
