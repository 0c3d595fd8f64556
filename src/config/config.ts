/**
 * Reads the settings: takes the environment, and returns a frozen `Config` or throws an error that names every invalid value.
 * Invalid values are never replaced by a guess. `settings.ts` lists all settings.
 */

import { resolve } from 'node:path';
import type { ProviderSettings } from '#auth/provider-adapter.ts';
import { languageOf } from '#core/model/language-tag.ts';
import { type SecondFactorRule, secondFactorRules } from '#core/model/member.ts';
import type { SignUpRules } from '#core/model/settings.ts';
import { type Settings, signUpModes, siteFormats } from '#core/model/settings.ts';
import type { ScheduledExports } from '#export/scheduled.ts';
import type { S3Settings } from '#files/s3.ts';
import type { MetricsAccess } from '#http/service.ts';
import type { MailSettings } from '#mail/smtp.ts';
import type { PurgeTarget } from '#outgoing/purge.ts';
import { type AllowedTarget, readAllowed } from '#outgoing/targets.ts';
import {
  type Destination,
  type Read,
  readCopy,
  readDatabase,
  readS3,
  readScheduledBackups,
  readScheduledExports,
  readStorage,
  type SettingName,
} from './destinations.ts';
import { readProviders } from './providers.ts';
import { type LogLevel, logLevels, settings } from './settings.ts';
import {
  readBytes,
  readDuration,
  readEndpoint,
  readHome,
  readHost,
  readInteger,
  readInterwiki,
  readKey,
  readMailServer,
  readMetrics,
  readName,
  readPurge,
  readReplicas,
  readSender,
  readSwitch,
  readTiles,
  readTrust,
  readUrl,
  readWorkers,
} from './values.ts';

export interface Config {
  /** Absolute path of the folder that holds the SQLite database, the files and the key. */
  dataFolder: string;
  /** Undefined if files are stored in `dataFolder`. */
  s3: S3Settings | undefined;
  /** Storage of buckets that settings and commands name. */
  storage: Omit<S3Settings, 'bucket' | 'prefix'>;
  /** Undefined for SQLite in `dataFolder`. */
  databaseUrl: string | undefined;
  /** `auto`: as many as usual, or fewer where PostgreSQL has not so many for all processes. */
  databaseConnections: number | 'auto';
  /** Time that a starting server waits for PostgreSQL. */
  databaseWaitMs: number;
  /** Streaming replicas of that PostgreSQL. */
  replicaUrls: readonly string[];
  host: string;
  port: number;
  /** Number of serving processes. */
  workers: number;
  /** Cache before the server that is told what becomes stale. */
  purge: PurgeTarget | undefined;
  /** Collector of traces. */
  traces: string | undefined;
  /** Time between a signal to stop, which `/readyz` announces, and the end of listening. */
  stopDelaySeconds: number;
  /** Whether a new wiki may be created although files or a key of another wiki exist. */
  mayCreate: boolean;
  hasRateLimits: boolean;
  metrics: MetricsAccess;
  logLevel: LogLevel;
  /**
   * 32 bytes in base64; undefined if the key is kept in `dataFolder`. Several keys are separated by commas: the first encrypts,
   * all decrypt.
   */
  key: string | undefined;
  maxUploadBytes: number;
  /** Larger files are not read for searching; 0: none is. */
  maxFileTextBytes: number;
  /** Maximum size of the disk cache of all workers together; 0 disables it. */
  maxCacheBytes: number;
  /** Proxies whose `X-Forwarded-For` is trusted: none, a number of hops, or a list of addresses. */
  trustProxy: false | number | string[];
  /** Settings of the site that the environment decides; administrators decide the others on the site. */
  fixed: Readonly<Partial<Settings>>;
  /** Public address without a trailing slash, or empty. */
  url: string;
  /** Prefix of links in lower case → address with `$1`; empty: the wiki does not know the prefix. */
  interwiki: Readonly<Record<string, string>>;
  /** Whether `#oak` in Markdown text is a tag. */
  hashtags: boolean;
  /** Address of map tiles with `{z}`, `{x}` and `{y}`, or empty. */
  tiles: string;
  requestTimeoutMs: number;
  /** Maximum lifetime of a session, and maximum idle time. */
  sessions: { lifetimeMs: number; idleMs: number };
  /** Role of members who sign up. */
  signUpRole: SignUpRules['role'];
  /** Members who must use a second factor. */
  secondFactor: SecondFactorRule;
  /** Undefined if no mail is sent. */
  mail: MailSettings | undefined;
  /** Permitted targets of requests besides public https addresses. */
  outgoingAllowed: readonly AllowedTarget[];
  /** Undefined if exports are not scheduled. */
  scheduledExports: (ScheduledExports & { to: Destination }) | undefined;
  /** Undefined if backups are not scheduled. */
  scheduledBackups: { to: Destination; everyMs: number; keep: number } | undefined;
  /** Continuous copy of a wiki on SQLite; undefined for none. */
  copy: { to: Destination; keptDays: number } | undefined;
  /** Public key of age for backups and for the key in copies. */
  backupRecipient: string | undefined;
  /** Days after which deleted pages are purged; 0 for never. */
  trashDays: number;
  /** Days after which audit log entries are deleted; 0 for never. */
  auditDays: number;
  /** Identity providers, in the order in which they are offered. */
  providers: readonly ProviderSettings[];
}

