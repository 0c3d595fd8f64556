/** Archives of tar, plain or packed by gzip, bzip2 or Zstandard, written out as a folder. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { Problem } from '#core/model/problem.ts';
import { type Packing, unpackedBytes } from '../mediawiki/decode.ts';
import type { Unpacking } from './unpacked-tree.ts';

export async function unpackTar(file: string, packing: Packing, to: Unpacking): Promise<void> {
  const archive = extract();
  const bytes = Readable.from(unpackedBytes(file, packing));
  // Errors reach the reader of the archive.
  const piped = pipeline(bytes, archive).catch((error) => archive.destroy(error));
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      if (type === 'file') await to.add(name.replace(/^\.\//, ''), entry as AsyncIterable<Uint8Array>);
      else entry.resume();
    }
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The archive is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  } finally {
    bytes.destroy();
    await piped;
  }
}
