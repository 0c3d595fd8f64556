/** Writes a file aside and renames it. A rename is on disk once its folder is. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** After which the new name outlives a power failure, too. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await using folder = await open(dirname(to), 'r');
  await folder.sync();
}
