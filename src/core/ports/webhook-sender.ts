/** Ports that sending events to webhooks needs. */
import type { EventKind } from '../model/event.ts';
import type { WebhookSignatures } from './credentials.ts';
import type { FeedEvent } from './event-store.ts';
import type { Outgoing } from './outgoing.ts';

/** An event of the change feed, or a test, which has no page. */
export interface EventMessage {
  kind: EventKind | 'test';
  page: { path: string; title: string | null } | null;
  editor: { name: string } | null;
  msg: string;
}

export interface WebhookSender {
  outgoing: Outgoing;
  signatures: WebhookSignatures;
  /** The event in the form of the change feed. */
  eventJson(event: FeedEvent): EventMessage;
  /** Address of the wiki, to which messages for chat programs link. */
  wikiUrl: string;
  clock(): number;
}
