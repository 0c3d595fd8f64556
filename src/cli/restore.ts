/** `coppice restore`: restores a backup into an empty wiki, completely or not at all. */
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { rebuild } from '#core/maintenance/rebuild.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { hashesIn, type Row } from './archive/format.ts';
import { readArchive, surveyArchive } from './archive/read-archive.ts';
import type { RowCheck } from './archive/row-check.ts';
import { command, readArguments } from './command/arguments.ts';
import type { OpenWiki } from './command/context.ts';
import { renameDurably } from './command/durable-rename.ts';
import { progressOn } from './command/progress.ts';
import { restoreCopy } from './command/restore-copy.ts';

/** Nobody else uses the wiki. On SQLite, 16 share a commit while the next ones are computed. */
const pagesAtOnce = 64;

const help = `Usage: coppice restore FILE [--skip-damaged]
       coppice restore --from PLACE [--at TIME] [--identity FILE]

Restores a backup into an empty data folder and database. It can be SQLite or PostgreSQL, whichever the backup was made
from. The whole backup is verified first; if anything in it is damaged, nothing is changed. The wiki must not run.
If a restore is interrupted, run the same command again.

  --skip-damaged   Restores the undamaged parts of a damaged backup, and names the rest. A page whose latest change is
                   damaged gets the last undamaged one.

With --from, restores the continuous copy that COPPICE_COPY_TO makes, into an empty data folder, for SQLite only.

  --from PLACE     Folder, s3:BUCKET or s3:BUCKET/PREFIX.
  --at TIME        Restores the wiki as it was then, such as 2026-11-24T10:15:00Z. The default is the latest state.
  --identity FILE  Secret of age that the key in the copy is encrypted to.
`;

export const run = command('restore', help, async (args, context, io) => {
  if (args.some((arg) => /^--from(=|$)/.test(arg))) {
    const text = { type: 'string' } as const;
    const { values } = readArguments(args, [], { from: text, at: text, identity: text });
    const { from = '', at, identity } = values;
    return restoreCopy({ from, at, identity }, context, io);
  }
  const { values, positionals } = readArguments(args, ['FILE'], {
    'skip-damaged': { type: 'boolean', default: false },
  });
  const file = resolve(positionals[0]);
  const isSkipping = values['skip-damaged'];
  const { manifest, check, damage, damagedFiles } = await surveyArchive(file);
  // Refuses with a sentence about the first part that is damaged, if it has one.
  if (damage.length > 0 && !isSkipping) await readArchive(file, verifying);
  if (damage.length > 0 && !isSkipping) {
    throw new Problem(
      'invalid',
      `The backup cannot be restored: ${damage.length} of its parts are damaged (${damage[0]?.slice(0, 120)} …). Nothing was changed. Restore the rest with --skip-damaged.`,
    );
  }
  const onDamage = isSkipping ? () => {} : undefined;
  await using opened = await context.open({ isToBeRestored: true });
  const { store, files } = opened;
  const { restoringFile } = context;
  // Rows are committed together, after the bytes, so if they are there, everything is.
  const hasRows = (await marked(restoringFile)) === manifest.rows.sha256 && !(await hasNoRows(store));
  if (!hasRows) await refuseUnlessEmpty(opened, check);
  const stored: string[] = [];
  let key: Buffer | undefined;
  try {
    const { keyFile } = context;
    // Files first, because a row must never refer to missing bytes. The archive contains them last, so it is read twice.
    await readArchive(
      file,
      {
        ...verifying,
        key: async (bytes) => {
          key = bytes;
        },
        file: async (hash, bytes, size) => {
          if (hasRows || damagedFiles.has(hash)) return drained(bytes);
          stored.push(hash);
          await files.store.put(bytes, size);
        },
      },
      onDamage,
    );
    if (!hasRows) {
      await writeDurably(restoringFile, manifest.rows.sha256);
      const mended = isSkipping ? { check, damagedFiles } : undefined;
      await readArchive(
        file,
        { ...verifying, rows: (rows) => restoreRows(store, mended ? whole(rows, mended) : rows) },
        onDamage,
      );
    }
    if (key && keyFile !== undefined) await writeDurably(keyFile, key);
  } catch (error) {
    if (await hasNoRows(store)) {
      // Nothing refers to these bytes, because the database accepted no rows.
      for (const hash of stored) await files.store.remove(hash);
      await rm(restoringFile, { force: true });
    }
    throw error;
  }
  const { pages, changes, members, files: attached } = await store.maintenance.counts();
  const progress = progressOn(io, 'Indexing', pages);
  const left: string[] = [];
  await rebuild(
    store,
    () => progress.step(),
    (sentence) => left.push(sentence),
    pagesAtOnce,
  ).finally(() => progress.stop());
  await rm(restoringFile);
  io.stdout.write(
    `Restored. Pages: ${pages}, changes: ${changes}, members: ${members}, files: ${attached}.\n`,
  );
  if (key && context.keyFile === undefined) {
    io.stderr.write('The backup has a key of its own, which is not used because COPPICE_KEY is set.\n');
  }
  const skipped = [...damage, ...left];
  for (const sentence of skipped) io.stdout.write(`Not restored: ${sentence}\n`);
  return skipped.length > 0 ? 1 : 0;
});

