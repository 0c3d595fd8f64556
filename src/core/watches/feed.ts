/** Secret URLs that work without signing in, each for one purpose: reading a member's feed, or unsubscribing from mail. */

import { actorOf } from '../model/member.ts';
import { visibilityOf } from '../model/permission.ts';
import { notSignedIn, Problem } from '../model/problem.ts';
import type { Secrets } from '../ports/credentials.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { type MailFrequency, mailFrequencies, type Notification } from '../ports/watch-store.ts';

const entriesInFeed = 50;

/** Makes a new secret for the URL of the member's feed; the former URL stops working. Refuses `unauthenticated`. */
export async function makeFeed(store: Store, secrets: Secrets, { actor }: Reader): Promise<string> {
  if (!actor) throw notSignedIn();
  const { secret, hash } = secrets.make();
  await setFeed(store, secrets, actor.memberId, hash);
  return secret;
}

/** Refuses `unauthenticated`. */
export async function endFeed(store: Store, secrets: Secrets, { actor }: Reader): Promise<void> {
  if (!actor) throw notSignedIn();
  await setFeed(store, secrets, actor.memberId, null);
}

function setFeed(store: Store, secrets: Secrets, memberId: number, hash: string | null): Promise<void> {
  return store.transact(async (store) => {
    await store.watches.setFeed(memberId, hash, secrets.make().secret);
    const kind = hash === null ? 'feed-ended' : 'feed-made';
    await store.audit.record({ kind, subject: { kind: 'member', id: memberId } });
  });
}

/** Notifications of the feed's member, as far as they may read the pages now. Refuses `not-found`. */
export async function readFeed(store: Store, secrets: Secrets, secret: string): Promise<Notification[]> {
  const member = await store.watches.findByFeed(secrets.hash(secret));
  if (!member?.isActive)
    throw new Problem('not-found', 'There is no such feed: its address may have been replaced.');
  const range = { limit: entriesInFeed, offset: 0 };
  return (await store.watches.notifications(member.id, visibilityOf(actorOf(member), store), range, false))
    .notifications;
}

/** Mail that an unsubscribe link ends: that of one watch, or all mail of one frequency. */
export interface Subscription {
  memberId: number;
  of: number | MailFrequency;
}

/** Refuses `not-found` if no mail has this link. */
export async function readSubscription(store: Store, key: string, of: string): Promise<Subscription> {
  const member = key.length > 100 ? undefined : await store.watches.findByUnsubscribeKey(key);
  const frequency = mailFrequencies.find((one) => one === of && one !== 'off');
  const watchId = /^\d{1,15}$/.test(of) ? Number(of) : undefined;
  if (!member || (frequency ?? watchId) === undefined)
    throw new Problem('not-found', 'This address is of no mail that was sent from here.');
  return { memberId: member.id, of: frequency ?? watchId ?? 0 };
}

/** Ends mail; notifications on the site continue. Idempotent. */
export async function unsubscribe(store: Store, { memberId, of }: Subscription): Promise<void> {
  await store.transact((store) => store.watches.stopMail(memberId, of));
}
