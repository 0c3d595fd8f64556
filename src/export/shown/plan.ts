/**
 * Plan of an export that is read without the wiki: filenames of pages, and the navigation around each page. Takes some 400
 * bytes of memory for each page.
 */

import type { PageOutline } from '#core/model/page.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { statedAccess } from '../access.ts';
import { FreePaths, safeName } from '../file-names.ts';
import { type ExportSource, outlinesOf } from '../walk.ts';

export interface ShownPage {
  id: number;
  path: string;
  title: string;
  /** Whether the page is for writers only (a template or module) and left out of lists. */
  isTool: boolean;
  /** Folder of the page, without leading and trailing slashes. */
  folder: string;
  parent: ShownPage | undefined;
  children: ShownPage[];
  /** Position among its siblings as arranged by hand; null if it was never placed. */
  rank: number | null;
  /** The pages before and after it in the topmost arranged subtree around it. */
  previous?: ShownPage;
  next?: ShownPage;
  location: { lat: number; lon: number } | undefined;
  /** Undefined for the default. */
  access: Record<string, unknown> | undefined;
}

export interface ShownPlan {
  /** Pages by ID, in tree order. */
  pages: ReadonlyMap<number, ShownPage>;
  byPath: ReadonlyMap<string, ShownPage>;
  /** Pages without a parent in this export. */
  roots: ShownPage[];
  free: FreePaths;
}

/** Folders that belong to no page. */
const own = ['assets', 'files', 'map', 'search', 'tree', 'index.html'];

export async function planShown(source: ExportSource, top: TreePosition | null): Promise<ShownPlan> {
  const free = new FreePaths();
  for (const name of own) free.take(name);
  const pages = new Map<number, ShownPage>();
  const byPath = new Map<string, ShownPage>();
  const roots: ShownPage[] = [];
  for await (const outline of outlinesOf(source, top)) {
    const page = shown(outline, { pages, free }, source);
    pages.set(page.id, page);
    byPath.set(page.path, page);
    (page.parent?.children ?? roots).push(page);
  }
  const collator = new Intl.Collator(source.wiki.language, { numeric: true });
  const sort = (some: ShownPage[]) => some.sort((a, b) => byRank(a, b) || collator.compare(a.title, b.title));
  sort(roots);
  for (const { children } of pages.values()) sort(children);
  linkNeighbours(roots);
  return { pages, byPath, roots, free };
}

/** Never placed pages come last. */
function byRank(a: ShownPage, b: ShownPage): number {
  return a.rank === b.rank ? 0 : (a.rank ?? Infinity) - (b.rank ?? Infinity);
}

/** Links the pages of each topmost subtree whose children are arranged, in reading order. */
function linkNeighbours(roots: readonly ShownPage[]): void {
  const waiting = [...roots];
  for (let top = waiting.pop(); top; top = waiting.pop()) {
    if (!top.children.some(({ rank }) => rank !== null)) {
      waiting.push(...top.children);
      continue;
    }
    let previous: ShownPage | undefined;
    for (const page of inReadingOrder([top])) {
      if (page.isTool) continue;
      if (previous) [previous.next, page.previous] = [page, previous];
      previous = page;
    }
  }
}

function shown(
  page: PageOutline,
  { pages, free }: { pages: ReadonlyMap<number, ShownPage>; free: FreePaths },
  source: ExportSource,
): ShownPage {
  const { id, path, title, type, parentId, rank } = page;
  // The parent may be hidden; the path still tells the page's place.
  const parent = pages.get(parentId ?? 0);
  const folder = path.slice(1).split('/').map(safeName).join('/');
  return {
    id,
    path,
    title,
    rank,
    parent,
    children: [],
    folder: free.take(folder),
    isTool: type === 'Template' || type === 'Module',
    location: page.location ?? undefined,
    access: statedAccess(page, { isTop: !parent, now: source.now, wiki: source.reader() }),
  };
}

/** Yields pages in reading order: each page before those beneath it, siblings in their order. */
export function* inReadingOrder(some: readonly ShownPage[]): Generator<ShownPage> {
  const waiting = [...some].reverse();
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    yield page;
    waiting.push(...page.children.toReversed());
  }
}
