/** All settings with name, default and meaning. The table in README has the same content. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Setting {
  name: string;
  /** Default as written in the environment; empty if there is none. */
  default: string;
  meaning: string;
}

export const settings = [
  {
    name: 'COPPICE_DATA',
    default: './data',
    meaning: 'Folder for the database, files and key. Created if missing, readable by its owner only.',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'PostgreSQL to use instead of SQLite, such as `postgres://user:secret@host/wiki`. With several hosts, separated by commas, Coppice uses the one that accepts writes.',
  },
  {
    name: 'DATABASE_REPLICA_URLS',
    default: '',
    meaning:
      'Streaming replicas to read from, separated by commas, in the form of `DATABASE_URL`. A promoted replica receives the writes.',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    default: 'auto',
    meaning:
      'Most connections to PostgreSQL of each process, from 1 to 500, besides two that check its health and hold its locks. Requests wait for a free one. `auto` means 10, or fewer where PostgreSQL has not so many for all processes.',
  },
  {
    name: 'DATABASE_WAIT',
    default: '60',
    meaning:
      'Seconds that the server waits at its start for a PostgreSQL that does not answer yet, from 0 to 3600. Then it exits with 1.',
  },
  {
    name: 'FILES',
    default: 'disk',
    meaning:
      'Where files are stored: `disk` (in `COPPICE_DATA`), or `s3:BUCKET` or `s3:BUCKET/PREFIX` in S3-compatible storage, with credentials in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  },
  {
    name: 'S3_ENDPOINT',
    default: '',
    meaning: 'URL of the S3-compatible storage, such as `https://s3.example.org`. By default that of Amazon.',
  },
  {
    name: 'S3_REGION',
    default: 'us-east-1',
    meaning: 'Region of the storage. Many have only one and accept any name.',
  },
  {
    name: 'S3_PATH_STYLE',
    default: 'off',
    meaning:
      '`on` puts the bucket into the path (`S3_ENDPOINT/BUCKET`) instead of the host name. Most self-hosted storage needs this.',
  },
  { name: 'PORT', default: '8080', meaning: 'Port to listen on; 0 picks a free one.' },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; `0.0.0.0` or `::` for all interfaces.',
  },
  {
    name: 'COPPICE_WORKERS',
    default: '1',
    meaning: 'Number of server processes on one port, up to 64, or `auto` for one per processor.',
  },
  {
    name: 'COPPICE_NAME',
    default: '',
    meaning:
      'Name of the wiki. This and the settings of the site below are fixed by their variable; without it, administrators decide at `/settings`.',
  },
  {
    name: 'COPPICE_URL',
    default: '',
    meaning:
      'Public address, such as `https://wiki.example.org`: put before the addresses of files and in links, and its name is what passkeys of members belong to. Requests for another host are refused with 421, local ones from this machine aside. Without it a server that listens on this machine alone answers to local names and IP addresses, any other to every name.',
  },
  { name: 'COPPICE_HOME', default: '', meaning: 'Path of the page shown at `/`, at first `/home`.' },
  {
    name: 'COPPICE_FORMAT',
    default: '',
    meaning: 'Format of new pages that state none: `wikitext`, as at first, or `markdown`.',
  },
  {
    name: 'COPPICE_LANGUAGE',
    default: '',
    meaning:
      'Language of the wiki’s texts, such as `de` or `pt-BR`, at first `en`: its names count in wikitext besides the English ones, and `[[wikipedia:…]]` leads to its Wikipedia. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_INTERWIKI',
    default: '',
    meaning:
      'Prefixes that lead to other sites, such as `trees=https://trees.example.org/wiki/$1` for `[[trees:Oak]]`; several, separated by spaces. They come besides `w`, `wikipedia`, `wikt`, `wiktionary`, `wikibooks`, `wikiquote`, `wikisource`, `wikivoyage`, `wikispecies`, `wikidata`, `commons`, `mw` and `mediawikiwiki`; `w=` takes one of these away. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_PRIVATE',
    default: '',
    meaning:
      '`on`: only members read anything, and the third digit of permissions counts as 0; `off`: everybody reads what it lets them. By default administrators decide at `/settings`.',
  },
  {
    name: 'COPPICE_HASHTAGS',
    default: 'off',
    meaning:
      '`#oak` within the text of a page in Markdown is a tag of the page and leads to all pages that have it: `on` or `off`. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_TILES',
    default: '',
    meaning:
      'URL of map tiles, such as `https://tiles.example.org/{z}/{x}/{y}.png`, or a path on this site. Readers’ browsers load them from there. By default maps use the bundled world map.',
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
      'Disk space in `COPPICE_DATA` for cached responses that do not fit in memory: bytes, or with `kB`, `MB` or `GB`, or `off`. All workers share it. It is freed when the server ends, even after a crash.',
  },
  {
    name: 'COPPICE_CREATE',
    default: 'off',
    meaning:
      '`on` creates a new wiki even if `COPPICE_DATA` holds the files or key of another wiki but no database. Otherwise Coppice refuses to start, because a disk may not be mounted.',
  },
  {
    name: 'COPPICE_RATE_LIMIT',
    default: 'on',
    meaning:
      '`off` disables rate limits and limits on CPU time and waiting requests per address, for tests and imports.',
  },
  {
    name: 'COPPICE_METRICS',
    default: 'local',
    meaning:
      'Who may read `/metrics`: `local` for programs on this machine without a proxy, `token:SECRET` for clients that send this secret (at least 16 characters) as a bearer token, `open` for everybody, `off` for nobody.',
  },
  {
    name: 'COPPICE_TRUST_PROXY',
    default: 'off',
    meaning:
      'Which proxies may set `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`: `off`, `loopback`, a number of proxies, or addresses and ranges separated by commas. Requires `COPPICE_URL`.',
  },
  {
    name: 'COPPICE_REQUEST_TIMEOUT',
    default: '120',
    meaning: 'Timeout in seconds for receiving a request, and for answering a read.',
  },
  {
    name: 'COPPICE_SESSION_LIFETIME',
    default: '30d',
    meaning:
      'Maximum length of a session, in minutes, hours or days, such as `45m`, `12h` or `30d`. Shortening it ends older sessions.',
  },
  {
    name: 'COPPICE_SESSION_IDLE',
    default: '7d',
    meaning: 'How long it lasts in a browser that does nothing, to five minutes.',
  },
  {
    name: 'COPPICE_SIGN_UP',
    default: '',
    meaning:
      'How people become members: by `invitation` only, as at first, also by signing up with the `approval` of an administrator, or `open` to everybody who signs up. With `COPPICE_MAIL` their address is confirmed first. Browsers do that over HTTPS or on this machine only.',
  },
  {
    name: 'COPPICE_SIGN_UP_ROLE',
    default: 'writer',
    meaning: 'Role of members who signed up: `reader` or `writer`.',
  },
  {
    name: 'COPPICE_REQUIRE_SECOND_FACTOR',
    default: 'none',
    meaning:
      'Of whom a second factor is required: `none`, or `administrators`, who have the rights of a writer until they add one or sign in with a passkey. Bots are left out.',
  },
  {
    name: 'COPPICE_EXPORT',
    default: '',
    meaning:
      'Formats to export every few hours, separated by commas, such as `jsonl,markdown`: [docs/export.md](docs/export.md#every-few-hours).',
  },
  {
    name: 'COPPICE_EXPORT_TO',
    default: '',
    meaning:
      'Where those exports go: a folder, or `s3:BUCKET` or `s3:BUCKET/PREFIX` in the storage of `S3_ENDPOINT`. They hold private pages, too.',
  },
  {
    name: 'COPPICE_EXPORT_HOURS',
    default: '24',
    meaning: 'Hours from one export to the next.',
  },
  {
    name: 'COPPICE_EXPORT_KEEP',
    default: '7',
    meaning: 'How many exports of each format are kept.',
  },
  {
    name: 'COPPICE_TRASH_DAYS',
    default: '30',
    meaning: 'Days after which deleted pages are removed from the trash for good; `0` keeps them.',
  },
  {
    name: 'COPPICE_AUDIT_DAYS',
    default: '730',
    meaning:
      'Days for which the audit log is kept; `0` keeps it for ever. Failed sign-ins leave it after 90 days either way.',
  },
  {
    name: 'COPPICE_KEY',
    default: '',
    meaning:
      'Key of the tokens: 32 bytes in base64 or hexadecimal; several, separated by commas, to change it. Without it one is made and kept in `COPPICE_DATA`.',
  },
  {
    name: 'COPPICE_MAIL',
    default: '',
    meaning:
      'Mail server, such as `smtp://user:secret@mail.example.org:587` or `smtps://…:465`. Needs `COPPICE_MAIL_FROM` and `COPPICE_URL`. Without it no mail is sent, and administrators hand links on.',
  },
  {
    name: 'COPPICE_MAIL_FROM',
    default: '',
    meaning: 'Sender of that mail: `wiki@example.org` or `Alder Valley <wiki@example.org>`.',
  },
  {
    name: 'COPPICE_OUTGOING_ALLOW',
    default: '',
    meaning:
      'Where webhooks may be sent besides public `https` addresses: names and addresses of your own network, perhaps with a port, and ranges, separated by commas, such as `hooks.internal:8080,10.1.0.0/16`.',
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
    meaning: 'Name of the provider on the sign-in page. By default its name with a capital letter.',
  },
  {
    name: 'COPPICE_OAUTH_*_KIND',
    default: '',
    meaning:
      '`oidc` for OpenID Connect, `github` for GitHub and servers with its API. Preset for `github`; otherwise `oidc`.',
  },
  {
    name: 'COPPICE_OAUTH_*_GROUPS_CLAIM',
    default: '',
    meaning:
      'Claim that names the groups of whoever signs in, such as `groups`. They are put into those that the wiki has, and taken out of those that an earlier sign-in put them in.',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `How much to log: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
  },
] as const satisfies Setting[];
