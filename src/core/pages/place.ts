/**
 * The one rule for where an actor may put something: the addresses of new, edited, moved and restored pages, and for aliases. An
 * address must not be reserved, nor lie in a protected subtree by tree or by address, nor outside of the subtree that an API
 * token is limited to. Guests need a parent that they may edit.
 */

import { say } from '#words/say.ts';
import { entriesIn, type Granted, mergeEntries } from '../model/grant.ts';
import type { PagePlace } from '../model/page.ts';
import { isBeneath, isReserved } from '../model/path.ts';
import { type Actor, may, namerOf } from '../model/permission.ts';
import { fieldError, Problem } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';
import { refuseBeneathProtected, refusingAbove } from './protection.ts';
import { refusePlaceOutside } from './token-limit.ts';

/**
 * Refuses `path-reserved`, `insufficient-scope`, `not-permitted` and `protected` for a page beneath this parent (null: the root) at this path.
 * Called in the transaction that puts it there, with the parent locked.
 */
export async function refusePlace(
  store: Transaction,
  actor: NonNullable<Actor>,
  { parent, path }: { parent: PagePlace | null; path: string },
  now: number,
): Promise<void> {
  refuseReserved(path);
  refusePlaceOutside(actor, parent, path);
  if (actor.role === 'guest' && !(parent && may(actor, 'write', parent, store)))
    throw new Problem('not-permitted', say('problem.youAreAGuestOfThisWiki'));
  await refuseBeneathProtected(
    store,
    actor,
    { ids: parent ? [...parent.trail, parent.id] : [], paths: [path] },
    now,
  );
}

/**
 * Refuses `not-permitted` if pages beneath the parent are shared with groups or members with whom those beneath the page are not: a page
 * that is moved there takes all pages beneath it along, and only its owner and administrators may share them.
 */
export function refuseSharing(
  actor: NonNullable<Actor>,
  page: { owner: { id: number }; beneath?: Granted | undefined },
  parent: Pick<PagePlace, 'path' | 'beneath'> | null,
): void {
  const by = namerOf(actor);
  if (!parent?.beneath || by?.isAdmin || by?.memberId === page.owner.id) return;
  const held = page.beneath ? entriesIn(page.beneath) : '';
  if (mergeEntries(held, entriesIn(parent.beneath)) === held) return;
  throw new Problem(
    'not-permitted',
    say('problem.pagesBeneathAreSharedWithOthersOnly', { path: parent.path }),
  );
}

/** The addresses among these that the actor may make lead to a page. */
export async function allowedAliases(
  store: Transaction,
  actor: NonNullable<Actor>,
  paths: readonly string[],
  now: number,
): Promise<string[]> {
  const free = paths.filter((path) => !isReserved(path));
  if (free.length === 0) return [];
  const [root] = actor.within === undefined ? [] : await store.pages.lockByIds([actor.within], 'share');
  const refusing = await refusingAbove(store, actor, { ids: [], paths: free }, now);
  return free.filter(
    (path) =>
      (actor.within === undefined || (root !== undefined && isBeneath(path, root.path))) &&
      !refusing.some((one) => isBeneath(path, one.path)),
  );
}

/** Refuses `path-reserved` for paths whose first segment Coppice needs itself. */
export function refuseReserved(path: string): void {
  if (!isReserved(path)) return;
  const detail = say('problem.thePathIsReservedForCoppiceItself', { path });
  throw new Problem('path-reserved', detail, { errors: [fieldError('/path', detail)] });
}
