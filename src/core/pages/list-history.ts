/** A page's changes that are visible to this reader of the page. */

import type { Change, Page } from '../model/page.ts';
import type { Range } from '../ports/list-reads.ts';
import type { ChangedPage, Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

/** Changes of the page in its visible history, newest first. Refuses `not-found` and `gone`. */
export async function listHistory(
  reader: Reader,
  path: string,
  range: Range,
): Promise<{ page: Page; changes: Change[]; total: number }> {
  const page = await getReadable(reader, path);
  return { page, ...(await reader.changes.list(page, range)) };
}

/** One or two changes of a page, in the requested order. */
export async function findChanges(reader: Reader, page: ChangedPage, ids: number[]): Promise<Change[]> {
  const found = await Promise.all(ids.slice(0, 2).map((id) => reader.changes.find(page, id)));
  return found.filter((change) => change !== undefined);
}
