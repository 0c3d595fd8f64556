/**
 * Which pages a folder becomes: one for each document, at the path that folders and file names give.
 *
 * - The folder itself is the page at `--parent`, made of its README or index if that page does not exist yet.
 * - `bip-0341.mediawiki` is the page of the folder `bip-0341/` beside it: what lies there belongs beneath it.
 * - A folder without a document of its own becomes a page if there are documents in it; otherwise its files belong to the page of
 *   the folder around it.
 * - A page that is already there is recognised by the source noted in its `data.import`, also after it has moved.
 */
import { createHash } from 'node:crypto';
import type { Format, Page } from '#domain/page.ts';
import { cleanFilename } from '#domain/page-input.ts';
import { sectionsOf } from '#domain/page-sections.ts';
import { readPath, slugOf } from '#domain/path.ts';
import { Problem } from '#domain/problem.ts';
import type { Store } from '#domain/store.ts';
import { type Anchors, anchorsOf } from './anchors.ts';
import { type ImportNote, noteOf } from './note.ts';
import { nameOf, titleOf } from './title.ts';
import { type LeftOut, readDocument, type Source, type Tree } from './walk.ts';

export interface PlannedPage {
  /** Of its document; `folder/` for a folder without one. */
  source: string;
  format: Format | undefined;
  /** Where it is, or will be. */
  path: string;
  parentPath: string | null;
  title: string;
  /** SHA-256 of the document's bytes. */
  sha256: string;
  anchors: Anchors;
  /** The page made by an earlier run. */
  existing: { page: Page; note: ImportNote } | undefined;
  files: PlannedFile[];
}

export interface PlannedFile {
  source: string;
  /** Unique on its page. */
  filename: string;
}

export interface Plan {
  /** Parents before children. */
  pages: PlannedPage[];
  leftOut: LeftOut[];
}

interface Folder {
  /** `''` for the root, else with a slash at the end. */
  source: string;
  name: string;
  documents: Source[];
  files: Source[];
  folders: Folder[];
  hasDocuments: boolean;
}

export async function planImport(
  store: Store,
  root: { folder: string; name: string },
  tree: Tree,
  parentPath: string | null,
  onDocument: () => void,
): Promise<Plan> {
  const plan: Plan = { pages: [], leftOut: [...tree.leftOut] };
  const taken = new Set<string>();

  /** Plans a document or bare folder; undefined if it cannot be: then it is among `leftOut`. */
  async function planPage(
    source: string,
    document: Source | undefined,
    name: string,
    path: string,
    parent: string | null,
  ): Promise<PlannedPage | undefined> {
    try {
      const read = readPath(path);
      if ('problem' in read) throw new Problem('invalid', read.problem);
      taken.add(read.path);
      const at = await findPlace(store, read.path, source);
      const { text, bytes } = await readPage(root.folder, { source, format: document?.format });
      const headings = sectionsOf({ body: text, path: read.path });
      const page: PlannedPage = {
        source,
        format: document?.format,
        path: at.path,
        parentPath: parent,
        title: titleOf(text, headings, nameOf(name)),
        sha256: createHash('sha256').update(bytes).digest('hex'),
        anchors: anchorsOf(headings),
        existing: at.existing,
        files: [],
      };
      plan.pages.push(page);
      taken.add(page.path);
      return page;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      plan.leftOut.push({ source, why: error.message, isRefusal: true });
      return undefined;
    } finally {
      onDocument();
    }
  }

  /** `home`: the page to which loose files belong; null where there is none. `parent`: path for the pages in it. */
  async function planFolder(
    folder: Folder,
    own: Source | undefined,
    home: PlannedPage | null,
    parent: string | null,
  ): Promise<void> {
    const pages = new Map<string, PlannedPage>();
    for (const document of folder.documents) {
      if (document === own) continue;
      const stem = stemOf(document.source);
      const path = freePath(taken, parent, stem);
      const page = await planPage(document.source, document, stem, path, parent);
      if (page) pages.set(stem, page);
    }
    const loose = home ?? indexOf(folder, pages);
    attach(plan, folder.files, loose);
    for (const child of folder.folders) {
      const beside = pages.get(child.name);
      if (beside || !child.hasDocuments) {
        await planFolder(child, undefined, beside ?? loose, beside?.path ?? parent);
        continue;
      }
      const index = ownDocument(child);
      const path = freePath(taken, parent, child.name);
      const page = await planPage(index?.source ?? child.source, index, child.name, path, parent);
      // Beneath a page that could not be made, nothing else can.
      if (page) await planFolder(child, index, page, page.path);
      else leaveOut(plan, child, index, `the page of its folder ${child.source} could not be made`);
    }
  }

  const folder = folderOf(tree, root.name);
  const above = await planRoot(folder);
  await planFolder(folder, above.own, above.home, parentPath);
  return plan;

  /** The page at `--parent`, if it is the import's to make, and pages for the missing ones above it. */
  async function planRoot(folder: Folder): Promise<{ own: Source | undefined; home: PlannedPage | null }> {
    if (parentPath === null) return { own: undefined, home: null };
    const segments = parentPath.slice(1).split('/');
    let above: string | null = null;
    for (const [index, segment] of segments.entries()) {
      const path = `/${segments.slice(0, index + 1).join('/')}`;
      const isLast = index === segments.length - 1;
      const own = isLast ? ownDocument(folder) : undefined;
      const source = own?.source ?? (isLast ? './' : `${path}/`);
      const there = await store.pages.findByPath(path);
      const isOurs = there !== undefined && isSame(noteOf(there)?.source, source);
      if (!there || isOurs) {
        const page = await planPage(source, own, isLast ? root.name : segment, path, above);
        if (isLast) return { own, home: page ?? null };
      }
      above = path;
    }
    return { own: undefined, home: null };
  }
}

