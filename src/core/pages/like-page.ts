/** Likes: each member likes a page at most once. Both functions return the IDs of all members who like it. */

import { say } from '#words/say.ts';
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Store, Transaction } from '../ports/store.ts';
import { getReadable, getWhole } from '../reading/find-page.ts';
import { refuseOutside } from './token-limit.ts';

/** Adds the actor's like once, however often it is asked for. Returns the IDs of the members who like the page. Refuses `unauthenticated`, `not-found` and `not-permitted`. */
export async function likePage(store: Store, actor: Actor, path: string, now: number): Promise<number[]> {
  return setLike(store, actor, path, (store, pageId, memberId) => store.pages.addLike(pageId, memberId, now));
}

/** Removes the actor's like, if any. Returns the IDs of the members who like the page. Refuses `unauthenticated`, `not-found` and `not-permitted`. */
export async function unlikePage(store: Store, actor: Actor, path: string): Promise<number[]> {
  return setLike(store, actor, path, (store, pageId, memberId) => store.pages.removeLike(pageId, memberId));
}

async function setLike(
  store: Store,
  actor: Actor,
  path: string,
  write: (store: Transaction, pageId: number, memberId: number) => Promise<void>,
): Promise<number[]> {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToLikeAPage'));
  const page = await getReadable(store.readAs(actor), path);
  refuseOutside(actor, page);
  return store.transact(async (store) => {
    await write(store, page.id, actor.memberId);
    return (await getWhole(store.readAs(actor), page.id, 'none')).likes;
  });
}
