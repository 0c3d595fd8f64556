/**
 * Plans which files pages become in a folder: `/garden/rose` becomes “garden/rose.md”, with its files and the pages beneath it
 * in “garden/rose/”. Pages imported from a folder of documents keep the names they had there.
 */
import { posix } from 'node:path';
import type { AttachedFile, WholePage } from '#core/model/page.ts';
import type { TreePosition } from '#core/ports/list-reads.ts';
import { noteOf } from '#import/note.ts';
import { permissionsElsewhere } from '../access.ts';
import { FreePaths, safeFilename, safeName } from '../file-names.ts';
import { mayAllRead, type PageReaders, readersOf } from '../page-reader.ts';
import { safeSiteName } from '../shown/safe-names.ts';
import { batches, type ExportSource, wholePages } from '../walk.ts';

export interface PlannedPage {
  path: string;
  title: string;
  parentId: number | null;
  readers: PageReaders;
  language: string;
  /** Path of the text; undefined if only the page's files are written. */
  file: string | undefined;
  /** Folder of the page's files and of the pages beneath it, without a trailing slash. Empty for the top. */
  folder: string;
  /** Position among its siblings, which it shares with none of them; undefined if nobody placed it. */
  order: number | undefined;
  /** Whether its file states this position already. */
  isStated: boolean;
  /** The page in whose place programs show this one to readers of its language. Links name the file of that page. */
  original?: PlannedPage;
}

/** Differences between folders for other programs. */
export interface TreeLayout {
  /** Folder of all pages, without slashes; empty for the top. */
  root: string;
  /** Name of the file in which a page above others is the index of their folder; absent if it stands beside the folder. */
  indexName?: 'index' | '_index';
  /** Whether a page with files is the index of their folder, because the program finds them only there. */
  hasBundles?: boolean;
  /** Whether the program lists the pages beneath one that has no text. */
  listsBeneath?: boolean;
  /** Whether links name pages by their paths from the top, and files of other pages, too. */
  isFromTop?: boolean;
  /** Whether the program finds pages by their names in double brackets. */
  hasNames?: boolean;
  /** Whether the program publishes files as they are, so that they need names of types that no browser runs. */
  isPublished?: boolean;
  /** Paths that no page takes. */
  reserved?: readonly string[];
  /** Position that the file of a page states. */
  positionIn(page: WholePage, file: string): number | undefined;
  /** The path at which the program looks for the translation of a file; absent if it knows no translations. `wiki`: language of the originals. */
  translated?(file: string, language: string, wiki: string): string;
}

export interface TreePlan {
  /** Pages by ID, in tree order. */
  pages: ReadonlyMap<number, PlannedPage>;
  /** Folder of all pages, without slashes; empty for the top. */
  root: string;
  pathOf(file: AttachedFile): string | undefined;
  /** Whether links name pages by their paths from the top, and files of other pages, too. */
  isFromTop: boolean;
  /** Whether the program finds pages by their names in double brackets. */
  hasNames: boolean;
  /** Files of originals whose translations lie in other folders: links by relative paths would not find these. */
  translatedElsewhere: ReadonlySet<string>;
  /** Whether a name in double brackets identifies this file, because no other file has the same name. */
  isNamed(name: string, file: string): boolean;
}

type Ending = '.md' | '.wikitext';

const plainLayout: TreeLayout = { root: '', hasNames: true, positionIn: () => undefined };

const document = /\.(?:md|mdx|markdown|wikitext|mediawiki|wiki)$/i;
const ofFolder = /^(?:index|readme|_index)$/i;

/**
 * Keeps the names of all pages in memory, some 400 bytes each. `endingOf`: returns undefined to leave out the text of a page.
 */
