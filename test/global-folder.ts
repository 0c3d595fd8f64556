/** One folder for whatever a test run puts in the temporary folder, gone afterwards even where a test was cut short. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coppice-test-'));
  // PostgreSQL, which may run as a user of its own, has its data here.
  await chmod(folder, 0o755);
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return async () => {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    await rm(folder, { recursive: true, force: true });
  };
}
