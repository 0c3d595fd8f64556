/**
 * Delivers events to webhooks, each at least once. The event table itself is the queue: a webhook has a position in it. A
 * failed delivery is recorded and retried later, while later events are sent. If too many deliveries wait because the receiver
 * does not respond, the position stays.
 *
 * A lease in the database assigns each webhook to one process. If that process dies, another one repeats what was not recorded.
 */
import type { EventReads } from '#core/events/affects.ts';
import { listEvents } from '#core/events/list-events.ts';
import { type Actor, visibilityOf } from '#core/model/permission.ts';
import type { EventFilter, FeedEvent } from '#core/ports/event-store.ts';
import type { Store } from '#core/ports/store.ts';
import type { WebhookSender } from '#core/ports/webhook-sender.ts';
import type { Delivery, Webhook } from '#core/ports/webhook-store.ts';
import { afterAttempt, longestPauseMs, newDelivery, sendWebhook } from './send.ts';

export interface Delivering extends WebhookSender {
  store: Store;
  /** Identifies this process. */
  holder: string;
  /** Position up to which this process found no event for each webhook in a version of it, so that it skips them. */
  seen: Map<number, { version: string; position: number }>;
  /** Webhooks that this process is serving, and whether to look at each once more. */
  serving: Map<number, { again: boolean }>;
  isStopped(): boolean;
  /** Called with errors that prevented a delivery; the webhook is tried again later. */
  failed(error: unknown): void;
}

export const maxWebhooks = 50;
/** Number of finished deliveries kept in the log of each webhook. */
export const keptDeliveries = 500;
/** Maximum number of concurrent requests for each webhook. */
const sentAtOnce = 16;
const maxWaiting = 64;
/** Longer than one round of attempts takes. */
const leaseMs = 60_000;
/** Number of non-matching events after which the position is stored. */
const passedUnwritten = 1000;

/**
 * Sends all due deliveries of all webhooks that are not being served already: a slow receiver does not delay the others. Returns
 * when to look again if nothing happens before.
 */
export async function deliverWebhooks(delivering: Delivering): Promise<number | undefined> {
  const { store, clock } = delivering;
  const webhooks = (await store.webhooks.list(maxWebhooks)).filter(({ disabled }) => !disabled);
  if (webhooks.length === 0) return undefined;
  const looks = webhooks.map((webhook) =>
    serve(delivering, webhook).catch((error: unknown) => {
      delivering.failed(error);
      return clock() + leaseMs;
    }),
  );
  const leases = await Promise.all(looks);
  const due = [...leases, await store.webhooks.nextDueAt(clock())].filter((at) => at !== undefined);
  return due.length === 0 ? undefined : Math.max(Math.min(...due), clock() + 100);
}

/** Serves one webhook, unless this process does so already. Returns the end of the lease if another process has it. */
async function serve(delivering: Delivering, webhook: Webhook): Promise<number | undefined> {
  const { serving, store } = delivering;
  const { id } = webhook;
  const present = serving.get(id);
  if (present) {
    present.again = true;
    return undefined;
  }
  const own = { again: false };
  serving.set(id, own);
  try {
    let leased = await deliverTo(delivering, webhook);
    // Something was committed meanwhile, perhaps after the last round was read.
    while (own.again) {
      own.again = false;
      const now = await store.webhooks.find(id);
      leased = now && !now.disabled ? await deliverTo(delivering, now) : undefined;
    }
    return leased;
  } finally {
    serving.delete(id);
  }
}

/** Returns the end of the lease if another process has it. */
async function deliverTo(delivering: Delivering, webhook: Webhook): Promise<number | undefined> {
  const { store, clock, holder } = delivering;
  const { id } = webhook;
  const round = await readRound(delivering, webhook);
  if (!round) return undefined;
  if (webhook.leasedUntil !== null && webhook.leasedUntil > clock()) return webhook.leasedUntil;
  let leased = await store.webhooks.lease(id, holder, clock(), clock() + leaseMs);
  while (leased) {
    const next = delivering.isStopped() ? undefined : await readRound(delivering, leased);
    const done = next ? await sendRound(delivering, leased, next) : idle(leased, placeOf(delivering, leased));
    const until = next && !done.disabled ? clock() + leaseMs : null;
    leased = await store.webhooks.finish(leased, holder, { ...done, until }, keptDeliveries);
  }
  return undefined;
}

interface Round {
  /** Undefined if its member is no longer an administrator. */
  actor: NonNullable<Actor> | undefined;
  due: Delivery[];
  events: FeedEvent[];
  /** Position after this round. */
  position: number;
}

type Done = Pick<Webhook, 'position' | 'lastSuccessAt' | 'disabled'> & { deliveries: Delivery[] };

/** Position of the webhook, or a later one if no event between matches it. */
function placeOf({ seen }: Delivering, webhook: Webhook): number {
  const known = seen.get(webhook.id);
  return known?.version === versionOf(webhook)
    ? Math.max(webhook.position, known.position)
    : webhook.position;
}

