/**
 * Keeps a copy of a wiki in a folder or bucket: its database at most a second behind, its files, and its key encrypted to a
 * recipient. One process of a data folder copies at a time.
 */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import type { FileStore } from '#core/ports/file-store.ts';
import { FileHashes } from '#store/sqlite/file-hashes.ts';
import { lockOf } from '#store/sqlite/holder.ts';
import { LogFollower, rewritingMark } from '#store/sqlite/log-follower.ts';
import { FileCopies } from './files.ts';
import { copiedFile, keyName, ownerName, readRuns, runsPrefix, superseded } from './names.ts';
import { CopyRun } from './run.ts';

interface CopySource {
  dataFolder: string;
  database: string;
  /** Undefined if files lie in a bucket, which is not copied. */
  files: FileStore | undefined;
  /** Undefined if the key comes from COPPICE_KEY. */
  keyFile: string | undefined;
  /** Without one, the key is not copied. */
  recipient: string | undefined;
  keptDays: number;
}

export interface CopyLog {
  began(run: string): void;
  /** A base is whole, so the copy can be restored. */
  whole(run: string): void;
  failed(what: string, error: unknown): void;
}

const collectEveryMs = 200;
const uploadEveryMs = 1000;
const retryMs = 2000;
const compareEveryMs = 60 * 60 * 1000;
/** Recent uploads are looked for again, because their rows are committed later than they are dated. */
const recentMs = 60_000;
/** Time for which the database waits for its files: they come first, unless they are large or many. */
const filesFirstMs = 5000;
/** A process that was killed while it rewrote the database left the mark. */
const maxRewritingMs = 30 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

const ownerFile = 'copy-owner';
/** Has the name of the latest run, which the next one follows. */
const runFile = 'copy-run';

/** Descriptors of databases, which are never closed: see `CopyRun`. */
const descriptors = new Map<string, number>();

/** Resolves once the signal is aborted and what was committed before is copied, or cannot be. */
export async function keepCopying(
  source: CopySource,
  place: CopyPlace,
  log: CopyLog,
  signal: AbortSignal,
): Promise<void> {
  const lock = await lockedFolder(source, signal);
  if (!lock) return;
  try {
    await keepTrying('the place of copies cannot be used', log, signal, () => claim(source, place));
    if (signal.aborted) return;
    using rest = new RestCopies(source, place, log);
    await Promise.all([copyDatabase({ source, place, log, signal }, rest), rest.keepComparing(signal)]);
  } finally {
    lock.close();
  }
}

async function lockedFolder({ dataFolder }: CopySource, signal: AbortSignal) {
  while (!signal.aborted) {
    const lock = lockOf(join(dataFolder, 'copying'));
    if (lock) return lock;
    await pause(uploadEveryMs, signal);
  }
  return undefined;
}

/** Refuses a place that has the copy of another wiki. */
async function claim({ dataFolder }: CopySource, place: CopyPlace): Promise<void> {
  const file = join(dataFolder, ownerFile);
  const found = await place.open(ownerName);
  const owner = found && (await buffer(Readable.from(found))).toString('utf8').trim();
  const ours = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (owner !== undefined && owner !== ours)
    throw new Error('COPPICE_COPY_TO has the copy of another wiki. Choose another folder or prefix.');
  const id = ours ?? randomUUID();
  if (ours === undefined) writeFileSync(file, `${id}\n`, { mode: 0o600 });
  if (owner === undefined) await place.put(ownerName, Buffer.from(`${id}\n`));
}

/** After a restore, the wiki continues the copy, whose latest run is `run`. */
export function ownCopy(dataFolder: string, owner: string, run: string | undefined): void {
  writeFileSync(join(dataFolder, ownerFile), `${owner}\n`, { mode: 0o600 });
  if (run !== undefined) writeFileSync(join(dataFolder, runFile), run, { mode: 0o600 });
}

interface Copying {
  source: CopySource;
  place: CopyPlace;
  log: CopyLog;
  signal: AbortSignal;
}

async function copyDatabase(copying: Copying, rest: RestCopies): Promise<void> {
  const { source, log, signal } = copying;
  while (!signal.aborted) {
    try {
      if (!isRewriting(source.database)) await copyRun(copying, rest);
    } catch (error) {
      log.failed('copying the database begins anew', error);
    }
    await pause(uploadEveryMs, signal);
  }
}