/** The rows that can be restored. */
async function* whole(
  rows: AsyncIterable<Row>,
  { check, damagedFiles }: { check: RowCheck; damagedFiles: ReadonlySet<string> },
): AsyncIterable<Row> {
  for await (const row of rows) {
    const mended = check.mended(row);
    // A file without bytes is not attached; its name is listed among the skipped ones.
    if (mended && !hashesIn(mended).some((hash) => damagedFiles.has(hash))) yield mended;
  }
}

/** Verifies every part by reading it to the end. */
const verifying = {
  rows: drained<Row>,
  key: async () => {},
  file: (_hash: string, bytes: AsyncIterable<Uint8Array>) => drained(bytes),
};

async function drained<T>(parts: AsyncIterable<T>): Promise<void> {
  for await (const _ of parts);
}

async function refuseUnlessEmpty(opened: OpenWiki, check: RowCheck): Promise<void> {
  if (await isEmpty(opened, check)) return;
  throw new Problem(
    'invalid',
    'A backup can only be restored into an empty wiki. Set COPPICE_DATA to a new folder, or DATABASE_URL to an empty database, and FILES, if they are in a bucket, to an unused prefix.',
  );
}

async function isEmpty({ store, files, ownsFiles }: OpenWiki, check: RowCheck): Promise<boolean> {
  if (!(await hasNoRows(store))) return false;
  // Bytes that the backup contains are from an interrupted restore.
  for await (const { hash } of files.store.list()) if (!ownsFiles || !check.names(hash)) return false;
  return true;
}

async function hasNoRows(store: Store): Promise<boolean> {
  const counts = await store.maintenance.counts();
  return Object.values(counts).every((count) => count === 0);
}

async function restoreRows(store: Store, rows: AsyncIterable<Row>): Promise<void> {
  let runs = 0;
  let failure: unknown;
  await store.transact(async (store) => {
    // Rows can be read only once; a repeated transaction would find none and succeed.
    if (runs++ > 0) {
      throw (
        failure ??
        new Problem(
          'unavailable',
          'Another process uses the database. Stop every other process and try again.',
        )
      );
    }
    try {
      await store.maintenance.restore(rows);
    } catch (error) {
      failure = error;
      if (error instanceof Problem) throw error;
      // The first line of the engine's message names the violated column.
      const [what] = (error as Error).message.split('\n');
      throw new Problem(
        'invalid',
        `The backup cannot be restored: the database refuses its rows (${what}). Nothing was changed.`,
        { cause: error },
      );
    }
  });
}

/** Marker of an interrupted restore, with the backup's hash. */
async function marked(restoringFile: string): Promise<string | undefined> {
  try {
    return await readFile(restoringFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(file: string, bytes: Buffer | string): Promise<void> {
  const part = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(part, bytes, { flag: 'wx', mode: 0o600, flush: true });
  await renameDurably(part, file).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
}
