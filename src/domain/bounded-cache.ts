/** Keeps what was used last, up to a total size. Sizes are whatever unit the caller counts in. */
export class BoundedCache<V, K = string> {
  #entries = new Map<K, { value: V; size: number }>();
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
    // A Map keeps the order of insertion: going out and in again makes it the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What alone would take an eighth of the room is not kept: it would push out too much for its one use. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxTotal / 8) return this.#onPushedOut?.(value, key);
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const [oldest, { value }] of this.#entries) {
      if (this.#total <= this.#maxTotal) break;
      this.delete(oldest);
      this.#onPushedOut?.(value, oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#total -= entry.size;
  }
}
