/** Executes a plan, with many new pages per transaction, and counts the results. */

import { createHash } from 'node:crypto';
import { derive } from '#core/content/derive.ts';
import type { Derived } from '#core/model/derived.ts';
import type { AttachedFile, Page } from '#core/model/page.ts';
import { initialContent } from '#core/model/page-fields.ts';
import type { Attachment } from '#core/model/page-input.ts';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { createPage } from '#core/pages/create-page.ts';
import { createPages } from '#core/pages/create-pages.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Store } from '#core/ports/store.ts';
import { hashOf, withNote } from '#import/note.ts';
import { slicesOf } from '#import/slices.ts';
import type { OpenWiki } from '../command/context.ts';
import type { DocumentPool } from './document-pool.ts';
import type { ImportNote } from './note.ts';
import type { Plan, PlannedFile, PlannedPage } from './planned-page.ts';
import { messageFor, type PageReaderOptions, type ReadPage } from './read.ts';
import { type LeftOut, openSource } from './walk.ts';

export interface ImportOptions extends Omit<PageReaderOptions, 'dialect' | 'origin'> {
  actor: NonNullable<Actor>;
  isDry: boolean;
  /** Whether edits made in the wiki are overwritten. */
  isForced: boolean;
  maxFileBytes: number;
  clock: () => number;
}

export interface ImportResult {
  created: number;
  changed: number;
  unchanged: number;
  /** Paths of pages that were skipped because they were edited in the wiki. */
  edited: string[];
  filesAttached: number;
  /** Number of links rewritten to imported pages and files. */
  linksRewritten: number;
  /** Number of links of imported pages that lead to pages, and of those that do not. */
  linksResolved: number;
  linksWanted: number;
  /** Targets without a page, most frequent first. */
  wanted: { target: string; count: number }[];
  leftOut: LeftOut[];
}

/** Limits of one transaction, which blocks other writers and is in memory several times. */
const atOnce = {
  ofMany: { pages: 250, bytes: 8_000_000 },
  bulkLoad: { pages: 2000, bytes: 16_000_000 },
};
/** Number of documents from which an empty wiki is bulk-loaded: see the port. */
const documentsToFillWith = 2000;

export async function runImport(
  wiki: OpenWiki,
  plan: Plan,
  options: ImportOptions,
  pool: DocumentPool,
  onPage: () => void,
): Promise<ImportResult> {
  const links = new Links(wiki.store.dialect);
  const refused = new Set<string>();
  const result: ImportResult = {
    ...{ created: 0, changed: 0, unchanged: 0, filesAttached: 0 },
    ...{ linksRewritten: 0, linksResolved: 0, linksWanted: 0 },
    ...{ edited: [], wanted: [], leftOut: [...plan.leftOut] },
  };
  const refuse = (page: PlannedPage, error: unknown) => {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
    // If a parent was refused, each descendant is reported in one sentence.
    const isBeneath = page.parentPath !== null && refused.has(page.parentPath);
    refused.add(page.path);
    const why = isBeneath ? `its parent ${page.parentPath} was refused` : error.message;
    result.leftOut.push({ source: page.source, why, isRefusal: true });
  };

  let waiting: NewDocument[] = [];
  let waitingBytes = 0;
  const write = async () => {
    const batch = waiting;
    waiting = [];
    waitingBytes = 0;
    if (batch.length === 0) return;
    const drafts = batch.map(({ draft }) => draft);
    const ends = await createPages(wiki.store, wiki.files, options.actor, drafts, options.clock());
    for (const [i, end] of ends.entries()) {
      const { page, note } = batch[i] as NewDocument;
      if (end instanceof Problem) refuse(page, end);
      else {
        result.created++;
        result.linksRewritten += note.links;
        links.add(page, end.derived);
      }
      onPage();
    }
  };

  const isBulkLoading =
    !options.isDry &&
    plan.pages.length >= documentsToFillWith &&
    (await wiki.store.maintenance.beginBulkLoad());
  const most = isBulkLoading ? atOnce.bulkLoad : atOnce.ofMany;
  const { folder, permissions } = options;
  const readOptions = { folder, permissions, origin: plan.origin, dialect: wiki.store.dialect };
  for await (const [page, read] of pool.read(plan.pages, readOptions)) {
    try {
      if ('refusal' in read) throw new Problem('invalid', read.refusal);
      if (!page.existing && page.files.length === 0 && !options.isDry) {
        waiting.push({ page, ...read });
        waitingBytes += page.sizeBytes;
        if (waiting.length >= most.pages || waitingBytes >= most.bytes) await write();
        continue;
      }
      await write();
      await importPage(wiki, page, read, options, result, links);
    } catch (error) {
      refuse(page, error);
    }
    onPage();
  }
  await write();
  if (isBulkLoading) await wiki.store.maintenance.endBulkLoad();
  if (!options.isDry) await links.count(wiki, options, result);
  return result;
}

interface NewDocument extends ReadPage {
  page: PlannedPage;
}

