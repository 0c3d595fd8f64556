/** Opens a file or thumbnail, current or from an earlier change, for a reader of its page and of a change that contains it. */

import { say } from '#words/say.ts';
import { firstChangeFor } from '../model/page-access.ts';
import { isPublicPage } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { PageRow, Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { namedPages, namedPaths } from '../reading/named-pages.ts';
import type { LinkedWiki } from '../reading/secret-links.ts';

export interface OpenFile {
  hash: string;
  mime: string;
  filename: string;
  /** Undefined for thumbnails, whose size only the file store knows. */
  sizeBytes: number | undefined;
  /** Whether anyone may read it, so that shared caches may store the file. */
  isPublic: boolean;
  isThumbnail: boolean;
  pageId: number;
}

/**
 * Refuses `not-found` alike for missing files, files of unreadable pages, and files of deleted pages if the actor cannot see
 * the trash.
 */
export async function openFile(reader: Reader, name: string): Promise<OpenFile> {
  const found = (await reader.files.find(name)) ?? (await reader.trash.findFile(name));
  if (!found) throw new Problem('not-found', say('problem.fileNotFound'));
  const { file, untilChangeId, page } = found;
  // A file that was removed after the first change visible to the reader occurs in a visible change.
  const isShownFrom = (change: number) => untilChangeId === null || untilChangeId > change;
  if (!isShownFrom(firstChangeFor(reader.actor, { ...page, owner: { id: page.ownerId } })))
    throw new Problem('not-found', say('problem.fileNotFound'));
  const isPublic = !page.isDeleted && isPublicPage(page, reader) && isShownFrom(page.historyFrom);
  const shared = { isPublic, isThumbnail: name !== file.name, pageId: file.pageId };
  const { hash, mime, filename, sizeBytes, thumbnailHash, thumbnailMime } = file;
  if (!shared.isThumbnail) return { hash, mime, filename, sizeBytes, ...shared };
  if (thumbnailHash === null || thumbnailMime === null)
    throw new Problem('not-found', say('problem.fileNotFound'));
  return {
    hash: thumbnailHash,
    mime: thumbnailMime,
    filename: `${filename}.webp`,
    sizeBytes: undefined,
    ...shared,
  };
}

/** The same for the holder of a secret link: current files of pages that the link shows, and of templates in them. */
export async function openLinkedFile({ reader, isPart }: LinkedWiki, name: string): Promise<OpenFile> {
  return openCurrent(reader, name, isPart);
}

/** A current file of a page that the site shows everybody because the settings name it. */
export async function openNamedFile(
  store: Pick<Store, 'readAs' | 'settings'>,
  name: string,
): Promise<OpenFile | undefined> {
  if (namedPaths(store.settings.current()).length === 0) return undefined;
  const { reader, isShown } = await namedPages(store);
  try {
    return await openCurrent(reader, name, isShown);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return undefined;
    throw error;
  }
}

async function openCurrent(
  reader: Reader,
  name: string,
  isShown: (page: PageRow) => boolean,
): Promise<OpenFile> {
  const found = await reader.files.find(name);
  const [page] = found && found.untilChangeId === null ? await reader.pages.states([found.file.pageId]) : [];
  if (!page || !isShown(page)) throw new Problem('not-found', say('problem.fileNotFound'));
  return { ...(await openFile(reader, name)), isPublic: false };
}
