/**
 * Composition root: the one file that knows every part. It opens what the settings name, hands each part what it
 * needs, and closes everything again in the reverse order.
 */
import cluster from 'node:cluster';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createApiTokenSecrets } from '#auth/api-token.ts';
import { createDevices } from '#auth/device-cookie.ts';
import { loadKeys, rotateKeyFile } from '#auth/keys.ts';
import { createProviders } from '#auth/oauth.ts';
import { createOneTimePasswords } from '#auth/one-time-passwords.ts';
import { createPassphrases } from '#auth/passphrase.ts';
import { createSealedTokens } from '#auth/sealed-token.ts';
import { createSecrets } from '#auth/secret.ts';
import { createTokens } from '#auth/token.ts';
import { createUploadTickets } from '#auth/upload-tickets.ts';
import { createWebhookSignatures } from '#auth/webhook-signatures.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import type { CommandContext } from '#cli/command/context.ts';
import { type AuditContext, commandLine } from '#domain/audit/entry.ts';
import { dialectOf } from '#domain/content/dialect.ts';
import { createRenderer } from '#domain/content/render.ts';
import type { Files } from '#domain/files/attach-files.ts';
import { createApiTokens } from '#domain/members/api-tokens.ts';
import { ensureSetupInvitation } from '#domain/members/invite-member.ts';
import { createSessions } from '#domain/members/sessions.ts';
import type { FileStore } from '#domain/ports/file-store.ts';
import type { MailServer } from '#domain/ports/mail.ts';
import type { Store } from '#domain/ports/store.ts';
import { Problem } from '#domain/problem.ts';
import { notifyWatchers } from '#domain/watches/notify-watchers.ts';
import type { WebhookSender } from '#domain/webhooks/send-webhook.ts';
import { openDisk } from '#files/disk.ts';
import { makeFolder } from '#files/folder.ts';
import { createProbe } from '#files/probe.ts';
import { isActive } from '#files/sniff.ts';
import { openSpillFile } from '#files/spill-file.ts';
import { createVariants } from '#files/variants.ts';
import { isLoopback } from '#http/host.ts';
import { createOperations } from '#http/operations.ts';
import { createOrigins } from '#http/origins.ts';
import { eventJson } from '#http/schemas/event.ts';
import { type BuiltServer, buildServer } from '#http/server.ts';
import type { HttpSettings, Service, Siblings } from '#http/service.ts';
import { type MailLoop, startMailLoop } from '#mail/mail-loop.ts';
import { createOutgoing } from '#outgoing/outgoing.ts';
import { startWebhookLoop, type WebhookLoop } from '#outgoing/webhook-loop.ts';
import { openStore } from '#store/store.ts';
import { readLook } from '#web/look.ts';
import { webFace } from '#web/routes.ts';
import type { WebSettings } from '#web/site.ts';
import { BadSettings, type Config, readConfig } from './config/config.ts';
import { spaceOf } from './disk-space.ts';
import { emptyAfterErasures } from './housekeeping.ts';
import { type CpuLimits, createThreadedLanguage } from './markup/language.ts';
import { keepNotifying, type Notifying } from './notify-watchers.ts';
import { opening } from './opening.ts';