/** Thrown with one sentence for each invalid setting. */
export class BadSettings extends Error {
  readonly sentences: string[];

  constructor(sentences: string[]) {
    super(sentences.join('\n'));
    this.name = 'BadSettings';
    this.sentences = sentences;
  }
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const sentences: string[] = [];
  /** An empty value counts as not set: `docker run -e X=` and unit files produce it. */
  const read: Read = (name, parse, expected) => {
    const text =
      environment[name]?.trim() || (settings.find((setting) => setting.name === name)?.default ?? '');
    const value = parse(text);
    if (value === undefined) sentences.push(`${name}: expected ${expected}, got ${shown(name, text)}.`);
    return value as NonNullable<typeof value>;
  };

  const choose = <V extends string>(
    name: SettingName,
    values: readonly V[],
    expected = `one of ${values.join(', ')}`,
  ) => read(name, (text) => values.find((value) => value === text), expected);

  const config: Config = {
    dataFolder: read('COPPICE_DATA', (text) => (text.includes('\0') ? undefined : resolve(text)), 'a folder'),
    databaseUrl: readDatabase(read),
    s3: readS3(read),
    storage: readStorage(read),
    replicaUrls: read(
      'DATABASE_REPLICA_URLS',
      readReplicas,
      'addresses like postgres://user:secret@host/database, separated by commas',
    ),
    databaseConnections: read(
      'DATABASE_CONNECTIONS',
      (text) => (text === 'auto' ? text : readInteger(text, 1, 500)),
      'a number from 1 to 500, or auto',
    ),
    databaseWaitMs:
      read('DATABASE_WAIT', (text) => readInteger(text, 0, 3600), 'seconds from 0 to 3600') * 1000,
    host: read('HOST', readHost, 'an IP address or a host name'),
    port: read('PORT', (text) => readInteger(text, 0, 65_535), 'a port from 0 to 65535'),
    workers: read('COPPICE_WORKERS', readWorkers, 'a number from 1 to 64, or auto'),
    purge: readPurgeTarget(read, sentences),
    traces:
      read('COPPICE_TRACES', readEndpoint, 'the URL of a collector, such as http://collector:4318') ||
      undefined,
    stopDelaySeconds: read(
      'COPPICE_STOP_DELAY',
      (text) => readInteger(text, 0, 300),
      'seconds from 0 to 300',
    ),
    mayCreate: read('COPPICE_CREATE', readSwitch, 'on or off'),
    hasRateLimits: read('COPPICE_RATE_LIMIT', readSwitch, 'on or off'),
    metrics: read(
      'COPPICE_METRICS',
      readMetrics,
      'local, open, off or token: and a secret of 16 to 200 letters, digits and signs',
    ),
    logLevel: choose('LOG_LEVEL', logLevels),
    key:
      read(
        'COPPICE_KEY',
        readKey,
        '32 bytes in base64 or hexadecimal, or several such keys separated by commas',
      ) || undefined,
    maxUploadBytes: read('COPPICE_MAX_UPLOAD', readBytes, 'bytes from 1 kB to 10 GB, such as 25MB'),
    maxCacheBytes: read(
      'COPPICE_CACHE',
      (text) => (text === 'off' ? 0 : readBytes(text)),
      'bytes from 1 kB to 10 GB, such as 1GB, or off',
    ),
    trustProxy: read(
      'COPPICE_TRUST_PROXY',
      readTrust,
      'off, loopback, a number of proxies, or IP addresses and ranges separated by commas',
    ),
    fixed: readFixed(read),
    url: read('COPPICE_URL', readUrl, 'an address like https://wiki.example.org, without a path'),
    interwiki: read(
      'COPPICE_INTERWIKI',
      readInterwiki,
      'prefixes and addresses like trees=https://trees.example.org/wiki/$1, separated by spaces',
    ),
    hashtags: read('COPPICE_HASHTAGS', readSwitch, 'on or off'),
    tiles: read('COPPICE_TILES', readTiles, 'an address or a path with {z}, {x} and {y} in it'),
    requestTimeoutMs:
      read('COPPICE_REQUEST_TIMEOUT', (text) => readInteger(text, 1, 3600), 'seconds from 1 to 3600') * 1000,
    sessions: {
      lifetimeMs: read('COPPICE_SESSION_LIFETIME', readSessionTime, 'a time from 30m to 400d, such as 30d'),
      idleMs: read('COPPICE_SESSION_IDLE', readSessionTime, 'a time from 30m to 400d, such as 7d'),
    },
    signUpRole: choose('COPPICE_SIGN_UP_ROLE', ['reader', 'writer'], 'reader or writer'),
    secondFactor: choose('COPPICE_REQUIRE_SECOND_FACTOR', secondFactorRules, secondFactorRules.join(' or ')),
    mail: readMail(read),
    outgoingAllowed: read(
      'COPPICE_OUTGOING_ALLOW',
      readAllowed,
      'names, addresses and ranges like hooks.internal:8080 or 10.1.0.0/16, separated by commas',
    ),
    scheduledExports: readScheduledExports(read, sentences),
    scheduledBackups: readScheduledBackups(read),
    copy: readCopy(read, sentences),
    backupRecipient:
      read(
        'COPPICE_BACKUP_RECIPIENT',
        (text) => (text === '' || /^age1[02-9ac-hj-np-z]{58,2000}$/.test(text) ? text : undefined),
        'a public key of age, such as age1…',
      ) || undefined,
    maxFileTextBytes: read(
      'COPPICE_FILE_TEXT',
      (text) => {
        const bytes = text === 'off' ? 0 : readBytes(text);
        return bytes !== undefined && bytes <= 200_000_000 ? bytes : undefined;
      },
      'off, or bytes from 1 kB to 200 MB, such as 20MB',
    ),
    trashDays: read(
      'COPPICE_TRASH_DAYS',
      (text) => readInteger(text, 0, 36_500),
      'a number of days from 0 (never) to 36500',
    ),
    auditDays: read(
      'COPPICE_AUDIT_DAYS',
      (text) => readInteger(text, 0, 36_500),
      'a number of days from 0 (for ever) to 36500',
    ),
    providers: readProviders(environment, sentences),
  };
  if (config.providers.length > 0 && config.url === '') {
    sentences.push('COPPICE_URL: expected the public address of the wiki, because COPPICE_OAUTH is set.');
  }
  if (config.mail && config.url === '') {
    sentences.push(
      'COPPICE_URL: expected the public address of the wiki, because COPPICE_MAIL is set and mail contains links.',
    );
  }
  if (config.mail && config.mail.from === '') {
    sentences.push('COPPICE_MAIL_FROM: expected the sender of mail, because COPPICE_MAIL is set.');
  }
  if (config.trustProxy && config.url === '') {
    sentences.push(
      'COPPICE_URL: expected the public address of the wiki, because COPPICE_TRUST_PROXY is set and requests behind a proxy do not contain it.',
    );
  }
  if (config.replicaUrls?.length > 0 && config.databaseUrl === undefined) {
    sentences.push('DATABASE_URL: expected the database whose replicas DATABASE_REPLICA_URLS names.');
  }
  // Several parts may read the same setting.
  if (sentences.length > 0) throw new BadSettings([...new Set(sentences)]);
  return Object.freeze(config);
}

