/** Ends leases of processes that have ended: when a server starts, and every two seconds by each process that serves. */
import type { Logger } from 'pino';
import type { Store } from '#core/ports/store.ts';

const everyMs = 2000;

/** Resolves after the first round, so that the process finds nothing held by its predecessor. Runs until disposed. */
export async function startLeaseLoop({ leases }: Pick<Store, 'leases'>, log: Logger): Promise<Disposable> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let hasFailed = false;
  const round = async () => {
    try {
      await leases.hold();
      const count = await leases.endAbandoned();
      if (count > 0) log.info({ count }, 'ended leases of stopped processes');
      hasFailed = false;
    } catch (error) {
      // Logged once for each time that the database is unavailable.
      if (!hasFailed && !isOver) log.warn({ err: error }, 'could not end leases of stopped processes');
      hasFailed = true;
    }
    if (!isOver) timer = setTimeout(round, everyMs).unref();
  };
  await round();
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
