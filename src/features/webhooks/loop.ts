/**
 * Polls several times a second, in every process of a server, whether any process has committed something or a delivery is due.
 * Writes nothing while there is nothing to do.
 */
import { randomUUID } from 'node:crypto';
import { type Delivering, deliverWebhooks } from './deliver.ts';

export interface WebhookLoop {
  /** Delivers what is due now, without waiting for the next poll. */
  deliverDue(): Promise<void>;
  /** Stops polling and waits for requests in progress. */
  stop(): Promise<void>;
}

export function startWebhookLoop(
  parts: Omit<Delivering, 'holder' | 'seen' | 'serving' | 'isStopped'>,
  lookEveryMs = 250,
): WebhookLoop {
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  /** Polling goes on meanwhile: a slow receiver does not delay the events of other webhooks. */
  const inProgress = new Set<Promise<void>>();
  let isStopped = false;
  let revision = '';
  let dueAt: number | undefined;
  let hasFailed = false;
  const delivering: Delivering = {
    ...parts,
    holder: randomUUID(),
    seen: new Map(),
    serving: new Map(),
    isStopped: () => isStopped,
  };
  const deliver = async () => {
    dueAt = undefined;
    // Read before the events, so that the next poll sees commits that happen meanwhile.
    revision = await parts.store.revision();
    const at = await deliverWebhooks(delivering);
    // Several can be in progress, each with webhooks of its own.
    if (at !== undefined) dueAt = Math.min(at, dueAt ?? at);
  };
  const failed = (error: unknown) => {
    // The next poll tries again.
    revision = '';
    // Once for each time that the database is unavailable.
    if (!hasFailed) parts.failed(error);
    hasFailed = true;
  };
  const worked = () => {
    hasFailed = false;
  };
  const keep = (delivered: Promise<void>) => {
    inProgress.add(delivered);
    void delivered.then(() => inProgress.delete(delivered));
  };
  const look = async () => {
    if (isStopped) return;
    try {
      const isDue = dueAt !== undefined && dueAt <= parts.clock();
      if (isDue || (await parts.store.revision()) !== revision) keep(deliver().then(worked, failed));
      else worked();
    } catch (error) {
      failed(error);
    }
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      looking = look().then(next);
    }, lookEveryMs);
    timer.unref();
  };
  next();
  return {
    deliverDue() {
      const delivered = Promise.all(inProgress).then(deliver);
      keep(delivered.catch(() => {}));
      return delivered;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(inProgress);
    },
  };
}