/** Sessions must last longer than an access token; browsers keep a cookie for at most 400 days (RFC 6265bis §5.5). */
function readSessionTime(text: string): number | undefined {
  return readDuration(text, 30 * 60_000, 400 * 24 * 60 * 60_000);
}

/** Settings of the site; a variable that is not set leaves the decision to administrators. */
function readFixed(read: Read): Config['fixed'] {
  const oneOf =
    <V extends string>(values: readonly V[]) =>
    (text: string) =>
      values.find((value) => value === text);
  const given = {
    name: read('COPPICE_NAME', ifGiven(readName), 'a name of up to 100 characters'),
    language: read('COPPICE_LANGUAGE', ifGiven(languageOf), 'a language tag such as en, de or pt-BR'),
    private: read('COPPICE_PRIVATE', ifGiven(readSwitch), 'on or off'),
    home: read('COPPICE_HOME', ifGiven(readHome), 'the path of a page, such as /home'),
    format: read('COPPICE_FORMAT', ifGiven(oneOf(siteFormats)), siteFormats.join(' or ')),
    signUp: read('COPPICE_SIGN_UP', ifGiven(oneOf(signUpModes)), `one of ${signUpModes.join(', ')}`),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function ifGiven<T>(parse: (text: string) => T | undefined): (text: string) => T | null | undefined {
  return (text) => (text === '' ? null : parse(text));
}

function readPurgeTarget(read: Read, sentences: string[]): PurgeTarget | undefined {
  const target = read('COPPICE_PURGE', readPurge, 'varnish:URL, fastly:SERVICE or cloudflare:ZONE');
  const token = read(
    'COPPICE_PURGE_TOKEN',
    (text) => (/^[\x21-\x7e]*$/.test(text) ? text : undefined),
    'a token',
  );
  // Undefined if the value was refused.
  if (!target || target.kind === 'varnish') return target || undefined;
  if (token === '')
    sentences.push(
      `COPPICE_PURGE_TOKEN: expected a token of ${target.kind} that may purge, because COPPICE_PURGE is set.`,
    );
  return { ...target, token };
}

function readMail(read: Read): MailSettings | undefined {
  const url = read('COPPICE_MAIL', readMailServer, 'an address like smtp://user:secret@mail.example.org:587');
  const from = read(
    'COPPICE_MAIL_FROM',
    readSender,
    'an address like wiki@example.org, or Name <wiki@example.org>',
  );
  return url === '' ? undefined : { url, from };
}

/** Secrets are not repeated, because the sentence may end up in a log. */
function shown(name: SettingName, text: string): string {
  const isSecret =
    ['COPPICE_KEY', 'COPPICE_METRICS', 'COPPICE_MAIL'].includes(name) || name.startsWith('DATABASE_');
  if (isSecret) return 'something else';
  return `"${text.slice(0, 100)}"`;
}
