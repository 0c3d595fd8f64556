/** Settings that say where the wiki keeps what: database, files, exports, backups and the continuous copy. */
import { resolve } from 'node:path';
import { type FormatName, formatNames } from '#export/format-names.ts';
import type { ScheduledExports } from '#export/scheduled.ts';
import type { S3Settings } from '#files/s3.ts';
import type { settings } from './settings.ts';
import {
  readDatabaseUrl,
  readEndpoint,
  readFilesPlace,
  readInteger,
  readRegion,
  readSwitch,
} from './values.ts';

/** A folder, or a bucket. */
export type Destination = S3Settings | string;

export type SettingName = (typeof settings)[number]['name'];

export type Read = <T>(name: SettingName, parse: (text: string) => T | undefined, expected: string) => T;

export function readS3(read: Read): S3Settings | undefined {
  const place = read('FILES', readFilesPlace, 'disk, s3:BUCKET or s3:BUCKET/PREFIX');
  const storage = readStorage(read);
  return place === 'disk' ? undefined : { ...place, ...storage };
}

export function readStorage(read: Read): Omit<S3Settings, 'bucket' | 'prefix'> {
  const endpoint = read('S3_ENDPOINT', readEndpoint, 'an address like https://s3.example.org');
  const region = read('S3_REGION', readRegion, 'a name like eu-central-1');
  const isPathStyle = read('S3_PATH_STYLE', readSwitch, 'on or off');
  return { endpoint, region, isPathStyle };
}

export function readScheduledExports(
  read: Read,
  sentences: string[],
): (ScheduledExports & { to: Destination }) | undefined {
  const formats = read('COPPICE_EXPORT', readExportFormats, `some of ${formatNames.join(', ')}`);
  const place = read('COPPICE_EXPORT_TO', readExportPlace, 'a folder, s3:BUCKET or s3:BUCKET/PREFIX');
  const hours = read('COPPICE_EXPORT_HOURS', (text) => readInteger(text, 1, 8760), 'hours from 1 to 8760');
  const keep = read('COPPICE_EXPORT_KEEP', (text) => readInteger(text, 1, 1000), 'a number from 1 to 1000');
  if (!formats || formats.length === 0) return undefined;
  if (place === '')
    sentences.push('COPPICE_EXPORT_TO: expected the destination of exports, because COPPICE_EXPORT is set.');
  const to = typeof place === 'string' ? place : { ...place, ...readStorage(read) };
  return { formats, everyMs: hours * 60 * 60 * 1000, keep, to };
}

export function readScheduledBackups(
  read: Read,
): { to: Destination; everyMs: number; keep: number } | undefined {
  const place = read('COPPICE_BACKUP_TO', readExportPlace, 'a folder, s3:BUCKET or s3:BUCKET/PREFIX');
  const hours = read('COPPICE_BACKUP_HOURS', (text) => readInteger(text, 1, 8760), 'hours from 1 to 8760');
  const keep = read('COPPICE_BACKUP_KEEP', (text) => readInteger(text, 1, 1000), 'a number from 1 to 1000');
  if (!place) return undefined;
  const to = typeof place === 'string' ? place : { ...place, ...readStorage(read) };
  return { to, everyMs: hours * 60 * 60 * 1000, keep };
}

export function readCopy(read: Read, sentences: string[]): { to: Destination; keptDays: number } | undefined {
  const place = read('COPPICE_COPY_TO', readExportPlace, 'a folder, s3:BUCKET or s3:BUCKET/PREFIX');
  const keptDays = read('COPPICE_COPY_DAYS', (text) => readInteger(text, 1, 3650), 'days from 1 to 3650');
  if (!place) return undefined;
  if (readDatabase(read))
    sentences.push(
      'COPPICE_COPY_TO: expected nothing, because DATABASE_URL is set and PostgreSQL has tools of its own for this: see docs/backups.md.',
    );
  return { to: typeof place === 'string' ? place : { ...place, ...readStorage(read) }, keptDays };
}

export function readDatabase(read: Read): string | undefined {
  const expected = 'an address like postgres://user:secret@host/database';
  return read('DATABASE_URL', readDatabaseUrl, expected) || undefined;
}

function readExportFormats(text: string): FormatName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  if (text === '') return [];
  const formats = formatNames.filter((name) => names.includes(name));
  return formats.length === names.length ? formats : undefined;
}

/** A folder, or a bucket and prefix. Undefined if the text is neither. */
export function readExportPlace(text: string): string | { bucket: string; prefix: string } | undefined {
  if (text.includes('\0')) return undefined;
  if (!text.startsWith('s3:')) return text === '' ? '' : resolve(text);
  const place = readFilesPlace(text);
  return place === 'disk' ? undefined : place;
}
