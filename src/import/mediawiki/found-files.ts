/**
 * Uploaded files of a MediaWiki in a folder: by name, or in its hashed layout (`a/ab/Name.jpg`). Symbolic links are not
 * followed.
 */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#core/model/problem.ts';

const maxDepth = 4;
const maxFiles = 2_000_000;
/** Folders beside the current files: earlier versions, thumbnails and the like. */
const passedOver = new Set(['archive', 'deleted', 'lockdir', 'temp', 'thumb', 'timeline', 'transcoded']);

export interface FoundFiles {
  has(name: string): boolean;
  names(): Iterable<string>;
  open(name: string): AsyncIterable<Uint8Array>;
}

export async function findFiles(folder: string): Promise<FoundFiles> {
  const paths = new Map<string, string>();
  const walk = async (relative: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(join(folder, relative))) {
      const path = join(relative, entry.name);
      if (entry.isFile() && !entry.name.startsWith('.'))
        paths.set(entry.name.replaceAll('_', ' ').normalize('NFC'), path);
      else if (entry.isDirectory() && depth < maxDepth && !passedOver.has(entry.name))
        await walk(path, depth + 1);
      if (paths.size > maxFiles)
        throw new Problem('too-large', `There are more than ${maxFiles} files in ${folder}.`);
    }
  };
  await walk('', 0);
  return {
    has: (name) => paths.has(name),
    names: () => paths.keys(),
    open: (name) => createReadStream(join(folder, paths.get(name) ?? '')),
  };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new Problem('not-found', `The folder ${folder} does not exist.`);
    throw error;
  }
}
