/**
 * The pages of a folder of wikitext: one for each document, at the place given by folders and file names.
 *
 * - The folder itself is the page beneath which the import goes, if it has a README or index.
 * - `bip-0341.mediawiki` is the page of the folder `bip-0341/` beside it, whose contents belong beneath it.
 * - A folder without its own document becomes a page if it contains documents; otherwise its files belong to the page of
 *   the folder around it.
 */
import { freeFilename } from '../folder-paths.ts';
import type { Omission, PageOutline, SourceFile } from '../source.ts';
import { type DocumentTitle, nameOf, titleOf } from './title.ts';

export interface Document {
  key: string;
  title: DocumentTitle;
  fingerprint: string;
}

interface Folder {
  /** Empty for the top, otherwise with a trailing slash. */
  path: string;
  name: string;
  documents: Document[];
  files: string[];
  folders: Folder[];
  hasDocuments: boolean;
}

/** `name`: of the folder. `isBeneath`: whether there is a page beneath which everything goes. */
export function outlinesOf(
  { name, isBeneath }: { name: string; isBeneath: boolean },
  documents: readonly Document[],
  files: readonly string[],
): { outlines: PageOutline[]; leftOut: Omission[] } {
  const outlines: PageOutline[] = [];
  const leftOut: Omission[] = [];

  const add = (key: string, place: string[], name: string, document?: Document): PageOutline => {
    const outline: PageOutline = {
      key,
      place,
      title: titleOf(document?.title ?? { heading: '' }, nameOf(name)),
      format: 'wikitext',
      revisions: document ? 1 : 0,
      files: [],
      ...(document ? { fingerprint: document.fingerprint } : {}),
    };
    outlines.push(outline);
    return outline;
  };
  const takenOf = new Map<PageOutline, Set<string>>();
  const attach = (path: string, home: PageOutline | undefined): boolean => {
    if (!home) return false;
    const taken = takenOf.get(home) ?? new Set();
    takenOf.set(home, taken);
    (home.files as SourceFile[]).push({ key: path, filename: freeFilename(path, taken) });
    return true;
  };
  /** `home`: page for loose files. */
  const fill = (
    folder: Folder,
    own: Document | undefined,
    home: PageOutline | undefined,
    place: string[],
  ) => {
    const pages = new Map<string, PageOutline>();
    for (const document of folder.documents) {
      const stem = stemOf(document.key);
      if (document !== own) pages.set(stem, add(document.key, [...place, stem], stem, document));
    }
    const index = ownDocument(folder);
    const loose = home ?? (index && pages.get(stemOf(index.key)));
    for (const path of folder.files)
      if (!attach(path, loose))
        leftOut.push({ source: path, why: 'there is no page in its folder to attach it to' });
    for (const child of folder.folders) {
      const beside = pages.get(child.name);
      const within = [...place, child.name];
      if (beside) fill(child, undefined, beside, within);
      else if (!child.hasDocuments) fill(child, undefined, loose, place);
      else {
        const own = ownDocument(child);
        fill(child, own, add(own?.key ?? child.path, within, child.name, own), within);
      }
    }
  };

  const top = foldersOf(name, documents, files);
  const own = isBeneath ? ownDocument(top) : undefined;
  const hasLooseFiles = isBeneath && (top.files.length > 0 || top.folders.some((one) => !one.hasDocuments));
  const home = own || hasLooseFiles ? add(own?.key ?? './', [], name, own) : undefined;
  fill(top, own, home, []);
  return { outlines, leftOut };
}

/** Name without folder and extension. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export function isIndex(stem: string): boolean {
  return /^(?:readme|index)$/i.test(stem);
}

/** The document of the folder's own page. */
function ownDocument({ documents }: Folder): Document | undefined {
  return documents.find(({ key }) => isIndex(stemOf(key)));
}

function foldersOf(name: string, documents: readonly Document[], files: readonly string[]): Folder {
  const make = (path: string, name: string): Folder => ({
    path,
    name,
    documents: [],
    files: [],
    folders: [],
    hasDocuments: false,
  });
  const folders = new Map([['', make('', name)]]);
  const at = (path: string): Folder => {
    const known = folders.get(path);
    if (known) return known;
    const above = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    const folder = make(path, path.slice(above.length, -1));
    folders.set(path, folder);
    at(above).folders.push(folder);
    return folder;
  };
  const folderIn = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
  for (const path of files) at(folderIn(path)).files.push(path);
  for (const document of documents) {
    const folder = folderIn(document.key);
    at(folder).documents.push(document);
    for (let end = folder.length; end >= 0; end = end === 0 ? -1 : folder.lastIndexOf('/', end - 2) + 1)
      at(folder.slice(0, end)).hasDocuments = true;
  }
  for (const { folders: children } of folders.values()) children.sort((a, b) => (a.name < b.name ? -1 : 1));
  return at('');
}
