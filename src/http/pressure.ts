/**
 * Pressure by strangers' reads that no cache answers, such as those of crawlers that come from thousands of addresses, each of
 * which asks for little. Under pressure they get a cheap answer, so that members, cached responses and writes are always
 * served: a response that was true within the last second, else 503 with Retry-After.
 */
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { networkOf } from './address-group.ts';

/** Reads of strangers that a process makes at once. Half of them may be for one network. */
const maxReads = 64;
/**
 * On SQLite a read seldom waits for anything. Requests queue in the kernel instead, members' among them, where nobody can count
 * them. That shows in an event loop that is never idle, so each window that was busy halves the reads of the next.
 */
const windowMs = 200;
const busyShare = 0.9;
/** Reads in a window that are never refused for this reason: a few slow ones are no crowd. */
const fewReads = 4;
/** Networks in a window that are a crowd. Fewer are held back by the budgets of their addresses, and are people as a rule. */
const crowd = 16;
const retryAfterSeconds = 5;

export interface Pressure {
  /** Whether another read of a stranger would be refused. */
  isHigh(): boolean;
  /** Admits a read until its response is closed. Refuses `unavailable` under pressure. */
  admit(ip: string, response: Pick<ServerResponse, 'once'>): void;
}

/** `now`: milliseconds. `busyMs`: time that the event loop has spent on work so far. */
export function createPressure(
  isOn: boolean,
  refused: () => void = () => {},
  now: () => number = () => performance.now(),
  busyMs: () => number = () => performance.eventLoopUtilization().active,
): Pressure {
  let reads = 0;
  const readsOf = new Map<string, number>();
  const networks = new Set<string>();
  let window = { since: now(), busyMs: busyMs(), reads: 0, mostReads: Number.POSITIVE_INFINITY };
  const lookAtWindow = () => {
    const ms = now() - window.since;
    if (ms < windowMs) return;
    const isCrowded = networks.size >= crowd || window.mostReads !== Number.POSITIVE_INFINITY;
    const isBusy = isCrowded && busyMs() - window.busyMs > busyShare * ms;
    // Counted by the rate, because a busy process may look late.
    const few = Math.ceil((window.reads * windowMs) / ms / 2);
    const rested = window.mostReads * 2;
    const mostReads = isBusy
      ? Math.max(fewReads, few)
      : rested > maxReads
        ? Number.POSITIVE_INFINITY
        : rested;
    window = { since: now(), busyMs: busyMs(), reads: 0, mostReads };
    networks.clear();
  };
  const isHigh = () => {
    if (!isOn) return false;
    lookAtWindow();
    return reads >= maxReads || window.reads >= window.mostReads;
  };
  return {
    isHigh,
    admit(ip, response) {
      if (!isOn) return;
      const network = networkOf(ip);
      const own = readsOf.get(network) ?? 0;
      lookAtWindow();
      networks.add(network);
      if (isHigh() || own >= maxReads / 2) {
        refused();
        throw new Problem('unavailable', say('problem.tooManyReadersAtOnce'), {
          details: { retryAfter: retryAfterSeconds },
        });
      }
      window.reads++;
      reads++;
      readsOf.set(network, own + 1);
      response.once('close', () => {
        reads--;
        const left = (readsOf.get(network) ?? 1) - 1;
        if (left > 0) readsOf.set(network, left);
        else readsOf.delete(network);
      });
    },
  };
}
