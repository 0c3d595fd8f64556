/** `coppice check`: verifies all invariants of the database, and the bytes of every file. */
import { createHash } from 'node:crypto';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { command, readArguments } from './command/arguments.ts';
import type { Terminal } from './command/context.ts';

const help = `Usage: coppice check [--copy]

Verifies every invariant of the stored pages, and that the bytes of every attached file are present and correct.
Changes nothing. It is safe while the wiki runs, and on a folder that can only be read. Prints each problem as one
sentence, and ends with 1 if there are any.

  --copy   Restores the copy of COPPICE_COPY_TO into a temporary folder of COPPICE_DATA, verifies it, and that
           the copy has each of its files.
`;

const maxViolations = 1000;

export const run = command('check', help, async (args, context, io) => {
  const { values } = readArguments(args, [], { copy: { type: 'boolean', default: false } });
  await using open = await context.open({ isToBeRead: true });
  if (!values.copy) return await report(open.store, (store) => brokenFiles(store, open.files.store), io);
  const copy = await context.openCopy();
  await using restored = await copy.openAside();
  io.stdout.write(`Copy as of ${new Date(restored.at).toISOString()}.\n`);
  const missing = async (store: Store) => (open.ownsFiles ? missingIn(store, await copy.files()) : []);
  const code = await report(restored.wiki.store, missing, io);
  if (code === 0) await copy.noteChecked();
  return code;
});

async function report(
  store: Store,
  checkFiles: (store: Store) => Promise<string[]>,
  io: Terminal,
): Promise<number> {
  const wrong = await store.maintenance.violations(maxViolations);
  for await (const sentence of verifyPages(store)) {
    if (wrong.length >= maxViolations) break;
    wrong.push(sentence);
  }
  wrong.push(...(await checkFiles(store)));
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
}

async function missingIn(store: Store, present: ReadonlySet<string>): Promise<string[]> {
  const sentences: string[] = [];
  for await (const hash of store.maintenance.fileHashes((sentence) => sentences.push(sentence)))
    if (!present.has(hash)) sentences.push(`The bytes of file ${hash} are missing in the copy.`);
  return sentences;
}

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
