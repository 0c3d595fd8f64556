/** Reads one page for one reader, as it is or as it was after an older change. */

import type { Renderer } from '../content/render.ts';
import type { Actor } from '../permission.ts';
import type { HistoryWanted, Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { asOf } from './as-of.ts';
import { findMoved, findWhole, refuseMissing } from './find-page.ts';
import { findChange } from './list-history.ts';
import { type PageView, viewOf } from './page-view.ts';

/**
 * Refuses `not-found` alike for missing and unreadable pages and for a `version` that is no change of this page.
 * With `version`, title, description, type, location, data, files and markup are those of that change; path, lineage and
 * permissions are today's.
 */
export async function viewPage(
  store: Store,
  renderer: Renderer,
  actor: Actor,
  path: string,
  wanted: { version?: number; history: HistoryWanted },
  now: number,
): Promise<PageView | { movedTo: string }> {
  const page = await findWhole(store, actor, path, wanted.history);
  if (!page) {
    const movedTo = await findMoved(store, actor, path);
    return movedTo === undefined ? refuseMissing(store, actor, path) : { movedTo };
  }
  if (wanted.version === undefined || wanted.version === page.changeId) {
    return viewOf(store, renderer, actor, page, now);
  }
  const change = await findChange(store, actor, page, wanted.version);
  if (!change) throw new Problem('not-found', `The page has no change ${wanted.version}.`);
  const files = await store.files.named(change.content.files ?? []);
  const then = asOf(page, change, files, store.dialect);
  const view = await viewOf(store, renderer, actor, then, now);
  // Not every reader of the page may see it.
  return change.id < page.historyFrom ? { ...view, sharedWith: undefined } : view;
}
