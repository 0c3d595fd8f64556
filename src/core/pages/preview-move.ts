/** Shows the effects of a move beforehand: moving pages and occupied targets. */

import { say } from '#words/say.ts';
import type { Page } from '../model/page.ts';
import { readNewPath } from '../model/path.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { findReadable, getReadable } from '../reading/find-page.ts';
import { refuseLoop, refuseUnlessWritable } from './edit-page.ts';
import { findFreePath } from './free-path.ts';
import { placeBeneath } from './page-state.ts';
import { refuseReserved, refuseSharing } from './place.ts';

/**
 * Refuses what the move would refuse: `invalid` (also for a descendant whose path would be too long or too deep),
 * `path-reserved`, `path-loop`, `not-permitted`. Occupied targets are named even if hidden, because the path check reveals as much. `parent`:
 * path of the new parent, empty for the root; omitted to keep the current one. `freePath`: the next free path if one is taken.
 */
export async function previewMove(
  reader: Reader,
  path: string,
  to: { path: string; parent?: string | undefined },
): Promise<{ moves: { id: number; from: string; to: string }[]; taken: string[]; freePath?: string }> {
  if (!reader.actor) throw new Problem('unauthenticated', say('problem.signInToMoveAPage'));
  // Only edits may distinguish hidden pages from missing ones.
  const page = await getReadable(reader, path);
  refuseUnlessWritable(reader.actor, page, reader);
  const read = readNewPath(to.path, page.path);
  if ('problem' in read) throw invalid('?to', read.problem);
  if (read.path !== page.path) refuseReserved(read.path);
  const depth = to.parent === undefined ? page.depth : await depthBeneath(reader, page, to.parent);
  const { refusal, ...preview } = await reader.pages.previewMove(page.id, { path: read.path, depth });
  if (refusal) throw invalid(refusal.field === 'path' ? '?to' : '?parent', refusal.detail);
  if (preview.taken.length === 0) return preview;
  const freePath = await findFreePath(reader, read.path, { withSubtree: true });
  return { ...preview, ...(freePath ? { freePath } : {}) };
}

async function depthBeneath(reader: Reader, page: Page, named: string): Promise<number> {
  if (named.trim() === '' || named.trim() === '/') return 0;
  const parent = await findReadable(reader, named);
  if (!parent)
    throw invalid('?parent', say('problem.noPageExistsAtToBeThe', { named: String(named.slice(0, 200)) }));
  refuseLoop(page, parent);
  if (reader.actor) refuseSharing(reader.actor, page, parent);
  return placeBeneath(parent).depth;
}