export interface App extends BuiltServer {
  service: Service;
  /** Sends mail that is due until the server closes; nothing where no mail server is set. */
  startMail(): Promise<MailLoop | undefined>;
  /** Sends events to webhooks until the server closes. */
  startWebhooks(lookEveryMs?: number): WebhookLoop;
  /** Tells members of what they watch until the server closes. */
  startNotifying(): void;
  /** A one-time token for the first administrator, as long as nobody is a member. */
  ensureSetupInvitation(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Replacements that tests provide. */
export interface Overrides {
  clock?: () => number;
  logger?: pino.Logger;
  cpuLimits?: Partial<CpuLimits>;
}

/** `siblings`: where this process is one of several workers. */
export async function buildApp(config: Config, overrides: Overrides = {}, siblings?: Siblings): Promise<App> {
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? (await createLogger(config));
  const origins = createOrigins();
  const audit = { origin: origins.current, clock };
  let spillFile: SpillFile | undefined;
  /** Disposable data gives its room to data that cannot be recomputed. */
  const makeRoom = () => spillFile?.empty();
  const { keys, files, store } = await opening(config, async () => {
    makeFolder(config.dataFolder);
    // The database first: existing files decide whether this is a new wiki.
    const { store, isNew } = await openDatabase(config, { makeRoom, audit });
    return orClose(store, async () => {
      const keys = await loadWikiKeys(config, store, isNew, logger);
      return { keys, files: await openFiles(config, makeRoom), store };
    });
  });
  spillFile = openCache(config, logger);
  const language = createThreadedLanguage(overrides.cpuLimits);
  const operations = createOperations(store);
  const secrets = createSecrets();
  const apiTokenSecrets = createApiTokenSecrets();
  const service: Service = {
    ...(spillFile ? { spillFile } : {}),
    store: operations.store,
    operations,
    origins,
    files,
    pictures: createVariants(spillFile),
    renderer: operations.rendererFor(
      createRenderer(config.name, language, spillFile, (path) =>
        logger.warn({ path }, 'page shown as source: rendering it takes too long'),
      ),
    ),
    exporting: exportingFor(config),
    importFolder: join(config.dataFolder, 'imports'),
    renderingsWaiting: () => language.waiting(),
    disk: {
      space: () => spaceOf(config.dataFolder),
      lastBackupAt: () => statSync(lastBackupOf(config), { throwIfNoEntry: false })?.mtimeMs,
      backups: () => readBackups(config),
    },
    passphrases: createPassphrases({ wikiName: config.name }),
    tokens: createTokens(keys, clock, config.sessions.lifetimeMs),
    secrets,
    oneTimePasswords: createOneTimePasswords(config.name),
    sessions: createSessions(store, secrets, config.sessions, (error) =>
      logger.warn({ err: error }, 'not noted when a session was used'),
    ),
    apiTokenSecrets,
    apiTokens: createApiTokens(store, apiTokenSecrets, (error) =>
      logger.warn({ err: error }, 'not noted when an API token was used'),
    ),
    devices: createDevices(keys, clock),
    uploadTickets: createUploadTickets(keys, clock),
    sealedAnswers: createSealedTokens(keys, clock, {
      audience: 'coppice-answer',
      lifetimeMs: 24 * 60 * 60 * 1000,
      maxLength: 64 * 1024,
    }),
    webhooks: createWebhooks(config, clock),
    signInTickets: createSealedTokens(keys, clock, {
      audience: 'coppice second factor',
      lifetimeMs: 5 * 60 * 1000,
      maxLength: 4096,
    }),
    providers: createProviders(config.providers, { baseUrl: config.url, keys, clock }),
    isActive,
    clock,
  };
  const built = await buildServer(
    service,
    httpSettings(config),
    logger,
    webFace(service, webSettings(config)),
    siblings,
  );
  const watching = spillFile && emptyAfterErasures(store, spillFile, logger);
  let mail: MailLoop | undefined;
  let webhooks: WebhookLoop | undefined;
  let notifying: Notifying | undefined;
  return {
    ...built,
    service,
    async startMail() {
      mail = await startMail(config, service, logger);
      return mail;
    },
    startWebhooks(lookEveryMs) {
      const failed = (error: unknown) => logger.error({ err: error }, 'webhooks could not be served');
      // The store beneath what is done for requests.
      webhooks = startWebhookLoop({ ...service.webhooks, store, failed }, lookEveryMs);
      return webhooks;
    },
    startNotifying() {
      notifying = keepNotifying(() => notifyWatchers(store, clock), logger);
    },
    ensureSetupInvitation: () => ensureSetupInvitation(store, service.secrets, clock()),
    async close() {
      watching?.[Symbol.dispose]();
      await built.server.close();
      await notifying?.stop();
      await mail?.stop();
      await webhooks?.stop();
      service.webhooks.outgoing[Symbol.dispose]();
      await language[Symbol.asyncDispose]();
      spillFile?.[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function exportingFor({ name, url, language, home }: Config): Service['exporting'] {
  return { wiki: { name, url, language, home }, look: readLook };
}

function createWebhooks({ outgoingAllowed: allowed }: Config, clock: () => number): WebhookSender {
  const outgoing = createOutgoing({ allowed, userAgent: `Coppice/${version}` });
  return { outgoing, signatures: createWebhookSignatures(), eventJson, clock };
}

async function startMail(
  config: Config,
  { store, secrets, renderer, clock }: Service,
  logger: pino.Logger,
): Promise<MailLoop | undefined> {
  const server = await openMailServer(config);
  if (!server) return undefined;
  const compare = renderer.language.compare.bind(renderer.language);
  return startMailLoop({ store, secrets, wiki: config, compare }, server, clock, {
    givenUp: ({ id, mail, attempts }, error) =>
      logger.error({ mail: id, kind: mail.kind, attempts, error }, 'mail given up'),
    failed: (error) => logger.error({ err: error }, 'mail queue unavailable'),
  });
}

async function openMailServer({ mail, name }: Config): Promise<MailServer | undefined> {
  if (mail === undefined) return undefined;
  // Its library is loaded only where mail is sent.
  const { createMailServer } = await import('#mail/smtp.ts');
  return createMailServer(mail, name);
}

/** Context of commands: the same as the server's, without a server and without the keys of tokens. `via`: who acts, for the audit log. */
export function commandContext(
  config: Config,
  via: 'command line' | 'wiki' = 'command line',
): CommandContext {
  const audit = { origin: () => ({ ...commandLine, via }), clock: Date.now };
  return {
    settings: {
      address: addressOf(config, config.port),
      maxUploadBytes: config.maxUploadBytes,
      defaultFormat: config.defaultFormat,
      letterHead: { name: config.name, url: addressOf(config, config.port) },
    },
    version,
    mailServer: () => openMailServer(config),
    keyFile: config.key === undefined ? keyFileOf(config) : undefined,
    restoringFile: restoringFileOf(config),
    clock: Date.now,
    async open({ isToBeRestored = false, isToBeRead = false } = {}) {
      const isReadOnly = isToBeRead && !isWritable(config);
      const { files, store } = await opening(config, async () => {
        if (!isReadOnly) makeFolder(config.dataFolder);
        const { store, isNew } = await openDatabase(config, { isToBeRestored, isReadOnly, audit });
        return orClose(store, async () => {
          // From the beginning, so that one that is missing later is known to be lost.
          if (isNew && !isToBeRestored) await loadKeys({ env: config.key, file: keyFileOf(config) });
          return { files: await openFiles(config, undefined, isReadOnly), store };
        });
      });
      return {
        store,
        files,
        ownsFiles: config.s3 === undefined,
        passphrases: createPassphrases({ wikiName: config.name }),
        secrets: createSecrets(),
        apiTokenSecrets: createApiTokenSecrets(),
        webhooks: createWebhooks(config, Date.now),
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      };
    },
    openExporting() {
      const language = createThreadedLanguage();
      return {
        ...{ ...exportingFor(config), renderer: createRenderer(config.name, language) },
        [Symbol.asyncDispose]: () => language[Symbol.asyncDispose](),
      };
    },
    noteBackup: (place) => noteBackup(config, place),
    backups: () => readBackups(config),
    rotateKey(keyFile) {
      return opening(config, async () => {
        makeFolder(config.dataFolder);
        return rotateKeyFile(keyFile, Date.now());
      });
    },
  };
}

/** Opens the rest of a wiki. Where that fails the database is closed: its connections would keep the process from ending. */
async function orClose<T>(store: Store, openRest: () => Promise<T>): Promise<T> {
  try {
    return await openRest();
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

/** Address of the wiki: that of the settings, or one of this machine. */
export function addressOf(config: Config, port: number): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return config.url || `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** False where the data folder is there and takes no files, as on a disk that is mounted to be read. */
function isWritable(config: Config): boolean {
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

function databaseFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'coppice.db');
}

function restoringFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'restoring');
}

function keyFileOf({ dataFolder }: Config): string {
  return join(dataFolder, 'key');
}

/** Its time says when the last backup was finished; its lines, when each of the latest was, and where it lies. */
function lastBackupOf({ dataFolder }: Config): string {
  return join(dataFolder, 'last-backup');
}

const rememberedBackups = 1000;

async function noteBackup(config: Config, place: string): Promise<void> {
  const backups = [...readBackups(config), { at: Date.now(), place }].slice(-rememberedBackups);
  const lines = backups.map(({ at, place }) => `${new Date(at).toISOString()}\t${JSON.stringify(place)}\n`);
  await writeFile(lastBackupOf(config), lines.join(''));
}

/** Oldest first. */
function readBackups(config: Config): { at: number; place: string }[] {
  const file = lastBackupOf(config);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [time = '', place] = line.split('\t');
      // Earlier versions noted no place.
      return time === ''
        ? []
        : [{ at: Date.parse(time), place: place === undefined ? '' : JSON.parse(place) }];
    });
}

function openCache(
  { dataFolder, maxCacheBytes, workers }: Config,
  logger: pino.Logger,
): SpillFile | undefined {
  if (maxCacheBytes === 0) return undefined;
  try {
    return openSpillFile(join(dataFolder, 'cache'), Math.floor(maxCacheBytes / workers), () =>
      spaceOf(dataFolder),
    );
  } catch (error) {
    // Serving is slower without it, and right.
    logger.warn({ err: error }, 'disk cache unavailable');
    return undefined;
  }
}

async function openFiles(config: Config, makeRoom?: () => void, isReadOnly = false): Promise<Files> {
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
    return await openS3(s3, join(dataFolder, 'tmp'), undefined, makeRoom, isReadOnly);
  } catch (error) {
    throw error instanceof Problem ? new BadSettings([`FILES: ${error.message}`]) : error;
  }
}

async function openDatabase(
  config: Config,
  {
    makeRoom,
    isToBeRestored = false,
    isReadOnly = false,
    audit,
  }: { makeRoom?: () => void; isToBeRestored?: boolean; isReadOnly?: boolean; audit?: AuditContext },
): Promise<{ store: Store; isNew: boolean }> {
  const { databaseUrl, replicaUrls, dataFolder } = config;
  if (!isToBeRestored && existsSync(restoringFileOf(config))) {
    throw new BadSettings([
      `COPPICE_DATA: ${dataFolder} holds a restore that was interrupted. Repeat it with the same backup, \`coppice restore FILE\`, or begin with an empty folder and an empty database.`,
    ]);
  }
  let isNew = false;
  const mayCreate = isToBeRestored || config.mayCreate;
  const beforeCreating = () => {
    const left = mayCreate || isNew ? undefined : leftIn(config);
    if (left) {
      throw new BadSettings([
        `${left} belongs to a wiki whose database is not there. Bring the database back, or restore a backup into a new folder; to begin a new wiki beside it all the same, set COPPICE_CREATE=on.`,
      ]);
    }
    isNew = true;
  };
  const store = await openStore(
    databaseUrl === undefined
      ? { kind: 'sqlite', file: databaseFileOf(config) }
      : { kind: 'postgres', url: databaseUrl, replicaUrls },
    {
      dialect: dialectOf(config.language, config.interwiki, config.hashtags),
      hasMailServer: config.mail !== undefined,
      isReadOnly,
      beforeCreating,
      ...(makeRoom ? { makeRoom } : {}),
      ...(audit ? { audit } : {}),
      askSpace: () => spaceOf(dataFolder),
    },
  );
  return { store, isNew };
}

/** Data that a wiki has left in the data folder besides its database: the path of a key or of files. */
function leftIn(config: Config): string | undefined {
  const files = join(config.dataFolder, 'files');
  if (existsSync(keyFileOf(config))) return keyFileOf(config);
  const hasFiles = existsSync(files) && readdirSync(files).some((name) => name !== 'tmp');
  return hasFiles ? files : undefined;
}

/** Makes them where there are none, and says so if tokens were sealed with others before. */
async function loadWikiKeys(
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
      'the key is missing although there are members: a new one is made, and everybody has to sign in again',
    );
  }
  return loadKeys({ env: config.key, file });
}

/** The OpenAPI document as `openapi.json` has it: that of an empty wiki in a temporary folder. */
export async function printOpenApi(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-openapi-'));
  try {
    const app = await buildApp(readConfig({ COPPICE_DATA: folder }), { logger: pino({ level: 'silent' }) });
    await app.server.ready();
    const text = `${JSON.stringify(app.openApi(), null, 2)}\n`;
    await app.close();
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function httpSettings(config: Config): HttpSettings {
  return {
    name: config.name,
    version,
    baseUrl: config.url,
    defaultFormat: config.defaultFormat,
    maxUploadBytes: config.maxUploadBytes,
    hasRateLimits: config.hasRateLimits,
    metrics: config.metrics,
    trustProxy: config.trustProxy,
    isLocal: isLoopback(config.host),
    requestTimeoutMs: config.requestTimeoutMs,
  };
}

function webSettings({
  name,
  url,
  home,
  maxUploadBytes,
  defaultFormat,
  tiles,
  trashDays,
}: Config): WebSettings {
  return { name, baseUrl: url, home, maxUploadBytes, defaultFormat, tiles, trashDays };
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** JSON lines, or colours for a person who looks on. Requests are logged without headers, bodies and queries. */
export async function createLogger(config: Config): Promise<pino.Logger> {
  const base = cluster.worker ? { worker: cluster.worker.id } : null;
  const options = { level: config.logLevel, base, serializers: { err: withoutAddresses } };
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  return pino(options, pretty({ ignore: 'pid,hostname' }));
}

/** Errors as they are, but for e-mail addresses: databases quote values in their messages. */
function withoutAddresses(error: Error): Record<string, unknown> {
  const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  const hide = (text: unknown) =>
    typeof text === 'string' ? text.replace(/[^\s@'"()=<>]+@[^\s@'"()=<>]+/g, '…@…') : text;
  const { type, message, stack, code } = told;
  return { type, code, message: hide(message), stack: hide(stack) };
}
