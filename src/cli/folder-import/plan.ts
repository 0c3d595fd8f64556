/**
 * Plans the pages of a folder: one for each document, at the path given by folders and file names.
 *
 * - The folder itself is the page at `--parent`, created from its README or index if that page does not exist.
 * - `bip-0341.mediawiki` is the page of the folder `bip-0341/` beside it, whose contents belong beneath it.
 * - A folder without its own document becomes a page if it contains documents; otherwise its files belong to the page of
 *   the folder around it.
 * - An existing page is recognised by the source recorded in its `data.import`, even after it has moved.
 */
import { hash } from 'node:crypto';
import { readNewPath, slugOf } from '#core/model/path.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { count } from '#import/earlier-pages.ts';
import { freeFilename } from '#import/folder-paths.ts';
import { decide, originOf, type Tally } from '#import/origin.ts';
import { slicesOf } from '#import/slices.ts';
import type { DocumentPool, ParsedDocument } from './document-pool.ts';
import { type ImportNote, noteOf } from './note.ts';
import { type Plan, type PlannedPage, stemOf } from './planned-page.ts';
import { nameOf, titleOf } from './title.ts';
import type { Source, Tree } from './walk.ts';

interface Folder {
  /** Empty for the root, otherwise with a trailing slash. */
  source: string;
  name: string;
  documents: Source[];
  files: Source[];
  folders: Folder[];
  hasDocuments: boolean;
}

/** A page that may be planned: a document, or a folder without one. */
interface Candidate {
  source: string;
  document: Source | undefined;
  name: string;
}

/** Result for a folder without a document. */
const nothing: ParsedDocument = { title: { heading: '' }, sha256: hash('sha256', ''), sizeBytes: 0 };

export async function planImport(
  store: Store,
  pool: DocumentPool,
  root: Root,
  tree: Tree,
  parentPath: string | null,
  onDocument: () => void,
): Promise<Plan> {
  const documents = new Map<string, ParsedDocument>();
  // All folders at once; folder by folder, threads and store would wait for each other.
  for await (const [{ source }, parsed] of pool.parse(root.folder, tree.documents)) {
    documents.set(source, parsed);
    onDocument();
  }
  const origin = originOf({}, { given: root.source, place: root.folder });
  const plan = (isOurs: (note: ImportNote) => boolean) =>
    planTree(store, { root, tree, parentPath, documents, isOurs });
  // Pages with the same sources and paths, whichever import made them.
  const alike = await plan(() => true);
  const tallies = new Map<string, Tally>();
  for (const { source, sha256, existing } of alike.pages)
    if (existing && !source.endsWith('/'))
      count(tallies, nameIn(existing.note), sha256, existing.note.sha256);
  const decision = decide(origin, tallies, alike.pages.filter(({ format }) => format !== undefined).length);
  const unclear = 'unclear' in decision ? decision.unclear : [];
  const name = ('continues' in decision ? decision.continues : undefined) ?? origin.name;
  const isForeign = [...tallies.keys()].some((one) => one !== name);
  const pages = isForeign ? await plan((note) => unclear.length === 0 && nameIn(note) === name) : alike;
  return { ...pages, origin: name, unclear };
}

function nameIn({ origin }: ImportNote): string {
  return origin ?? 'wikitext';
}

interface Root {
  folder: string;
  name: string;
  /** Name that the importer gave the folder. */
  source?: string | undefined;
}

interface Surroundings {
  root: Root;
  tree: Tree;
  parentPath: string | null;
  documents: ReadonlyMap<string, ParsedDocument>;
  /** Whether pages with this record come from this folder. */
  isOurs: (note: ImportNote) => boolean;
}

