/** Schemas of webhooks and deliveries, and their conversion to JSON. */
import { Type } from 'typebox';
import { eventKinds } from '#core/model/event.ts';
import { isoTime } from '#core/model/iso-time.ts';
import {
  component,
  flag,
  idField,
  integer,
  literals,
  oneOf,
  optionalText,
  orNull,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '#core/operations/fields.ts';
import { converted } from '#core/operations/operation.ts';
import { MemberName } from '#core/operations/schemas.ts';
import type { ListedDelivery } from '#core/ports/webhook-store.ts';
import { maxWebhooks } from './deliver.ts';
import type { ListedWebhook } from './webhooks.ts';

const kindsField = orNull(
  Type.Array(literals(eventKinds)),
  'Kinds of events that it is told of; null: all.',
  ['created', 'edited'],
);
const ancestorField = textOrNull(
  'Path of a page: events of that page and of pages beneath it, as with `ancestor` in the change feed. Null: the whole wiki.',
  '/garden',
);
const urlField = text(
  'Address that events are sent to: a public https address, or one that COPPICE_OUTGOING_ALLOW names.',
  'https://site.example.org/hooks/wiki',
);
const afterField = optionalText(
  'Position in the change feed to go on from: a cursor, `0` for the beginning, or `latest`.',
  'latest',
);

export const NewWebhook = component('NewWebhook', 'A webhook to be made.', {
  url: urlField,
  kinds: Type.Optional(kindsField),
  ancestor: Type.Optional(ancestorField),
  secret: optionalText(
    'Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. Without it one is made.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
  after: afterField,
});

export const WebhookEdit = component('WebhookEdit', 'Fields to change; all others stay as they are.', {
  id: idField('ID of the webhook.', 3),
  url: Type.Optional(urlField),
  kinds: Type.Optional(kindsField),
  ancestor: Type.Optional(ancestorField),
  enabled: Type.Optional(
    flag(
      'Whether events are sent. Enabled again, it goes on where it stopped, unless `after` says otherwise.',
      true,
    ),
  ),
  after: afterField,
});

const listed = {
  id: idField('Webhook ID.', 3),
  url: urlField,
  kinds: kindsField,
  ancestor: ancestorField,
  member: MemberName,
  createdAt: time('When it was made'),
  enabled: flag('Whether events are sent.', true),
  disabledAt: timeOrNull('Since when nothing is sent; null while it is enabled.'),
  disabledReason: textOrNull('Reason why nothing is sent, in a sentence.', null),
  lastDeliveredAt: timeOrNull('When something was last taken at its address; null: never.'),
};
const Webhook = component(
  'Webhook',
  'A webhook. It is told what `member` may read, while they are an administrator.',
  listed,
);
const MadeWebhook = component('MadeWebhook', 'A webhook that was just made.', {
  ...listed,
  secret: text(
    'Key by which the receiver checks signatures, shown this once.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
});

const DeliveryObject = component('Delivery', 'An event as it was sent to a webhook.', {
  id: idField('Delivery ID.', 81),
  messageId: text(
    'Header `webhook-id`, equal in every attempt: the cursor of the event in the change feed.',
    '1a-mk3x9f2b',
  ),
  kind: oneOf([...eventKinds, 'test'], 'Kind of the event, or `test`.', 'edited'),
  path: textOrNull('Path of the page after the event; null for a test.', '/garden/roses'),
  state: oneOf(
    ['waiting', 'delivered', 'failed', 'left-out'],
    '`waiting`: it is tried again. `failed`: it is given up. `left-out`: the member may not read it any more.',
    'delivered',
  ),
  attempts: integer('How often it was tried.', 1),
  createdAt: time('When it was first tried'),
  attemptedAt: time('When it was last tried'),
  nextAttemptAt: timeOrNull('When it is tried again; null: it is not.'),
  status: orNull(Type.Integer(), 'HTTP status of the last answer; null: there was none.', 204),
  answer: text('Beginning of the last answer, or why there was none.', 'ok'),
  tookMs: integer('Milliseconds of the last attempt.', 48),
});

export const shownWebhook = converted(Webhook, webhookJson);
export const shownWebhooks = converted(
  Type.Array(Webhook, { description: `At most ${maxWebhooks}.` }),
  (webhooks: ListedWebhook[]) => webhooks.map(webhookJson),
);
export const madeWebhook = converted(MadeWebhook, (made: ListedWebhook) => ({
  ...webhookJson(made),
  secret: made.secret,
}));
export const shownDelivery = converted(DeliveryObject, deliveryJson);

export function webhookJson(webhook: ListedWebhook) {
  const { id, url, kinds, ancestor, memberId, memberName, createdAt, disabled, lastSuccessAt } = webhook;
  return {
    id,
    url,
    kinds: kinds ?? null,
    ancestor,
    member: { id: memberId, name: memberName },
    createdAt: isoTime(createdAt),
    enabled: disabled === undefined,
    disabledAt: isoTime(disabled?.at ?? null),
    disabledReason: disabled?.reason ?? null,
    lastDeliveredAt: isoTime(lastSuccessAt),
  };
}

export function deliveryJson(one: ListedDelivery) {
  return {
    id: one.id,
    messageId: one.messageId,
    kind: one.kind,
    path: one.path,
    state: one.state,
    attempts: one.attempts,
    createdAt: isoTime(one.createdAt),
    attemptedAt: isoTime(one.attemptedAt),
    nextAttemptAt: isoTime(one.dueAt),
    status: one.status,
    answer: one.answer,
    tookMs: one.tookMs,
  };
}
