/**
 * Scheduled backups: every serving process looks every minute whether one is due, and a claim in the database lets one make it, by
 * the command, at a lower priority. The latest ones are kept. One with damage never takes the place of an intact one, which may be
 * all that is left of what was damaged.
 */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import type { ExportTarget } from '#core/ports/export-target.ts';
import type { Store } from '#core/ports/store.ts';
import { superfluous } from '#export/scheduled.ts';
import { makeFolder } from '#files/folder.ts';
import { noteBackup } from './backup-log.ts';

/** Name of its row among the scheduled exports. */
const row = 'backup';
const lookEveryMs = 60_000;
const renewEveryMs = 15_000;
const retryMs = 15 * 60 * 1000;
const silentMs = 2 * 60 * 1000;

export interface BackupLoop {
  /** Runs one round now. */
  look(): Promise<void>;
  /** Cancels the running backup; it stays due. */
  stop(): Promise<void>;
}

interface BackingUp {
  config: Config;
  settings: NonNullable<Config['scheduledBackups']>;
  target: ExportTarget;
  store: Pick<Store, 'exportSchedule'>;
  clock(): number;
  log: Logger;
}

/** `env`: environment of the command. */
export function startBackupLoop(
  { config, settings, target, store: { exportSchedule }, clock, log }: BackingUp,
  env: NodeJS.ProcessEnv = process.env,
): BackupLoop {
  const stopped = new AbortController();
  const { signal } = stopped;
  const backUp = async () => {
    const begunAt = clock();
    const failed = begunAt - Math.min(retryMs, settings.everyMs);
    const due = { done: begunAt - settings.everyMs, failed, dead: begunAt - silentMs };
    if (!(await exportSchedule.begin(row, begunAt, due))) return;
    const renewing = setInterval(() => {
      // If the database is unavailable, the backup itself fails.
      exportSchedule.renew(row, begunAt, clock()).catch(() => {});
    }, renewEveryMs);
    try {
      const { name, damage } = await writeBackup({ config, target, begunAt }, env, signal);
      await noteBackup(config, placeOf(settings.to, name));
      const isDamaged = damage !== undefined;
      const ours = (await target.list()).filter((other) => isBackup(other, isDamaged));
      for (const old of superfluous(ours, name, settings.keep)) await target.remove(old);
      await exportSchedule.end(row, begunAt, 'done', clock());
      if (damage === undefined) log.info({ name }, 'backed up');
      else log.error({ name, damage }, 'backed up, but some of the data is damaged');
    } catch (err) {
      await exportSchedule
        .end(row, begunAt, signal.aborted ? 'interrupted' : 'failed', clock())
        .catch(() => {});
      if (!signal.aborted) log.error({ err }, 'scheduled backup failed');
    } finally {
      clearInterval(renewing);
    }
  };
  let round = Promise.resolve();
  const look = () => {
    round = backUp().catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, 'cannot find out whether a backup is due');
    });
    return round;
  };
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    timer = setTimeout(async () => {
      await look();
      if (!signal.aborted) next();
    }, lookEveryMs).unref();
  };
  next();
  return {
    look,
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      await round;
    },
  };
}

/** Returns the name, and what the command says of damaged data, if there is any. */
async function writeBackup(
  { config, target, begunAt }: { config: Config; target: ExportTarget; begunAt: number },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ name: string; damage: string | undefined }> {
  const folder = join(config.dataFolder, 'tmp');
  makeFolder(folder);
  const file = join(folder, nameAt(begunAt, { isDamaged: false, isEncrypted: false }));
  try {
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    const command = spawn(process.execPath, [main, 'backup', file, '--force', '--unrecorded'], {
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      command.on('error', reject).on('close', resolve);
    });
    const [code, out, err] = await Promise.all([ended, text(command.stdout), text(command.stderr)]);
    // With damage, the rest has been written: see `coppice backup`.
    const isWritten = code === 0 || /has been written/.test(out);
    if (!isWritten) throw new Error(err || `The command ended with ${code}.`);
    const isDamaged = code !== 0;
    const name = nameAt(begunAt, { isDamaged, isEncrypted: config.backupRecipient !== undefined });
    await target.put(name, await bytesOf(file, config.backupRecipient), signal);
    return { name, damage: isDamaged ? `${out}${err}`.slice(0, 10_000) : undefined };
  } finally {
    await rm(file, { force: true });
  }
}

async function bytesOf(file: string, recipient: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  const bytes = createReadStream(file);
  if (recipient === undefined) return bytes;
  const { encryptStreamTo } = await import('#copies/encryption.ts');
  const web = Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
  return encryptStreamTo(recipient, web) as unknown as AsyncIterable<Uint8Array>;
}

/** Names sort in the order of time. */
function nameAt(
  at: number,
  { isDamaged, isEncrypted }: { isDamaged: boolean; isEncrypted: boolean },
): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return `coppice-${time}${isDamaged ? '.damaged' : ''}.backup.tar.gz${isEncrypted ? '.age' : ''}`;
}

function isBackup(name: string, isDamaged: boolean): boolean {
  const [ours, damaged] = /^coppice-\d{8}T\d{6}Z(\.damaged)?\.backup\.tar\.gz(?:\.age)?$/.exec(name) ?? [];
  return ours !== undefined && (damaged !== undefined) === isDamaged;
}

function placeOf(to: NonNullable<Config['scheduledBackups']>['to'], name: string): string {
  if (typeof to === 'string') return join(to, name);
  return `s3:${[to.bucket, to.prefix, name].filter(Boolean).join('/')}`;
}
