/**
 * Matches new events against all watches, in batches, and notifies the members. One process at a time does this. After a crash,
 * events may be matched again, which notifies nobody twice.
 */
import { actorOf } from '#core/model/member.ts';
import { canSee, everything, visibilityOf, type Wiki } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';
import { type MailFrequency, type Match, mailFrequencies } from '#core/ports/watch-store.ts';

const eventsAtOnce = 20;
/** Longer than one round takes. */
const leaseMs = 60_000;
const hour = 60 * 60_000;
const day = 24 * hour;
/** Digests are sent at seven in the morning, weekly ones on Mondays, UTC. */
const digestHour = 7;

/** Handles one batch of events, and returns whether there may be more. Writes nothing if there are none. */
export async function notifyWatchers(store: Store, clock: () => number): Promise<boolean> {
  const { watches } = store;
  if (!(await watches.isUsed())) return false;
  const position = await watches.position();
  const [next] = await store.events.list(position ?? 0, 1, everything);
  if (!next) return false;
  const now = clock();
  if (!(await watches.lease(now, now + leaseMs))) return false;
  // Another process may have advanced the position meanwhile.
  const from = await watches.position();
  if (from === undefined) {
    await beginAtEnd(store);
    return false;
  }
  const events = await store.events.list(from, eventsAtOnce, everything);
  const matches = soonest((await watches.match(events)).filter((match) => concerns(match, store)));
  await watches.deliver(matches, now, {
    now,
    daily: nextDigest(now, day),
    weekly: nextDigest(now, 7 * day),
  });
  await watches.moveTo(events.at(-1)?.position ?? from);
  return events.length === eventsAtOnce;
}

/** Starts at the latest event: earlier ones notify nobody. */
export async function beginAtEnd(store: Store): Promise<void> {
  const last = await store.events.last(everything);
  await store.watches.moveTo(last?.position ?? 0);
}

/** Whether the match is to be reported: to active members who may read the page, except the editor, who of a due review is the one to be told. */
function concerns({ kind, member, editorId, page }: Match, wiki: Wiki): boolean {
  const isTold = member.id !== editorId || kind === 'due';
  return member.isActive && isTold && canSee(visibilityOf(actorOf(member), wiki), page);
}

/** Keeps one match for each member and event: that of the watch whose mail is due first. */
function soonest(matches: readonly Match[]): Match[] {
  const found = new Map<string, Match>();
  for (const match of matches) {
    const key = `${match.member.id} ${match.eventId}`;
    const known = found.get(key);
    if (!known || rank(match.mail) < rank(known.mail)) found.set(key, match);
  }
  return [...found.values()];
}

function rank(mail: MailFrequency): number {
  return mail === 'off' ? mailFrequencies.length : mailFrequencies.indexOf(mail);
}

/** The epoch began on a Thursday: Mondays are four days later. */
function nextDigest(now: number, everyMs: number): number {
  const shift = digestHour * hour + (everyMs > day ? 4 * day : 0);
  return Math.floor((now - shift) / everyMs) * everyMs + everyMs + shift;
}
