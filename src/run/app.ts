/**
 * Composition root: the only file that knows every part. It passes each part its dependencies (`open-wiki.ts` opens those that
 * hold data) and closes everything in reverse order.
 */

import type pino from 'pino';
import { createApiTokenSecrets } from '#auth/api-token.ts';
import { createDevices } from '#auth/device-cookie.ts';
import { createProviders } from '#auth/oauth.ts';
import { createOneTimePasswords } from '#auth/one-time-passwords.ts';
import { createPasskeys } from '#auth/passkeys.ts';
import { createPassphrases, type PassphraseCost } from '#auth/passphrase.ts';
import { createProofsOfWork } from '#auth/proof-of-work.ts';
import { createSealedTokens } from '#auth/sealed-token.ts';
import { createSecrets } from '#auth/secret.ts';
import { createSenders } from '#auth/senders.ts';
import { createTokens } from '#auth/token.ts';
import { createUploadTickets } from '#auth/upload-tickets.ts';
import type { SpillFile } from '#cache/spill-file.ts';
import type { Config } from '#config/config.ts';
import { createRenderer } from '#core/content/render.ts';
import { ensureSetupInvitation } from '#core/joining/invite-member.ts';
import type { Store } from '#core/ports/store.ts';
import { createSecretLinks } from '#core/reading/secret-links.ts';
import { createApiTokens } from '#core/sign-in/api-tokens.ts';
import { createSessions } from '#core/sign-in/sessions.ts';
import { createFileTextReader } from '#files/file-texts.ts';
import { makeFolder } from '#files/folder.ts';
import { isActive } from '#files/sniff.ts';
import { createVariants } from '#files/variants.ts';
import { addressGroup } from '#http/address-group.ts';
import { createCounts } from '#http/limits.ts';
import { createOperations } from '#http/operations.ts';
import { createOrigins } from '#http/origins.ts';
import { type BuiltServer, buildServer } from '#http/server.ts';
import type { Service, Siblings } from '#http/service.ts';
import { openImports, uploadFolder } from '#import/imports.ts';
import { type MailLog, type MailLoop, startMailLoop } from '#mail/mail-loop.ts';
import { type CpuLimits, createThreadedLanguage } from '#markup/language.ts';
import { purge } from '#outgoing/purge.ts';
import { keepReadingFiles, type ReadingTexts } from '#src/features/file-texts/loop.ts';
import { keepPublishing, type Publishing } from '#src/features/proposals/loop.ts';
import { keepReporting, type Reporting } from '#src/features/reports/loop.ts';
import { createTally } from '#src/features/reports/tally.ts';
import { keepNotifying, type Notifying } from '#src/features/watches/loop.ts';
import { startWebhookLoop, type WebhookLoop } from '#src/features/webhooks/loop.ts';
import { loadFaces } from '#src/features.ts';
import { webFace } from '#web/routes.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { knownBackups, lastBackupAt } from './backup-log.ts';
import { type BackupLoop, startBackupLoop } from './backup-loop.ts';
import { copyAges } from './copy-loop.ts';
import { spaceOf } from './disk-space.ts';
import { type ExportLoop, openExportTarget, startExportLoop } from './export-loop.ts';
import { createExporter } from './export-thread.ts';
import { httpSettings, webSettings } from './face-settings.ts';
import { emptyAfterErasures } from './housekeeping.ts';
import { createImporter } from './import-thread.ts';
import { startLeaseLoop } from './lease-loop.ts';
import { createLogger } from './logger.ts';
import { loadWikiKeys, openCache, openDatabase, openFiles, openMailServer, orClose } from './open-wiki.ts';
import { opening } from './opening.ts';
import { type PurgeLoop, startPurgeLoop } from './purge-loop.ts';
import { startTracing } from './tracing.ts';
import { whenDatabaseAnswers } from './wait-for-database.ts';
import { createWebhookSender } from './webhook-sender.ts';

