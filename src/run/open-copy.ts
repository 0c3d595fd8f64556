/** Opens the continuous copy of a wiki for commands that restore or check it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Copy, OpenWiki } from '#cli/command/context.ts';
import { BadSettings, type Config } from '#config/config.ts';
import { readExportPlace } from '#config/destinations.ts';
import { ownCopy } from '#copies/copier.ts';
import { copiedFiles } from '#copies/files.ts';
import { checkedFile, fileName, keyName, ownerName, readRuns, runsPrefix } from '#copies/names.ts';
import { restoreDatabase } from '#copies/restore.ts';
import { Problem } from '#core/model/problem.ts';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import { makeFolder } from '#files/folder.ts';
import { databaseFileOf, keyFileOf, restoringFileOf } from './open-wiki.ts';

export async function openCopyPlace(to: NonNullable<Config['copy']>['to']): Promise<CopyPlace> {
  if (typeof to !== 'string') return (await import('#files/s3.ts')).copyBucket(to);
  return (await import('#files/copy-folder.ts')).copyFolder(to);
}

/** `openAt`: opens the wiki in another data folder, to read it. */
export async function openCopy(
  config: Config,
  text: string | undefined,
  openAt: (folder: string) => Promise<OpenWiki>,
): Promise<Copy> {
  const { dataFolder } = config;
  if (config.databaseUrl !== undefined)
    throw new BadSettings([
      'DATABASE_URL: copies are of wikis on SQLite. Restore without this setting; `coppice backup` and `coppice restore` move the wiki to PostgreSQL.',
    ]);
  const place = await openCopyPlace(placeOf(config, text));
  const restoring = restoringFileOf(config);
  const database = databaseFileOf(config);
  return {
    async restore(until) {
      const marker = `copy ${text}`;
      const isContinued = existsSync(restoring) && readFileSync(restoring, 'utf8') === marker;
      if (!isContinued && [restoring, database, keyFileOf(config)].some((path) => existsSync(path)))
        throw new Problem(
          'invalid',
          `A copy can only be restored into an empty folder, and ${dataFolder} has a wiki. Set COPPICE_DATA to a new one.`,
        );
      makeFolder(dataFolder);
      const part = `${database}.${randomBytes(4).toString('hex')}`;
      try {
        const at = await restoreDatabase(place, until, part);
        await writeFile(restoring, marker, { mode: 0o600, flush: true });
        for (const ending of ['', '-wal', '-shm']) await rm(`${database}${ending}`, { force: true });
        await rename(part, database);
        return { at };
      } finally {
        await rm(part, { force: true });
      }
    },
    async restoreKey(identities) {
      const encrypted = await bytesOf(place, keyName);
      if (!encrypted) return 'none';
      if (identities === undefined) return 'needs identity';
      const { decryptWith } = await import('#copies/encryption.ts');
      const key = await decryptWith(identities, encrypted).catch((cause: unknown) => {
        throw new Problem('invalid', 'The key in the copy cannot be decrypted with this identity.', {
          cause,
        });
      });
      await writeFile(keyFileOf(config), key, { mode: 0o600, flush: true });
      return 'restored';
    },
    async finish() {
      const owner = await bytesOf(place, ownerName);
      const runs = [...(await readRuns(place.list(runsPrefix))).keys()];
      if (owner) ownCopy(dataFolder, owner.toString('utf8').trim(), runs.at(-1));
      await rm(restoring);
    },
    files: () => copiedFiles(place),
    openFile: (hash) => place.open(fileName(hash)),
    async openAside() {
      const folder = join(dataFolder, 'tmp', `copy-${randomBytes(4).toString('hex')}`);
      makeFolder(folder);
      const remove = () => rm(folder, { recursive: true, force: true });
      try {
        const at = await restoreDatabase(place, Number.POSITIVE_INFINITY, join(folder, 'coppice.db'));
        const wiki = await openAt(folder);
        return {
          at,
          wiki,
          async [Symbol.asyncDispose]() {
            await wiki[Symbol.asyncDispose]();
            await remove();
          },
        };
      } catch (error) {
        await remove();
        throw error;
      }
    },
    noteChecked: () => writeFile(join(dataFolder, checkedFile), '', { mode: 0o600 }),
  };
}

function placeOf(config: Config, text: string | undefined): NonNullable<Config['copy']>['to'] {
  if (text === undefined) {
    if (config.copy) return config.copy.to;
    throw new BadSettings(['COPPICE_COPY_TO: expected the place of the copy.']);
  }
  const place = readExportPlace(text);
  if (place === undefined || place === '')
    throw new Problem('invalid', `“${text}” is neither a folder nor s3:BUCKET or s3:BUCKET/PREFIX.`);
  return typeof place === 'string' ? place : { ...place, ...config.storage };
}

async function bytesOf(place: CopyPlace, name: string): Promise<Buffer | undefined> {
  const found = await place.open(name);
  return found && buffer(Readable.from(found));
}
