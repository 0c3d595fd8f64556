/**
 * Keeps what was used lately, up to a total size. Sizes are whatever unit the caller counts in. What leaves is the oldest of
 * what was not asked for since it was looked at last ("second chance"): asking leaves a mark and moves nothing.
 */
export class BoundedCache<V, K = string> {
  #entries = new Map<K, { value: V; size: number; isUsed: boolean }>();
  #total = 0;
  readonly #maxTotal: number;
  readonly #onPushedOut: ((value: V, key: K) => void) | undefined;

  /** `onPushedOut`: told of each that leaves for want of room, not of those that are deleted or replaced. */
  constructor(maxTotal: number, onPushedOut?: (value: V, key: K) => void) {
    this.#maxTotal = maxTotal;
    this.#onPushedOut = onPushedOut;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** What alone would take an eighth of the room is not kept: it would push out too much for its one use. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxTotal / 8) {
      this.#onPushedOut?.(value, key);
      return;
    }
    for (const [oldest, entry] of this.#entries) {
      if (this.#total + size <= this.#maxTotal) break;
      if (entry.isUsed) {
        // A Map keeps the order of insertion: going out and in again makes it the youngest.
        entry.isUsed = false;
        this.#entries.delete(oldest);
        this.#entries.set(oldest, entry);
      } else {
        this.delete(oldest);
        this.#onPushedOut?.(entry.value, oldest);
      }
    }
    // A new entry counts as used: else it would be pushed out before every entry that was ever asked for.
    this.#entries.set(key, { value, size, isUsed: true });
    this.#total += size;
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#total -= entry.size;
  }
}
