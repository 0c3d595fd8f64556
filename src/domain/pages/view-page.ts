/** Reads one page for one reader, as it is or as it was after an older change. */

import type { Renderer } from '../content/render.ts';
import { Problem } from '../problem.ts';
import type { HistoryWanted, Reader } from '../reader.ts';
import { asOf } from './as-of.ts';
import { findMoved, findWhole, refuseMissing } from './find-page.ts';
import { type PageView, viewOf } from './page-view.ts';

/**
 * Refuses `not-found` alike for missing and unreadable pages and for a `version` that is no change of this page.
 * With `version`, title, description, type, location, data, files and markup are those of that change; path, lineage and
 * permissions are today's.
 */
export async function viewPage(
  reader: Reader,
  renderer: Renderer,
  path: string,
  wanted: { version?: number; history: HistoryWanted },
  now: number,
): Promise<PageView | { movedTo: string }> {
  const page = await findWhole(reader, path, wanted.history);
  if (!page) {
    const movedTo = await findMoved(reader, path);
    return movedTo === undefined ? refuseMissing(reader, path) : { movedTo };
  }
  if (wanted.version === undefined || wanted.version === page.changeId) {
    return viewOf(reader, renderer, page, now);
  }
  const change = await reader.changes.find(page, wanted.version);
  if (!change) throw new Problem('not-found', `The page has no change ${wanted.version}.`);
  const files = await reader.files.named(change.content.files ?? []);
  const then = asOf(page, change, files, reader.dialect);
  return viewOf(reader, renderer, then, now);
}
