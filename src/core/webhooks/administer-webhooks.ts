/**
 * Webhooks, for administrators. Each belongs to one administrator and receives what that one may read. Editing it transfers it
 * to the editor, because whoever sets the address is responsible.
 */

import { readCursor } from '../events/list-events.ts';
import { getAdministrator } from '../members/get-administrator.ts';
import type { AuditKind } from '../model/audit-kinds.ts';
import { type EventKind, eventKinds } from '../model/event.ts';
import { type Actor, visibilityOf } from '../model/permission.ts';
import { allInvalid, type FieldError, invalid, Problem } from '../model/problem.ts';
import type { WebhookSignatures } from '../ports/credentials.ts';
import type { Outgoing } from '../ports/outgoing.ts';
import type { Store } from '../ports/store.ts';
import type { Webhook } from '../ports/webhook-store.ts';
import { getReadable } from '../reading/find-page.ts';
import { maxWebhooks } from './deliver-webhooks.ts';

export interface WebhookInput {
  url?: string | undefined;
  /** Null for all kinds. */
  kinds?: string[] | null | undefined;
  /** Path of a page; null for the whole wiki. */
  ancestor?: string | null | undefined;
  /** Position in the feed to start from: a cursor, or `latest`. */
  after?: string | undefined;
}

export interface ListedWebhook extends Webhook {
  /** Current path of the page; null if there is none or it no longer exists. */
  ancestor: string | null;
}

type Parts = { store: Store; outgoing: Outgoing; signatures: WebhookSignatures };

const maxUrlLength = 2000;

/** Sends events from now on, or `after` a cursor. Refuses `unauthenticated`, `administrators-only` and `invalid`. */
export async function createWebhook(
  { store, outgoing, signatures }: Parts,
  actor: Actor,
  input: WebhookInput & { secret?: string | undefined },
  now: number,
): Promise<ListedWebhook> {
  const by = await administrator(store, actor);
  const { secret = signatures.makeSecret() } = input;
  if (!signatures.isSecret(secret))
    throw invalid(
      '/secret',
      'A secret is “whsec_” and the base64 of 24 to 64 bytes. Leave it out to have one made.',
    );
  if (input.url === undefined) throw invalid('/url', 'A webhook needs an address.', 'required');
  const { ancestor, ...fields } = await readFields(
    { store, outgoing },
    by,
    { after: 'latest', ...input },
    undefined,
  );
  const id = await store.transact(async (store) => {
    if ((await store.webhooks.list(maxWebhooks)).length >= maxWebhooks)
      throw invalid('/url', `A wiki has ${maxWebhooks} webhooks: delete one that is not used any more.`);
    const id = await store.webhooks.insert({ ...fields, disabled: undefined, secret, createdAt: now });
    await record(store, 'webhook-made', id, fields.url);
    return id;
  });
  return { ...(await getWebhook(store, id)), ancestor };
}

/** Oldest first. Refuses `unauthenticated` and `administrators-only`, as do all of these functions. */
export async function listWebhooks(store: Store, actor: Actor): Promise<ListedWebhook[]> {
  await administrator(store, actor);
  return withAncestors(store, await store.webhooks.list(maxWebhooks));
}

export async function findWebhook(store: Store, actor: Actor, id: number): Promise<ListedWebhook> {
  await administrator(store, actor);
  const [webhook] = await withAncestors(store, [await getWebhook(store, id)]);
  return webhook as ListedWebhook;
}

/**
 * Fields that are not given are kept; the webhook then belongs to the actor. When enabled again, it continues where it stopped,
 * and failed deliveries are retried at once. Refuses `invalid` and `not-found`.
 */
export async function editWebhook(
  { store, outgoing }: Omit<Parts, 'signatures'>,
  actor: Actor,
  id: number,
  input: WebhookInput & { enabled?: boolean | undefined },
  now: number,
): Promise<ListedWebhook> {
  const by = await administrator(store, actor);
  const before = await getWebhook(store, id);
  const { ancestor: _, ...fields } = await readFields({ store, outgoing }, by, input, before);
  const { enabled = before.disabled === undefined } = input;
  const disabled = enabled ? undefined : (before.disabled ?? { at: now, reason: `${by.name} disabled it.` });
  await store.transact(async (store) => {
    if (!(await store.webhooks.update(id, { ...fields, disabled }))) throw noSuchWebhook();
    if (enabled && before.disabled) await store.webhooks.hurry(id, now);
    await record(store, 'webhook-changed', id, fields.url, enabled ? 'enabled' : 'disabled');
  });
  return findWebhook(store, actor, id);
}

