/** The log of a webhook, for administrators: list it, send an event again, send a test. */
import type { Actor } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Store } from '../ports/store.ts';
import type { Delivery, ListedDelivery } from '../ports/webhook-store.ts';
import { administrator, getWebhook } from './administer-webhooks.ts';
import { findEvents, newDelivery } from './deliver-webhooks.ts';
import { afterAttempt, sendWebhook, type WebhookSender } from './send-webhook.ts';

/** Newest first. Refuses `unauthenticated`, `administrators-only` and `not-found`, as do all of these functions. */
export async function listDeliveries(
  store: Store,
  actor: Actor,
  id: number,
  range: Range,
): Promise<{ deliveries: ListedDelivery[]; total: number }> {
  await administrator(store, actor);
  await getWebhook(store, id);
  return store.webhooks.listDeliveries(id, range);
}

/**
 * Sends an event again now, regardless of its state and of whether the webhook is enabled, and waits for the response. It has
 * the same ID, and contains what the webhook's member may read now. A test, which has no event, is sent as a new one.
 */
export async function replayDelivery(
  sender: WebhookSender & { store: Store },
  actor: Actor,
  id: number,
  deliveryId: number,
): Promise<ListedDelivery> {
  const { store, clock } = sender;
  await administrator(store, actor);
  const webhook = await getWebhook(store, id);
  const delivery = await store.webhooks.findDelivery(id, deliveryId);
  if (!delivery)
    throw new Problem('not-found', 'There is no such delivery: the log keeps the latest ones only.');
  if (delivery.position === null) return testWebhook(sender, actor, id);
  const member = await store.members.findById(webhook.memberId);
  const owner = { memberId: webhook.memberId, name: webhook.memberName, isAdmin: true };
  const isAdministrator = member?.isActive && member.isAdmin;
  const event = isAdministrator
    ? (await findEvents(store, owner, [delivery])).get(delivery.position)
    : undefined;
  if (!event)
    throw new Problem('not-found', 'The webhook’s member may not read this any more, so it is not sent.');
  const attempt = await sendWebhook(sender, webhook, delivery.messageId, sender.eventJson(event));
  const { path, ...sent } = { ...delivery, ...afterAttempt(delivery, attempt, clock()) };
  // A failed manual attempt is not retried, unless the delivery was waiting anyway.
  const isOver = sent.state === 'waiting' && delivery.dueAt === null;
  const noted: Delivery = isOver ? { ...sent, state: 'failed', dueAt: null } : sent;
  await store.webhooks.updateDelivery(noted);
  return { ...noted, path };
}

/** Sends an event of the kind `test` now and waits for the response. It is not retried. */
export async function testWebhook(
  sender: WebhookSender & { store: Store },
  actor: Actor,
  id: number,
): Promise<ListedDelivery> {
  const { store, clock } = sender;
  const by = await administrator(store, actor);
  const webhook = await getWebhook(store, id);
  const now = clock();
  const messageId = `test-${id}-${now.toString(36)}`;
  const content = {
    id: 0,
    kind: 'test',
    at: new Date(now).toISOString(),
    page: null,
    editor: { id: by.memberId, name: by.name },
    msg: 'A test',
    affects: { pages: [], lists: [] },
  };
  const { isTaken, ...attempt } = await sendWebhook(sender, webhook, messageId, content);
  const test = newDelivery(id, { position: null, cursor: messageId, kind: 'test' }, now);
  const delivery = {
    ...test,
    ...attempt,
    state: isTaken ? ('delivered' as const) : ('failed' as const),
    attempts: 1,
  };
  return { ...delivery, id: await store.webhooks.insertDelivery(delivery), path: null };
}
