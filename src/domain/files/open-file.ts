/** Finds a file or thumbnail, of now or of an earlier change, for somebody who may read its page and a change that has it. */
import { firstChangeFor } from '../pages/page-access.ts';
import { Problem } from '../problem.ts';
import type { Reader } from '../reader.ts';

export interface OpenFile {
  hash: string;
  mime: string;
  filename: string;
  /** Undefined for thumbnails, whose size only the file store knows. */
  sizeBytes: number | undefined;
  /** Anyone may read it, so shared caches may keep the file. */
  isPublic: boolean;
  isThumbnail: boolean;
  pageId: number;
}

/** Refuses `not-found` alike for missing files and those of unreadable pages, or of deleted ones if the actor cannot see the trash. */
export async function openFile(reader: Reader, name: string): Promise<OpenFile> {
  const found = (await reader.files.find(name)) ?? (await reader.trash.findFile(name));
  if (!found) throw new Problem('not-found', 'No such file exists.');
  const { file, untilChangeId, page } = found;
  // A change that the reader may see has it, if it was taken away after the first one of these.
  const isShownFrom = (change: number) => untilChangeId === null || untilChangeId > change;
  if (!isShownFrom(firstChangeFor(reader.actor, { ...page, owner: { id: page.ownerId } })))
    throw new Problem('not-found', 'No such file exists.');
  const isPublic = !page.isDeleted && page.audience === 0 && isShownFrom(page.historyFrom);
  if (name === file.name) {
    const { hash, mime, filename, sizeBytes } = file;
    return { hash, mime, filename, sizeBytes, isPublic, isThumbnail: false, pageId: file.pageId };
  }
  if (file.thumbnailHash === null || file.thumbnailMime === null)
    throw new Problem('not-found', 'No such file exists.');
  const filename = `${file.filename}.webp`;
  return {
    hash: file.thumbnailHash,
    mime: file.thumbnailMime,
    filename,
    sizeBytes: undefined,
    isPublic,
    isThumbnail: true,
    pageId: file.pageId,
  };
}
