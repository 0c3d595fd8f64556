/** The part of the port to the database that keeps webhooks, how far each has come, and what became of its deliveries. */
import type { EventKind } from '../events/event.ts';
import type { Range } from './list-reads.ts';

/** An address to which events are sent. */
export interface Webhook {
  id: number;
  /** The administrator who answers for it: it is told what they may read, for as long as they are one. */
  memberId: number;
  memberName: string;
  url: string;
  /** Kinds of events; undefined: all. */
  kinds: EventKind[] | undefined;
  /** ID of the page whose subtree it follows; null: the whole wiki. */
  ancestorId: number | null;
  secret: string;
  createdAt: number;
  /** Why nothing is sent; undefined while it is enabled. */
  disabled: { at: number; reason: string } | undefined;
  /** Position in the feed: later events were not sent yet. */
  position: number;
  lastSuccessAt: number | null;
  /** Until when one process is sending; null: none is. */
  leasedUntil: number | null;
}

/** `waiting`: to be tried again. `left-out`: its member may not read it any more. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'left-out';

export interface Delivery {
  id: number;
  webhookId: number;
  /** Place of the event in the feed; null for a test. */
  position: number | null;
  /** Equal in every attempt. */
  messageId: string;
  kind: EventKind | 'test';
  createdAt: number;
  state: DeliveryState;
  /** When it is tried next; null unless it waits. */
  dueAt: number | null;
  attempts: number;
  attemptedAt: number;
  /** HTTP status of the last attempt; null: nothing came back. */
  status: number | null;
  /** Why it failed, or the beginning of the answer. */
  answer: string;
  tookMs: number;
}

export interface ListedDelivery extends Delivery {
  /** Path of the page after the event; null for a test. */
  path: string | null;
}

/** Settings of the webhook, and its position. */
export type WebhookFields = Pick<
  Webhook,
  'memberId' | 'url' | 'kinds' | 'ancestorId' | 'disabled' | 'position'
>;

export interface WebhookStore {
  insert(webhook: WebhookFields & Pick<Webhook, 'secret' | 'createdAt'>): Promise<number>;
  /** Oldest first. */
  list(limit: number): Promise<Webhook[]>;
  find(id: number): Promise<Webhook | undefined>;
  /** False if it is not there. */
  update(id: number, fields: WebhookFields): Promise<boolean>;
  /** With its deliveries. False if it is not there. */
  remove(id: number): Promise<boolean>;

  /** The webhook, if it is enabled and no other process is sending for it; nobody else gets it before `until`. */
  lease(id: number, holder: string, now: number, until: number): Promise<Webhook | undefined>;
  /**
   * Writes down what was sent since the webhook was leased or last finished, and gives it back as it is now. Undefined if the lease
   * is over: nothing is written if another process has taken over. `until`: of the lease from now on; null ends it. A place that was
   * set meanwhile stays. New deliveries have the ID 0; of those that are over the newest `keep` stay.
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
  /** Deliveries that wait, the longest due first. */
  waiting(id: number, limit: number): Promise<Delivery[]>;
  /** When the next one of an enabled webhook is due that no process is sending for. */
  nextDueAt(now: number): Promise<number | undefined>;
  /** Makes all waiting deliveries due now. */
  hurry(id: number, now: number): Promise<void>;

  insertDelivery(delivery: Delivery): Promise<number>;
  updateDelivery(delivery: Delivery): Promise<void>;
  /** Newest first. */
  listDeliveries(id: number, range: Range): Promise<{ deliveries: ListedDelivery[]; total: number }>;
  findDelivery(id: number, deliveryId: number): Promise<ListedDelivery | undefined>;
}
