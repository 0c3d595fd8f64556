/** Reads a page for one reader, in its current state or after an older change. */

import { say } from '#words/say.ts';
import type { Renderer } from '../content/render.ts';
import type { WholePage } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import type { HistoryWanted, Reader } from '../ports/reader.ts';
import { findMoved, findWhole, refuseMissing } from '../reading/find-page.ts';
import { asOf } from './as-of.ts';
import { type PageView, viewOf } from './page-view.ts';

export interface WantedVersion {
  version?: number;
  history: HistoryWanted;
}

/**
 * Refuses `not-found` alike for missing and unreadable pages, and for a `version` that is no change of this page. With
 * `version`, title, description, type, location, data, files and markup are those of that change; path, lineage and permissions
 * are current.
 */
export async function viewPage(
  { reader, renderer, now }: { reader: Reader; renderer: Renderer; now: number },
  path: string,
  wanted: WantedVersion,
): Promise<PageView | { movedTo: string }> {
  const found = await findVersion(reader, path, wanted);
  return 'movedTo' in found ? found : viewOf({ reader, renderer, now }, found.page);
}

/** The page in the state that `viewPage` shows, or the address to which it moved. Refuses `not-found` and `gone`. */
export async function findVersion(
  reader: Reader,
  path: string,
  { version, history }: WantedVersion,
): Promise<{ page: WholePage } | { movedTo: string }> {
  const page = await findWhole(reader, path, history);
  if (!page) {
    const movedTo = await findMoved(reader, path);
    return movedTo === undefined ? refuseMissing(reader, path) : { movedTo };
  }
  if (version === undefined || version === page.changeId) return { page };
  const change = await reader.changes.find(page, version);
  if (!change)
    throw new Problem('not-found', say('problem.thePageHasNoChange2', { version: String(version) }));
  const files = await reader.files.named(change.content.files ?? []);
  return { page: await asOf(page, change, files, reader.derive) };
}
