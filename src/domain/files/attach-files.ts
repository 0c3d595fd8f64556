/**
 * Attaches uploads to a page: looks at what the bytes are, makes thumbnails, names the file. The bytes are in the
 * file store before any row names them; uploads of refused requests are swept by `coppice rebuild`.
 */

import type { AttachedFile, Content } from '../pages/page.ts';
import type { Attachment, Upload } from '../pages/page-input.ts';
import type { FileProbe, FileStore } from '../ports/file-store.ts';
import { invalid } from '../problem.ts';

export interface Files {
  store: FileStore;
  probe: FileProbe;
}

/** A file looked at, lacking only the page it belongs to. */
export type PreparedFile = Omit<AttachedFile, 'pageId' | 'name' | 'thumbnail'>;

/** Before the transaction: reading and shrinking images takes long and needs no lock. */
export async function prepareFiles(
  files: Files,
  attachments: Attachment[],
  uploaderId: number,
  now: number,
): Promise<PreparedFile[]> {
  const prepared: PreparedFile[] = [];
  for (const { file, thumbnail } of attachments) {
    const { hash, sizeBytes } = file.blob;
    const identified = await files.probe.identify(files.store, hash, file.filename);
    const small = identified.dimensions ? await makeThumbnail(files, thumbnail, hash) : undefined;
    prepared.push({
      filename: file.filename,
      hash,
      mime: identified.mime,
      sizeBytes,
      width: identified.dimensions?.width ?? null,
      height: identified.dimensions?.height ?? null,
      thumbnailHash: small?.hash ?? null,
      thumbnailMime: small?.mime ?? null,
      uploadedAt: now,
      uploaderId,
    });
  }
  return prepared;
}

/**
 * The names of the files that a page has after a change that uploads these, and the new ones among them. `page` is as it was
 * before the change; `files` are those that it had. An upload of the same file name takes the place of the file, and one of the
 * very same bytes changes nothing.
 */
export function withUploads(
  page: { id: number; changeId: number },
  files: AttachedFile[],
  uploads: PreparedFile[],
): { names: string[]; added: AttachedFile[] } {
  const after = new Map(files.map((file) => [file.filename, file]));
  for (const [index, upload] of uploads.entries()) {
    const there = after.get(upload.filename);
    if (there && there.hash === upload.hash && there.thumbnailHash === upload.thumbnailHash) continue;
    const name = storedName(page, index, upload);
    const thumbnail = upload.thumbnailHash && `thumb-${name}.webp`;
    after.set(upload.filename, { ...upload, pageId: page.id, name, thumbnail });
  }
  // In one order, so that equal files are stated alike.
  const all = [...after.values()].sort((a, b) => (a.filename < b.filename ? -1 : 1));
  return { names: all.map(({ name }) => name), added: all.filter((file) => !files.includes(file)) };
}

/** The files that are left when these are taken away. Refuses `invalid` for one that the page does not have. */
export function withoutRemoved(
  page: { path: string },
  files: AttachedFile[],
  removed: readonly string[],
): AttachedFile[] {
  const gone = new Set(removed);
  const missing = removed.filter(
    (name) => !files.some((file) => file.name === name || file.filename === name),
  );
  if (missing.length > 0)
    throw invalid(
      '/removeFiles',
      `The page at ${page.path} has no file ${missing.slice(0, 10).join(', ')}: nothing was changed.`,
    );
  return files.filter(({ name, filename }) => !gone.has(name) && !gone.has(filename));
}

/** The content with these files. */
export function contentWith({ files: _, ...content }: Content, names: string[]): Content {
  return names.length === 0 ? content : { ...content, files: names };
}

/** A given thumbnail is shrunk and stripped like one of ours; one that is no image counts for nothing. */
async function makeThumbnail(files: Files, given: Upload | undefined, hash: string) {
  const fromGiven = given && (await files.probe.thumbnail(files.store, given.blob.hash));
  return fromGiven ?? (await files.probe.thumbnail(files.store, hash));
}

/**
 * Unique because each change of a page follows another one: what was cached for ever under a name stays true. The
 * caller's name is kept readable at the end, reduced to what every client can take.
 */
function storedName(
  page: { id: number; changeId: number },
  index: number,
  { filename, hash }: PreparedFile,
): string {
  const readable = filename
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(-60);
  return `${page.id}-${hash.slice(0, 16)}-${page.changeId}-${index}-${readable || 'file'}`;
}
