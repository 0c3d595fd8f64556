/** One attempt to deliver an event: sends it signed, and records the outcome. */
import type { FeedEvent } from '../events/list-events.ts';
import type { WebhookSignatures } from '../ports/credentials.ts';
import { NotDelivered, type Outgoing } from '../ports/outgoing.ts';
import type { Delivery, Webhook } from '../ports/webhook-store.ts';

/** Ports that sending needs. */
export interface WebhookSender {
  outgoing: Outgoing;
  signatures: WebhookSignatures;
  /** The event in the form of the change feed. */
  eventJson(event: FeedEvent): unknown;
  clock(): number;
}

export type Attempt = Pick<Delivery, 'attemptedAt' | 'status' | 'answer' | 'tookMs'> & { isTaken: boolean };

/** Maximum number of characters of a response that the log keeps. */
const maxAnswerLength = 500;
/** Pauses after each failed attempt, three days in total. */
const pausesMs = [5_000, 60_000, 300_000, ...[0.5, 2, 5, 10, 14, 20, 20].map((hours) => hours * 3_600_000)];

export async function sendWebhook(
  { outgoing, signatures, clock }: WebhookSender,
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  messageId: string,
  content: unknown,
): Promise<Attempt> {
  const attemptedAt = clock();
  const body = JSON.stringify(content);
  // Standard Webhooks: in seconds; receivers reject timestamps older than a few minutes.
  const timestamp = Math.floor(attemptedAt / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.sign(secret, messageId, timestamp, body),
  };
  try {
    const { status, text } = await outgoing.post(url, headers, body);
    const isTaken = status >= 200 && status < 300;
    const answer = status >= 300 && status < 400 ? 'Redirects are not followed.' : shown(text);
    return { attemptedAt, status, answer, tookMs: clock() - attemptedAt, isTaken };
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    return {
      attemptedAt,
      status: null,
      answer: error.message,
      tookMs: clock() - attemptedAt,
      isTaken: false,
    };
  }
}

/** The state of a delivery after an attempt: finished, or due again later. */
export function afterAttempt(delivery: Delivery, { isTaken, ...attempt }: Attempt, now: number): Delivery {
  const attempts = delivery.attempts + 1;
  const pause = isTaken ? undefined : pausesMs[attempts - 1];
  return {
    ...delivery,
    ...attempt,
    attempts,
    state: isTaken ? 'delivered' : pause === undefined ? 'failed' : 'waiting',
    dueAt: pause === undefined ? null : now + pause,
  };
}

function shown(text: string): string {
  return text
    .slice(0, 2 * maxAnswerLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxAnswerLength);
}
