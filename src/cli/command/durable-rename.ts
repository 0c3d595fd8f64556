/** Renames a file durably, by syncing its folder. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** After this the new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await using folder = await open(dirname(to), 'r');
  await folder.sync();
}
