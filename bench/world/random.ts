/** Repeatable random numbers: the same seed gives the same world and the same order of requests on every machine. */

export interface Chance {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** Normally distributed around 0 with a standard deviation of 1. */
  normal(): number;
}

/**
 * Takes any number of seeds: the sequence of (seed, page, version) is independent of the one of (seed, page, other version).
 */
export function chance(...seeds: number[]): Chance {
  let state = 0x9e3779b9;
  for (const seed of seeds) state = mixed(state ^ (seed >>> 0)) ^ Math.floor(seed / 2 ** 32);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    return mixed(state) / 2 ** 32;
  };
  return {
    next,
    integer: (below) => Math.floor(next() * below),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Returns ranks from 0. Rank k has a probability proportional to 1 / (k + 1)^exponent. */
export function zipf(ranks: number, exponent: number): (chance: Chance) => number {
  const sums = new Float64Array(ranks);
  let sum = 0;
  for (let k = 0; k < ranks; k++) {
    sum += (k + 1) ** -exponent;
    sums[k] = sum;
  }
  return (chance) => {
    const wanted = chance.next() * sum;
    let low = 0;
    let high = ranks - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Fisher–Yates. */
export function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = chance.integer(i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

/** https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
function mixed(state: number): number {
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
}
