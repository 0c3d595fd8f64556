/** Backlinks of a page that the actor can see. */

import type { PageName } from '../model/page.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

/** Readable pages that link to the page. Refuses `not-found` and `gone`. */
export async function listBacklinks(
  reader: Reader,
  path: string,
  range: Range,
): Promise<{ pages: PageName[]; total: number }> {
  return reader.links.backlinks(await getReadable(reader, path), range);
}
