/** Reads texts of files in the background, in every process; each file is read by one of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fromTheFirst, type ReadingFiles, readNextFile } from './read-files.ts';

const everyMs = 5000;
const leastPauseMs = 20;
/** All files are looked at again: some come back from the trash, some could not be read the first time. */
const againMs = 6 * 60 * 60_000;

export interface ReadingTexts {
  /** Waits for the current file. */
  stop(): Promise<void>;
}

export function keepReadingFiles(
  reading: ReadingFiles,
  clock: () => number,
  failed: (error: unknown) => void,
): ReadingTexts {
  const stopping = new AbortController();
  let position = fromTheFirst;
  let begunAt = clock();
  const pause = (ms: number) =>
    sleep(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
  const running = (async () => {
    let hasMore = false;
    while (!stopping.signal.aborted) {
      await pause(hasMore ? leastPauseMs : everyMs);
      if (stopping.signal.aborted || reading.store.writeTrouble()) continue;
      if (Math.abs(clock() - begunAt) > againMs) {
        position = fromTheFirst;
        begunAt = clock();
      }
      const since = performance.now();
      try {
        ({ position, hasMore } = await readNextFile(reading, position, clock()));
      } catch (error) {
        hasMore = false;
        if (!stopping.signal.aborted) failed(error);
      }
      // Half of the time is left for others.
      if (hasMore) await pause(performance.now() - since);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await reading.reader[Symbol.asyncDispose]();
      await running;
    },
  };
}
