/** Webhooks, for administrators, and their log. */

import { Type } from 'typebox';
import { invalid, Problem } from '#core/model/problem.ts';
import { idField } from '#core/operations/fields.ts';
import { listOf, nothing, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { Delivery } from '#core/ports/webhook-store.ts';
import { say } from '#words/say.ts';
import { findEvents, keptDeliveries, maxWebhooks } from './deliver.ts';
import {
  madeWebhook,
  NewWebhook,
  shownDelivery,
  shownWebhook,
  shownWebhooks,
  WebhookEdit,
} from './schemas.ts';
import { afterAttempt, sendTest, sendWebhook } from './send.ts';
import { getWebhook, noSuchWebhook, ownerOf, readFields, subjectOf, withAncestors } from './webhooks.ts';

const managing = { access: 'administrator', scope: 'admin' } as const;
const id = idField('ID of the webhook.', 3);
const byId = Type.Object({ id });

export const createWebhook = operation({
  ...managing,
  name: 'createWebhook',
  summary: 'Make a webhook',
  description:
    'Every event from now on is sent to the address as `POST`, with the same object as in the change feed and the headers of Standard Webhooks. If the response is not 2xx or does not come within 15 seconds, the delivery is tried again for three days, not before the pause that a `Retry-After` asks for. For administrators.',
  input: NewWebhook,
  output: madeWebhook,
  problems: ['not-found'],
  answersSecret: true,
  writes: true,
  audit: ['webhook-made'],
  ports: ['webhooks', 'webhookSender', 'events', 'reader'],
  async run({ webhooks, ...ports }, { input, by, now, record }) {
    const { signatures } = ports.webhookSender;
    const { secret = signatures.makeSecret() } = input;
    if (!signatures.isSecret(secret)) throw invalid('/secret', say('problem.aSecretIsWhsecAndTheBase64'));
    const wanted = { after: 'latest', ...input };
    const { ancestor, ...fields } = await readFields(ports, ownerOf(by), wanted, undefined);
    if ((await webhooks.list(maxWebhooks)).length >= maxWebhooks)
      throw invalid('/url', say('problem.aWikiCanHaveWebhooksDeleteOne', { maxWebhooks }));
    const id = await webhooks.insert({ ...fields, disabled: undefined, secret, createdAt: now });
    await record({ kind: 'webhook-made', subject: subjectOf({ id, url: fields.url }) });
    return { ...(await getWebhook(webhooks, id)), ancestor };
  },
});

export const listWebhooks = operation({
  ...managing,
  name: 'listWebhooks',
  summary: 'List the webhooks',
  description: 'All webhooks, oldest first, without their secrets. For administrators.',
  input: Type.Object({}),
  output: shownWebhooks,
  ports: ['webhooks', 'reader'],
  run: async ({ webhooks, reader }) => withAncestors(reader, await webhooks.list(maxWebhooks)),
});

export const readWebhook = operation({
  ...managing,
  name: 'readWebhook',
  summary: 'Read a webhook',
  description: 'The response does not contain the secret. For administrators.',
  input: byId,
  output: shownWebhook,
  problems: ['not-found'],
  ports: ['webhooks', 'reader'],
  async run({ webhooks, reader }, { input }) {
    const [webhook] = await withAncestors(reader, [await getWebhook(webhooks, input.id)]);
    if (!webhook) throw noSuchWebhook();
    return webhook;
  },
});

/**
 * When a webhook is enabled again, it continues where it stopped, and failed deliveries are retried at once. One that was disabled
 * keeps its reason.
 */
export const editWebhook = operation({
  ...managing,
  name: 'editWebhook',
  summary: 'Edit, enable or disable a webhook',
  description:
    'The webhook then belongs to the caller and is sent the events that the caller may read. For administrators.',
  input: WebhookEdit,
  output: shownWebhook,
  problems: ['not-found'],
  writes: true,
  audit: ['webhook-changed'],
  ports: ['webhooks', 'webhookSender', 'events', 'reader'],
  async run({ webhooks, ...ports }, { input: { id, ...input }, by, now, record }) {
    const owner = ownerOf(by);
    const before = await getWebhook(webhooks, id);
    const { ancestor: _, ...fields } = await readFields(ports, owner, input, before);
    const { enabled = before.disabled === undefined } = input;
    const disabled = enabled
      ? undefined
      : (before.disabled ?? { at: now, reason: `${owner.name} disabled it.` });
    if (!(await webhooks.update(id, { ...fields, disabled }))) throw noSuchWebhook();
    if (enabled && before.disabled) await webhooks.hurry(id, now);
    const subject = subjectOf({ id, url: fields.url });
    await record({ kind: 'webhook-changed', subject, note: enabled ? 'enabled' : 'disabled' });
    const [webhook] = await withAncestors(ports.reader, [await getWebhook(webhooks, id)]);
    if (!webhook) throw noSuchWebhook();
    return webhook;
  },
});

export const deleteWebhook = operation({
  ...managing,
  name: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'The log of the webhook is deleted, too. For administrators.',
  input: byId,
  output: nothing('The webhook has been deleted.'),
  problems: ['not-found'],
  writes: true,
  audit: ['webhook-deleted'],
  ports: ['webhooks'],
  // Requests in progress are not cancelled.
  async run({ webhooks }, { input, record }) {
    const webhook = await getWebhook(webhooks, input.id);
    await webhooks.remove(webhook.id);
    await record({ kind: 'webhook-deleted', subject: subjectOf(webhook) });
  },
});

export const testWebhook = operation({
  ...managing,
  name: 'testWebhook',
  summary: 'Send a test',
  description:
    'Sends an event of the kind `test` at once, whether the webhook is enabled or not, and returns the result. It is not tried again. For administrators.',
  input: byId,
  output: shownDelivery,
  problems: ['not-found'],
  waitsForOthers: true,
  ports: ['webhooks', 'webhookSender'],
  async run({ webhooks, webhookSender }, { input, by }) {
    return sendTest(webhookSender, webhooks, await getWebhook(webhooks, input.id), ownerOf(by));
  },
});

export const listDeliveries = operation({
  ...managing,
  name: 'listDeliveries',
  summary: 'List deliveries of a webhook',
  description: `Newest first: deliveries that will be tried again, and the latest ${keptDeliveries} finished ones. For administrators.`,
  input: Type.Object({ id, ...rangeFields(50) }),
  output: listOf(shownDelivery, 'The deliveries.'),
  problems: ['not-found'],
  ports: ['webhooks'],
  async run({ webhooks }, { input }) {
    await getWebhook(webhooks, input.id);
    const { deliveries: items, total } = await webhooks.listDeliveries(input.id, rangeOf(input, 50));
    return { items, total };
  },
});

/**
 * Regardless of the state of the delivery, and of whether the webhook is enabled. The event contains what the webhook's member may
 * read now. A test, which has no event, is sent as a new one.
 */
export const replayDelivery = operation({
  ...managing,
  name: 'replayDelivery',
  summary: 'Send an event again',
  description:
    'Sends the event at once with the same `webhook-id`, whatever its state is, and returns the result. For administrators.',
  input: Type.Object({ id, delivery: idField('ID of the delivery.', 81) }),
  output: shownDelivery,
  problems: ['not-found'],
  waitsForOthers: true,
  ports: ['webhooks', 'webhookSender', 'members', 'events', 'readAs'],
  async run({ webhooks, webhookSender, members, ...reads }, { input, by }) {
    const webhook = await getWebhook(webhooks, input.id);
    const delivery = await webhooks.findDelivery(webhook.id, input.delivery);
    if (!delivery) throw new Problem('not-found', say('problem.deliveryNotFoundTheLogKeepsOnly'));
    if (delivery.position === null) return sendTest(webhookSender, webhooks, webhook, ownerOf(by));
    const member = await members.findById(webhook.memberId);
    const owner = { memberId: webhook.memberId, name: webhook.memberName, isAdmin: true };
    const mayRead = member?.isActive && member.isAdmin;
    const event = mayRead ? (await findEvents(reads, owner, [delivery])).get(delivery.position) : undefined;
    if (!event) throw new Problem('not-found', say('problem.theWebhooksOwnerMayNotReadThis'));
    const content = webhookSender.eventJson(event);
    const attempt = await sendWebhook(webhookSender, webhook, delivery.messageId, content);
    const { path, ...sent } = { ...delivery, ...afterAttempt(delivery, attempt, webhookSender.clock()) };
    // A failed manual attempt is not retried, unless the delivery was waiting anyway.
    const isOver = sent.state === 'waiting' && delivery.dueAt === null;
    const noted: Delivery = isOver ? { ...sent, state: 'failed', dueAt: null } : sent;
    await webhooks.updateDelivery(noted);
    return { ...noted, path };
  },
});
