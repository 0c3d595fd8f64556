/** Keeps what was used last, up to a total size. Sizes are whatever unit the caller counts in. */
export class BoundedCache<V> {
  #entries = new Map<string, { value: V; size: number }>();
  #total = 0;
  readonly #maxTotal: number;

  constructor(maxTotal: number) {
    this.#maxTotal = maxTotal;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A Map keeps the order of insertion: going out and in again makes it the youngest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What alone would take an eighth of the room is not kept: it would push out too much for its one use. */
  set(key: string, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxTotal / 8) return;
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#maxTotal) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#total -= entry.size;
  }
}
