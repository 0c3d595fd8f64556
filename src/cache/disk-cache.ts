/** Cache of recently used values in memory; evicted values go to the spill file as JSON. */
import { BoundedCache } from './bounded-cache.ts';
import type { Extent, SpillFile } from './spill-file.ts';

/** Characters of keys whose values lie in the spill file, and some for each. */
const maxKeyCharacters = 5_000_000;
const charactersBeside = 200;
/** Most values, as JSON. */
const roomBytes = 65_536;

interface Kept<V> {
  value: V;
  size: number;
  /** That of the spill file when it was made. */
  emptied: number | undefined;
}

/** Values are such that JSON gives them back as they were. */
export class DiskCache<V> {
  readonly #spillFile: SpillFile | undefined;
  readonly #values: BoundedCache<Kept<V>>;
  /** For what is read from the spill file and parsed at once. */
  readonly #room = Buffer.allocUnsafeSlow(roomBytes);
  readonly #places = new BoundedCache<Extent>(maxKeyCharacters);

  /** `maxTotal`: of the sizes of what is in memory, in whatever unit the caller counts. */
  constructor(maxTotal: number, spillFile?: SpillFile) {
    this.#spillFile = spillFile;
    this.#values = new BoundedCache(maxTotal, (entry, key) => this.#putAway(key, entry));
  }

  get(key: string): V | undefined {
    const known = this.#values.get(key);
    if (known) return known.value;
    const place = this.#places.get(key);
    if (!place) return undefined;
    const { length } = place;
    const bytes = length <= roomBytes ? this.#room.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    if (!this.#spillFile?.read(place, bytes)) {
      this.#places.delete(key);
      return undefined;
    }
    const entry = JSON.parse(bytes.toString()) as Omit<Kept<V>, 'emptied'>;
    this.#values.set(key, { ...entry, emptied: this.#spillFile.emptied }, entry.size);
    return entry.value;
  }

  set(key: string, value: V, size: number): void {
    this.#places.delete(key);
    this.#values.set(key, { value, size, emptied: this.#spillFile?.emptied }, size);
  }

  #putAway(key: string, { value, size, emptied }: Kept<V>): void {
    if (!this.#spillFile || emptied !== this.#spillFile.emptied) return;
    // It is there already if it came from there.
    if (this.#places.get(key)) return;
    const place = this.#spillFile.put(Buffer.from(JSON.stringify({ value, size })));
    if (place) this.#places.set(key, place, key.length + charactersBeside);
  }
}
