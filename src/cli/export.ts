/** `coppice export`: the whole wiki, or a part of its tree, as one file for other programs, while the wiki serves. */
import { createWriteStream } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findReadable } from '#domain/pages/find-page.ts';
import { Problem } from '#domain/problem.ts';
import { exportLines, newCounts } from '#export/json-lines.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import { renameDurably } from './command/durable-rename.ts';
import { partOf, removedOnSignal, sweepParts } from './command/part-files.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice export --format jsonl --to FILE [--ancestor /path] [--force] [--json]

Writes every page with its history and files into FILE, as JSON lines (see docs/export.md), while the wiki serves.
The file is readable by its owner alone: it holds private pages, too.

  --ancestor /path  This page and those beneath it. Default: the whole wiki.
  --force           Overwrites FILE if it exists.
  --json            Prints the summary as JSON.

Ends with 1 if bytes of files are missing.
`;

export const run = command('export', help, async (args, context, io) => {
  const { values } = readArguments(args, [], {
    format: { type: 'string' },
    to: { type: 'string' },
    ancestor: { type: 'string' },
    force: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  if (values.format !== 'jsonl') throw new UsageError('--format: say jsonl, which is the only format.');
  if (!values.to) throw new UsageError('--to is missing: say into which file.');
  const file = resolve(values.to);
  if (!values.force && (await exists(file)))
    throw new Problem('invalid', `${file} exists: choose another name, or overwrite it with --force.`);
  if (!(await exists(dirname(file)))) throw new Problem('not-found', `There is no folder ${dirname(file)}.`);

  await using open = await context.open({ isToBeRead: true });
  const reader = () => open.store.readAsSystem();
  const top = values.ancestor === undefined ? null : await findReadable(reader(), values.ancestor);
  if (top === undefined) throw new Problem('not-found', `No page exists at ${values.ancestor}.`);
  const counts = newCounts();
  const part = partOf(file);
  using _ = removedOnSignal([part]);
  try {
    await sweepParts(dirname(file), context.clock());
    const lines = exportLines({ reader, files: open.files.store }, top, counts);
    await pipeline(Readable.from(lines), createWriteStream(part, { flush: true }));
    await renameDurably(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new Problem('invalid', `The folder ${dirname(file)} may not be written.`);
    if (code === 'ENOSPC') throw new Problem('unavailable', 'The disk is full: nothing was exported.');
    throw error;
  }
  const { pages, changes, files, missing } = counts;
  if (values.json) print(io, { file, ...counts });
  else io.stdout.write(`${file} is written. Pages: ${pages}, changes: ${changes}, files: ${files}.\n`);
  if (missing.length === 0) return 0;
  io.stderr.write(`${missing.length} files have no bytes and are not in it: see coppice check.\n`);
  return 1;
});

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
