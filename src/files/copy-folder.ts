/** The place of a continuous copy in a local folder, which may be mounted from another machine. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { opendir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import { makeFolder } from './folder.ts';
import { unlessMissing } from './spool.ts';

/** Names of unfinished files begin with this. */
const unfinished = '.part-';

/**
 * Bytes are synced and names are not: a name that a power failure takes away is missed by the next comparison, and of changes only the
 * last ones can be affected.
 */
export function copyFolder(folder: string): CopyPlace {
  return {
    async put(name, bytes) {
      const target = join(folder, name);
      const within = dirname(target);
      makeFolder(within);
      const part = join(within, `${unfinished}${randomBytes(8).toString('hex')}`);
      try {
        const out = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(bytes instanceof Uint8Array ? [bytes] : Readable.from(bytes), out);
        await rename(part, target);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async open(name) {
      const stream = createReadStream(join(folder, name));
      return unlessMissing(async () => {
        await once(stream, 'open');
        return stream;
      });
    },
    async *list(prefix) {
      for await (const name of namesIn(folder, '')) if (name.startsWith(prefix)) yield name;
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

async function* namesIn(folder: string, prefix: string): AsyncIterable<string> {
  const entries = await unlessMissing(() => opendir(folder));
  for await (const entry of entries ?? []) {
    if (entry.isDirectory()) yield* namesIn(join(folder, entry.name), `${prefix}${entry.name}/`);
    else if (entry.isFile() && !entry.name.startsWith(unfinished)) yield `${prefix}${entry.name}`;
  }
}
