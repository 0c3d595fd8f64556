/**
 * A spill file of one process, written as a ring: new entries overwrite the oldest ones. The file is unlinked as soon as it is
 * open, so the system frees its space however the process ends, and no other program can read or change it by name.
 *
 * Reads and writes are synchronous: recently written data is in the system's page cache, and reading it takes less time than a
 * turn of the event loop.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Extent, SpillFile } from '#cache/spill-file.ts';
import { type AskSpace, isLow, reservedBytes } from '#core/ports/disk-space.ts';
import { makeFolder } from './folder.ts';

/** Number of writes that are skipped after one failed. */
const turnedAway = 10_000;

/** Free disk space is checked each time the file is about to grow by this much. */
const stepBytes = 4_000_000;
/** Other programs may fill the disk while nothing is written here. */
const lookEveryMs = 1000;

/**
 * Creates the folder if necessary. An entry larger than an eighth of `maxBytes` is not stored. The file grows only while
 * `reservedBytes` stay free on the disk, and is emptied when free space runs low.
 */
export function openSpillFile(
  folder: string,
  maxBytes: number,
  askSpace: AskSpace = () => undefined,
): SpillFile {
  makeFolder(folder);
  const path = join(folder, randomBytes(16).toString('hex'));
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  /** Total bytes ever written: a byte's offset in the file is its number modulo `maxBytes`. */
  let end = 0;
  /** Bytes before this one have been overwritten. */
  let begin = 0;
  let toTurnAway = 0;
  let size = 0;
  let emptied = 0;
  /** The file may grow to this many bytes without another look at the disk. */
  let granted = 0;
  const timer = setInterval(() => {
    const space = size > 0 ? askSpace() : undefined;
    if (space && isLow(space)) giveBack();
  }, lookEveryMs).unref();

  return {
    get size() {
      return size;
    },
    get emptied() {
      return emptied;
    },
    empty: giveBack,
    put(bytes) {
      const { length } = bytes;
      if (length > maxBytes / 8 || toTurnAway-- > 0) return undefined;
      // Entries are stored in one piece: one that would cross the end of the file starts at its beginning.
      const left = maxBytes - (end % maxBytes);
      let at = left < length ? end + left : end;
      if (!mayReach((at % maxBytes) + length)) {
        // Skips to the beginning of the file, which overwrites the oldest entries sooner.
        at = Math.ceil(at / maxBytes) * maxBytes;
        if (length > granted) return undefined;
      }
      end = at + length;
      size = Math.max(size, (at % maxBytes) + length);
      try {
        for (let done = 0; done < length; )
          done += writeSync(file, bytes, done, length - done, (at % maxBytes) + done);
        return { at, length };
      } catch {
        giveBack();
        toTurnAway = turnedAway;
        return undefined;
      }
    },
    has,
    read(place, into, from = 0) {
      if (!has(place)) return false;
      const { at, length } = place;
      const wanted = Math.min(length - from, into.length);
      try {
        return readSync(file, into, 0, wanted, (at % maxBytes) + from) === wanted;
      } catch {
        return false;
      }
    },
    [Symbol.dispose]() {
      // The system soon reuses the descriptor of a closed file for another file.
      clearInterval(timer);
      [begin, toTurnAway] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      closeSync(file);
    },
  };

  function has({ at }: Extent): boolean {
    return at >= Math.max(begin, end - maxBytes);
  }

  function mayReach(length: number): boolean {
    if (length <= granted) return true;
    const wanted = Math.min(maxBytes, Math.ceil(length / stepBytes) * stepBytes);
    const space = askSpace();
    if (space && space.freeBytes - (wanted - size) < reservedBytes(space)) return false;
    granted = wanted;
    return true;
  }

  /** A full disk is needed for data that cannot be recomputed. */
  function giveBack(): void {
    end = Math.ceil(end / maxBytes) * maxBytes;
    begin = end;
    [size, granted] = [0, 0];
    emptied++;
    try {
      ftruncateSync(file, 0);
    } catch {
      // If the disk has failed, the next write of real data reports it.
    }
  }
}
