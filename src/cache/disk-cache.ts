/** Cache of recently used values in memory; evicted values go to the spill file as JSON. */
import { BoundedCache } from './bounded-cache.ts';
import type { Extent, SpillFile } from './spill-file.ts';

/** Limit on the total length of keys whose values are in the spill file, with a constant added for each key. */
const maxKeyCharacters = 5_000_000;
const charactersBeside = 200;
/** Size of most values as JSON, in bytes. */
const roomBytes = 65_536;

interface Kept<V> {
  value: V;
  size: number;
  /** Value of the spill file's `emptied` counter when the value was computed. */
  emptied: number | undefined;
}

/** Values must survive a round trip through JSON. */
export class DiskCache<V> {
  readonly #spillFile: SpillFile | undefined;
  readonly #values: BoundedCache<Kept<V>>;
  /** Buffer for values read from the spill file, which are parsed at once. */
  readonly #room = Buffer.allocUnsafeSlow(roomBytes);
  readonly #places = new BoundedCache<Extent>(maxKeyCharacters);

  /** `maxTotal`: maximum total size of the values in memory, in whatever unit the caller counts. */
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
    // A value that was read from the spill file is still there.
    if (this.#places.get(key)) return;
    const place = this.#spillFile.put(Buffer.from(JSON.stringify({ value, size })));
    if (place) this.#places.set(key, place, key.length + charactersBeside);
  }
}
