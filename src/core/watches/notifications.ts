/** Notifications of members: listed if the member may still read the page, and marked as read. */

import { type Actor, visibilityOf } from '../model/permission.ts';
import { notSignedIn } from '../model/problem.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import type { Notification } from '../ports/watch-store.ts';

/** Unread notifications are counted up to this number. */
export const maxUnread = 100;

/** Newest first. Refuses `unauthenticated`. */
export async function listNotifications(
  store: Store,
  { actor }: Reader,
  range: Range,
  onlyUnread = false,
): Promise<{ notifications: Notification[]; total: number; unread: number }> {
  if (!actor) throw notSignedIn();
  const visibility = visibilityOf(actor, store);
  const [found, unread] = await Promise.all([
    store.watches.notifications(actor.memberId, visibility, range, onlyUnread),
    store.watches.countUnread(actor.memberId, visibility, maxUnread),
  ]);
  return { ...found, unread };
}

/** At most `maxUnread`. */
export async function countUnread(store: Store, actor: Actor): Promise<number> {
  return actor ? store.watches.countUnread(actor.memberId, visibilityOf(actor, store), maxUnread) : 0;
}

/** Marks notifications as read: those given, or all up to an ID. Ignores other members' notifications. Refuses `unauthenticated`. */
export async function markRead(
  store: Store,
  { actor }: Reader,
  which: readonly number[] | { upTo: number },
  now: number,
): Promise<void> {
  if (!actor) throw notSignedIn();
  await store.transact((store) => store.watches.markRead(actor.memberId, which, now));
}
