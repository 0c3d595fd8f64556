/** `coppice restore --from`: restores the continuous copy of a wiki as it was at a time. */
import { readFile } from 'node:fs/promises';
import { invalid, Problem } from '#core/model/problem.ts';
import type { CommandContext, Copy, Terminal } from './context.ts';

export async function restoreCopy(
  { from, at, identity }: { from: string; at: string | undefined; identity: string | undefined },
  context: CommandContext,
  io: Terminal,
): Promise<number> {
  const until = at === undefined ? Number.POSITIVE_INFINITY : readTime(at);
  const identities =
    identity === undefined
      ? undefined
      : await readFile(identity, 'utf8').catch((cause: unknown) => {
          throw new Problem('not-found', `The identity ${identity} cannot be read.`, { cause });
        });
  const copy = await context.openCopy(from);
  const { at: restored } = await copy.restore(until);
  const key = context.keyFile === undefined ? 'none' : await copy.restoreKey(identities);
  const { files, missing, pages } = await restoreFiles(copy, context);
  await copy.finish();
  io.stdout.write(`Restored as of ${new Date(restored).toISOString()}. Pages: ${pages}, files: ${files}.\n`);
  if (key === 'needs identity')
    io.stderr.write(
      'The key was not restored: name its secret with --identity. Otherwise everybody signs in again.\n',
    );
  for (const hash of missing)
    io.stdout.write(`Not restored: the bytes of file ${hash} are not in the copy.\n`);
  return missing.length > 0 ? 1 : 0;
}

async function restoreFiles(
  copy: Copy,
  context: CommandContext,
): Promise<{ files: number; missing: string[]; pages: number }> {
  await using opened = await context.open({ isToBeRestored: true });
  const { store, files, ownsFiles } = opened;
  const missing: string[] = [];
  // Files in a bucket are still there.
  if (ownsFiles)
    for await (const hash of store.maintenance.fileHashes(() => {})) {
      if (await files.store.find(hash)) continue;
      const bytes = await copy.openFile(hash);
      const stored = bytes && (await files.store.put(bytes, Number.POSITIVE_INFINITY));
      if (stored?.hash === hash) continue;
      if (stored) await files.store.remove(stored.hash);
      missing.push(hash);
    }
  const counts = await store.maintenance.counts();
  return { files: counts.files, missing, pages: counts.pages };
}

function readTime(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const at = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw invalid('', `--at: expected a time like 2026-11-24T10:15:00Z, got “${text}”.`);
  return at;
}
