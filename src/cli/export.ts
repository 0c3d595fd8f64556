/** `coppice export`: writes the wiki or a subtree as a file or folder for other programs, while the wiki serves. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '#core/model/problem.ts';
import { findReadable } from '#core/reading/find-page.ts';
import { chunksOf, type ExportEntry } from '#export/entries.ts';
import { formatNames } from '#export/format-names.ts';
import { exportAs, formatOf } from '#export/formats.ts';
import { newCounts, togetherOf } from '#export/walk.ts';
import { command, readArguments, UsageError } from './command/arguments.ts';
import { writeAside } from './command/part-files.ts';
import { print } from './command/print.ts';

const help = `Usage: coppice export --format FORMAT --to PLACE [--ancestor /path] [--force] [--json]

Exports every page, including private ones, while the wiki runs. See docs/export.md. Only the owner of PLACE can read
it.

  --format FORMAT   ${formatNames.join(', ')}
  --to PLACE        A file. For formats that are folders: a .zip, or a new or empty folder.
  --ancestor /path  Exports this page and those beneath it. Default: the whole wiki.
  --force           Overwrites PLACE if it is an existing file.
  --json            Prints the summary as JSON.

Ends with 1 if bytes of files are missing or changes are damaged. These are left out and named.
`;

export const run = command('export', help, async (args, context, io) => {
  const { values } = readArguments(args, [], {
    format: { type: 'string' },
    to: { type: 'string' },
    ancestor: { type: 'string' },
    force: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const name = formatNames.find((name) => name === values.format);
  if (!name) throw new UsageError(`--format is missing. Choose from ${formatNames.join(', ')}.`);
  if (!values.to) throw new UsageError('--to is missing. Give the file or folder to write.');
  const place = resolve(values.to);
  const format = formatOf(name);
  const folder = 'entries' in format && format.isFolder && !place.endsWith('.zip') ? format : undefined;
  if (!existsSync(dirname(place)))
    throw new Problem('not-found', `The folder ${dirname(place)} does not exist.`);
  if (folder) await refuseBeyondLimit(place);
  else if (!values.force && existsSync(place))
    throw new Problem(
      'invalid',
      `${place} already exists. Choose another name, or overwrite it with --force.`,
    );

  await using open = await context.open({ isToBeRead: true });
  await using exporting = await context.openExporting(open.store);
  const reader = () => open.store.readAsSystem();
  const top = values.ancestor === undefined ? null : await findReadable(reader(), values.ancestor);
  if (top === undefined) throw new Problem('not-found', `No page exists at ${values.ancestor}.`);
  const counts = newCounts();
  const { renderer, wiki, look } = exporting;
  const source = {
    reader,
    readerAs: open.store.readAs,
    ...togetherOf(open.store),
    files: open.files.store,
    now: context.clock(),
    renderer,
    wiki,
    look,
  };
  await writeAside(place, context.clock(), 'nothing was exported', async (part) => {
    if (folder) {
      await writeFolder(part, folder.entries(source, top, counts));
      await rmdir(place).catch(() => {});
    } else {
      const out = createWriteStream(part, { flush: true, mode: 0o600 });
      await pipeline(exportAs(name, source, top, counts), out);
    }
  });
  const { pages, changes, files, missing, damaged } = counts;
  if (values.json) print(io, { file: place, ...counts });
  else
    io.stdout.write(
      `${place} has been written. Pages: ${pages}, ${changes > 0 ? `changes: ${changes}, ` : ''}files: ${files}.\n`,
    );
  for (const sentence of damaged) io.stderr.write(`${sentence}\n`);
  if (missing.length > 0)
    io.stderr.write(`${missing.length} files have no bytes and are not in the export. See coppice check.\n`);
  return missing.length + damaged.length > 0 ? 1 : 0;
});

async function writeFolder(folder: string, entries: AsyncIterable<ExportEntry>): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for await (const entry of entries) {
    const file = join(folder, entry.path);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(Readable.from(chunksOf(entry)), createWriteStream(file, { flags: 'wx' }));
  }
}

async function refuseBeyondLimit(folder: string): Promise<void> {
  const inside = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR')
      throw new Problem('invalid', `${folder} is a file. Give a folder or a .zip.`);
    throw error;
  });
  if (inside.length > 0)
    throw new Problem('invalid', `${folder} is not empty. Give a new folder, or a .zip.`);
}