/** Deletes the webhook and its log. Requests in progress are not cancelled. */
export async function deleteWebhook(store: Store, actor: Actor, id: number): Promise<void> {
  await administrator(store, actor);
  await store.transact(async (store) => {
    const { url } = await getWebhook(store, id);
    await store.webhooks.remove(id);
    await record(store, 'webhook-deleted', id, url);
  });
}

/** Records only the origin of the URL, because its path may be a secret of the receiver. */
async function record(store: Store, kind: AuditKind, id: number, url: string, note = ''): Promise<void> {
  const name = new URL(url).origin;
  await store.audit.record({ kind, subject: { kind: 'webhook', id, name }, note });
}

export async function getWebhook(store: Store, id: number): Promise<Webhook> {
  const webhook = await store.webhooks.find(id);
  if (!webhook) throw noSuchWebhook();
  return webhook;
}

export async function administrator(store: Store, actor: Actor): Promise<NonNullable<Actor>> {
  const { id, name } = await getAdministrator(store, actor, 'manage webhooks');
  return { memberId: id, name, isAdmin: true };
}

async function readFields(
  { store, outgoing }: Omit<Parts, 'signatures'>,
  by: NonNullable<Actor>,
  { url = '', kinds, ancestor, after }: WebhookInput,
  before: Webhook | undefined,
) {
  const errors: FieldError[] = [];
  const isNewUrl = before === undefined || (url !== '' && url !== before.url);
  const refusal =
    url.length > maxUrlLength ? `An address has at most ${maxUrlLength} characters.` : outgoing.refusal(url);
  if (isNewUrl && refusal) errors.push({ pointer: '/url', detail: refusal });
  const unknown = kinds?.find((kind) => !eventKinds.includes(kind as EventKind));
  if (unknown !== undefined || kinds?.length === 0)
    errors.push({ pointer: '/kinds', detail: `Kinds are ${eventKinds.join(', ')}; leave them out for all.` });
  if (errors.length > 0) throw allInvalid(errors);
  const page = ancestor == null ? undefined : await ancestorAt(store, by, ancestor);
  return {
    memberId: by.memberId,
    url: isNewUrl ? new URL(url).href : (before?.url ?? ''),
    kinds:
      kinds === undefined
        ? before?.kinds
        : kinds === null
          ? undefined
          : eventKinds.filter((kind) => kinds.includes(kind)),
    ancestorId: ancestor === undefined ? (before?.ancestorId ?? null) : (page?.id ?? null),
    ancestor: page?.path ?? null,
    position: after === undefined ? (before?.position ?? 0) : await placeAfter(store, by, after),
  };
}

async function placeAfter(store: Store, by: NonNullable<Actor>, after: string): Promise<number> {
  if (after === 'latest') return (await store.events.last(visibilityOf(by)))?.position ?? 0;
  try {
    return await readCursor(store, by, after);
  } catch (error) {
    throw error instanceof Problem && error.code === 'invalid' ? invalid('/after', error.message) : error;
  }
}

async function ancestorAt(store: Store, by: Actor, path: string) {
  try {
    return await getReadable(store.readAs(by), path);
  } catch (error) {
    if (error instanceof Problem && ['not-found', 'gone'].includes(error.code))
      throw invalid('/ancestor', error.message, 'not-found');
    throw error;
  }
}

/** Administrators may read every page. */
async function withAncestors(store: Store, webhooks: Webhook[]): Promise<ListedWebhook[]> {
  const ids = webhooks.flatMap(({ ancestorId }) => ancestorId ?? []);
  const pages = ids.length === 0 ? [] : await store.readAsSystem().pages.outlines([...new Set(ids)]);
  const paths = new Map(pages.map(({ id, path }) => [id, path]));
  return webhooks.map((webhook) => ({ ...webhook, ancestor: paths.get(webhook.ancestorId ?? 0) ?? null }));
}

function noSuchWebhook(): Problem {
  return new Problem('not-found', 'There is no such webhook: it was deleted.');
}
