/**
 * A spill file as one file of the process's own, written round and round: what is new takes the place of what is oldest.
 * The file loses its name as soon as it is open, so that the system gives the room back however the process ends, and
 * nothing that is read from it can be anyone else's.
 *
 * Reading and writing are synchronous: what was written lately is in the system's memory, where a turn of the event loop
 * would take longer than they do.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Extent, SpillFile } from '#cache/spill-file.ts';
import { type AskSpace, isLow, reservedBytes } from '#domain/ports/disk-space.ts';
import { makeFolder } from './folder.ts';

/** How many are turned away after one could not be written. */
const turnedAway = 10_000;

/** The disk is asked for its room whenever the file is to grow by as much. */
const stepBytes = 4_000_000;
/** Others may fill the disk while nothing is put here. */
const lookEveryMs = 1000;

/**
 * Creates the folder if need be. What alone would take an eighth of `maxBytes` is not taken. The file grows only while
 * `reservedBytes` stay free on the disk, and is emptied when its room is low.
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
  /** Total bytes ever written: a byte lies at its number modulo `maxBytes`. */
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
      // In one piece: what would reach over the end of the file begins at its beginning.
      const left = maxBytes - (end % maxBytes);
      let at = left < length ? end + left : end;
      if (!mayReach((at % maxBytes) + length)) {
        // The oldest makes room sooner.
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
      // The number of a closed file is soon that of another one.
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

  /** A disk that is full is needed for what cannot be recomputed. */
  function giveBack(): void {
    end = Math.ceil(end / maxBytes) * maxBytes;
    begin = end;
    [size, granted] = [0, 0];
    emptied++;
    try {
      ftruncateSync(file, 0);
    } catch {
      // The disk has failed; the next write of real data reports it.
    }
  }
}
