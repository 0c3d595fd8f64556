/** Archives of tar, plain or packed by gzip, written out as a folder. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { Problem } from '#core/model/problem.ts';
import type { Unpacking } from './unpacked-tree.ts';

export async function unpackTar(file: string, isGzip: boolean, to: Unpacking): Promise<void> {
  const archive = extract();
  const bytes = createReadStream(file);
  const entries = isGzip ? bytes.pipe(createGunzip()).on('error', (error) => archive.destroy(error)) : bytes;
  entries.pipe(archive);
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      if (type === 'file') await to.add(name.replace(/^\.\//, ''), entry as AsyncIterable<Uint8Array>);
      else entry.resume();
    }
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The archive is damaged: ${(error as Error).message}.`, { cause: error });
  } finally {
    bytes.destroy();
  }
}
