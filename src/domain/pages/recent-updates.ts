/** The most recently updated pages, each once. */

import type { Reader } from '../reader.ts';
import { findReadable } from './find-page.ts';
import type { MemberName, PageName } from './page.ts';

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
