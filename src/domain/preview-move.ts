/** Shows what a move would do before anyone does it: what moves, what is in the way. */
import { refuseReserved } from './create-page.ts';
import { getWritable } from './edit-page.ts';
import { getReadable } from './find-page.ts';
import { readPath } from './path.ts';
import { type Actor, sightOf } from './permission.ts';
import { invalid, Problem } from './problem.ts';
import type { Store } from './store.ts';

/** Targets in the way are named whoever may read them: the path check tells as much. */
export async function previewMove(
  store: Store,
  actor: Actor,
  path: string,
  toPath: string,
): Promise<{ moves: { id: number; from: string; to: string }[]; taken: string[] }> {
  if (!actor) throw new Problem('unauthenticated', 'Moving a page needs a signed-in member.');
  // The interface lets an edit alone tell a hidden page from a missing one.
  await getReadable(store, actor, path);
  const page = await getWritable(store, actor, path);
  const read = readPath(toPath);
  if ('problem' in read) throw invalid('?to', read.problem);
  refuseReserved(read.path);
  return store.pages.previewMove(page.id, read.path, sightOf(actor));
}
