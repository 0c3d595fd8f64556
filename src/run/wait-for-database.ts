/** A server may start before its database, such as after a power failure: it waits for a while instead of ending at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import { Problem } from '#core/model/problem.ts';

const retryMs = 1000;
const logEveryMs = 10_000;

/**
 * Repeats `open` while PostgreSQL is away, is starting or takes no more connections, for up to `config.databaseWaitMs`. Then, and
 * with any other error, fails with the error.
 */
export async function whenDatabaseAnswers<T>(
  config: Config,
  log: Logger,
  open: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const waitedMs = performance.now() - startedAt;
      const mayCome = config.databaseUrl !== undefined && isAway(error);
      if (!mayCome || waitedMs + retryMs > config.databaseWaitMs) throw error;
      if (performance.now() - loggedAt >= logEveryMs) {
        loggedAt = performance.now();
        const seconds = { waitedS: Math.round(waitedMs / 1000), patienceS: config.databaseWaitMs / 1000 };
        log.warn({ ...seconds, reason: reasonOf(error) }, 'waiting for the database');
      }
    }
    await sleep(retryMs);
  }
}

/** Whether the error has a cause that can pass by itself, unlike a wrong passphrase or a missing database. */
function isAway(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable' && error.cause !== undefined;
}

/** Message of the driver or the server, which never quotes the passphrase. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : '';
}