function versionOf({ memberId, position, kinds, ancestorId }: Webhook): string {
  return [memberId, position, ancestorId, kinds].join(' ');
}

/** Whether the time has come, or is so late that the clock was wrong when it was set. */
function isDue(dueAt: number | null, now: number): boolean {
  return dueAt !== null && (dueAt <= now || dueAt > now + longestPauseMs);
}

function idle({ lastSuccessAt, disabled }: Webhook, position: number): Done {
  return { position, lastSuccessAt, disabled, deliveries: [] };
}

/** Deliveries that are due now; undefined if there are none. */
async function readRound(delivering: Delivering, webhook: Webhook): Promise<Round | undefined> {
  const { store, clock } = delivering;
  const { id, kinds, ancestorId } = webhook;
  const from = placeOf(delivering, webhook);
  const member = await store.members.findById(webhook.memberId);
  if (!member?.isActive || !member.isAdmin) return { actor: undefined, due: [], events: [], position: from };
  const actor = { memberId: member.id, name: member.name, isAdmin: true };
  const waiting = await store.webhooks.waiting(id, maxWaiting);
  const due = waiting.filter(({ dueAt }) => isDue(dueAt, clock())).slice(0, sentAtOnce);
  const room = Math.min(sentAtOnce - due.length, maxWaiting - waiting.length);
  if (room <= 0) return due.length === 0 ? undefined : { actor, due, events: [], position: from };
  const filter: EventFilter = { ...(kinds ? { kinds } : {}), ...(ancestorId === null ? {} : { ancestorId }) };
  // Read before the list, so that commits in between are not skipped.
  const end = (await store.events.last(visibilityOf(actor, store)))?.position ?? 0;
  const events = end > from ? await listEvents({ store, actor }, from, room, filter) : [];
  const last = events.at(-1)?.position ?? from;
  const position = events.length < room ? Math.max(end, last) : last;
  if (due.length > 0 || events.length > 0) return { actor, due, events, position };
  delivering.seen.set(id, { version: versionOf(webhook), position });
  return position - webhook.position >= passedUnwritten ? { actor, due, events, position } : undefined;
}

async function sendRound(
  delivering: Delivering,
  webhook: Webhook,
  { actor, due, events, position }: Round,
): Promise<Done> {
  const { store, clock } = delivering;
  if (!actor) return { ...idle(webhook, position), disabled: { at: clock(), reason: notAdministrator } };
  const again = await findEvents(store, actor, due);
  const attempts = [
    ...due.map((delivery) => ({ delivery, event: again.get(delivery.position) })),
    ...events.map((event) => ({ delivery: newDelivery(webhook.id, event, clock()), event })),
  ];
  const deliveries = await Promise.all(
    attempts.map(async ({ delivery, event }): Promise<Delivery> => {
      if (!event) return { ...delivery, state: 'left-out', dueAt: null };
      const content = delivering.eventJson(event);
      return afterAttempt(
        delivery,
        await sendWebhook(delivering, webhook, delivery.messageId, content),
        clock(),
      );
    }),
  );
  const taken = deliveries.filter(({ state }) => state === 'delivered');
  const lastSuccessAt = Math.max(webhook.lastSuccessAt ?? 0, ...taken.map(({ attemptedAt }) => attemptedAt));
  return {
    position,
    lastSuccessAt: lastSuccessAt === 0 ? null : lastSuccessAt,
    disabled: reasonToStop(deliveries, lastSuccessAt, clock()),
    deliveries,
  };
}

const notAdministrator = 'Its owner is no longer an administrator.';

function reasonToStop(
  deliveries: readonly Delivery[],
  lastSuccessAt: number,
  now: number,
): Webhook['disabled'] {
  // Standard Webhooks: a receiver answers 410 to stop deliveries.
  if (deliveries.some(({ state, status }) => state !== 'delivered' && status === 410))
    return { at: now, reason: 'The receiver answered 410 Gone.' };
  const failed = deliveries.find(({ state, createdAt }) => state === 'failed' && createdAt > lastSuccessAt);
  if (!failed) return undefined;
  const answers = [failed.status, failed.answer].filter((part) => part !== null).join(' ');
  return { at: now, reason: `The receiver accepted nothing for three days: ${answers}` };
}

/** Events of deliveries, by position, as far as the member may read them now. */
export async function findEvents(
  store: EventReads,
  actor: NonNullable<Actor>,
  deliveries: readonly Pick<Delivery, 'position'>[],
): Promise<Map<number | null, FeedEvent>> {
  const positions = deliveries.flatMap(({ position }) => position ?? []);
  if (positions.length === 0) return new Map();
  const events = await listEvents({ store, actor }, 0, positions.length, { positions });
  return new Map(events.map((event) => [event.position, event]));
}
