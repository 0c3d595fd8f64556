/**
 * Settings: the environment in, a frozen `Config` out, or every bad value named at once. No value is ever guessed in
 * the place of a bad one. `settings` is the whole list; README's table says the same.
 */
import { resolve } from 'node:path';
import type { ProviderSettings } from '#auth/provider-adapter.ts';
import type { S3Settings } from '#files/s3.ts';
import type { MetricsAccess } from '#http/service.ts';
import { readProviders } from './providers.ts';
import {
  readBytes,
  readDatabaseUrl,
  readDuration,
  readEndpoint,
  readFilesPlace,
  readFormat,
  readHome,
  readHost,
  readInteger,
  readInterwiki,
  readKey,
  readLanguage,
  readMetrics,
  readName,
  readRegion,
  readReplicas,
  readSwitch,
  readTiles,
  readTrust,
  readUrl,
  readWorkers,
} from './values.ts';

export interface Config {
  /** Absolute. Holds the SQLite database, the files and the key. */
  dataFolder: string;
  /** Undefined: files lie in `dataFolder`. */
  s3: S3Settings | undefined;
  /** Undefined: SQLite in `dataFolder`. */
  databaseUrl: string | undefined;
  /** Streaming replicas of that PostgreSQL. */
  replicaUrls: readonly string[];
  host: string;
  port: number;
  /** Processes that serve. */
  workers: number;
  /** Also beside files or a key of another wiki. */
  mayCreate: boolean;
  hasRateLimits: boolean;
  metrics: MetricsAccess;
  logLevel: LogLevel;
  /** 32 bytes in base64; undefined: kept in `dataFolder`. Several, separated by commas: the first encrypts, all read. */
  key: string | undefined;
  maxUploadBytes: number;
  /** On disk, of all workers together; 0: none. */
  maxCacheBytes: number;
  /** Whose `X-Forwarded-For` counts: nobody's, those of a number of proxies, or those at these addresses. */
  trustProxy: false | number | string[];
  name: string;
  /** Public address without a trailing slash, or empty. */
  url: string;
  /** Path of the page shown at `/`. */
  home: string;
  defaultFormat: 'wikitext' | 'markdown';
  /** Language of the wiki's texts, BCP 47. */
  language: string;
  /** Prefix of links in lower case → address with `$1`; empty: the wiki does not know the prefix. */
  interwiki: Readonly<Record<string, string>>;
  /** Address of map tiles with `{z}`, `{x}` and `{y}`, or empty. */
  tiles: string;
  requestTimeoutMs: number;
  /** How long people stay signed in: at most, and without doing anything. */
  sessions: { lifetimeMs: number; idleMs: number };
  /** Providers that people may sign in by, in the order in which they are offered. */
  providers: readonly ProviderSettings[];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

export interface Setting {
  name: string;
  /** Default in the form of the setting; empty: not set. */
  default: string;
  meaning: string;
}

export const settings = [
  {
    name: 'COPPICE_DATA',
    default: './data',
    meaning: 'Folder of the database, the files and the key. Made if missing, readable by its owner alone.',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'PostgreSQL to use instead of SQLite, such as `postgres://user:secret@host/wiki`. Several hosts, separated by commas: whichever of them takes writes.',
  },
  {
    name: 'DATABASE_REPLICA_URLS',
    default: '',
    meaning:
      'Streaming replicas to read from, separated by commas, each written like `DATABASE_URL`. One of them that is promoted is written to.',
  },
  {
    name: 'FILES',
    default: 'disk',
    meaning:
      'Where files lie: `disk` (in `COPPICE_DATA`), or `s3:BUCKET` or `s3:BUCKET/PREFIX` on a storage that speaks S3, with credentials in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  },
  {
    name: 'S3_ENDPOINT',
    default: '',
    meaning: 'Address of that storage, such as `https://s3.example.org`; without it, Amazon’s.',
  },
  { name: 'S3_REGION', default: 'us-east-1', meaning: 'Its region; many have but one and take any name.' },
  {
    name: 'S3_PATH_STYLE',
    default: 'off',
    meaning:
      '`on` asks at `S3_ENDPOINT/BUCKET` instead of at a host name that begins with the bucket’s, as most storages of one’s own need.',
  },
  { name: 'PORT', default: '8080', meaning: 'Port to listen on; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on; `0.0.0.0` or `::` for all.' },
  {
    name: 'COPPICE_WORKERS',
    default: '1',
    meaning: 'Processes that serve, on one port: a number up to 64, or `auto` for one a processor.',
  },
  {
    name: 'COPPICE_NAME',
    default: 'Coppice',
    meaning: 'Name of the wiki.',
  },
  {
    name: 'COPPICE_URL',
    default: '',
    meaning:
      'Public address, such as `https://wiki.example.org`: put before the addresses of files and in links. Requests for another host are refused with 421, local ones from this machine aside. Without it a server that listens on this machine alone answers to local names and IP addresses, any other to every name.',
  },
  { name: 'COPPICE_HOME', default: '/home', meaning: 'Path of the page shown at `/`.' },
  {
    name: 'COPPICE_FORMAT',
    default: 'wikitext',
    meaning: 'Format of pages that do not say theirs: `wikitext` or `markdown`.',
  },
  {
    name: 'COPPICE_LANGUAGE',
    default: 'en',
    meaning:
      'Language of the wiki’s texts, such as `de` or `pt-BR`: its names count in wikitext besides the English ones, and `[[wikipedia:…]]` leads to its Wikipedia. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_INTERWIKI',
    default: '',
    meaning:
      'Prefixes that lead to other sites, such as `trees=https://trees.example.org/wiki/$1` for `[[trees:Oak]]`; several, separated by spaces. They come besides `w`, `wikipedia`, `wikt`, `wiktionary`, `wikibooks`, `wikiquote`, `wikisource`, `wikivoyage`, `wikispecies`, `wikidata`, `commons`, `mw` and `mediawikiwiki`; `w=` takes one of these away. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_TILES',
    default: '',
    meaning:
      'Address of map tiles, such as `https://tiles.example.org/{z}/{x}/{y}.png`, or a path on this site; readers’ browsers then ask there. Without it maps are drawn from the bundled one.',
  },
  {
    name: 'COPPICE_MAX_UPLOAD',
    default: '25MB',
    meaning: 'Largest upload: bytes, or with `kB`, `MB` or `GB`.',
  },
  {
    name: 'COPPICE_CACHE',
    default: '1GB',
    meaning:
      'Room in `COPPICE_DATA` for cached responses, beyond those in memory: bytes, or with `kB`, `MB` or `GB`, or `off`. Of all workers together; free again when the server ends, however it ends.',
  },
  {
    name: 'COPPICE_CREATE',
    default: 'off',
    meaning:
      '`on` makes a new wiki even where `COPPICE_DATA` holds files or a key of another whose database is not there. Without it Coppice refuses to start then, as a disk may not be mounted.',
  },
  {
    name: 'COPPICE_RATE_LIMIT',
    default: 'on',
    meaning:
      '`off` lifts the rate limits and what one address may take in CPU time and have waiting, for tests and imports.',
  },
  {
    name: 'COPPICE_METRICS',
    default: 'local',
    meaning:
      'Who is told the figures at `/metrics`: `local` for programs on this machine that ask without a proxy, `token:SECRET` for whoever sends that secret (16 characters or more) as bearer token, `open` for everybody, `off` for nobody.',
  },
  {
    name: 'COPPICE_TRUST_PROXY',
    default: 'off',
    meaning:
      'Whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` count: `off`, `loopback`, a number of proxies, or addresses and ranges separated by commas. Needs `COPPICE_URL`.',
  },
  {
    name: 'COPPICE_REQUEST_TIMEOUT',
    default: '120',
    meaning: 'Seconds that a request may take to arrive, and a read to be answered.',
  },
  {
    name: 'COPPICE_SESSION_LIFETIME',
    default: '30d',
    meaning:
      'How long a sign-in lasts at most: minutes, hours or days, such as `45m`, `12h` or `30d`. Shortening it ends older ones.',
  },
  {
    name: 'COPPICE_SESSION_IDLE',
    default: '7d',
    meaning: 'How long it lasts in a browser that does nothing, to five minutes.',
  },
  {
    name: 'COPPICE_KEY',
    default: '',
    meaning:
      'Key of the tokens: 32 bytes in base64 or hexadecimal; several, separated by commas, to change it. Without it one is made and kept in `COPPICE_DATA`.',
  },
  {
    name: 'COPPICE_OAUTH',
    default: '',
    meaning:
      'Providers to sign in by, separated by commas, such as `google,github`. Each has settings of its own, named like those below with its name in capitals (hyphens as underscores) for `*`. Needs `COPPICE_URL`; the redirect address to register is `COPPICE_URL` and `/login/with/<provider>/return`.',
  },
  { name: 'COPPICE_OAUTH_*_ID', default: '', meaning: 'Client ID that the provider has given to this wiki.' },
  { name: 'COPPICE_OAUTH_*_SECRET', default: '', meaning: 'Client secret that belongs to it.' },
  {
    name: 'COPPICE_OAUTH_*_ISSUER',
    default: '',
    meaning:
      'Issuer of the OpenID Connect provider, such as `https://id.example.org/realms/wiki`, or address of the GitHub server. Known for `google`, `gitlab` and `github`.',
  },
  {
    name: 'COPPICE_OAUTH_*_LABEL',
    default: '',
    meaning: 'What people know the provider as; without it, its name with a capital.',
  },
  {
    name: 'COPPICE_OAUTH_*_KIND',
    default: '',
    meaning: '`oidc` for OpenID Connect, `github` for GitHub and its likes. Known for `github`; else `oidc`.',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `How much to log: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
  },
] as const satisfies Setting[];

type SettingName = (typeof settings)[number]['name'];

/** One sentence for each setting that cannot be used. */
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

  const config: Config = {
    dataFolder: read('COPPICE_DATA', (text) => (text.includes('\0') ? undefined : resolve(text)), 'a folder'),
    databaseUrl:
      read('DATABASE_URL', readDatabaseUrl, 'an address like postgres://user:secret@host/database') ||
      undefined,
    s3: readS3(read),
    replicaUrls: read(
      'DATABASE_REPLICA_URLS',
      readReplicas,
      'addresses like postgres://user:secret@host/database, separated by commas',
    ),
    host: read('HOST', readHost, 'an IP address or a host name'),
    port: read('PORT', (text) => readInteger(text, 0, 65_535), 'a port from 0 to 65535'),
    workers: read('COPPICE_WORKERS', readWorkers, 'a number from 1 to 64, or auto'),
    mayCreate: read('COPPICE_CREATE', readSwitch, 'on or off'),
    hasRateLimits: read('COPPICE_RATE_LIMIT', readSwitch, 'on or off'),
    metrics: read(
      'COPPICE_METRICS',
      readMetrics,
      'local, open, off or token: and a secret of 16 to 200 letters, digits and signs',
    ),
    logLevel: read(
      'LOG_LEVEL',
      (text) => logLevels.find((level) => level === text),
      `one of ${logLevels.join(', ')}`,
    ),
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
    name: read('COPPICE_NAME', readName, 'a name of up to 100 characters'),
    url: read('COPPICE_URL', readUrl, 'an address like https://wiki.example.org, without a path'),
    home: read('COPPICE_HOME', readHome, 'the path of a page, such as /home'),
    defaultFormat: read('COPPICE_FORMAT', readFormat, 'wikitext or markdown'),
    language: read('COPPICE_LANGUAGE', readLanguage, 'a language tag such as en, de or pt-BR'),
    interwiki: read(
      'COPPICE_INTERWIKI',
      readInterwiki,
      'prefixes and addresses like trees=https://trees.example.org/wiki/$1, separated by spaces',
    ),
    tiles: read('COPPICE_TILES', readTiles, 'an address or a path with {z}, {x} and {y} in it'),
    requestTimeoutMs:
      read('COPPICE_REQUEST_TIMEOUT', (text) => readInteger(text, 1, 3600), 'seconds from 1 to 3600') * 1000,
    sessions: {
      lifetimeMs: read('COPPICE_SESSION_LIFETIME', readSessionTime, 'a time from 30m to 400d, such as 30d'),
      idleMs: read('COPPICE_SESSION_IDLE', readSessionTime, 'a time from 30m to 400d, such as 7d'),
    },
    providers: readProviders(environment, sentences),
  };
  if (config.providers.length > 0 && config.url === '') {
    sentences.push('COPPICE_URL: expected the public address of the wiki, as COPPICE_OAUTH is set.');
  }
  if (config.trustProxy && config.url === '') {
    sentences.push(
      'COPPICE_URL: expected the public address of the wiki, as COPPICE_TRUST_PROXY is set: behind a proxy, requests do not tell it.',
    );
  }
  if (config.replicaUrls?.length > 0 && config.databaseUrl === undefined) {
    sentences.push('DATABASE_URL: expected the database that DATABASE_REPLICA_URLS are replicas of.');
  }
  if (sentences.length > 0) throw new BadSettings(sentences);
  return Object.freeze(config);
}

type Read = <T>(name: SettingName, parse: (text: string) => T | undefined, expected: string) => T;

/** Longer than a token lives; RFC 6265bis §5.5: browsers keep a cookie for 400 days. */
function readSessionTime(text: string): number | undefined {
  return readDuration(text, 30 * 60_000, 400 * 24 * 60 * 60_000);
}

function readS3(read: Read): S3Settings | undefined {
  const place = read('FILES', readFilesPlace, 'disk, s3:BUCKET or s3:BUCKET/PREFIX');
  const endpoint = read('S3_ENDPOINT', readEndpoint, 'an address like https://s3.example.org');
  const region = read('S3_REGION', readRegion, 'a name like eu-central-1');
  const isPathStyle = read('S3_PATH_STYLE', readSwitch, 'on or off');
  return place === 'disk' ? undefined : { ...place, endpoint, region, isPathStyle };
}

/** Secrets are not repeated, for the sentence may end up in a log. */
function shown(name: SettingName, text: string): string {
  const isSecret = name === 'COPPICE_KEY' || name === 'COPPICE_METRICS' || name.startsWith('DATABASE_');
  if (isSecret) return 'something else';
  return `"${text.slice(0, 100)}"`;
}