export async function planTree(
  source: ExportSource,
  top: TreePosition | null,
  endingOf: (page: WholePage) => Ending | undefined,
  layout: TreeLayout = plainLayout,
): Promise<TreePlan> {
  const { root, indexName, hasBundles = false, reserved = [], positionIn, translated } = layout;
  const usualPath = (folder: string, file: AttachedFile) => join(folder, usualName(file, layout));
  const free = new FreePaths();
  for (const path of reserved) free.take(path);
  const pages = new Map<number, PlannedPage>();
  /** Paths of files that could not be written where their names say. */
  const elsewhere = new Map<string, string>();
  const placed = new Map<
    number | null,
    { rank: number; stated: number | undefined; planned: PlannedPage }[]
  >();
  const originals = new Map<PlannedPage, number>();
  const translatedElsewhere = new Set<string>();
  const filesOfTranslations = new Map<PlannedPage, readonly AttachedFile[]>();
  /** Files of pages that become bundles. */
  const bundles = new Map<PlannedPage, readonly AttachedFile[]>();
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for await (const ids of batches(source, top))
    for await (const { pages: some } of wholePages(source, ids))
      for (const page of some) {
        const { path, title, parentId, originalId, content, permissions } = page;
        const parent = pages.get(parentId ?? 0);
        if (indexName && parent) becomeIndex(parent, indexName, free);
        const { name, inside } = namesOf(page);
        const folder = free.take(join(parent?.folder ?? root, name));
        const planned: PlannedPage = {
          path,
          title,
          parentId,
          readers: readersOf(page, source.reader()),
          language: content.language ?? source.wiki.language,
          folder,
          file: undefined,
          order: undefined,
          isStated: false,
        };
        pages.set(page.id, planned);
        // In the bundle of its original, a file would be for the readers of the original.
        const isForAll = ((permissionsElsewhere(permissions, source.reader()) % 10) & 4) !== 0;
        if (originalId !== null && translated && (!hasBundles || isForAll || page.files.length === 0)) {
          originals.set(planned, originalId);
          filesOfTranslations.set(planned, page.files);
        }
        const ending = endingOf(page);
        if (ending) {
          const above = inside?.isTop ? root : folder;
          const isRootIndex = inside?.isTop && inside.name === 'index' && indexName !== undefined;
          const own = inside && join(above, isRootIndex ? indexName : inside.name);
          planned.file = free.take(`${own ?? folder}${ending}`);
        }
        if (page.rank !== null) {
          const siblings = placed.get(parentId) ?? [];
          siblings.push({ rank: page.rank, stated: positionIn(page, planned.file ?? folder), planned });
          placed.set(parentId, siblings);
        }
        for (const attached of page.files) {
          const usual = usualPath(folder, attached);
          const taken = free.take(usual);
          if (taken !== usual) elsewhere.set(attached.name, taken);
          count(stemOf(taken));
        }
        if (hasBundles && page.files.length > 0) bundles.set(planned, page.files);
      }
  for (const planned of bundles.keys())
    for (const page of [planned, pages.get(originals.get(planned) ?? 0)])
      if (page) becomeIndex(page, 'index', free);
  for (const [planned, id] of originals) {
    const original = pages.get(id);
    const { language } = source.wiki;
    const isTold = planned.language !== language && original?.language === language;
    if (!isTold || !planned.file?.endsWith('.md') || !original.file?.endsWith('.md')) continue;
    // The place tells the name of the original.
    if (!mayAllRead(planned.readers, original.readers)) continue;
    const file = translated?.(original.file, planned.language, language) ?? planned.file;
    // Another translation into the same language stays where it is.
    if (file !== planned.file && free.has(file)) continue;
    if (file !== planned.file) {
      planned.file = free.take(file);
      // Imports look for the files of a page in the folder that is named like its own file.
      for (const one of filesOfTranslations.get(planned) ?? [])
        elsewhere.set(one.name, free.take(usualPath(file.replace(/\.md$/, ''), one)));
    }
    planned.original = original;
    if (posix.dirname(file) !== posix.dirname(original.file)) translatedElsewhere.add(original.file);
  }
  // A translation lies in the bundle of its original.
  for (const [{ original }, files] of bundles)
    for (const file of original ? files : [])
      elsewhere.set(file.name, free.take(usualPath(original?.folder ?? root, file)));
  for (const { file } of pages.values()) if (file !== undefined) count(stemOf(file));
  // Ranks also count siblings that the reader may not see.
  for (const siblings of placed.values()) {
    const orders = positionsOf(siblings.sort((a, b) => a.rank - b.rank).map(({ stated }) => stated));
    for (const [index, { planned, stated }] of siblings.entries()) {
      planned.order = orders[index];
      planned.isStated = planned.order === stated;
    }
  }
  return {
    pages,
    root,
    isFromTop: layout.isFromTop ?? false,
    hasNames: layout.hasNames ?? false,
    translatedElsewhere,
    pathOf(file) {
      const folder = pages.get(file.pageId)?.folder;
      return folder === undefined ? undefined : (elsewhere.get(file.name) ?? usualPath(folder, file));
    },
    isNamed(name, file) {
      const key = name.toLowerCase();
      return layout.hasNames === true && stemOf(file) === key && counts.get(key) === 1;
    },
  };
}

/** Ascending positions of siblings. Those that they state stay if they ascend, so that files stay as they were. */
function positionsOf(stated: readonly (number | undefined)[]): number[] {
  const positions: number[] = [];
  for (const [index, own] of stated.entries()) {
    const last = positions.at(-1) ?? 0;
    const next = stated.slice(index).find((one) => one !== undefined) ?? Number.POSITIVE_INFINITY;
    positions.push(own ?? (last + 1 < next ? Math.floor(last) + 1 : (last + next) / 2));
  }
  const isAscending = positions.every((one, index) => index === 0 || one > (positions[index - 1] ?? one));
  return isAscending ? positions : stated.map((_, index) => index + 1);
}

/** Makes the file of a page the index of its folder, where it is not within it already. Beneath an `index` Hugo finds no pages. */
function becomeIndex(page: PlannedPage, name: 'index' | '_index', free: FreePaths): void {
  const { file, folder } = page;
  if (file === `${folder}.md` || (name === '_index' && file === join(folder, 'index.md')))
    page.file = free.take(join(folder, `${name}.md`));
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

/** Returns whether the path is still the one that an import derived from the name, with a number if the address was taken. */
function isMadeOf(title: string, path: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const slug = path.slice(path.lastIndexOf('/') + 1);
  return [slug, slug.replace(/-\d+$/, '')].some((made) => plain(title) === plain(made));
}

/**
 * Files with the extension of a document are renamed, because an import would read them as pages. SVG keeps its name where others that
 * browsers run lose theirs, because pages show it.
 */
function usualName({ filename, mime }: AttachedFile, { isPublished = false }: TreeLayout): string {
  const name = safeFilename(filename);
  if (document.test(name)) return `${name}.txt`;
  return isPublished && !/\.svg$/i.test(name) ? safeSiteName({ name, mime }) : name;
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
