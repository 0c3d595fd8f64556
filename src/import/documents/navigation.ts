/** Trees and orders that sources state beside their pages: `SUMMARY.md`, `nav` of MkDocs, `_category_` of Docusaurus. */
import { percentDecoded } from '#core/model/path.ts';
import type { PageOutline } from '../source.ts';
import { type FileTree, textOf } from './file-tree.ts';
import { type Flavour, relativeTo } from './flavour.ts';
import { type Facts, factsIn, isFacts, textIn } from './settings.ts';
import { positionInName } from './site-address.ts';

/** Items with or without a link, and headings of parts. */
const listed =
  /^(?:#{1,6}[ \t]|([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[^\n]*?\]\((?:<([^<>\n]+)>|([^\s()<>]+)))?)/gm;
const category = /(?:^|\/)_category_\.(?:json|ya?ml)$/;
const maxDepth = 50;
/** Names under which pages state their positions; `order` is that of exports of this wiki. */
const positions = ['order', 'sidebar_position', 'weight', 'nav_order'];

interface Surroundings {
  /** Folders that hold documents, relative, with a slash at the end. */
  folders: ReadonlySet<string>;
  byKey: ReadonlyMap<string, PageOutline>;
  pages(): Iterable<PageOutline>;
  /** The page of a folder or a place, which is made if there is none. */
  folderAt(relative: string): PageOutline;
  atPlace(place: string[]): PageOutline;
}

/** Gives pages the places and positions that the source states outside their texts. `nav`: of MkDocs. */
export async function orderPages(
  tree: FileTree,
  { root, hasOrderedNames, placedIn }: Pick<Flavour, 'root' | 'hasOrderedNames' | 'placedIn'>,
  nav: unknown,
  { folders, byKey, pages, folderAt, atPlace }: Surroundings,
): Promise<void> {
  for (const [folder, { title, position }] of await folderFacts(tree)) {
    if (folder === root || !(folder.startsWith(root) || placedIn?.(folder))) continue;
    const page = folderAt(relativeTo(root, folder));
    if (title !== undefined && page.revisions === 0) page.title = title;
    page.order = position ?? page.order;
  }
  for (const folder of hasOrderedNames ? folders : []) {
    const position = positionInName(folder.split('/').at(-2) ?? '');
    if (position !== undefined) folderAt(folder).order ??= position;
  }
  const listed = new Set([...(await placeBySummary(tree, root, byKey)), ...listedInNav(nav, root, byKey)]);
  const byPlace = new Map(Array.from(pages(), (page) => [page.place.join('/'), page]));
  /** Folders that are not listed themselves. Positions that other files state for them are on another scale. */
  const ancestors = new Set<PageOutline>();
  let order = 0;
  for (const page of listed) {
    page.order = order++;
    // A folder that is not listed itself stands where its first page does.
    for (let length = page.place.length - 1; length > 0; length--) {
      const place = page.place.slice(0, length);
      const above = byPlace.get(place.join('/')) ?? atPlace(place);
      byPlace.set(place.join('/'), above);
      if (listed.has(above) || ancestors.has(above)) break;
      ancestors.add(above);
      above.order = page.order;
    }
  }
}

/** Places pages as listed in `SUMMARY.md` of mdBook and GitBook, in its order. `outlines`: by key. Returns the placed ones. */
async function placeBySummary(
  tree: FileTree,
  root: string,
  outlines: ReadonlyMap<string, PageOutline>,
): Promise<PageOutline[]> {
  const source = `${root}SUMMARY.md`;
  if (!tree.paths.includes(source)) return [];
  /** Items without a page end the branch above them, too. */
  const above: { depth: number; page: PageOutline | undefined }[] = [];
  const seen = new Set<PageOutline>();
  for (const [, indent, pointed, bare = ''] of (await textOf(tree, source)).matchAll(listed)) {
    const depth = indent?.replaceAll('\t', '    ').length ?? -1;
    while (above.length > 0 && (above.at(-1)?.depth ?? 0) >= depth) above.pop();
    if (indent === undefined) continue;
    const page = outlines.get(root + pathOf(pointed ?? bare));
    if (page && seen.has(page)) continue;
    if (!page) {
      above.push({ depth, page });
      continue;
    }
    seen.add(page);
    const parent = above.findLast(({ page }) => page)?.page?.place;
    if (parent && !parent.every((name, at) => page.place[at] === name))
      page.place = [...parent, page.place.at(-1) ?? ''];
    above.push({ depth, page });
  }
  return [...seen];
}

function pathOf(address: string): string {
  return percentDecoded(address.replace(/[#?].*$/, '').replace(/^\.?\//, ''));
}

/** The pages that `nav` of MkDocs lists, in its order. */
function listedInNav(nav: unknown, root: string, outlines: ReadonlyMap<string, PageOutline>): PageOutline[] {
  const found = new Set<PageOutline>();
  const walk = (item: unknown, depth: number): void => {
    if (depth > maxDepth) return;
    if (typeof item === 'string') {
      const page = outlines.get(root + pathOf(item));
      if (page) found.add(page);
    } else if (Array.isArray(item)) for (const one of item) walk(one, depth + 1);
    else if (isFacts(item)) for (const one of Object.values(item)) walk(one, depth + 1);
  };
  walk(nav, 0);
  return [...found];
}

/** The position that front matter states under the first of the names. */
export function positionIn(facts: Facts, names: readonly string[] = positions): number | undefined {
  return names
    .map((name) => facts[name])
    .find((value) => typeof value === 'number' && Number.isFinite(value)) as number | undefined;
}

/** Titles and positions that Docusaurus states of folders, by folder with a trailing slash. */
async function folderFacts(
  tree: FileTree,
): Promise<Map<string, { title: string | undefined; position: number | undefined }>> {
  const found = new Map<string, { title: string | undefined; position: number | undefined }>();
  for (const path of tree.paths.filter((path) => category.test(path))) {
    // JSON is YAML, too. Of an invalid file, the folder keeps its name.
    const facts = factsIn(await textOf(tree, path), false) ?? {};
    const position = typeof facts.position === 'number' ? facts.position : undefined;
    const title = textIn(facts, 'label')?.replace(/[\p{Cc}\s]+/gu, ' ');
    found.set(path.replace(/[^/]+$/, ''), { title, position });
  }
  return found;
}