export interface App extends BuiltServer {
  service: Service;
  /** Starts sending due mail until the server closes. Returns undefined if no mail server is configured. */
  startMail(lookEveryMs?: number): Promise<MailLoop | undefined>;
  /** Starts sending events to webhooks until the server closes. */
  startWebhooks(lookEveryMs?: number): WebhookLoop;
  /** Starts notifying members of changes they watch until the server closes. */
  startNotifying(): void;
  /** Starts storing counts and checking links for the reports, until the server closes. */
  startReporting(): void;
  /** Starts merging proposals whose time has come, until the server closes. */
  startPublishing(): Promise<void>;
  /** Starts reading texts of files for searching, until the server closes. */
  startReadingFiles(): void;
  /** Starts scheduled exports until the server closes. Returns undefined if none are configured. */
  startExports(): ExportLoop | undefined;
  /** Starts scheduled backups until the server closes. Returns undefined if none are configured. */
  startBackups(env?: NodeJS.ProcessEnv): BackupLoop | undefined;
  /** Tells the cache before the server what becomes stale, until the server closes, if COPPICE_PURGE names one. */
  startPurging(): void;
  /** Returns a one-time token for the first administrator, while there are no members. */
  ensureSetupInvitation(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Replacements that tests provide. */
export interface Overrides {
  clock?: () => number;
  logger?: pino.Logger;
  cpuLimits?: Partial<CpuLimits>;
  /** Iterations of the key derivation in a proof of work. */
  proofCost?: number;
  /** Argon2 parameters for passphrases. */
  passphraseCost?: PassphraseCost | undefined;
}

/** `siblings` connects this process to the other workers, if there are several. */
export async function buildApp(config: Config, overrides: Overrides = {}, siblings?: Siblings): Promise<App> {
  const clock = overrides.clock ?? Date.now;
  const count = siblings?.count ?? createCounts(clock);
  // Checked first, so that an unwritable folder is reported before anything is opened.
  const exportTarget = config.scheduledExports && (await openExportTarget(config.scheduledExports.to));
  const backupTarget =
    config.scheduledBackups && (await openExportTarget(config.scheduledBackups.to, 'COPPICE_BACKUP_TO'));
  const logger = overrides.logger ?? (await createLogger(config));
  const warning = (words: string) => (error: unknown) => logger.warn({ err: error }, words);
  const tracing = await startTracing(config);
  const origins = createOrigins();
  const audit = { origin: origins.current, clock };
  let spillFile: SpillFile | undefined;
  /** When the disk is full, the disposable cache is emptied to make room for data that cannot be recomputed. */
  const makeRoom = () => spillFile?.empty();
  const lacks = (functions: readonly string[]) =>
    logger.warn(
      { functions },
      'the database lacks functions, or does not let this user call them: see docs/scaling.md',
    );
  const language = createThreadedLanguage(overrides.cpuLimits);
  const { keys, files, store } = await opening(config, async () => {
    makeFolder(config.dataFolder);
    // Opened first: existing files decide whether this is a new wiki.
    const { store, isNew } = await whenDatabaseAnswers(config, logger, () =>
      openDatabase(config, { makeRoom, audit, derive: language.derive, isServer: true, tracing, lacks }),
    );
    return orClose(store, async () => {
      const keys = await loadWikiKeys(config, store, isNew, logger);
      return { keys, files: await openFiles(config, makeRoom), store };
    });
  });
  await settle(store, config, clock());
  const leases = await startLeaseLoop(store, logger);
  // Requests look themselves; loops that wait for none must know, too, who may read.
  const settling = setInterval(() => {
    store.settings.refresh()?.catch(warning('settings could not be read'));
  }, 1000).unref();
  spillFile = openCache(config, logger);
  const exporter = createExporter(config);
  const importer = createImporter(config, { clock, origin: origins.current });
  const operations = createOperations(store);
  const secrets = createSecrets();
  const proofsOfWork = createProofsOfWork(keys, overrides.proofCost);
  const sender = createSenders(keys);
  const strangers = { proofsOfWork, sender: () => sender(addressGroup(origins.current().from ?? '')) };
  const secretLinks = createSecretLinks(store, secrets, (error) =>
    logger.warn({ err: error }, 'uses of secret links not recorded'),
  );
  const wikiName = () => store.settings.current().name;
  const apiTokenSecrets = createApiTokenSecrets();
  const renderer = operations.rendererFor(
    createRenderer(wikiName, language, spillFile, (path) =>
      logger.warn({ path }, 'page shown as source: rendering it takes too long'),
    ),
  );
  const webhooks = createWebhookSender(config, clock);
  const service: Service = {
    ...(spillFile ? { spillFile } : {}),
    tracing,
    store: operations.store,
    operations,
    origins,
    files,
    pictures: createVariants(spillFile),
    renderer,
    exporter,
    scheduledExports: config.scheduledExports?.formats ?? [],
    imports: openImports({
      store: operations.store,
      clock,
      folder: uploadFolder(config.dataFolder),
      run: importer.run,
      failed: (error, id) => logger.error({ err: error, import: id }, 'import failed'),
    }),
    renderingsWaiting: () => language.waiting(),
    disk: {
      space: () => spaceOf(config.dataFolder),
      lastBackupAt: () => lastBackupAt(config),
      backups: () => knownBackups(config),
      copy: () => copyAges(config, clock()),
    },
    passphrases: createPassphrases({ wikiName, cost: overrides.passphraseCost }),
    tokens: createTokens(keys, clock, config.sessions.lifetimeMs),
    secrets,
    oneTimePasswords: createOneTimePasswords(wikiName, count),
    passkeys: createPasskeys(wikiName, keys, clock, count),
    sessions: createSessions(
      { store, secrets },
      config.sessions,
      (error) => logger.warn({ err: error }, 'use of a session not recorded'),
      config.secondFactor,
    ),
    proofsOfWork,
    signUp: {
      get mode() {
        return store.settings.current().signUp;
      },
      role: config.signUpRole,
    },
    apiTokenSecrets,
    apiTokens: createApiTokens(
      store,
      apiTokenSecrets,
      (error) => logger.warn({ err: error }, 'use of an API token not recorded'),
      config.secondFactor,
    ),
    devices: createDevices(keys, clock),
    uploadTickets: createUploadTickets(keys, clock),
    sealedAnswers: createSealedTokens(keys, clock, {
      audience: 'coppice-answer',
      lifetimeMs: 24 * 60 * 60 * 1000,
      maxLength: 64 * 1024,
    }),
    services: {
      apiTokenSecrets: () => apiTokenSecrets,
      files: () => files,
      renderer: () => renderer,
      secrets: () => secrets,
      secretLinks: () => secretLinks,
      strangers: () => strangers,
      secondFactorRule: () => config.secondFactor,
      webhookSender: () => webhooks,
      language: () => language,
      credentials: () => service,
      erasing: () => ({
        files: files.store,
        emptyCaches: () => spillFile?.empty(),
        backups: service.disk.backups,
      }),
      signUpRules: () => service.signUp,
      imports: () => service.imports,
    },
    tally: createTally(() => store.settings.current().statistics),
    signInTickets: createSealedTokens(keys, clock, {
      audience: 'coppice second factor',
      lifetimeMs: 5 * 60 * 1000,
      maxLength: 4096,
    }),
    providers: createProviders(config.providers, { baseUrl: config.url, keys, clock }),
    isActive,
    clock,
  };
  const faces = await loadFaces();
  const built = await buildServer(
    { service, settings: httpSettings(config, store), logger },
    faces,
    webFace(service, webSettings(config, store), faces.web),
    siblings,
  );
  const watching = spillFile && emptyAfterErasures(store, spillFile, logger);
  let mail: MailLoop | undefined;
  let sending: WebhookLoop | undefined;
  let notifying: Notifying | undefined;
  let reporting: Reporting | undefined;
  let publishing: Publishing | undefined;
  let readingTexts: ReadingTexts | undefined;
  let exports: ExportLoop | undefined;
  let backups: BackupLoop | undefined;
  let purging: PurgeLoop | undefined;
  return {
    ...built,
    service,
    async startMail(lookEveryMs) {
      mail = await startMail(config, service, logger, lookEveryMs);
      return mail;
    },
    startWebhooks(lookEveryMs) {
      const failed = (error: unknown) => logger.error({ err: error }, 'webhooks could not be served');
      // Uses the store directly, without the layers that serve requests.
      sending = startWebhookLoop({ ...webhooks, store, failed }, lookEveryMs);
      return sending;
    },
    startNotifying() {
      notifying = keepNotifying(store, clock, warning('watchers not notified'));
    },
    startReporting() {
      const checking = { store, renderer, outgoing: webhooks.outgoing, ownUrl: config.url };
      reporting = keepReporting(
        checking,
        { tally: service.tally, makeKey: () => secrets.make().secret, clock },
        warning('reports not kept up to date'),
      );
    },
    async startPublishing() {
      const { services } = service;
      const merging = { store, files: await services.files(), rule: config.secondFactor };
      publishing = keepPublishing(merging, clock, warning('proposals not merged'));
    },
    startReadingFiles() {
      const { maxFileTextBytes: maxBytes } = config;
      if (maxBytes === 0) return;
      const reading = { store, reader: createFileTextReader(files.store), maxBytes };
      readingTexts = keepReadingFiles(reading, clock, warning('text of a file not read'));
    },
    startExports() {
      exports =
        config.scheduledExports &&
        exportTarget &&
        startExportLoop(config.scheduledExports, exportTarget, service, logger);
      return exports;
    },
    startBackups(env) {
      const { scheduledBackups } = config;
      if (scheduledBackups && backupTarget)
        backups = startBackupLoop(
          { config, settings: scheduledBackups, target: backupTarget, store, clock, log: logger },
          env,
        );
      return backups;
    },
    startPurging() {
      const { purge: target } = config;
      if (!target) return;
      const failed = (error: unknown) => logger.error({ err: error }, 'the cache could not be purged');
      const works = () => logger.info('the cache can be purged again');
      purging = startPurgeLoop({ store, send: (keys) => purge(target, keys), failed, works });
    },
    ensureSetupInvitation: () => ensureSetupInvitation(store, service.secrets, clock()),
    async close() {
      clearInterval(settling);
      watching?.[Symbol.dispose]();
      leases[Symbol.dispose]();
      await built.server.close();
      await secretLinks.storeUses();
      const loops = [
        notifying,
        reporting,
        purging,
        publishing,
        readingTexts,
        exports,
        backups,
        mail,
        sending,
      ];
      for (const loop of loops) await loop?.stop();
      webhooks.outgoing[Symbol.dispose]();
      await exporter[Symbol.asyncDispose]();
      await importer[Symbol.asyncDispose]();
      await language[Symbol.asyncDispose]();
      spillFile?.[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
      await tracing?.stop();
    },
  };
}

/** Stores the settings that the environment decides, which rows of pages follow. Where nothing can be written, they count all the same. */
async function settle(store: Store, config: Config, now: number): Promise<void> {
  const { private: isPrivate } = config.fixed;
  if (isPrivate === undefined || store.writeTrouble()) return;
  await store.transact(async (store) => {
    if ((await store.settings.holdPrivate()) === isPrivate) return;
    await store.settings.write({ private: isPrivate }, now, null);
    const subject = { kind: 'setting', name: 'private' } as const;
    const note = `${isPrivate ? 'on' : 'off'}, by COPPICE_PRIVATE`;
    await store.audit.record({ kind: 'settings-changed', subject, note });
  });
}

async function startMail(
  config: Config,
  { store, secrets, renderer, clock }: Service,
  logger: pino.Logger,
  lookEveryMs?: number,
): Promise<MailLoop | undefined> {
  const server = await openMailServer(config);
  if (!server) return undefined;
  const compare = renderer.language.compare.bind(renderer.language);
  const log: MailLog = {
    givenUp: ({ id, mail, attempts }, error) =>
      logger.error({ mail: id, kind: mail.kind, attempts, error }, 'mail given up'),
    failed: (error) => logger.error({ err: error }, 'mail queue unavailable'),
  };
  const wiki = {
    get name() {
      return store.settings.current().name;
    },
    get language() {
      return siteLanguageOf(store.settings.current().language);
    },
    url: config.url,
  };
  return startMailLoop({ store, secrets, wiki, compare }, server, log, { clock, lookEveryMs });
}
