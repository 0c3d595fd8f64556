/** Opens the parts of a wiki that the settings name: its database, files, keys and disk cache. Refusals name the setting to change. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pino from 'pino';
import { loadKeys } from '#auth/keys.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import { BadSettings, type Config } from '#config/config.ts';
import { dialectOf } from '#core/content/dialect.ts';
import type { Language } from '#core/content/language.ts';
import type { AuditContext } from '#core/model/audit-entry.ts';
import { Problem } from '#core/model/problem.ts';
import type { FileStore, Files } from '#core/ports/file-store.ts';
import type { MailServer } from '#core/ports/mail.ts';
import type { Store } from '#core/ports/store.ts';
import { openDisk } from '#files/disk.ts';
import { createProbe } from '#files/probe.ts';
import { openSpillFile } from '#files/spill-file.ts';
import type { StoreOptions } from '#store/store.ts';
import { spaceOf } from './disk-space.ts';
import { openStore } from './open-store.ts';

export async function openDatabase(
  config: Config,
  {
    makeRoom,
    mayBegin = true,
    isToBeRestored = false,
    isReadOnly = false,
    isServer = false,
    obeysReadOnly = isServer,
    audit,
    derive,
    tracing,
    lacks,
  }: {
    makeRoom?: () => void;
    mayBegin?: boolean;
    isToBeRestored?: boolean;
    isReadOnly?: boolean;
    /** Whether the connections of servers are kept for long, so that the database must have enough of them. */
    isServer?: boolean;
    /** Whether writes are refused while the wiki is read-only. */
    obeysReadOnly?: boolean;
    audit?: AuditContext;
    /** Derives data on this thread by default. */
    derive?: Language['derive'];
    tracing?: Required<Pick<StoreOptions, 'onStatement'>> | undefined;
    lacks?: StoreOptions['lacks'];
  },
): Promise<{ store: Store; isNew: boolean }> {
  const { databaseUrl, replicaUrls, dataFolder, databaseConnections } = config;
  if (!isToBeRestored && existsSync(restoringFileOf(config))) {
    throw new BadSettings([
      `COPPICE_DATA: ${dataFolder} contains an interrupted restore. Repeat it with the same backup, \`coppice restore FILE\`, or start with an empty folder and an empty database.`,
    ]);
  }
  let isNew = false;
  const mayCreate = isToBeRestored || config.mayCreate;
  const beforeCreating = () => {
    if (!mayCreate && !isNew) refuseLeftovers(config);
    if (!mayBegin) throw noWiki(config);
    isNew = true;
  };
  const store = await openStore(
    databaseUrl === undefined
      ? { kind: 'sqlite', file: databaseFileOf(config) }
      : { kind: 'postgres', url: databaseUrl, replicaUrls },
    {
      dialectIn: (language) => dialectOf(language, config.interwiki, config.hashtags),
      ...(derive ? { derive } : {}),
      hasMailServer: config.mail !== undefined,
      settings: config.fixed,
      isReadOnly,
      ...(databaseConnections === 'auto' ? {} : { maxConnections: databaseConnections }),
      ...(isServer ? { serverProcesses: config.workers } : {}),
      obeysReadOnly,
      beforeCreating,
      ...(makeRoom ? { makeRoom } : {}),
      ...(tracing ? { onStatement: tracing.onStatement } : {}),
      ...(audit ? { audit } : {}),
      ...(lacks ? { lacks } : {}),
      askSpace: () => spaceOf(dataFolder),
    },
  );
  return { store, isNew };
}