/** Ends when the database is rewritten. Throws if changes were lost. */
async function copyRun({ source, place, log, signal }: Copying, rest: RestCopies): Promise<void> {
  const { database, dataFolder } = source;
  let descriptor = descriptors.get(database);
  if (descriptor === undefined || statSync(database).ino !== fstatSync(descriptor).ino) {
    descriptor = openSync(database, 'r');
    descriptors.set(database, descriptor);
  }
  const named = join(dataFolder, runFile);
  const before = existsSync(named) ? readFileSync(named, 'utf8') : undefined;
  using run = new CopyRun(new LogFollower(database), descriptor, place, before);
  writeFileSync(named, run.name, { mode: 0o600 });
  log.began(run.name);
  let lost: unknown;
  const collecting = setInterval(() => {
    try {
      if (isRewriting(database)) run[Symbol.dispose]();
      run.collect();
    } catch (error) {
      lost = error;
    }
  }, collectEveryMs);
  try {
    let hasFailed = false;
    for (let isLast = false; !isLast; ) {
      // A base that has begun becomes whole, if there is time for that.
      isLast = signal.aborted && run.copiedAt !== undefined;
      const began = performance.now();
      if (lost) throw lost;
      if (run.isOver) return;
      try {
        if (await run.upload(() => Promise.race([rest.copyRecent(), sleep(filesFirstMs)]))) {
          log.whole(run.name);
          await sweep(source, place);
        }
        if (run.copiedAt !== undefined) mark(join(dataFolder, copiedFile), run.copiedAt);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.failed('the database could not be copied', error);
        hasFailed = true;
        await pause(retryMs, signal);
      }
      await (signal.aborted
        ? sleep(collectEveryMs)
        : pause(uploadEveryMs - (performance.now() - began), signal));
    }
  } finally {
    clearInterval(collecting);
  }
}

async function sweep({ keptDays }: CopySource, place: CopyPlace): Promise<void> {
  const { runs, objects } = superseded(await readRuns(place.list(runsPrefix)), Date.now() - keptDays * dayMs);
  for (const name of objects) await place.remove(name);
  for (const run of runs)
    for await (const name of place.list(`${runsPrefix}${run}/`)) await place.remove(name);
}

/** Files and key. */
class RestCopies implements Disposable {
  readonly #source: CopySource;
  readonly #place: CopyPlace;
  readonly #log: CopyLog;
  readonly #files: FileCopies | undefined;
  readonly #named: FileHashes;
  #keyFrom = 0;
  #hasFailed = false;

  constructor(source: CopySource, place: CopyPlace, log: CopyLog) {
    this.#source = source;
    this.#place = place;
    this.#log = log;
    this.#files = source.files && new FileCopies(source.files, place, source.keptDays * dayMs);
    this.#named = new FileHashes(source.database);
  }

  /** Never rejects: the database is copied all the same. */
  async copyRecent(): Promise<void> {
    try {
      await this.#copyKey();
      await this.#files?.copyRecent(this.#named, Date.now() - recentMs);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#log.failed('files could not be copied', error);
      this.#hasFailed = true;
    }
  }

  async keepComparing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await keepTrying('files could not be compared', this.#log, signal, async () =>
        this.#files?.compare(this.#named, Date.now()),
      );
      await pause(compareEveryMs, signal);
    }
  }

  async #copyKey(): Promise<void> {
    const { keyFile, recipient } = this.#source;
    if (keyFile === undefined || recipient === undefined) return;
    const changedAt = statSync(keyFile, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined || changedAt === this.#keyFrom) return;
    const { encryptTo } = await import('./encryption.ts');
    await this.#place.put(keyName, await encryptTo(recipient, readFileSync(keyFile)));
    this.#keyFrom = changedAt;
  }

  [Symbol.dispose](): void {
    this.#named[Symbol.dispose]();
  }
}

async function keepTrying(
  what: string,
  log: CopyLog,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (count === 0) log.failed(what, error);
      await pause(retryMs, signal);
    }
  }
}

function isRewriting(database: string): boolean {
  const path = rewritingMark(database);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && Date.now() - found.mtimeMs > maxRewritingMs) rmSync(path, { force: true });
  return existsSync(path);
}

/** Sets the time of a file, and makes it if it does not exist. */
function mark(path: string, at: number): void {
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
  utimesSync(path, at / 1000, at / 1000);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
