/**
 * Tells the cache before the server what each commit of any process made stale. Each key is purged at once, and again a little
 * later: a response that was computed before the commit may reach the cache after the first purge.
 *
 * At the start everything is purged, because commits may have been missed. If the cache refuses keys or does not answer, they are
 * kept until it takes them.
 */
import type { Dependency } from '#cache/dependency.ts';
import type { Store } from '#core/ports/store.ts';
import { anyKey, dependencyKeys } from '#http/headers.ts';
import { NotPurged } from '#outgoing/purge.ts';

const lookEveryMs = 100;
const againAfterMs = 2000;
/** Doubled with each failure in a row. */
const retryAfterMs = 1000;
const longestRetryMs = 10_000;
/** If more are due, everything is purged. */
const maxKeys = 1000;
/** Surrogate key of all responses. */
const everything = 'wiki';

export interface PurgeLoop {
  /** Waits for the purge in progress. Keys that are still due are purged by the next start. */
  stop(): Promise<void>;
}

export function startPurgeLoop({
  store,
  send,
  failed,
  works,
}: {
  store: Pick<Store, 'listen' | 'revision'>;
  send: (keys: string[]) => Promise<void>;
  /** Called with the first error, and with each one that says something else than the one before. */
  failed: (error: unknown) => void;
  /** Called when the cache takes purges again. */
  works: () => void;
}): PurgeLoop {
  let due = new Set([everything]);
  /** Keys to purge once more, by the time at which they are due. */
  const later: { at: number; keys: string[] }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const add = (keys: Iterable<string>) => {
    for (const key of keys) due.add(key);
    if (due.size > maxKeys) due = new Set([everything]);
  };
  store.listen((dependencies: Iterable<Dependency> | 'all') => {
    const changed = dependencies === 'all' ? [anyKey] : dependencyKeys(dependencies);
    // A commit that invalidates nothing is seen by nobody.
    if (changed.length === 0) return;
    const keys = changed.includes(anyKey) ? [everything] : [...changed, anyKey];
    add(keys);
    later.push({ at: performance.now() + againAfterMs, keys });
  });
  const look = async (): Promise<number> => {
    // Finds the commits of other processes.
    await store.revision();
    while (later[0] && later[0].at <= performance.now()) add(later.shift()?.keys ?? []);
    if (due.size === 0) return lookEveryMs;
    const keys = due;
    due = new Set();
    try {
      await send(keys.has(everything) ? [everything] : [...keys]);
    } catch (error) {
      add(error instanceof NotPurged ? error.left : keys);
      throw error;
    }
    return lookEveryMs;
  };
  let failures = 0;
  let reason = '';
  const pauseAfter = (error: unknown): number => {
    const { message } = error as Error;
    if (message !== reason) failed(error);
    reason = message;
    const pauseMs = Math.min(retryAfterMs * 2 ** failures++, longestRetryMs);
    return Math.max(pauseMs, error instanceof NotPurged ? error.pauseMs : 0);
  };
  const pauseBetween = (pauseMs: number): number => {
    if (failures > 0) works();
    failures = 0;
    reason = '';
    return pauseMs;
  };
  let round = Promise.resolve();
  const next = (waitMs: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = look().then(pauseBetween, pauseAfter).then(next);
    }, waitMs);
    timer.unref();
  };
  next(0);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