/** The text of a page; folders without a document list what lies beneath them. */
export async function readPage(root: string, page: Pick<PlannedPage, 'source' | 'format'>) {
  return page.format === undefined
    ? { text: '{{Children}}\n', bytes: new Uint8Array() }
    : readDocument(root, page.source);
}

/** Where a page of this source is or may be made. Refuses `path-taken`. */
async function findPlace(
  store: Store,
  path: string,
  source: string,
): Promise<Pick<PlannedPage, 'path' | 'existing'>> {
  const everything = { upTo: 3, ownerId: null } as const;
  const page = await store.pages.findByPath(path);
  const candidate = page ?? (await store.pages.findByAlias(path, everything));
  const note = candidate && noteOf(candidate);
  if (candidate && note && isSame(note.source, source)) {
    return { path: candidate.path, existing: { page: candidate, note } };
  }
  if (page) throw new Problem('path-taken', `${path} is taken by a page that does not come from this import`);
  return { path, existing: undefined };
}

/** A folder's page stays the same page when a document comes to speak for the folder. */
function isSame(noted: string | undefined, source: string): boolean {
  if (noted === source) return true;
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  const stem = stemOf(source);
  return noted === (isIndex(stem) ? folder || './' : `${folder}${stem}/`);
}

/** `Oak.wiki` and `oak.mediawiki` would be one path: the later one in order of name gets a number. */
function freePath(taken: Set<string>, parent: string | null, name: string): string {
  const path = `${parent ?? ''}/${slugOf(name) || name}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${path}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function attach(plan: Plan, files: Source[], home: PlannedPage | null): void {
  for (const { source } of files) {
    if (!home) {
      plan.leftOut.push({ source, why: 'there is no page in its folder to attach it to' });
      continue;
    }
    const base = cleanFilename(source) || 'file';
    const taken = new Set(home.files.map((file) => file.filename));
    // Files of folders without pages meet on one page: the folder's name tells them apart.
    const folder = source.split('/').slice(0, -1).join('-');
    let filename = base;
    for (let number = 1; taken.has(filename); number++) {
      filename = cleanFilename(number === 1 ? `${folder}-${base}` : `${number}-${folder}-${base}`);
    }
    home.files.push({ source, filename });
  }
}

function leaveOut(plan: Plan, folder: Folder, own: Source | undefined, why: string): void {
  for (const { source } of [...folder.documents, ...folder.files]) {
    if (source !== own?.source) plan.leftOut.push({ source, why, isRefusal: true });
  }
  for (const child of folder.folders) leaveOut(plan, child, undefined, why);
}

function folderOf(tree: Tree, rootName: string): Folder {
  const make = (source: string, name: string): Folder => {
    return { source, name, documents: [], files: [], folders: [], hasDocuments: false };
  };
  const root = make('', rootName);
  const folders = new Map([['', root]]);
  const at = (source: string): Folder => {
    const known = folders.get(source);
    if (known) return known;
    const segments = source.slice(0, -1).split('/');
    const folder = make(source, segments.at(-1) ?? '');
    folders.set(source, folder);
    const parent = segments.slice(0, -1).join('/');
    at(parent === '' ? '' : `${parent}/`).folders.push(folder);
    return folder;
  };
  const folderSource = (source: string) => source.slice(0, source.lastIndexOf('/') + 1);
  for (const file of tree.files) at(folderSource(file.source)).files.push(file);
  for (const document of tree.documents) {
    const source = folderSource(document.source);
    at(source).documents.push(document);
    for (let end = source.length; end >= 0; end = end === 0 ? -1 : source.lastIndexOf('/', end - 2) + 1) {
      at(source.slice(0, end)).hasDocuments = true;
    }
  }
  for (const { folders: children } of folders.values()) children.sort((a, b) => (a.name < b.name ? -1 : 1));
  return root;
}

/** The document that speaks for its folder. */
function ownDocument(folder: Folder): Source | undefined {
  return folder.documents.find(({ source }) => isIndex(stemOf(source)));
}

function indexOf(folder: Folder, pages: Map<string, PlannedPage>): PlannedPage | null {
  const own = ownDocument(folder);
  return (own && pages.get(stemOf(own.source))) ?? null;
}

function isIndex(stem: string): boolean {
  return /^(readme|index)$/i.test(stem);
}

/** Name without folder and extension. */
export function stemOf(source: string): string {
  const name = source.slice(source.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
