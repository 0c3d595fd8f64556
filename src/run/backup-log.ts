/** Recent backups, in a file in the data folder; its modification time tells when the last one finished. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config/config.ts';

const rememberedBackups = 1000;

export async function noteBackup(config: Config, place: string): Promise<void> {
  const backups = [...readBackups(config), { at: Date.now(), place }].slice(-rememberedBackups);
  const lines = backups.map(({ at, place }) => `${new Date(at).toISOString()}\t${JSON.stringify(place)}\n`);
  await writeFile(lastBackupOf(config), lines.join(''));
}

export function lastBackupAt(config: Config): number | undefined {
  return statSync(lastBackupOf(config), { throwIfNoEntry: false })?.mtimeMs;
}

/** Backups and the continuous copy, which contains what was erased for as long as it reaches back. Oldest first. */
export function knownBackups(config: Config): { at: number; place: string }[] {
  const backups = readBackups(config);
  if (!config.copy) return backups;
  const { to, keptDays } = config.copy;
  const place = typeof to === 'string' ? to : `s3:${[to.bucket, to.prefix].filter(Boolean).join('/')}`;
  return [...backups, { at: Date.now(), place: `${place}, for ${keptDays} days` }];
}

/** Oldest first. */
function readBackups(config: Config): { at: number; place: string }[] {
  const file = lastBackupOf(config);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [time = '', place] = line.split('\t');
      // Earlier versions did not record the place.
      return time === ''
        ? []
        : [{ at: Date.parse(time), place: place === undefined ? '' : JSON.parse(place) }];
    });
}

/** File with one line for each backup: its time and its location. */
function lastBackupOf({ dataFolder }: Config): string {
  return join(dataFolder, 'last-backup');
}
