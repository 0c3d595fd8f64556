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
import { type ListedDelivery, webhookFormats } from '#core/ports/webhook-store.ts';
import { maxWebhooks } from './deliver.ts';
import type { ListedWebhook } from './webhooks.ts';

const kindsField = orNull(
  Type.Array(literals(eventKinds)),
  'Kinds of events that are sent. Null for all kinds.',
  ['created', 'edited'],
);
const ancestorField = textOrNull(
  'Path of a page, for events of that page and of pages beneath it, as with `ancestor` in the change feed. Null for the whole wiki.',
  '/garden',
);
const urlField = text(
  'URL to which events are sent: a public https address, or one that COPPICE_OUTGOING_ALLOW names.',
  'https://site.example.org/hooks/wiki',
);
const formatField = oneOf(
  webhookFormats,
  'Form of what is sent: `standard` is the event of the change feed; `slack`, `teams` and `discord` are messages for the incoming webhooks of those programs.',
  'standard',
);
const afterField = optionalText(
  'Position in the change feed to continue from: a cursor, `0` for the beginning, or `latest`.',
  'latest',
);

export const NewWebhook = component('NewWebhook', 'The new webhook.', {
  url: urlField,
  kinds: Type.Optional(kindsField),
  ancestor: Type.Optional(ancestorField),
  format: Type.Optional(formatField),
  secret: optionalText(
    'Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. If it is left out, the wiki makes one.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
  after: afterField,
});

export const WebhookEdit = component('WebhookEdit', 'Fields to change; all others stay as they are.', {
  id: idField('ID of the webhook.', 3),
  url: Type.Optional(urlField),
  kinds: Type.Optional(kindsField),
  ancestor: Type.Optional(ancestorField),
  format: Type.Optional(formatField),
  enabled: Type.Optional(
    flag(
      'Whether events are sent. A webhook that is enabled again continues where it stopped, unless `after` is given.',
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
  format: formatField,
  member: MemberName,
  createdAt: time('When the webhook was made'),
  enabled: flag('Whether events are sent.', true),
  disabledAt: timeOrNull('When the webhook was disabled. Null while it is enabled.'),
  disabledReason: textOrNull('Why the webhook was disabled, in one sentence.', null),
  lastDeliveredAt: timeOrNull('When the address last accepted an event. Null if it never did.'),
};
const Webhook = component(
  'Webhook',
  'A webhook. It is sent the events that `member` may read, while `member` is an administrator.',
  listed,
);
const MadeWebhook = component('MadeWebhook', 'A webhook that was just made.', {
  ...listed,
  secret: text(
    'Key with which the receiver checks signatures, shown only once.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
});

const DeliveryObject = component('Delivery', 'An event that was sent to a webhook.', {
  id: idField('Delivery ID.', 81),
  messageId: text(
    'Header `webhook-id`, the same in every attempt: the cursor of the event in the change feed.',
    '1a-mk3x9f2b',
  ),
  kind: oneOf([...eventKinds, 'test'], 'Kind of the event, or `test`.', 'edited'),
  path: textOrNull('Path of the page after the event. Null for a test.', '/garden/roses'),
  state: oneOf(
    ['waiting', 'delivered', 'failed', 'left-out'],
    '`waiting`: it is tried again. `failed`: no further attempts. `left-out`: the owner may not read the event any more.',
    'delivered',
  ),
  attempts: integer('Number of attempts.', 1),
  createdAt: time('When the delivery was first tried'),
  attemptedAt: time('When the delivery was last tried'),
  nextAttemptAt: timeOrNull('Time of the next attempt. Null if there is none.'),
  status: orNull(Type.Integer(), 'HTTP status of the latest response. Null if there was none.', 204),
  answer: text('Beginning of the latest response, or why there was none.', 'ok'),
  tookMs: integer('Duration of the latest attempt in milliseconds.', 48),
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
  const { id, url, kinds, ancestor, format, memberId, memberName, createdAt, disabled, lastSuccessAt } =
    webhook;
  return {
    id,
    url,
    kinds: kinds ?? null,
    ancestor,
    format,
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
