/** Webhooks, for administrators. */

import { Type } from 'typebox';
import { eventKinds } from '#core/model/event.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { ProblemCode } from '#core/model/problem.ts';
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
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import type { ListedDelivery } from '#core/ports/webhook-store.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  findWebhook,
  type ListedWebhook,
  listWebhooks,
} from '#core/webhooks/administer-webhooks.ts';
import { keptDeliveries, maxWebhooks } from '#core/webhooks/deliver-webhooks.ts';
import { listDeliveries, replayDelivery, testWebhook } from '#core/webhooks/webhook-log.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Webhooks'];
const config = { access: 'required', scope: 'admin', subtree: 'refused' } as const;
const problems: ProblemCode[] = ['administrators-only', 'not-found'];

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

const NewWebhook = component('NewWebhook', 'A webhook to be made.', {
  url: urlField,
  kinds: Type.Optional(kindsField),
  ancestor: Type.Optional(ancestorField),
  secret: optionalText(
    'Key of the signatures: `whsec_` and the base64 of 24 to 64 bytes. Without it one is made.',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
  after: afterField,
});

const WebhookEdit = component('WebhookEdit', 'Fields to change; all others stay as they are.', {
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

const params = Type.Object({ id: idField('ID of the webhook.', 3) });
const deliveryParams = Type.Object({
  id: idField('ID of the webhook.', 3),
  delivery: idField('ID of the delivery.', 81),
});

export async function webhookRoutes(server: Server, service: Service): Promise<void> {
  const { store, webhooks, clock } = service;
  const parts = { ...webhooks, store };

  server.post(
    '/v1/webhooks',
    {
      config: { ...config, audit: ['webhook-made'], answersSecret: true },
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Make a webhook',
        description:
          'From now on every event is sent to the address, as `POST` with the object that the change feed has and the headers of Standard Webhooks; an answer other than 2xx, or none within 15 seconds, is tried again for three days. For administrators.',
        body: NewWebhook,
        response: { 200: MadeWebhook },
        problems,
      },
    },
    async (request) => {
      const made = await createWebhook(parts, request.actor, request.body, clock());
      return { ...webhookJson(made), secret: made.secret };
    },
  );

  server.get(
    '/v1/webhooks',
    {
      config,
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List the webhooks',
        description: 'All of them, oldest first, without their secrets. For administrators.',
        response: { 200: Type.Array(Webhook, { description: `At most ${maxWebhooks}.` }) },
        problems: ['administrators-only'],
      },
    },
    async (request) => (await listWebhooks(store, request.actor)).map(webhookJson),
  );

  server.get(
    '/v1/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'readWebhook',
        tags,
        summary: 'Read a webhook',
        description: 'Without its secret. For administrators.',
        params,
        response: { 200: Webhook },
        problems,
      },
    },
    async (request) => webhookJson(await findWebhook(store, request.actor, request.params.id)),
  );

  server.patch(
    '/v1/webhooks/:id',
    {
      config: { ...config, audit: ['webhook-changed'] },
      schema: {
        operationId: 'editWebhook',
        tags,
        summary: 'Edit, enable or disable a webhook',
        description: 'It belongs to the caller then, and is told what they may read. For administrators.',
        params,
        body: WebhookEdit,
        response: { 200: Webhook },
        problems,
      },
    },
    async (request) =>
      webhookJson(await editWebhook(parts, request.actor, request.params.id, request.body, clock())),
  );

  server.delete(
    '/v1/webhooks/:id',
    {
      config: { ...config, audit: ['webhook-deleted'] },
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook',
        description: 'With its log. For administrators.',
        params,
        others: { 204: 'It is deleted.' },
        problems,
      },
    },
    async (request) => deleteWebhook(store, request.actor, request.params.id),
  );

  server.post(
    '/v1/webhooks/:id/test',
    {
      config: { ...config, audit: [], isEndless: true },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test',
        description:
          'Sends an event of the kind `test` at once, whether the webhook is enabled or not, and says what came back. It is not tried again. For administrators.',
        params,
        response: { 200: DeliveryObject },
        problems,
      },
    },
    async (request) => deliveryJson(await testWebhook(parts, request.actor, request.params.id)),
  );

  server.get(
    '/v1/webhooks/:id/deliveries',
    {
      config,
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'List what was sent to a webhook',
        description: `Newest first: what waits to be tried again, and the latest ${keptDeliveries} that are over. For administrators.`,
        params,
        querystring: Type.Object(rangeFields(50)),
        response: { 200: Type.Array(DeliveryObject, { description: 'The deliveries.' }) },
        headersOut: pagingHeaders,
        problems,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 50);
      const { deliveries, total } = await listDeliveries(store, request.actor, request.params.id, range);
      setPaging(request, reply, range, total);
      return deliveries.map(deliveryJson);
    },
  );

  server.post(
    '/v1/webhooks/:id/deliveries/:delivery/replay',
    {
      config: { ...config, audit: [], isEndless: true },
      schema: {
        operationId: 'replayDelivery',
        tags,
        summary: 'Send an event again',
        description:
          'At once, with the same `webhook-id`, whatever became of it before, and says what came back. For administrators.',
        params: deliveryParams,
        response: { 200: DeliveryObject },
        problems,
      },
    },
    async (request) => {
      const { id, delivery } = request.params;
      return deliveryJson(await replayDelivery(parts, request.actor, id, delivery));
    },
  );
}

function webhookJson(webhook: ListedWebhook) {
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

function deliveryJson(one: ListedDelivery) {
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
