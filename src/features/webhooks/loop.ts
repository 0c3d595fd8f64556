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
  parts: Omit<Delivering, 'holder' | 'seen' | 'isStopped'>,
  lookEveryMs = 250,
): WebhookLoop {
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isStopped = false;
  let revision = '';
  let dueAt: number | undefined;
  let hasFailed = false;
  const delivering: Delivering = {
    ...parts,
    holder: randomUUID(),
    seen: new Map(),
    isStopped: () => isStopped,
  };
  const deliver = async () => {
    // Read before the events, so that the next poll sees commits that happen meanwhile.
    revision = await parts.store.revision();
    dueAt = await deliverWebhooks(delivering);
  };
  const look = async () => {
    if (isStopped) return;
    try {
      const isDue = dueAt !== undefined && dueAt <= parts.clock();
      if (isDue || (await parts.store.revision()) !== revision) await deliver();
      hasFailed = false;
    } catch (error) {
      // Once for each time that the database is unavailable.
      if (!hasFailed) parts.failed(error);
      hasFailed = true;
    }
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      looking = looking.then(look).then(next);
    }, lookEveryMs);
    timer.unref();
  };
  next();
  return {
    deliverDue() {
      const delivered = looking.then(deliver);
      looking = delivered.catch(() => {});
      return delivered;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
