/** The most recently updated pages, each once. */

import { type Actor, visibilityOf } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { findReadable } from './find-page.ts';
import type { MemberName, PageName } from './page.ts';

/** `below`: only descendants of the page at this path; nothing if there is no readable one. */
export async function recentUpdates(
  store: Store,
  actor: Actor,
  limit: number,
  offset = 0,
  below?: string,
): Promise<(PageName & { at: number; editor: MemberName })[]> {
  const page = below === undefined ? undefined : await findReadable(store, actor, below);
  if (below !== undefined && !page) return [];
  return store.lists.updates(visibilityOf(actor), { limit, offset }, page?.id);
}
