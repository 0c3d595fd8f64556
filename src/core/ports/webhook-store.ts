/** Store port of webhooks, with their positions and deliveries. */
import type { EventKind } from '../model/event.ts';
import type { Range } from './list-reads.ts';

/** Form of what is sent: the event itself, or a message for a chat program. */
export const webhookFormats = ['standard', 'slack', 'teams', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** A URL to which events are sent. */
export interface Webhook {
  id: number;
  /** The administrator responsible for it: it receives what they may read, as long as they are an administrator. */
  memberId: number;
  memberName: string;
  url: string;
  /** Kinds of events; undefined for all. */
  kinds: EventKind[] | undefined;
  /** ID of the page whose subtree it follows; null for the whole wiki. */
  ancestorId: number | null;
  secret: string;
  format: WebhookFormat;
  createdAt: number;
  /** Reason and time of disabling; undefined while it is enabled. */
  disabled: { at: number; reason: string } | undefined;
  /** Position in the feed; later events were not sent yet. */
  position: number;
  lastSuccessAt: number | null;
  /** End of the lease of the process that is sending; null if none is. */
  leasedUntil: number | null;
}

/** `waiting`: will be retried. `left-out`: the webhook's member may no longer read the event. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'left-out';

export interface Delivery {
  id: number;
  webhookId: number;
  /** Position of the event in the feed; null for a test. */
  position: number | null;
  /** The same for every attempt. */
  messageId: string;
  kind: EventKind | 'test';
  createdAt: number;
  state: DeliveryState;
  /** Time of the next attempt; null unless it is waiting. */
  dueAt: number | null;
  attempts: number;
  attemptedAt: number;
  /** HTTP status of the last attempt; null if there was no response. */
  status: number | null;
  /** Reason of the failure, or the beginning of the response. */
  answer: string;
  tookMs: number;
}

export interface ListedDelivery extends Delivery {
  /** Path of the page after the event. Null for a test. */
  path: string | null;
}

/** Settings of the webhook, and its position. */
export type WebhookFields = Pick<
  Webhook,
  'memberId' | 'url' | 'kinds' | 'ancestorId' | 'format' | 'disabled' | 'position'
>;

export interface WebhookStore {
  insert(webhook: WebhookFields & Pick<Webhook, 'secret' | 'createdAt'>): Promise<number>;
  /** Oldest first. */
  list(limit: number): Promise<Webhook[]>;
  find(id: number): Promise<Webhook | undefined>;
  /** Returns false if it does not exist. */
  update(id: number, fields: WebhookFields): Promise<boolean>;
  /** Also deletes its deliveries. Returns false if it does not exist. */
  remove(id: number): Promise<boolean>;

  /** Leases the webhook until `until`, if it is enabled and no other process has leased it. */
  lease(id: number, holder: string, now: number, until: number): Promise<Webhook | undefined>;
  /**
   * Records what was sent since the webhook was leased or last finished, and returns its current state. Returns undefined, and
   * records nothing, if another process has taken over the lease. It is not disabled if its member or URL has changed meanwhile. `until`: new end of the lease; null releases it. A position
   * that was set meanwhile is kept. New deliveries have the ID 0; of the finished ones the newest `keep` are kept.
   */
  finish(
    webhook: Webhook,
    holder: string,
    done: Pick<Webhook, 'position' | 'lastSuccessAt' | 'disabled'> & {
      until: number | null;
      deliveries: readonly Delivery[];
    },
    keep: number,
  ): Promise<Webhook | undefined>;
  /** Waiting deliveries, longest overdue first. */
  waiting(id: number, limit: number): Promise<Delivery[]>;
  /** When the next delivery is due, among enabled webhooks that are not leased. */
  nextDueAt(now: number): Promise<number | undefined>;
  /** Makes all waiting deliveries due now. */
  hurry(id: number, now: number): Promise<void>;

  insertDelivery(delivery: Delivery): Promise<number>;
  updateDelivery(delivery: Delivery): Promise<void>;
  /** Newest first. */
  listDeliveries(id: number, range: Range): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  findDelivery(id: number, deliveryId: number): Promise<ListedDelivery | undefined>;
  /**
   * For metrics: deliveries that wait to be tried again, and events that some enabled webhook has not been sent yet, of each at most
   * `limit`.
   */
  backlog(limit: number): Promise<{ deliveries: number; events: number }>;
}
