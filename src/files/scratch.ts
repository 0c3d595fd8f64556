/**
 * Scratch room as one file of the process's own, written round and round: what is new takes the place of what is oldest.
 * The file loses its name as soon as it is open, so that the system gives the room back however the process ends, and
 * nothing that is read from it can be anyone else's.
 *
 * Reading and writing are synchronous: what was written lately is in the system's memory, where a turn of the event loop
 * would take longer than they do.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch } from '#domain/scratch.ts';
import { makeFolder } from './folder.ts';

/** How many are turned away after one could not be written. */
const turnedAway = 10_000;

/** Creates the folder if need be. What alone would take an eighth of `maxBytes` is not taken. */
export function openScratch(folder: string, maxBytes: number): Scratch {
  makeFolder(folder);
  const path = join(folder, randomBytes(16).toString('hex'));
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  /** Of all bytes ever written: a byte lies at its number modulo `maxBytes`. */
  let end = 0;
  /** What was written before is not there any more. */
  let begin = 0;
  let toTurnAway = 0;

  return {
    put(bytes) {
      const { length } = bytes;
      if (length > maxBytes / 8 || toTurnAway-- > 0) return undefined;
      // In one piece: what would reach over the end of the file begins at its beginning.
      const left = maxBytes - (end % maxBytes);
      const at = left < length ? end + left : end;
      end = at + length;
      try {
        for (let done = 0; done < length; )
          done += writeSync(file, bytes, done, length - done, (at % maxBytes) + done);
        return { at, length };
      } catch {
        giveBack();
        return undefined;
      }
    },
    read({ at, length }, into, from = 0) {
      if (at < Math.max(begin, end - maxBytes)) return false;
      const wanted = Math.min(length - from, into.length);
      try {
        return readSync(file, into, 0, wanted, (at % maxBytes) + from) === wanted;
      } catch {
        return false;
      }
    },
    [Symbol.dispose]() {
      // The number of a closed file is soon that of another one.
      [begin, toTurnAway] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      closeSync(file);
    },
  };

  /** A disk that is full is needed for what cannot be made again. */
  function giveBack(): void {
    end = Math.ceil(end / maxBytes) * maxBytes;
    begin = end;
    toTurnAway = turnedAway;
    try {
      ftruncateSync(file, 0);
    } catch {
      // The disk has failed altogether: whoever writes what matters will say so.
    }
  }
}
