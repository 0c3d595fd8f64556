/**
 * Plans which files pages become in a folder: `/garden/rose` becomes “garden/rose.md”, with its files and the pages beneath it
 * in “garden/rose/”. Pages imported from a folder of documents keep the names they had there.
 */
import type { AttachedFile, WholePage } from '#core/model/page.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { noteOf } from '#import/note.ts';
import { FreePaths, safeFilename, safeName } from '../file-names.ts';
import { batches, type ExportSource, wholePages } from '../walk.ts';

export interface PlannedPage {
  /** Path of the text; undefined if only the page's files are written. */
  file: string | undefined;
  /** Folder of the page's files and of the pages beneath it, without a trailing slash. Empty for the top. */
  folder: string;
  /** Place among its siblings in the export, from 1; undefined if nobody placed it. */
  order: number | undefined;
}

export interface TreePlan {
  /** Pages by ID, in tree order. */
  pages: ReadonlyMap<number, PlannedPage>;
  pathOf(file: AttachedFile): string | undefined;
  /** Whether a name in double brackets identifies this file, because no other file has the same name. */
  isNamed(name: string, file: string): boolean;
}

export type Ending = '.md' | '.wikitext';

const document = /\.(?:md|mdx|markdown|wikitext|mediawiki|wiki)$/i;
const ofFolder = /^(?:index|readme|_index)$/i;

/**
 * Keeps the names of all pages in memory, some 300 bytes each. `endingOf`: returns undefined to leave out the text of a page.
 */
export async function planTree(
  source: ExportSource,
  top: TreePosition | null,
  endingOf: (page: WholePage) => Ending | undefined,
): Promise<TreePlan> {
  const free = new FreePaths();
  const pages = new Map<number, PlannedPage>();
  /** Paths of files that could not be written where their names say. */
  const elsewhere = new Map<string, string>();
  const placed = new Map<number | null, { rank: number; planned: PlannedPage }[]>();
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for await (const ids of batches(source, top))
    for await (const { pages: some } of wholePages(source, ids))
      for (const page of some) {
        const above = pages.get(page.parentId ?? 0)?.folder ?? '';
        const { name, inside } = namesOf(page);
        const folder = free.take(join(above, name));
        const planned: PlannedPage = { file: undefined, folder, order: undefined };
        if (page.rank !== null) {
          const siblings = placed.get(page.parentId) ?? [];
          siblings.push({ rank: page.rank, planned });
          placed.set(page.parentId, siblings);
        }
        pages.set(page.id, planned);
        const ending = endingOf(page);
        if (ending) {
          const stem = inside === undefined ? folder : inside.isTop ? inside.name : join(folder, inside.name);
          const file = free.take(`${stem}${ending}`);
          planned.file = file;
          count(stemOf(file));
        }
        for (const attached of page.files) {
          const usual = usualPath(folder, attached);
          const path = free.take(usual);
          if (path !== usual) elsewhere.set(attached.name, path);
          count(stemOf(path));
        }
      }
  // Ranks also count siblings that the reader may not see.
  for (const siblings of placed.values())
    for (const [index, { planned }] of siblings.sort((a, b) => a.rank - b.rank).entries())
      planned.order = index + 1;
  return {
    pages,
    pathOf(file) {
      const folder = pages.get(file.pageId)?.folder;
      return folder === undefined ? undefined : (elsewhere.get(file.name) ?? usualPath(folder, file));
    },
    isNamed(name, file) {
      const key = name.toLowerCase();
      return stemOf(file) === key && counts.get(key) === 1;
    },
  };
}

/** `inside`: the page was a document within its own folder. */
function namesOf({ path, title, content }: WholePage): {
  name: string;
  inside?: { name: string; isTop: boolean };
} {
  const slug = safeName(path.slice(path.lastIndexOf('/') + 1));
  const note = noteOf(content.data);
  if (note?.revision !== '') return { name: slug };
  // The page stands for a folder without a document.
  if (note.source === '' || note.source.endsWith('/'))
    return { name: isMadeOf(title, path) ? safeName(title) : slug };
  const segments = note.source.split('/');
  const own = (segments.pop() ?? '').replace(document, '');
  const above = segments.at(-1);
  if (!document.test(note.source)) return { name: slug };
  if (above === undefined && ofFolder.test(own)) return { name: slug, inside: { name: own, isTop: true } };
  const isInside = above !== undefined && (ofFolder.test(own) || own === above);
  return isInside
    ? { name: safeName(above), inside: { name: safeName(own), isTop: false } }
    : { name: safeName(own) };
}

/** Returns whether the path is still the one that an import derived from the name. */
function isMadeOf(title: string, path: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return plain(title) === plain(path.slice(path.lastIndexOf('/') + 1));
}

/** Files with the extension of a document are renamed, because an import would read them as pages. */
function usualPath(folder: string, { filename }: AttachedFile): string {
  const name = safeFilename(filename);
  return join(folder, document.test(name) ? `${name}.txt` : name);
}

function stemOf(file: string): string {
  return file
    .slice(file.lastIndexOf('/') + 1)
    .replace(document, '')
    .toLowerCase();
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
