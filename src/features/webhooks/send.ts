/** One attempt to deliver an event or a test: sends it signed, and records the outcome. */

import { NotDelivered } from '#core/ports/outgoing.ts';
import type { EventMessage, WebhookSender } from '#core/ports/webhook-sender.ts';
import type { Delivery, ListedDelivery, Webhook, WebhookStore } from '#core/ports/webhook-store.ts';
import { bodyFor } from './chat-messages.ts';

type Attempt = Pick<Delivery, 'attemptedAt' | 'status' | 'answer' | 'tookMs'> & {
  isTaken: boolean;
  /** How long the receiver asks to be left alone, at most the longest pause. */
  pauseMs: number;
};

/** Maximum number of characters of a response that the log keeps. */
const maxAnswerLength = 500;
/** Pauses after each failed attempt, three days in total. */
const pausesMs = [5_000, 60_000, 300_000, ...[0.5, 2, 5, 10, 14, 20, 20].map((hours) => hours * 3_600_000)];
export const longestPauseMs = Math.max(...pausesMs);

export async function sendWebhook(
  { outgoing, signatures, wikiUrl, clock }: WebhookSender,
  { url, secret, format }: Pick<Webhook, 'url' | 'secret' | 'format'>,
  messageId: string,
  event: EventMessage,
): Promise<Attempt> {
  const attemptedAt = clock();
  const body = JSON.stringify(bodyFor(format, event, wikiUrl));
  // Standard Webhooks: in seconds; receivers reject timestamps older than a few minutes.
  const timestamp = Math.floor(attemptedAt / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.sign(secret, messageId, timestamp, body),
  };
  try {
    const { status, headers: answered, text } = await outgoing.post(url, headers, body);
    const isTaken = status >= 200 && status < 300;
    const answer = status >= 300 && status < 400 ? 'Redirects are not followed.' : shown(text);
    const now = clock();
    const pauseMs = pauseOf(answered['retry-after'], now);
    return { attemptedAt, status, answer, tookMs: now - attemptedAt, isTaken, pauseMs };
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    return {
      attemptedAt,
      status: null,
      answer: error.message,
      tookMs: clock() - attemptedAt,
      isTaken: false,
      pauseMs: 0,
    };
  }
}

/** The state of a delivery after an attempt: finished, or due again later. */
export function afterAttempt(
  delivery: Delivery,
  { isTaken, pauseMs, ...attempt }: Attempt,
  now: number,
): Delivery {
  const attempts = delivery.attempts + 1;
  const pause = isTaken ? undefined : pausesMs[attempts - 1];
  return {
    ...delivery,
    ...attempt,
    attempts,
    state: isTaken ? 'delivered' : pause === undefined ? 'failed' : 'waiting',
    dueAt: pause === undefined ? null : now + Math.max(pause, pauseMs),
  };
}

/** Sends an event of the kind `test` now and waits for the response. It is not retried. */
export async function sendTest(
  sender: WebhookSender,
  webhooks: WebhookStore,
  webhook: Webhook,
  by: { memberId: number; name: string },
): Promise<ListedDelivery> {
  const now = sender.clock();
  const messageId = `test-${webhook.id}-${now.toString(36)}`;
  const content = {
    id: 0,
    kind: 'test' as const,
    at: new Date(now).toISOString(),
    page: null,
    editor: { id: by.memberId, name: by.name },
    msg: 'A test',
    affects: { pages: [], lists: [] },
  };
  const { isTaken, pauseMs: _, ...attempt } = await sendWebhook(sender, webhook, messageId, content);
  const test = newDelivery(webhook.id, { position: null, cursor: messageId, kind: 'test' }, now);
  const state = isTaken ? ('delivered' as const) : ('failed' as const);
  const delivery = { ...test, ...attempt, state, attempts: 1 };
  return { ...delivery, id: await webhooks.insertDelivery(delivery), path: null };
}

/** A delivery that has not been attempted yet. */
export function newDelivery(
  webhookId: number,
  { position, cursor, kind }: { position: number | null; cursor: string; kind: Delivery['kind'] },
  now: number,
): Delivery {
  return {
    id: 0,
    webhookId,
    position,
    messageId: cursor,
    kind,
    createdAt: now,
    state: 'waiting',
    dueAt: null,
    attempts: 0,
    attemptedAt: now,
    status: null,
    answer: '',
    tookMs: 0,
  };
}

/** RFC 9110 §10.2.3: `Retry-After` has seconds or a date. */
function pauseOf(retryAfter: string | string[] | undefined, now: number): number {
  const text = String(retryAfter ?? '').trim();
  const pause = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Math.min(Math.max(pause || 0, 0), longestPauseMs);
}

function shown(text: string): string {
  return text
    .slice(0, 2 * maxAnswerLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxAnswerLength);
}
