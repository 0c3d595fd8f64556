/**
 * Pressure by strangers' reads that no cache answers, such as those of crawlers that come from thousands of addresses, each of
 * which asks for little. Under pressure they get a cheap answer, so that members, cached responses and writes are always
 * served: a response that was true within the last second, else 503 with Retry-After.
 */
import type { ServerResponse } from 'node:http';
import { Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { networkOf } from './address-group.ts';

/** Reads of strangers that a process makes at once. Half of them may be for one network. */
const maxReads = 64;
/**
 * On SQLite a read seldom waits for anything, so reads queue before the process instead. What one iteration of the event loop
 * spends on them is what everybody else waits for.
 */
const maxTickMs = 50;
/** A few slow reads are no crowd. */
const fewReads = 8;
const retryAfterSeconds = 5;

export interface Pressure {
  /** Whether another read of a stranger would be refused. */
  isHigh(): boolean;
  /** Admits a read until its response is closed. Refuses `unavailable` under pressure. */
  admit(ip: string, response: Pick<ServerResponse, 'once'>): void;
}

/** `now`: milliseconds. `nextTick` calls back at the end of this iteration of the event loop. */
export function createPressure(
  isOn: boolean,
  refused: () => void = () => {},
  now: () => number = () => performance.now(),
  nextTick: (work: () => void) => unknown = setImmediate,
): Pressure {
  let reads = 0;
  const readsOf = new Map<string, number>();
  /** Start of this iteration, and the reads that it has begun. */
  let tick: { since: number; reads: number } | undefined;
  const thisTick = () => {
    if (!tick) {
      tick = { since: now(), reads: 0 };
      nextTick(() => {
        tick = undefined;
      });
    }
    return tick;
  };
  const isHigh = () => {
    if (!isOn) return false;
    const { since, reads: begun } = thisTick();
    return reads >= maxReads || (begun >= fewReads && now() - since > maxTickMs);
  };
  return {
    isHigh,
    admit(ip, response) {
      if (!isOn) return;
      const network = networkOf(ip);
      const own = readsOf.get(network) ?? 0;
      if (isHigh() || own >= maxReads / 2) {
        refused();
        throw new Problem('unavailable', say('problem.tooManyReadersAtOnce'), {
          details: { retryAfter: retryAfterSeconds },
        });
      }
      thisTick().reads++;
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