/** Refuses, before anything is created, if the settings lead to no wiki: a name may be mistyped. */
export function refuseWithoutWiki(config: Config): void {
  const { dataFolder, databaseUrl, key, s3 } = config;
  if (databaseUrl === undefined) {
    if ((statSync(databaseFileOf(config), { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    if (!existsSync(restoringFileOf(config))) refuseLeftovers(config);
    throw noWiki(config);
  }
  const parts = [
    ...(key === undefined ? [keyFileOf(config)] : []),
    ...(s3 === undefined ? [join(dataFolder, 'files')] : []),
  ];
  if (parts.length === 0 || parts.some((part) => existsSync(part))) return;
  throw new BadSettings([
    `COPPICE_DATA: ${dataFolder} has neither files nor key of the wiki whose database DATABASE_URL names. ${sameSettings}`,
  ]);
}

const sameSettings =
  'Nothing was created. Give the command the same settings as the server, or start the server to create a new wiki.';

function noWiki({ dataFolder, databaseUrl }: Config): BadSettings {
  if (databaseUrl === undefined)
    return new BadSettings([
      `COPPICE_DATA: there is no wiki in ${dataFolder}, because it has no coppice.db. ${sameSettings}`,
    ]);
  // Only the name of the database, because the address may contain a passphrase.
  const name = /\/([^/?]*)(\?|$)/.exec(databaseUrl.replace(/^\w+:\/\//, ''))?.[1] ?? '';
  return new BadSettings([`DATABASE_URL: there is no wiki in the database “${name}”. ${sameSettings}`]);
}

function refuseLeftovers(config: Config): void {
  const left = leftIn(config);
  if (left)
    throw new BadSettings([
      `${left} belongs to a wiki whose database is missing. Restore the database, or restore a backup into a new folder. To create a new wiki in this folder anyway, set COPPICE_CREATE=on.`,
    ]);
}

/** Path of a key or of files that an earlier wiki left in the data folder. */
function leftIn(config: Config): string | undefined {
  const files = join(config.dataFolder, 'files');
  if (existsSync(keyFileOf(config))) return keyFileOf(config);
  const hasFiles = existsSync(files) && readdirSync(files).some((name) => name !== 'tmp');
  return hasFiles ? files : undefined;
}

/** Opens the rest of a wiki. If that fails, closes the database, whose connections would keep the process alive. */
export async function orClose<T>(store: Store, openRest: () => Promise<T>): Promise<T> {
  try {
    return await openRest();
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

export async function openFiles(config: Config, makeRoom?: () => void, isReadOnly = false): Promise<Files> {
  return { store: await openFileStore(config, makeRoom, isReadOnly), probe: createProbe() };
}

async function openFileStore(
  { s3, dataFolder }: Config,
  makeRoom: (() => void) | undefined,
  isReadOnly: boolean,
): Promise<FileStore> {
  if (s3 === undefined) return openDisk(join(dataFolder, 'files'), makeRoom, isReadOnly);
  const { openS3 } = await import('#files/s3.ts');
  try {
    return await openS3(s3, join(dataFolder, 'tmp'), { makeRoom, isReadOnly });
  } catch (error) {
    throw error instanceof Problem ? new BadSettings([`FILES: ${error.message}`]) : error;
  }
}

/** Keys of the wiki. Makes them where there are none, with a warning if tokens were sealed with earlier keys. */
export async function loadWikiKeys(
  config: Config,
  store: Store,
  isNew: boolean,
  logger: pino.Logger,
): Promise<Uint8Array[]> {
  const file = keyFileOf(config);
  const isMissing = config.key === undefined && !isNew && !existsSync(file);
  if (isMissing && (await store.maintenance.counts()).members > 0) {
    logger.warn(
      { file },
      'the key is missing although there are members: a new key is made, and everybody has to sign in again',
    );
  }
  return loadKeys({ env: config.key, file });
}

export function openCache(
  { dataFolder, maxCacheBytes, workers }: Config,
  logger: pino.Logger,
): SpillFile | undefined {
  if (maxCacheBytes === 0) return undefined;
  try {
    return openSpillFile(join(dataFolder, 'cache'), Math.floor(maxCacheBytes / workers), () =>
      spaceOf(dataFolder),
    );
  } catch (error) {
    // The wiki works without a disk cache, only slower.
    logger.warn({ err: error }, 'disk cache unavailable');
    return undefined;
  }
}

/** Undefined if no mail server is configured. */
export async function openMailServer({ mail }: Config): Promise<MailServer | undefined> {
  if (mail === undefined) return undefined;
  // The library is imported only if mail is sent.
  const { createMailServer } = await import('#mail/smtp.ts');
  return createMailServer(mail);
}

/** False if the data folder or the database file exists but cannot be written, as on a read-only mount. */
export function isWritable(config: Config): boolean {
  const { dataFolder, databaseUrl } = config;
  const parts = databaseUrl === undefined ? [dataFolder, databaseFileOf(config)] : [dataFolder];
  return parts.every((path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return !existsSync(path);
    }
  });
}

export function databaseFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'coppice.db');
}

export function restoringFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'restoring');
}

export function controlSocketOf({ dataFolder }: Config): string {
  return join(dataFolder, 'control.sock');
}

export function keyFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'key');
}
