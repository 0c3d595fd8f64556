/**
 * Scheduler for a resource that serves one task at a time: the lowest rank first, and within a rank the callers in turn,
 * however many tasks each has waiting. The number of waiting tasks is bounded for each rank and each caller.
 */
export interface Turn {
  /** Index into the bounds; rank 0 is served first. */
  rank: number;
  /** Identifies the caller within the rank. Undefined for callers that share one queue without a bound per caller. */
  caller: string | undefined;
}

interface RankBounds {
  /** Maximum waiting tasks of all callers, not counting running ones. */
  maxWaiting: number;
  /** Maximum tasks of one caller, running or waiting. */
  maxPerCaller: number;
}

/** Errors of refused tasks. */
export interface Refusals {
  /** `held`: number of tasks that the caller has in the queue. */
  caller(held: number): Error;
  all(): Error;
}

interface Waiting {
  resolve(): void;
  reject(reason: Error): void;
}

interface Rank extends RankBounds {
  waiting: number;
  /** Waiting tasks by caller, in the order in which callers are served. */
  queues: Map<string, Waiting[]>;
  /** Number of running and waiting tasks by caller. */
  held: Map<string, number>;
}

export class FairQueue {
  readonly #ranks: Rank[];
  readonly #refusals: Refusals;
  #isBusy = false;

  constructor(bounds: readonly RankBounds[], refusals: Refusals) {
    this.#refusals = refusals;
    this.#ranks = bounds.map((bound) => ({ ...bound, waiting: 0, queues: new Map(), held: new Map() }));
  }

  /** Number of waiting tasks by rank, without running ones. */
  get waiting(): number[] {
    return this.#ranks.map((rank) => rank.waiting);
  }

  /**
   * Refuses above the caller's bound. Above the rank's bound, the caller with most waiting tasks loses its last one. Other ranks
   * are not affected.
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const rank = this.#ranks[turn.rank] as Rank;
    const caller = turn.caller ?? '';
    const held = rank.held.get(caller) ?? 0;
    if (turn.caller !== undefined && held >= rank.maxPerCaller) throw this.#refusals.caller(held);
    if (this.#isBusy && rank.waiting >= rank.maxWaiting) makeRoom(rank, caller, this.#refusals);
    rank.held.set(caller, held + 1);
    try {
      if (this.#isBusy) await enqueue(rank, caller);
      this.#isBusy = true;
      return await work().finally(() => {
        // A finished task passes its turn on directly, so that no new task overtakes the waiting ones.
        const next = this.#next();
        if (next) next.resolve();
        else this.#isBusy = false;
      });
    } finally {
      const left = (rank.held.get(caller) ?? 1) - 1;
      if (left === 0) rank.held.delete(caller);
      else rank.held.set(caller, left);
    }
  }

  #next(): Waiting | undefined {
    for (const rank of this.#ranks) {
      for (const [caller, queue] of rank.queues) {
        const next = queue.shift();
        rank.queues.delete(caller);
        // The caller moves to the end of the queue after its turn.
        if (queue.length > 0) rank.queues.set(caller, queue);
        rank.waiting--;
        return next;
      }
    }
    return undefined;
  }
}

function enqueue(rank: Rank, caller: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const queue = rank.queues.get(caller);
  if (queue) queue.push({ resolve, reject });
  else rank.queues.set(caller, [{ resolve, reject }]);
  rank.waiting++;
  return promise;
}

/** Throws if `caller` itself has most tasks waiting. */
function makeRoom(rank: Rank, caller: string, refusals: Refusals): void {
  const crowded = refusals.all();
  const [, longest] = [...rank.queues].reduce((most, one) => (one[1].length > most[1].length ? one : most));
  if (longest.length <= (rank.queues.get(caller)?.length ?? 0) + 1) throw crowded;
  longest.pop()?.reject(crowded);
  rank.waiting--;
}
