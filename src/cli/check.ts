/** `coppice check`: verifies all invariants of the database, and the bytes of every file. */
import { createHash } from 'node:crypto';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { command, readArguments } from './command/arguments.ts';

const help = `Usage: coppice check

Verifies every invariant of the stored pages, and that the bytes of every attached file are present and correct.
Changes nothing. It is safe while the wiki runs, and on a folder that can only be read. Prints each problem as one
sentence, and ends with 1 if there are any.
`;

const maxViolations = 1000;

export const run = command('check', help, async (args, context, io) => {
  readArguments(args, [], {});
  await using open = await context.open({ isToBeRead: true });
  const { store, files } = open;
  const wrong = await store.maintenance.violations(maxViolations);
  for await (const sentence of verifyPages(store)) {
    if (wrong.length >= maxViolations) break;
    wrong.push(sentence);
  }
  wrong.push(...(await brokenFiles(store, files.store)));
  for (const sentence of wrong) io.stdout.write(`${sentence}\n`);
  if (wrong.length > 0) {
    const atLeast = wrong.length >= maxViolations ? 'At least ' : '';
    io.stderr.write(
      `Problems: ${atLeast}${wrong.length}. \`coppice rebuild\` repairs what can be derived from the changes.\n`,
    );
    if ((await store.maintenance.searchRenewal()) !== undefined)
      io.stderr.write(
        'An earlier version made the search indexes. They are renewed while the wiki runs; until then some pages differ.\n',
      );
    return 1;
  }
  const { pages, changes, members, files: attached } = await store.maintenance.counts();
  io.stdout.write(
    `No problems. Pages: ${pages}, changes: ${changes}, members: ${members}, files: ${attached}.\n`,
  );
  return 0;
});

async function brokenFiles(store: Store, files: FileStore): Promise<string[]> {
  const used = new Set<string>();
  const sentences: string[] = [];
  for await (const hash of store.maintenance.fileHashes((sentence) => sentences.push(sentence)))
    used.add(hash);
  for (const hash of used) {
    const bytes = await files.open(hash);
    if (!bytes) {
      sentences.push(`The bytes of file ${hash} are missing.`);
      continue;
    }
    const sha256 = createHash('sha256');
    for await (const chunk of bytes) sha256.update(chunk);
    if (sha256.digest('hex') !== hash)
      sentences.push(`The bytes of file ${hash} differ from those that were stored.`);
  }
  return sentences;
}
