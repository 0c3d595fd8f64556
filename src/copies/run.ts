/**
 * A run of a continuous copy: uploads the changed pages of a database in order, and bases from time to time. See `names.ts` for the
 * objects.
 *
 * A base is the file of the database, read while others write it. Pages that change meanwhile, and frames of the log that were not
 * yet copied into the file when reading began, are in the changes of the run, from the beginning of the current log on.
 */
import { readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import { type LogFollower, LogLost } from '#store/sqlite/log-follower.ts';
import { baseName, changesName, newRun, wholeName } from './names.ts';
import { encodeChanges, type PageChanges } from './page-changes.ts';

/** Bytes of the pages in one object, before compression. */
const objectBytes = 16_000_000;
const maxQueuedBytes = 64_000_000;
/** While the place cannot be reached, the log grows up to this length; then the run ends. */
const maxLogBytes = 256_000_000;
const maxObjectsSinceBase = 5000;
const minBytesBetweenBases = 64_000_000;
const maxBaseAgeMs = 24 * 60 * 60 * 1000;
const readBytes = 1_000_000;

interface Queued {
  number: number;
  at: number;
  changes: PageChanges;
}

export class CopyRun implements Disposable {
  readonly name: string;
  readonly #follower: LogFollower;
  readonly #place: CopyPlace;
  readonly #file: number;
  #number = 0;
  #batch: { pageBytes: number; pages: Map<number, Buffer>; databasePages: number } | undefined;
  #queue: Queued[] = [];
  /** Number of the changes with which the current log begins. */
  #logStart = 1;
  #restarts = 0;
  #base: { state: 'reading' | 'read'; from: number; bytes: number } | undefined;
  /** The last whole base, and how much has changed since. */
  #last: { at: number; bytes: number; objects: number; changed: number } | undefined;
  #failure: unknown;
  /** All that was committed before this time is in the copy. */
  copiedAt: number | undefined;
  /** Whether the run has let go of the log. */
  isOver = false;

  /**
   * `file`: descriptor of the database, which must stay open as long as the process: closing it would release the locks of all its
   * connections (POSIX). `before`: name of the run before, if there was one.
   */
  constructor(follower: LogFollower, file: number, place: CopyPlace, before?: string) {
    this.name = newRun(Date.now(), before);
    this.#follower = follower;
    this.#file = file;
    this.#place = place;
  }

  /**
   * Collects what was committed since the last call; returns whether that is everything. Takes milliseconds; called several times a
   * second. Throws `LogLost`.
   */
  collect(): boolean {
    if (this.isOver) return false;
    while (this.#queuedBytes() < maxQueuedBytes) {
      const changed = this.#follower.next(objectBytes);
      if (this.#restarts !== this.#follower.restarts) {
        this.#restarts = this.#follower.restarts;
        this.#logStart = this.#number + 1;
      }
      if (!changed) return true;
      this.#batch ??= { pageBytes: changed.pageBytes, pages: new Map(), databasePages: 0 };
      for (const [number, page] of changed.pages) this.#batch.pages.set(number, page);
      this.#batch.databasePages = changed.databasePages;
      if (this.#batch.pages.size * changed.pageBytes >= objectBytes) this.#enqueue(Date.now());
    }
    if (this.#follower.logBytes > maxLogBytes)
      throw new LogLost('The place of copies has not taken what changed for too long.');
    return false;
  }

  /**
   * Uploads what was collected, after `before`, and begins a base if one is due. Returns whether a base has become whole. Throws
   * errors of the place.
   */
  async upload(before: () => Promise<void>): Promise<boolean> {
    const at = Date.now();
    const isDrained = this.collect();
    this.#enqueue(at);
    this.#beginBase(at);
    // Later changes wait for the next time.
    const last = this.#number;
    await before();
    const isRead = isDrained && this.#base?.state === 'read';
    for (let next = this.#queue[0]; next && next.number <= last; next = this.#queue[0]) {
      const bytes = await encodeChanges(next.changes);
      await this.#place.put(changesName(this.name, next), bytes);
      this.#queue.shift();
      if (this.#last) {
        this.#last.objects++;
        this.#last.changed += bytes.length;
      }
    }
    if (this.#failure !== undefined) {
      const failure = this.#failure;
      this.#failure = undefined;
      throw failure;
    }
    const base = this.#base;
    if (isRead && base) {
      await this.#place.put(
        wholeName({ run: this.name, from: base.from, until: last, at }),
        Buffer.from('whole\n'),
      );
      this.#last = { at, bytes: base.bytes, objects: 0, changed: 0 };
      this.#base = undefined;
    }
    if (this.#last && isDrained) this.copiedAt = at;
    return isRead;
  }

  #queuedBytes(): number {
    return this.#queue.reduce((sum, { changes }) => sum + changes.pages.size * changes.pageBytes, 0);
  }

  #enqueue(at: number): void {
    if (!this.#batch) return;
    this.#queue.push({ number: ++this.#number, at, changes: this.#batch });
    this.#batch = undefined;
  }

  #beginBase(now: number): void {
    if (this.#base) return;
    const last = this.#last;
    const isDue =
      !last ||
      last.objects > maxObjectsSinceBase ||
      last.changed > Math.max(minBytesBetweenBases, last.bytes) ||
      now - last.at > maxBaseAgeMs;
    if (!isDue) return;
    const base = { state: 'reading' as 'reading' | 'read', from: this.#logStart, bytes: 0 };
    this.#base = base;
    const counted = async function* (compressed: AsyncIterable<Uint8Array>) {
      for await (const chunk of compressed) {
        base.bytes += chunk.length;
        yield chunk;
      }
    };
    const name = baseName({ run: this.name, from: base.from });
    pipeline(contentOf(this.#file), createZstdCompress(), (compressed: AsyncIterable<Uint8Array>) =>
      this.#place.put(name, counted(compressed)),
    ).then(
      () => {
        base.state = 'read';
      },
      (error: unknown) => {
        this.#base = undefined;
        this.#failure = error;
      },
    );
  }

  /** Lets go of the log. */
  [Symbol.dispose](): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#follower[Symbol.dispose]();
  }
}

/** Bytes of a file as it is now; it may change meanwhile. */
async function* contentOf(file: number): AsyncIterable<Buffer> {
  for (let at = 0; ; ) {
    const buffer = Buffer.allocUnsafe(readBytes);
    const count = readSync(file, buffer, 0, readBytes, at);
    if (count === 0) return;
    at += count;
    yield buffer.subarray(0, count);
  }
}
