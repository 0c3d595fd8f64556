/** Ports that sending events to webhooks needs. */
import type { WebhookSignatures } from '../ports/credentials.ts';
import type { Outgoing } from '../ports/outgoing.ts';
import type { FeedEvent } from './list-events.ts';

export interface WebhookSender {
  outgoing: Outgoing;
  signatures: WebhookSignatures;
  /** The event in the form of the change feed. */
  eventJson(event: FeedEvent): unknown;
  clock(): number;
}
