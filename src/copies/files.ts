/** Copies attached files, soon after their upload, and forgets those that the wiki has not had for as long as copies are kept. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import { fileName, filesPrefix } from './names.ts';

/** Files that are copied at the same time. */
const parallel = 8;
const goneName = 'files-gone.json';

/** Hashes of the files that rows name. */
export interface NamedFiles {
  all(): Set<string>;
  since(at: number): Set<string>;
}

/** Hashes of the files that a copy has. */
export async function copiedFiles(place: CopyPlace): Promise<Set<string>> {
  const hashes = new Set<string>();
  for await (const name of place.list(filesPrefix)) {
    const hash = name.slice(-64);
    if (name === fileName(hash)) hashes.add(hash);
  }
  return hashes;
}

export class FileCopies {
  readonly #files: FileStore;
  readonly #place: CopyPlace;
  readonly #keptMs: number;
  /** Copied since the last comparison. */
  #known = new Set<string>();
  #copying = new Map<string, Promise<void>>();

  constructor(files: FileStore, place: CopyPlace, keptMs: number) {
    this.#files = files;
    this.#place = place;
    this.#keptMs = keptMs;
  }

  async copyRecent(named: NamedFiles, since: number): Promise<void> {
    await this.#copyAll(named.since(since));
  }

  /** Copies all that are missing in the place, whatever their age. */
  async compare(named: NamedFiles, now: number): Promise<void> {
    const present = await copiedFiles(this.#place);
    const wanted = named.all();
    this.#known = present.intersection(wanted);
    await this.#copyAll(wanted);
    await this.#forget(present.difference(wanted), now);
  }

  async #copyAll(hashes: ReadonlySet<string>): Promise<void> {
    const missing = hashes.difference(this.#known).values();
    const copyNext = async () => {
      for (const hash of missing) {
        const copying = this.#copying.get(hash) ?? this.#copy(hash);
        this.#copying.set(hash, copying);
        await copying.finally(() => this.#copying.delete(hash));
      }
    };
    await Promise.all(Array.from({ length: parallel }, copyNext));
  }

  async #copy(hash: string): Promise<void> {
    const bytes = await this.#files.open(hash);
    // A file without bytes is reported by a check of the wiki.
    if (!bytes) return;
    await this.#place.put(fileName(hash), bytes);
    this.#known.add(hash);
  }

  async #forget(gone: ReadonlySet<string>, now: number): Promise<void> {
    const before = await this.#readGone();
    const kept: Record<string, number> = {};
    for (const hash of gone) {
      const since = before[hash] ?? now;
      if (now - since > this.#keptMs) await this.#place.remove(fileName(hash));
      else kept[hash] = since;
    }
    if (Object.keys(kept).length + Object.keys(before).length > 0)
      await this.#place.put(goneName, Buffer.from(JSON.stringify(kept)));
  }

  async #readGone(): Promise<Record<string, number>> {
    const found = await this.#place.open(goneName);
    return found ? JSON.parse((await buffer(Readable.from(found))).toString('utf8')) : {};
  }
}
