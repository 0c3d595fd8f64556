/** Backlinks of a page that the actor can see. */

import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../reader.ts';
import { getReadable } from './find-page.ts';
import type { PageName } from './page.ts';

export async function listBacklinks(
  reader: Reader,
  path: string,
  range: Range,
): Promise<{ pages: PageName[]; total: number }> {
  return reader.links.backlinks(await getReadable(reader, path), range);
}