async function importPage(
  wiki: OpenWiki,
  page: PlannedPage,
  { draft, note }: ReadPage,
  options: ImportOptions,
  result: ImportResult,
  links: Links,
): Promise<void> {
  const { body = '' } = draft.input;
  result.linksRewritten += note.links;
  const { existing } = page;
  if (!existing) {
    const files = await storeFiles(wiki, page.files, [], options, result);
    if (!options.isDry) {
      const input = { ...draft.input, files };
      await createPage(wiki.store, wiki.files, options.actor, input, options.clock());
    }
    result.created++;
    result.filesAttached += files.length;
    links.note({ page, title: page.title, body });
    return;
  }
  const [whole] = await wiki.store.readAsSystem().pages.load([existing.page.id], 'none');
  const files = await storeFiles(wiki, page.files, whole?.files ?? [], options, result);
  const { content } = existing.page;
  const wasEdited = hashOf(content.body) !== existing.note.body;
  const isNews = note.sha256 !== existing.note.sha256 || note.links > existing.note.links;
  const writesBody = (options.isForced || (isNews && !wasEdited)) && content.body !== body;
  if (isNews && wasEdited && !options.isForced) result.edited.push(page.path);
  const kept = writesBody || options.isForced ? body : content.body;
  links.note({ page, title: content.title, body: kept });
  if (!writesBody && files.length === 0) {
    if (!(isNews && wasEdited)) result.unchanged++;
    return;
  }
  if (!options.isDry)
    await edit(wiki, existing, page, writesBody ? { body, note } : undefined, files, options);
  result.changed++;
  result.filesAttached += files.length;
}

/** `news` undefined: only attaches files. A title changed in the wiki is kept. */
async function edit(
  { store, files }: OpenWiki,
  existing: { page: Page; note: ImportNote },
  page: PlannedPage,
  news: { body: string; note: ImportNote } | undefined,
  attachments: Attachment[],
  { actor, clock }: ImportOptions,
): Promise<void> {
  const { content } = existing.page;
  const hasOwnTitle = content.title !== existing.note.title;
  const input = {
    ...{ files: attachments, msg: messageFor(page) },
    ...(news ? { body: news.body, data: withNote(content.data, news.note) } : {}),
    ...(news && !hasOwnTitle ? { title: page.title } : {}),
  };
  await saveEdit(store, files, actor, page.path, input, clock());
}

/** Stores files that the page does not have yet. If one fails, only that file is left out. */
async function storeFiles(
  { files }: OpenWiki,
  planned: PlannedFile[],
  attached: AttachedFile[],
  options: ImportOptions,
  result: ImportResult,
): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const { source, filename } of planned) {
    try {
      const hash = await hashOfSource(options.folder, source, options.maxFileBytes);
      if (attached.some((file) => file.filename === filename && file.hash === hash)) continue;
      const blob = options.isDry
        ? { hash, sizeBytes: 0, md5: '' }
        : await files.store.put(await streamOf(options.folder, source), options.maxFileBytes);
      attachments.push({ file: { filename, blob } });
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
      result.leftOut.push({ source, why: error.message, isRefusal: true });
    }
  }
  return attachments;
}

async function streamOf(folder: string, source: string): Promise<AsyncIterable<Uint8Array>> {
  return (await openSource(folder, source)).createReadStream();
}

async function hashOfSource(folder: string, source: string, maxBytes: number): Promise<string> {
  const sha256 = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of await streamOf(folder, source)) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes)
      throw new Problem('too-large', `it has more than ${maxBytes} bytes (COPPICE_MAX_UPLOAD)`);
    sha256.update(chunk);
  }
  return sha256.digest('hex');
}

/** Link targets of the imported pages. */
class Links {
  readonly #counts = new Map<string, number>();
  /** Targets known to lead to a page. */
  readonly #known = new Set<string>();
  readonly #dialect: Store['dialect'];

  constructor(dialect: Store['dialect']) {
    this.#dialect = dialect;
  }

  /** Adds a page that was just created. */
  add({ title, path }: PlannedPage, derived: Derived): void {
    this.#known.add(title).add(path);
    this.#add(derived);
  }

  note({ page, title, body }: { page: PlannedPage; title: string; body: string }): void {
    const { path, parentPath, format = 'wikitext' } = page;
    const content = {
      ...initialContent({ isPrivate: false }),
      title,
      path,
      body,
      format,
      parent: parentPath,
    };
    this.#add(derive(content, this.#dialect).derived);
  }

  #add({ links }: Derived): void {
    for (const { kind, target, count } of links) {
      if (kind === 'page') this.#counts.set(target, (this.#counts.get(target) ?? 0) + count);
    }
  }

  async count({ store }: OpenWiki, { actor }: ImportOptions, result: ImportResult): Promise<void> {
    const asked: string[] = [];
    for (const [target, count] of this.#counts) {
      if (this.#known.has(target)) result.linksResolved += count;
      else asked.push(target);
    }
    for (const slice of slicesOf(asked)) {
      const found = await store.readAs(actor).links.resolve(slice);
      for (const target of slice) {
        const count = this.#counts.get(target) ?? 0;
        if (found.has(target)) result.linksResolved += count;
        else {
          result.linksWanted += count;
          result.wanted.push({ target, count });
        }
      }
    }
    result.wanted.sort((a, b) => b.count - a.count);
  }
}
