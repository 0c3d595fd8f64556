/** Scheduled exports in a local folder. */
import { accessSync, constants, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportTarget } from '#core/ports/export-target.ts';
import { makeFolder } from './folder.ts';

const ending = '.part';

/** Codes of errors of a disk that is full or read-only for now. */
const passing = ['ENOSPC', 'EDQUOT', 'EROFS'];

/**
 * Creates the folder, or throws the system's error, unless its disk may be written again later. Files are readable by their owner
 * only. Only one process may write at a time.
 */
export function exportFolder(folder: string): ExportTarget {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if (!passing.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return {
    async put(name, bytes, signal) {
      makeFolder(folder);
      const part = join(folder, `${name}${ending}`);
      // Removes what killed processes left behind, but only of the same format, because another one may be in progress.
      const kind = name.slice(name.indexOf('.')) + ending;
      for (const left of await readdir(folder))
        if (left.startsWith('coppice-') && left.slice(left.indexOf('.')) === kind)
          await rm(join(folder, left), { force: true });
      try {
        const out = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(Readable.from(bytes), out, { signal });
        await rename(part, join(folder, name));
        // Syncs the folder, so that the new name survives a power failure.
        await using handle = await open(folder, 'r');
        await handle.sync();
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    list: () => readdir(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
