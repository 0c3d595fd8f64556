/** Files of a folder of documents: the page that each is attached to, and the pages that are made for folders. */
import { foldersAbove, freeFilename } from '../folder-paths.ts';
import type { Omission, PageOutline, SourceFile } from '../source.ts';
import type { FileTree } from './file-tree.ts';
import { type Flavour, relativeTo } from './flavour.ts';
import type { Mentions } from './mentions.ts';
import { factsFile } from './page-facts.ts';
import { withoutNumber } from './site-address.ts';

export const ending = /\.(?:md|mdx|markdown|org|textile|html?|csv)$/i;
/** Program files of the exported site, and duplicate tables. */
const isProgram =
  /(?:^|\/)(?:package(?:-lock)?\.json|yarn\.lock|Gemfile(?:\.lock)?|Makefile|LICENSE|_config\.ya?ml|mkdocs\.ya?ml|_category_\.(?:json|ya?ml))$|^index\.html$|\.(?:edn|css|scss|less|js|mjs|cjs|ts|tsx|jsx|lock|toml|py|rb|vue)$/i;

export const ofProgram = 'it belongs to the program that showed the pages';

interface Surroundings {
  folders: ReadonlySet<string>;
  places: Map<string, PageOutline>;
  byKey: ReadonlyMap<string, PageOutline>;
  isPage: (path: string) => boolean;
  /** Documents that the program copies as they are. */
  copied: ReadonlySet<string>;
  knownFiles: KnownFiles;
  mentions: Mentions;
  hasFacts: boolean;
  /** Whether an export of this wiki made the site: files that no page names are parts of its look. */
  hasSite: boolean;
}

/** File → its page, and its name there. */
export type KnownFiles = Map<string, { place: readonly string[]; filename: string }>;

export function attachFiles(
  tree: FileTree,
  flavour: Flavour,
  { folders, places, byKey, isPage, copied, knownFiles, mentions, hasFacts, hasSite }: Surroundings,
  found: {
    leftOut: Omission[];
    /** File → key of the page that has it, and its name there. */
    files: Map<string, { key: string; filename: string }>;
  },
): void {
  const { root, isDocument } = flavour;
  const filesOf = new Map<string, { files: SourceFile[]; taken: Set<string> }>();
  for (const path of tree.paths) {
    if ((isPage(path) && !copied.has(path)) || (hasFacts && path === factsFile)) continue;
    // The page of the filtered table shows it.
    const filtered = path.replace(flavour.wholeTable ?? /$^/, '.csv');
    if (filtered !== path && tree.paths.includes(filtered)) continue;
    const stated = knownFiles.get(path);
    const isOfProgram = hasSite || isProgram.test(path) || flavour.ofProgram?.test(path) === true;
    if (!stated && (isOfProgram || (isDocument.test(path) && !copied.has(path)))) {
      found.leftOut.push({
        source: path,
        why: isOfProgram ? ofProgram : 'it lies outside the folder of the pages',
      });
      continue;
    }
    const relative = relativeTo(root, path);
    const folder = relative.slice(0, Math.max(0, relative.lastIndexOf('/')));
    const ofFolder =
      places.get(ownPlace(folder, flavour).join('/')) ??
      byKey.get(`${path.slice(0, path.lastIndexOf('/'))}.md`);
    const holder =
      (stated && places.get(stated.place.join('/'))) ??
      mentions.holderOf(path, ofFolder) ??
      ofFolder ??
      holderOf(relative, folders, places, flavour);
    const known = filesOf.get(holder.key);
    const files = known?.files ?? [...(holder.files ?? [])];
    const taken = known?.taken ?? new Set(files.map(({ filename }) => filename));
    if (!known) filesOf.set(holder.key, { files, taken });
    const filename = freeFilename(stated?.filename ?? relative, taken);
    files.push({ key: path, filename });
    found.files.set(path, { key: holder.key, filename });
    holder.files = files;
  }
}

/** The page of a file's folder, or of the nearest folder above that has a page. */
function holderOf(
  path: string,
  folders: ReadonlySet<string>,
  places: Map<string, PageOutline>,
  flavour: Flavour,
): PageOutline {
  const above = foldersAbove(path);
  for (const folder of above) {
    const place = ownPlace(folder.slice(0, -1), flavour);
    const page = places.get(place.join('/'));
    if (page) return page;
    if (folders.has(folder)) return folderPage(place, places);
  }
  const top = above.at(-1);
  if (top !== undefined) return folderPage(ownPlace(top.slice(0, -1), flavour), places);
  return places.get('home') ?? places.get('Home') ?? folderPage(['Attachments'], places);
}

export function folderPage(place: string[], places: Map<string, PageOutline>): PageOutline {
  const own = place.at(-1) ?? '';
  const page: PageOutline = {
    key: `${place.join('/')}/`,
    title: cleanTitle(own),
    place,
    format: 'wikitext',
    revisions: 0,
  };
  places.set(place.join('/'), page);
  return page;
}

export function ownPlace(relative: string, { nameOf, hasOrderedNames, placeOf }: Flavour): string[] {
  const bare = relative.replace(ending, '');
  const names = placeOf?.(bare) ?? bare.split('/').map(nameOf);
  return names.map((name) => shownName(name, hasOrderedNames));
}

export function shownName(name: string, isOrdered: boolean): string {
  return isOrdered ? withoutNumber(name) : name;
}

export function cleanTitle(title: string): string {
  return title.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
