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
      'Maximum number of connections to PostgreSQL for each process, from 1 to 500. Two more check its health and hold its locks. Requests wait for a free connection. `auto` means 10, or fewer if PostgreSQL does not have as many for all processes.',
  },
  {
    name: 'DATABASE_WAIT',
    default: '60',
    meaning:
      'Seconds to wait at the start for a PostgreSQL that is not available yet, from 0 to 3600. Then the server exits with 1.',
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
    meaning: 'URL of the S3-compatible storage, such as `https://s3.example.org`. The default is Amazon S3.',
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
    name: 'COPPICE_PURGE',
    default: '',
    meaning:
      'Cache in front of the server. The wiki purges changed pages from it, so that it may keep pages for a day: `varnish:http://cache:6081` ([deploy/varnish.vcl](deploy/varnish.vcl)), `fastly:SERVICE` or `cloudflare:ZONE`.',
  },
  { name: 'COPPICE_PURGE_TOKEN', default: '', meaning: 'Token of Fastly or Cloudflare that may purge.' },
  {
    name: 'COPPICE_TRACES',
    default: '',
    meaning:
      'Collector of OpenTelemetry that gets traces of requests and statements by OTLP over HTTP, such as `http://collector:4318`. Sampling, headers and the name of the service follow the variables of OpenTelemetry, such as `OTEL_TRACES_SAMPLER`.',
  },
  {
    name: 'COPPICE_STOP_DELAY',
    default: '0',
    meaning:
      'Seconds for which a server that was asked to stop still answers requests. Meanwhile `/readyz` answers 503, so that proxies choose another server.',
  },
  {
    name: 'COPPICE_NAME',
    default: '',
    meaning:
      'Name of the wiki. If the variable of this or another site setting below is set, the setting cannot be changed at `/settings`.',
  },
  {
    name: 'COPPICE_URL',
    default: '',
    meaning:
      'Public address, such as `https://wiki.example.org`, for the URLs of files and for links. Passkeys of members belong to its host name. Requests for another host are refused with 421, except local requests from this machine. Without it, a server that listens only on this machine accepts local names and IP addresses; any other server accepts every name.',
  },
  { name: 'COPPICE_HOME', default: '', meaning: 'Path of the page shown at `/`; the default is `/home`.' },
  {
    name: 'COPPICE_FORMAT',
    default: '',
    meaning: 'Format of new pages that do not give one: `wikitext` (the default) or `markdown`.',
  },
  {
    name: 'COPPICE_LANGUAGE',
    default: '',
    meaning:
      'Language of the wiki’s texts, such as `de` or `pt-BR`; the default is `en`. Wikitext then also accepts the names of this language besides the English ones, and `[[wikipedia:…]]` links to its Wikipedia. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_INTERWIKI',
    default: '',
    meaning:
      'Prefixes for links to other sites, such as `trees=https://trees.example.org/wiki/$1` for `[[trees:Oak]]`; several are separated by spaces. Built in are `w`, `wikipedia`, `wikt`, `wiktionary`, `wikibooks`, `wikiquote`, `wikisource`, `wikivoyage`, `wikispecies`, `wikidata`, `commons`, `mw` and `mediawikiwiki`; `w=` removes one of these. After a change run `coppice rebuild`.',
  },
  {
    name: 'COPPICE_PRIVATE',
    default: '',
    meaning:
      '`on`: only members can read anything, and the third digit of permissions counts as 0. `off`: everybody can read what the permissions allow. By default administrators decide at `/settings`.',
  },
  {
    name: 'COPPICE_HASHTAGS',
    default: 'off',
    meaning:
      '`on` makes `#oak` in the text of a Markdown page a tag of the page, with a link to all pages that have it. `off` does not. After a change run `coppice rebuild`.',
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
    meaning: 'Maximum size of an upload: bytes, or with `kB`, `MB` or `GB`.',
  },
  {
    name: 'COPPICE_FILE_TEXT',
    default: '20MB',
    meaning:
      'Files up to this size are read in the background, so that searches find their text: PDF, Word, PowerPoint, Excel, OpenDocument and plain text. Bytes, or with `kB`, `MB` or `GB`, or `off`.',
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
      '`on` creates a new wiki even if `COPPICE_DATA` contains the files or key of another wiki but no database. Otherwise Coppice refuses to start, because a disk may not be mounted.',
  },
  {
    name: 'COPPICE_RATE_LIMIT',
    default: 'on',
    meaning:
      '`off` disables rate limits and the limits on CPU time and waiting requests of each address, for tests and imports.',
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
    meaning: 'Maximum idle time of a session in a browser, accurate to five minutes.',
  },
  {
    name: 'COPPICE_SIGN_UP',
    default: '',
    meaning:
      'How people become members. `invitation` (the default): only by invitation. `approval`: also by signing up, with the approval of an administrator. `open`: everybody who signs up. With `COPPICE_MAIL` their address is confirmed first. Browsers can sign up only over HTTPS or on this machine.',
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
      'Who needs a second factor: `none`, or `administrators`, who have the rights of a writer until they add one or sign in with a passkey. Bots are exempt.',
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
      'Destination of these exports: a folder, or `s3:BUCKET` or `s3:BUCKET/PREFIX` in the storage of `S3_ENDPOINT`. They contain private pages, too.',
  },
  {
    name: 'COPPICE_EXPORT_HOURS',
    default: '24',
    meaning: 'Hours between two exports.',
  },
  {
    name: 'COPPICE_EXPORT_KEEP',
    default: '7',
    meaning: 'Number of exports to keep for each format.',
  },
  {
    name: 'COPPICE_BACKUP_TO',
    default: '',
    meaning:
      'Where the server makes a backup every few hours: a folder, `s3:BUCKET` or `s3:BUCKET/PREFIX`: [docs/backups.md](docs/backups.md#every-few-hours).',
  },
  {
    name: 'COPPICE_BACKUP_HOURS',
    default: '24',
    meaning: 'Hours between two of these backups.',
  },
  {
    name: 'COPPICE_BACKUP_KEEP',
    default: '7',
    meaning: 'Number of these backups to keep.',
  },
  {
    name: 'COPPICE_COPY_TO',
    default: '',
    meaning:
      'Where the database (SQLite), the files in `COPPICE_DATA` and the key are copied, at most a second behind: a folder of another disk, `s3:BUCKET` or `s3:BUCKET/PREFIX`: [docs/backups.md](docs/backups.md#copies-every-second).',
  },
  {
    name: 'COPPICE_COPY_DAYS',
    default: '7',
    meaning: 'Days back to which the copy can be restored.',
  },
  {
    name: 'COPPICE_BACKUP_RECIPIENT',
    default: '',
    meaning:
      'Public key of [age](https://age-encryption.org), such as `age1…`. Scheduled backups, and the key in copies, are encrypted to it. Keep its secret elsewhere.',
  },
  {
    name: 'COPPICE_TRASH_DAYS',
    default: '30',
    meaning: 'Days after which deleted pages are removed from the trash permanently; `0` keeps them.',
  },
  {
    name: 'COPPICE_AUDIT_DAYS',
    default: '730',
    meaning:
      'Days for which the audit log is kept; `0` keeps it for ever. Failed sign-ins are always deleted after 90 days.',
  },
  {
    name: 'COPPICE_KEY',
    default: '',
    meaning:
      'Key of the tokens: 32 bytes in base64 or hexadecimal. To change it, give several, separated by commas. Without it a key is made and kept in `COPPICE_DATA`.',
  },
  {
    name: 'COPPICE_MAIL',
    default: '',
    meaning:
      'Mail server, such as `smtp://user:secret@mail.example.org:587` or `smtps://…:465`. Requires `COPPICE_MAIL_FROM` and `COPPICE_URL`. Without it no mail is sent, and administrators pass on links.',
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
      'Where webhooks may be sent besides public `https` addresses: names, addresses and address ranges of your own network, names and addresses optionally with a port, separated by commas, such as `hooks.internal:8080,10.1.0.0/16`.',
  },
  {
    name: 'COPPICE_OAUTH',
    default: '',
    meaning:
      'Providers to sign in with, separated by commas, such as `google,github`. Each provider has its own settings, named like those below with its name in capitals (hyphens as underscores) in place of `*`. Requires `COPPICE_URL`. The redirect address to register is `COPPICE_URL` followed by `/login/with/<provider>/return`.',
  },
  { name: 'COPPICE_OAUTH_*_ID', default: '', meaning: 'Client ID from the provider.' },
  { name: 'COPPICE_OAUTH_*_SECRET', default: '', meaning: 'Client secret from the provider.' },
  {
    name: 'COPPICE_OAUTH_*_ISSUER',
    default: '',
    meaning:
      'Issuer of the OpenID Connect provider, such as `https://id.example.org/realms/wiki`, or address of the GitHub server. Preset for `google`, `gitlab` and `github`.',
  },
  {
    name: 'COPPICE_OAUTH_*_LABEL',
    default: '',
    meaning: 'Name of the provider on the sign-in page. The default is its name with a capital letter.',
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
      'Claim that lists the groups of a member, such as `groups`. At sign-in the member is added to those that exist in the wiki, and removed from groups that an earlier sign-in added and the claim no longer lists.',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `How much to log: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
  },
] as const satisfies Setting[];