async function planTree(
  store: Store,
  { root, tree, parentPath, documents, isOurs }: Surroundings,
): Promise<Pick<Plan, 'pages' | 'leftOut'>> {
  const plan: Pick<Plan, 'pages' | 'leftOut'> = { pages: [], leftOut: [...tree.leftOut] };
  const taken = new Set<string>();
  const isEmpty = (await store.maintenance.pagesAfter(0, 1)).length === 0;

  /** Paths without a current or former page, for candidates with the same parent: a single query for thousands of pages. */
  async function freePaths(candidates: Candidate[], parent: string | null): Promise<Set<string>> {
    const paths = candidates.map(({ name }) => pathFor(parent, name));
    const resolved = isEmpty ? new Map() : await store.readAsSystem().links.resolve(paths);
    return new Set(paths.filter((path) => !resolved.has(path)));
  }

  /** Plans a document or folder; returns undefined if it is impossible, with an entry in `leftOut`. */
  async function planPage(
    { source, document, name }: Candidate,
    path: string,
    parent: string | null,
    free: Set<string>,
  ): Promise<PlannedPage | undefined> {
    try {
      const read = readNewPath(path);
      if ('problem' in read) throw new Problem('invalid', read.problem);
      taken.add(read.path);
      const isNew = free.has(read.path);
      const at = isNew
        ? { path: read.path, existing: undefined }
        : await findPlace(store, read.path, source, isOurs);
      const parsed = (document && documents.get(source)) ?? nothing;
      if ('refusal' in parsed) throw new Problem('invalid', parsed.refusal);
      const page: PlannedPage = {
        ...{ source, format: document?.format, path: at.path, parentPath: parent },
        ...{ title: titleOf(parsed.title, nameOf(name)), sha256: parsed.sha256 },
        ...{ sizeBytes: parsed.sizeBytes, existing: at.existing, files: [] },
      };
      plan.pages.push(page);
      taken.add(page.path);
      return page;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      plan.leftOut.push({ source, why: error.message, isRefusal: true });
      return undefined;
    }
  }

  /** `home`: page for loose files; null if there is none. `parent`: path of the parent of its pages. */
  async function planFolder(
    folder: Folder,
    own: Source | undefined,
    home: PlannedPage | null,
    parent: string | null,
  ): Promise<void> {
    const pages = new Map<string, PlannedPage>();
    const others = folder.documents.filter((document) => document !== own);
    for (const some of slicesOf(others.map(candidateOf))) {
      const free = await freePaths(some, parent);
      for (const candidate of some) {
        const page = await planPage(candidate, freePath(taken, parent, candidate.name), parent, free);
        if (page) pages.set(candidate.name, page);
      }
    }
    const loose = home ?? indexOf(folder, pages);
    attach(plan, folder.files, loose);
    for (const children of slicesOf(folder.folders)) {
      const free = await freePaths(
        children.filter((child) => child.hasDocuments && !pages.has(child.name)).map(pageOfFolder),
        parent,
      );
      for (const child of children) {
        const beside = pages.get(child.name);
        if (beside || !child.hasDocuments) {
          await planFolder(child, undefined, beside ?? loose, beside?.path ?? parent);
          continue;
        }
        const candidate = pageOfFolder(child);
        const page = await planPage(candidate, freePath(taken, parent, child.name), parent, free);
        // Without this page its descendants cannot be created.
        if (page) await planFolder(child, candidate.document, page, page.path);
        else {
          const why = `the page of its folder ${child.source} could not be made`;
          leaveOut(plan, child, candidate.document, why);
        }
      }
    }
  }

  const folder = folderOf(tree, root.name);
  const above = await planRoot(folder);
  await planFolder(folder, above.own, above.home, parentPath);
  return plan;

  /** The page at `--parent`, if the import creates it, and pages for its missing ancestors. */
  async function planRoot(folder: Folder): Promise<{ own: Source | undefined; home: PlannedPage | null }> {
    if (parentPath === null) return { own: undefined, home: null };
    const segments = parentPath.slice(1).split('/');
    let above: string | null = null;
    for (const [index, segment] of segments.entries()) {
      const path = `/${segments.slice(0, index + 1).join('/')}`;
      const isLast = index === segments.length - 1;
      const own = isLast ? ownDocument(folder) : undefined;
      const source = own?.source ?? (isLast ? './' : `${path}/`);
      const there = await store.readAsSystem().pages.findByPath(path);
      const note = there && noteOf(there);
      if (!there || (note && isSame(note.source, source) && (source.endsWith('/') || isOurs(note)))) {
        const candidate = { source, document: own, name: isLast ? root.name : segment };
        const page = await planPage(candidate, path, above, await freePaths([candidate], above));
        if (isLast) return { own, home: page ?? null };
      }
      above = path;
    }
    return { own: undefined, home: null };
  }
}

function candidateOf(document: Source): Candidate {
  return { source: document.source, document, name: stemOf(document.source) };
}

function pageOfFolder(folder: Folder): Candidate {
  const document = ownDocument(folder);
  return { source: document?.source ?? folder.source, document, name: folder.name };
}

/** Path of the existing page of this source, or a free one. Refuses `path-taken`. */
async function findPlace(
  store: Store,
  path: string,
  source: string,
  isOurs: (note: ImportNote) => boolean,
): Promise<Pick<PlannedPage, 'path' | 'existing'>> {
  const page = await store.readAsSystem().pages.findByPath(path);
  const candidate = page ?? (await store.readAsSystem().pages.findByAlias(path));
  const note = candidate && noteOf(candidate);
  if (candidate && note && isSame(note.source, source) && (source.endsWith('/') || isOurs(note))) {
    return { path: candidate.path, existing: { page: candidate, note } };
  }
  if (page) throw new Problem('path-taken', `${path} is taken by a page that does not come from this import`);
  return { path, existing: undefined };
}

/** A folder's page stays the same when the folder gets a document of its own. */
function isSame(noted: string | undefined, source: string): boolean {
  if (noted === source) return true;
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  const stem = stemOf(source);
  return noted === (isIndex(stem) ? folder || './' : `${folder}${stem}/`);
}

/** `Oak.wiki` and `oak.mediawiki` would have the same path: the later one by name gets a number. */
function freePath(taken: Set<string>, parent: string | null, name: string): string {
  const path = pathFor(parent, name);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${path}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function pathFor(parent: string | null, name: string): string {
  return `${parent ?? ''}/${slugOf(name) || name}`;
}

function attach(plan: Pick<Plan, 'pages' | 'leftOut'>, files: Source[], home: PlannedPage | null): void {
  for (const { source } of files) {
    if (!home) {
      plan.leftOut.push({ source, why: 'there is no page in its folder to attach it to' });
      continue;
    }
    home.files.push({ source, filename: freeFilename(source, home.files) });
  }
}

function leaveOut(plan: Pick<Plan, 'leftOut'>, folder: Folder, own: Source | undefined, why: string): void {
  for (const { source } of [...folder.documents, ...folder.files]) {
    if (source !== own?.source) plan.leftOut.push({ source, why, isRefusal: true });
  }
  for (const child of folder.folders) leaveOut(plan, child, undefined, why);
}

function folderOf(tree: Tree, rootName: string): Folder {
  const make = (source: string, name: string): Folder => ({
    ...{ source, name, documents: [], files: [], folders: [], hasDocuments: false },
  });
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

/** The folder's own document. */
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
