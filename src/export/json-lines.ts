/**
 * A wiki as JSON lines, as far as one reader may read it: pages in tree order, their changes, their files with bytes. Each field is
 * named here, so that nothing gets out by being added to a row. `docs/export.md` is the description for others.
 */
import type { AttachedFile, Change, PageOutline } from '#domain/pages/page.ts';
import type { FileStore } from '#domain/ports/file-store.ts';
import type { TreePosition } from '#domain/ports/list-reads.ts';
import type { Reader } from '#domain/reader.ts';

export interface ExportSource {
  /** A new one for each batch, as a reader remembers what it has read. */
  reader(): Reader;
  files: FileStore;
}

/** Numbers of what was written. `missing`: names of files that have no bytes. */
export interface ExportCounts {
  pages: number;
  changes: number;
  files: number;
  missing: string[];
}

/** In memory at a time: so many pages without their contents, changes of at most 16 MB, or one piece of a file. */
const pagesAtATime = 50;
const changesAtATime = 100;
/** A multiple of three, so that pieces of base64 can be joined. */
const pieceBytes = 196_608;

/** Lines, each with its line feed. `top`: the page of which, with all beneath it, they are; null for the whole wiki. */
export async function* exportLines(
  source: ExportSource,
  top: TreePosition | null,
  counts: ExportCounts = newCounts(),
): AsyncGenerator<string> {
  yield line({ kind: 'export', version: 1, ancestor: top?.id ?? null });
  for await (const ids of batches(source, top)) {
    const reader = source.reader();
    const pages = await reader.pages.outlines(ids);
    for (const page of pages) yield line(pageLine(page));
    counts.pages += pages.length;
    const names = new Set<string>();
    let after: Change | null = null;
    while (true) {
      const changes: Change[] = await reader.changes.listOfPages(pages, after, changesAtATime);
      const last = changes.at(-1);
      if (!last) break;
      for (const change of changes) {
        yield line(changeLine(change));
        for (const name of change.content.files ?? []) names.add(name);
      }
      counts.changes += changes.length;
      after = last;
    }
    for (const file of await filesNamed(reader, [...names])) yield* fileLines(source.files, file, counts);
  }
  yield line({ kind: 'end', pages: counts.pages, changes: counts.changes, files: counts.files });
}

export function newCounts(): ExportCounts {
  return { pages: 0, changes: 0, files: 0, missing: [] };
}

async function* batches({ reader }: ExportSource, top: TreePosition | null): AsyncGenerator<number[]> {
  if (top) yield [top.id];
  let after: TreePosition | null = null;
  while (true) {
    const found: TreePosition[] = await reader().lists.inTreeOrder(top, after, pagesAtATime);
    const last = found.at(-1);
    if (!last) return;
    yield found.map(({ id }) => id);
    after = last;
  }
}

/** By page and name, whatever the engine's order. */
async function filesNamed(reader: Reader, names: string[]): Promise<AttachedFile[]> {
  const files = names.length === 0 ? [] : await reader.files.named(names);
  return files.sort((a, b) => a.pageId - b.pageId || (a.name < b.name ? -1 : 1));
}

async function* fileLines(
  store: FileStore,
  file: AttachedFile,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const bytes = await store.open(file.hash);
  counts.files++;
  if (!bytes) counts.missing.push(file.name);
  const { name, pageId, filename, hash, mime, sizeBytes, width, height, uploaderId } = file;
  yield line({
    ...{ kind: 'file', name, page: pageId, filename, hash, mime, size: sizeBytes, width, height },
    ...{ uploaded: time(file.uploadedAt), uploader: uploaderId, ...(bytes ? {} : { missing: true }) },
  });
  for await (const piece of piecesOf(bytes ?? []))
    yield line({ kind: 'bytes', file: name, base64: piece.toString('base64') });
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array> | Uint8Array[]): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    for (; held.length >= pieceBytes; held = held.subarray(pieceBytes)) yield held.subarray(0, pieceBytes);
  }
  if (held.length > 0) yield held;
}

function pageLine(page: PageOutline): object {
  const { id, path, title, slug, description, type, location, parentId, permissions, owner, likes } = page;
  return {
    ...{ kind: 'page', id, path, title, slug, description, type, location, parent: parentId, permissions },
    owner: { id: owner.id, name: owner.name },
    ...{ created: time(page.createdAt), updated: time(page.updatedAt), change: page.changeId, likes },
  };
}

function changeLine({ id, pageId, at, editor, content }: Change): object {
  const { title, slug, path, parent, description, type, permissions, location } = content;
  const { format, data, image, msg, files = [], body } = content;
  return {
    ...{ kind: 'change', id, page: pageId, at: time(at), editor: { id: editor.id, name: editor.name }, msg },
    ...{ title, slug, path, parent, description, type, permissions, location, format, data, image, files },
    body,
  };
}

function time(at: number): string {
  return new Date(at).toISOString();
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
