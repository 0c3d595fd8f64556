/** The most recently updated pages, each once. */

import type { MemberName, PageName } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable } from '../reading/find-page.ts';

/** `below`: only descendants of the page at this path; empty if it is not readable. */
export async function recentUpdates(
  reader: Reader,
  limit: number,
  offset = 0,
  below?: string,
): Promise<(PageName & { at: number; editor: MemberName })[]> {
  const page = below === undefined ? undefined : await findReadable(reader, below);
  if (below !== undefined && !page) return [];
  return reader.lists.updates({ limit, offset }, page?.id);
}
