/** `coppice backup`: writes everything to one file, while the wiki serves. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '#core/model/problem.ts';
import { surveyArchive } from './archive/read-archive.ts';
import { writeArchive } from './archive/write-archive.ts';
import { command, readArguments } from './command/arguments.ts';
import type { Terminal } from './command/context.ts';
import { writeAside } from './command/part-files.ts';

const help = `Usage: coppice backup FILE [--force] [--unrecorded]
       coppice backup --verify FILE

Writes database, files and token keys, as they are at one moment, into one archive (.tar.gz) while the wiki runs.
Only the owner of the file can read it: it contains e-mail addresses, hashes of passphrases and the keys.

The backup is read back after writing. If anything in it is damaged, the command names it and ends with 1.

  --force        Overwrites FILE if it exists.
  --unrecorded   Does not count for monitoring and erasures: for a file that is only passed on.
  --verify       Reads an existing backup and names what is damaged in it; writes nothing.

\`coppice restore\` reads it, on either database.
`;

export const run = command('backup', help, async (args, context, io) => {
  const { values, positionals } = readArguments(args, ['FILE'], {
    force: { type: 'boolean', default: false },
    verify: { type: 'boolean', default: false },
    unrecorded: { type: 'boolean', default: false },
  });
  const file = resolve(positionals[0]);
  if (values.verify) {
    const { damage } = await surveyArchive(file);
    if (damage.length > 0) return tell(io, damage, `${file} is damaged`);
    io.stdout.write(`${file} is whole.\n`);
    return 0;
  }
  if (!values.force && existsSync(file)) {
    throw new Problem(
      'invalid',
      `${file} already exists. Choose another name, or overwrite it with --force.`,
    );
  }
  await using opened = await context.open({ isToBeRead: true });
  const source = {
    store: opened.store,
    files: opened.files.store,
    keyFile: context.keyFile,
    coppice: context.version,
    createdAt: new Date(context.clock()),
  };
  const damage: string[] = [];
  const manifest = await writeAside(file, context.clock(), 'no backup was written', async (part) => {
    const written = await writeArchive(part, source, (sentence) => damage.push(sentence));
    damage.push(...(await surveyArchive(part)).damage);
    return written;
  });
  // On a read-only data folder, there is no monitoring either.
  if (!values.unrecorded) await context.noteBackup(file).catch(() => {});
  io.stdout.write(
    `${file} has been written. Files: ${manifest.files}, bytes of rows: ${manifest.rows.bytes}.\n`,
  );
  if (context.keyFile === undefined)
    io.stderr.write('COPPICE_KEY is not in the backup. Keep it elsewhere.\n');
  if (damage.length > 0) tell(io, damage, `${file} has been written, but some of the data is damaged`);
  if (manifest.missing.length === 0) return damage.length > 0 ? 1 : 0;
  io.stderr.write(
    `${manifest.missing.length} files have no bytes and are not in the backup. See coppice check.\n`,
  );
  return 1;
});

function tell(io: Terminal, damage: string[], what: string): number {
  for (const sentence of damage) io.stdout.write(`${sentence}\n`);
  io.stderr.write(
    `${what} in ${damage.length} ${damage.length === 1 ? 'place' : 'places'}. \`coppice restore --skip-damaged\` restores the rest.\n`,
  );
  return 1;
}
