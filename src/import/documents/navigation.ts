/**
 * Trees and orders stored beside pages. Trees are imported; orders are reported as lost, because this wiki lists child pages by
 * title.
 */
import { percentDecoded } from '#core/model/path.ts';
import type { Omission, PageOutline } from '../source.ts';
import { type FileTree, textOf } from './file-tree.ts';

/** Items with or without a link, and headings of parts. */
const listed =
  /^(?:#{1,6}[ \t]|([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[^\n]*?\]\((?:<([^<>\n]+)>|([^\s()<>]+)))?)/gm;
const category = /(?:^|\/)_category_\.json$/;
const listedByTitle = 'pages beneath a page are listed by title here';

/** Places pages as listed in `SUMMARY.md` of mdBook and GitBook. `outlines`: by key. */
export async function placeBySummary(
  tree: FileTree,
  root: string,
  outlines: ReadonlyMap<string, PageOutline>,
): Promise<Omission[]> {
  const source = `${root}SUMMARY.md`;
  if (!outlines.has(source)) return [];
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
  return [{ source, why: `its order, which only this page keeps: ${listedByTitle}` }];
}

function pathOf(address: string): string {
  return percentDecoded(address.replace(/[#?].*$/, '').replace(/^\.?\//, ''));
}

/** Docusaurus's titles of folders, by folder with a trailing slash. */
export async function folderTitles(tree: FileTree): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const path of tree.paths.filter((path) => category.test(path))) {
    try {
      const { label } = JSON.parse(await textOf(tree, path));
      if (typeof label === 'string' && label.trim() !== '') titles.set(path.replace(/[^/]+$/, ''), label);
    } catch {
      // Invalid file: the folder keeps its name.
    }
  }
  return titles;
}

/** Omissions for orders in front matter and settings. */
export function lostOrders(tree: FileTree, ordered: number): Omission[] {
  const fromPages =
    ordered > 0
      ? [{ source: `${ordered} pages`, why: `their order, which is kept in their data: ${listedByTitle}` }]
      : [];
  const settings = tree.paths.filter((path) => /^mkdocs\.ya?ml$/.test(path) || category.test(path));
  return [...fromPages, ...settings.map((source) => ({ source, why: `its order: ${listedByTitle}` }))];
}
