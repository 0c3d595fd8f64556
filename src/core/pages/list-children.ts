/** The direct children of a page, or the root pages, that the actor can see. */

import type { ChildPage, Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

/** Readable children of the page in their order; `path` null: the root pages. Refuses `not-found` and `gone`. */
export async function listChildren(
  reader: Reader,
  path: string | null,
  range: Range,
): Promise<{ pages: ChildPage[]; total: number }> {
  const parent = path === null ? null : await getReadable(reader, path);
  return reader.lists.children(parent?.id ?? null, range);
}
