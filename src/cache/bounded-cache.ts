/**
 * Cache with a maximum total size, in whatever unit the caller counts. Evicts by second chance: reading an entry marks it and moves
 * nothing; the oldest entry without a mark goes first.
 */
export class BoundedCache<V, K = string> {
  #entries = new Map<K, Entry<V, K>>();
  // A linked list, because finding the oldest entry of a Map visits all entries deleted before it, each time.
  #oldest: Entry<V, K> | undefined;
  #newest: Entry<V, K> | undefined;
  #total = 0;
  readonly #maxTotal: number;
  readonly #onPushedOut: ((value: V, key: K) => void) | undefined;

  /** `onPushedOut` is called for each evicted entry, but not for deleted or replaced ones. */
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

  /** Values larger than an eighth of the capacity are not stored: each would evict too much for one use. */
  set(key: K, value: V, size: number): void {
    this.delete(key);
    if (size > this.#maxTotal / 8) {
      this.#onPushedOut?.(value, key);
      return;
    }
    while (this.#oldest && this.#total + size > this.#maxTotal) {
      const entry = this.#oldest;
      if (entry.isUsed) {
        entry.isUsed = false;
        this.#unlink(entry);
        this.#append(entry);
      } else {
        this.delete(entry.key);
        this.#onPushedOut?.(entry.value, entry.key);
      }
    }
    // A new entry counts as used: else it would be pushed out before every entry that was ever asked for.
    const entry = { key, value, size, isUsed: true, older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#append(entry);
    this.#total += size;
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#total -= entry.size;
  }

  #append(entry: Entry<V, K>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    this.#oldest ??= entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: Entry<V, K>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }
}

interface Entry<V, K> {
  key: K;
  value: V;
  size: number;
  isUsed: boolean;
  older: Entry<V, K> | undefined;
  newer: Entry<V, K> | undefined;
}
