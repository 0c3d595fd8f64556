/** All files that a page has or had, for administrators, who may erase them. */
import type { AttachedFile } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';

/** The latest first, at most a thousand. */
const maxListed = 1000;

/** Current and replaced files of a page, at most 1,000, for administrators; nothing for others. */
export async function listPageFiles(reader: Reader, pageId: number): Promise<AttachedFile[]> {
  return reader.actor?.isAdmin ? reader.files.everOf(pageId, maxListed) : [];
}
