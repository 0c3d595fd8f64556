/**
 * Attaches uploads to a page: detects the type of the bytes, makes thumbnails, chooses a name. The bytes are stored before any
 * row refers to them; `coppice rebuild` removes the uploads of refused requests.
 */

import { say } from '#words/say.ts';
import type { AttachedFile, Content } from '../model/page.ts';
import type { Attachment, Upload } from '../model/page-input.ts';
import { invalid } from '../model/problem.ts';
import type { Files } from '../ports/file-store.ts';

/** A processed file that is not attached to a page yet. `shownAs`: name by which a view of a proposal serves it. */
export type PreparedFile = Omit<AttachedFile, 'pageId' | 'name' | 'thumbnail'> & { shownAs?: string };

/** Runs before the transaction, because decoding and shrinking images is slow and needs no lock. */
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
 * Returns the file names of a page after a change with these uploads, and the new ones among them. `page` is the state before
 * the change; `files` are its files. An upload replaces a file of the same name; identical bytes change nothing.
 */
export function withUploads(
  page: { id: number; changeId: number },
  files: AttachedFile[],
  uploads: PreparedFile[],
): { names: string[]; added: AttachedFile[] } {
  const after = new Map(files.map((file) => [file.filename, file]));
  for (const [index, { shownAs, ...upload }] of uploads.entries()) {
    const current = after.get(upload.filename);
    if (current && current.hash === upload.hash && current.thumbnailHash === upload.thumbnailHash) continue;
    const name = shownAs ?? storedName(page, index, upload);
    const thumbnail = upload.thumbnailHash && `thumb-${name}.webp`;
    after.set(upload.filename, { ...upload, pageId: page.id, name, thumbnail });
  }
  // Sorted, so that equal sets of files are stored in the same form.
  const all = [...after.values()].sort((a, b) => (a.filename < b.filename ? -1 : 1));
  return { names: all.map(({ name }) => name), added: all.filter((file) => !files.includes(file)) };
}

/** Returns the files that remain after these are removed. Refuses `invalid` for a file that the page does not have. */
export function withoutRemoved(
  page: { path: string },
  files: AttachedFile[],
  removed: readonly string[],
): AttachedFile[] {
  const removedNames = new Set(removed);
  const missing = removed.filter(
    (name) => !files.some((file) => file.name === name || file.filename === name),
  );
  if (missing.length > 0)
    throw invalid(
      '/removeFiles',
      say('problem.thePageAtDoesNotHaveThe', { path: page.path, missing: missing.slice(0, 10).join(', ') }),
    );
  return files.filter(({ name, filename }) => !removedNames.has(name) && !removedNames.has(filename));
}

/** The content with these names of files instead of its own. */
export function contentWith({ files: _, ...content }: Content, names: string[]): Content {
  return names.length === 0 ? content : { ...content, files: names };
}

/** A supplied thumbnail is shrunk and stripped like a generated one; anything that is no image is ignored. */
async function makeThumbnail(files: Files, given: Upload | undefined, hash: string) {
  const fromGiven = given && (await files.probe.thumbnail(files.store, given.blob.hash));
  return fromGiven ?? (await files.probe.thumbnail(files.store, hash));
}

/**
 * A unique name, because it contains the ID of the change: responses cached for ever stay correct. The caller's file name is
 * kept at the end, reduced to characters that every client accepts.
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
