/**
 * Attaches uploads to a page: looks at what the bytes are, makes thumbnails, names the file. The bytes are in the
 * file store before any row names them; uploads of refused requests are swept by `coppice rebuild`.
 */
import type { FileInspector, FileStore } from './files.ts';
import type { AttachedFile } from './page.ts';
import type { Attachment, Upload } from './page-input.ts';
import { everything } from './permission.ts';
import type { Store } from './store.ts';

export interface Files {
  store: FileStore;
  inspector: FileInspector;
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
    const identified = await files.inspector.identify(files.store, hash, file.filename);
    const small = identified.image ? await makeThumbnail(files, thumbnail, hash) : undefined;
    prepared.push({
      filename: file.filename,
      hash,
      mime: identified.mime,
      sizeBytes,
      width: identified.image?.width ?? null,
      height: identified.image?.height ?? null,
      thumbnailHash: small?.hash ?? null,
      thumbnailMime: small?.mime ?? null,
      uploadedAt: now,
      uploaderId,
    });
  }
  return prepared;
}

/** Those that the page does not have yet, byte for byte and under the same name. In the transaction of the change. */
export async function newFiles(
  store: Store,
  pageId: number,
  prepared: PreparedFile[],
): Promise<PreparedFile[]> {
  if (prepared.length === 0) return [];
  const names = prepared.map(({ filename }) => filename);
  const attached = await store.links.files(pageId, names, everything);
  return prepared.filter(({ filename, hash, thumbnailHash }) => {
    const before = attached.get(filename);
    return before?.hash !== hash || before.thumbnailHash !== thumbnailHash;
  });
}

/** In the transaction of the change. */
export async function attachFiles(store: Store, pageId: number, prepared: PreparedFile[]): Promise<void> {
  for (const file of prepared) {
    const name = storedName(pageId, file.filename, file.hash);
    await store.files.attach({
      ...file,
      pageId,
      name,
      thumbnail: file.thumbnailHash && `thumb-${storedName(pageId, file.filename, file.thumbnailHash)}.webp`,
    });
  }
}

/** A given thumbnail is shrunk and stripped like one of ours; one that is no image counts for nothing. */
async function makeThumbnail(files: Files, given: Upload | undefined, hash: string) {
  const fromGiven = given && (await files.inspector.thumbnail(files.store, given.blob.hash));
  return fromGiven ?? (await files.inspector.thumbnail(files.store, hash));
}

/**
 * Unique because a page has one file of a name, and new bytes give a new name: what was cached for ever
 * under the old one stays true. The caller's name is kept readable at the end, reduced to what every client can take.
 */
function storedName(pageId: number, filename: string, hash: string): string {
  const readable = filename
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(-60);
  return `${pageId}-${hash.slice(0, 16)}-${readable || 'file'}`;
}
