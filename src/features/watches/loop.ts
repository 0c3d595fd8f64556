/** Checks every few seconds for events that members watch, in every process; one of them notifies the members. */
import type { Store } from '#core/ports/store.ts';
import { keepRounds, type Rounds } from '#scheduling/rounds.ts';
import { notifyWatchers } from './notify.ts';

const everyMs = 3000;

export type Notifying = Rounds;

export function keepNotifying(
  store: Store,
  clock: () => number,
  failed: (error: unknown) => void,
): Notifying {
  return keepRounds(
    everyMs,
    async (isStopped) => {
      while (!isStopped() && (await notifyWatchers(store, clock)));
    },
    failed,
  );
}
