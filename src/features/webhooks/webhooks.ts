/**
 * Rules of webhooks. Each belongs to one administrator and receives what that one may read. Editing it transfers it to the editor,
 * because whoever sets the address is responsible.
 */

import { readCursor } from '#core/events/list-events.ts';
import { type EventKind, eventKinds } from '#core/model/event.ts';
import type { Actor, Operator } from '#core/model/permission.ts';
import {
  allInvalid,
  type FieldError,
  fieldError,
  invalid,
  notSignedIn,
  Problem,
} from '#core/model/problem.ts';
import type { Ports } from '#core/operations/operation.ts';
import type { Reader } from '#core/ports/reader.ts';
import {
  type Webhook,
  type WebhookFormat,
  type WebhookStore,
  webhookFormats,
} from '#core/ports/webhook-store.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

interface WebhookInput {
  url?: string;
  /** Null for all kinds. */
  kinds?: string[] | null;
  /** Path of a page; null for the whole wiki. */
  ancestor?: string | null;
  format?: WebhookFormat;
  /** Position in the feed to start from: a cursor, or `latest`. */
  after?: string;
}

export interface ListedWebhook extends Webhook {
  /** Current path of the page; null if there is none or it no longer exists. */
  ancestor: string | null;
}

const maxUrlLength = 2000;

/** The administrator to whom a webhook belongs that the caller makes or changes. */
export function ownerOf(by: Operator): NonNullable<Actor> {
  if (by === 'command line' || by === null) throw notSignedIn();
  return by;
}

/** Refuses `not-found`. */
export async function getWebhook(webhooks: WebhookStore, id: number): Promise<Webhook> {
  const webhook = await webhooks.find(id);
  if (!webhook) throw noSuchWebhook();
  return webhook;
}

/** Refuses `invalid`, naming all invalid fields at once. */
export async function readFields(
  ports: Pick<Ports, 'events' | 'reader' | 'webhookSender'>,
  by: NonNullable<Actor>,
  { url = '', kinds, ancestor, format, after }: WebhookInput,
  before: Webhook | undefined,
) {
  const errors: FieldError[] = [];
  const isNewUrl = before === undefined || (url !== '' && url !== before.url);
  const refusal =
    url.length > maxUrlLength
      ? say('problem.anAddressCanHaveAtMostCharacters', { maxUrlLength })
      : ports.webhookSender.outgoing.refusal(url);
  if (isNewUrl && refusal) errors.push(fieldError('/url', refusal));
  const unknown = kinds?.find((kind) => !eventKinds.includes(kind as EventKind));
  if (unknown !== undefined || kinds?.length === 0)
    errors.push(
      fieldError('/kinds', say('problem.kindsAreLeaveThemOutForAll', { eventKinds: eventKinds.join(', ') })),
    );
  if (format !== undefined && !webhookFormats.includes(format))
    errors.push(
      fieldError('/format', say('problem.formatsAre', { webhookFormats: webhookFormats.join(', ') })),
    );
  if (errors.length > 0) throw allInvalid(errors);
  const page = ancestor == null ? undefined : await ancestorAt(ports.reader, ancestor);
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
    format: format ?? before?.format ?? 'standard',
    position: after === undefined ? (before?.position ?? 0) : await placeAfter(ports, by, after),
  };
}

async function placeAfter(
  { events, reader }: Pick<Ports, 'events' | 'reader'>,
  by: NonNullable<Actor>,
  after: string,
): Promise<number> {
  try {
    return await readCursor({ events, readAs: () => reader }, by, after);
  } catch (error) {
    throw error instanceof Problem && error.code === 'invalid' ? invalid('/after', error.words) : error;
  }
}

async function ancestorAt(reader: Reader, path: string) {
  try {
    return await getReadable(reader, path);
  } catch (error) {
    if (error instanceof Problem && ['not-found', 'gone'].includes(error.code))
      throw invalid('/ancestor', error.words, 'not-found');
    throw error;
  }
}

/** Administrators may read every page. */
export async function withAncestors(reader: Reader, webhooks: Webhook[]): Promise<ListedWebhook[]> {
  const ids = new Set(webhooks.flatMap(({ ancestorId }) => ancestorId ?? []));
  const pages = ids.size === 0 ? [] : await reader.pages.outlines([...ids]);
  const paths = new Map(pages.map(({ id, path }) => [id, path]));
  return webhooks.map((webhook) => ({ ...webhook, ancestor: paths.get(webhook.ancestorId ?? 0) ?? null }));
}

/** Only the origin of the URL, because its path may be a secret of the receiver. */
export function subjectOf({ id, url }: Pick<Webhook, 'id' | 'url'>) {
  return { kind: 'webhook', id, name: new URL(url).origin } as const;
}

export function noSuchWebhook(): Problem {
  return new Problem('not-found', say('problem.webhookNotFoundItHasBeenDeleted'));
}
