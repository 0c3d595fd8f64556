/** `coppice backup`: everything in one file, while the wiki serves. */
import { access, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Problem } from '#domain/problem.ts';
import { surveyArchive } from './archive/read-archive.ts';
import { rowsPartOf, writeArchive } from './archive/write-archive.ts';
import { command, readArguments } from './command/arguments.ts';
import type { Terminal } from './command/context.ts';
import { renameDurably } from './command/durable-rename.ts';
import { partOf, removedOnSignal, sweepParts } from './command/part-files.ts';

const help = `Usage: coppice backup FILE [--force]
       coppice backup --verify FILE

Writes database, files and token keys as they are at one moment into one archive (.tar.gz), while the wiki serves.
The file is readable by its owner alone: it holds e-mail addresses, hashes of passphrases and the keys.

What was written is read back; what is damaged is named, and the command ends with 1.

  --force    Overwrites FILE if it exists.
  --verify   Reads a backup that is there and names what is damaged in it; writes nothing.

\`coppice restore\` reads it, on either database.
`;

export const run = command('backup', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, ['FILE'], {
    force: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
  });
  const file = resolve(positionals[0] ?? '');
  if (values.verify) {
    const { damage } = await surveyArchive(file);
    if (damage.length > 0) return tell(io, damage, `${file} is damaged`);
    io.stdout.write(`${file} is whole.\n`);
    return 0;
  }
  if (!values.force && (await exists(file))) {
    throw new Problem('invalid', `${file} exists: choose another name, or overwrite it with --force.`);
  }
  await using opened = await context.open({ isToBeRead: true });
  const part = partOf(file);
  using _ = removedOnSignal([part, rowsPartOf(part)]);
  try {
    await sweepParts(dirname(file), context.clock());
    const unreadable: string[] = [];
    const manifest = await writeArchive(
      part,
      {
        store: opened.store,
        files: opened.files.store,
        keyFile: context.keyFile,
        coppice: context.version,
        createdAt: new Date(context.clock()),
      },
      (sentence) => unreadable.push(sentence),
    );
    const damage = [...unreadable, ...(await surveyArchive(part)).damage];
    await renameDurably(part, file);
    // If nothing can be written, nobody watches either.
    await context.noteBackup(file).catch(() => {});
    io.stdout.write(`${file} is written. Files: ${manifest.files}, bytes of rows: ${manifest.rows.bytes}.\n`);
    if (context.keyFile === undefined) io.stderr.write('COPPICE_KEY is not in it: keep it elsewhere.\n');
    if (damage.length > 0) tell(io, damage, `${file} is written, but what it was made from is damaged`);
    if (manifest.missing.length === 0) return damage.length > 0 ? 1 : 0;
    io.stderr.write(`${manifest.missing.length} files have no bytes and are not in it: see coppice check.\n`);
    return 1;
  } catch (error) {
    await rm(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Problem('not-found', `There is no folder ${dirname(file)}.`);
    if (code === 'EACCES') throw new Problem('invalid', `The folder ${dirname(file)} may not be written.`);
    if (code === 'ENOSPC') throw new Problem('unavailable', 'The disk is full: no backup was written.');
    throw error;
  }
});

function tell(io: Terminal, damage: string[], what: string): number {
  for (const sentence of damage) io.stdout.write(`${sentence}\n`);
  io.stderr.write(
    `${what} in ${damage.length} ${damage.length === 1 ? 'place' : 'places'}. \`coppice restore --skip-damaged\` restores the rest of it.\n`,
  );
  return 1;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
