/**
 * Composition root of the commands: opens the wiki as the server does. Modules that few commands need are imported on demand,
 * so that the others start faster.
 */

import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { createApiTokenSecrets } from '#auth/api-token.ts';
import { loadKeys, rotateKeyFile } from '#auth/keys.ts';
import { createPassphrases } from '#auth/passphrase.ts';
import { createSecrets } from '#auth/secret.ts';
import type { CommandContext } from '#cli/command/context.ts';
import { actorFor } from '#cli/command/first-administrator.ts';
import { addressOf } from '#config/address.ts';
import { BadSettings, type Config } from '#config/config.ts';
import { commandLine } from '#core/model/audit-entry.ts';
import { notSignedIn } from '#core/model/problem.ts';
import { chosenSettings } from '#core/model/settings.ts';
import { carryOutFor } from '#core/operations/carry-out.ts';
import { makeFolder } from '#files/folder.ts';
import { knownBackups, noteBackup } from './backup-log.ts';
import { createComparerOn } from './comparison-thread.ts';
import {
  controlSocketOf,
  isWritable,
  keyFileOf,
  openDatabase,
  openFiles,
  openMailServer,
  orClose,
  refuseWithoutWiki,
  restoringFileOf,
} from './open-wiki.ts';
import { opening } from './opening.ts';
import { version } from './version.ts';
import { whenDatabaseAnswers } from './wait-for-database.ts';

const refuse = () => {
  throw notSignedIn();
};

/**
 * Context of the commands: the same as the server's, without the HTTP server and the token keys. `via`: the actor in the audit
 * log. With `log`, opens the wiki as a server does, which waits for its database.
 */
export function commandContext(
  config: Config,
  via: 'command line' | 'wiki' = 'command line',
  log?: Logger,
): CommandContext {
  const audit = { origin: () => ({ ...commandLine, via }), clock: Date.now };
  return {
    settings: {
      address: addressOf(config, config.port),
      maxUploadBytes: config.maxUploadBytes,
    },
    version,
    mailServer: () => openMailServer(config),
    keyFile: config.key === undefined ? keyFileOf(config) : undefined,
    restoringFile: restoringFileOf(config),
    controlSocket: controlSocketOf(config),
    clock: Date.now,
    async open({ mayCreate = false, isToBeRestored = false, isToBeRead = false } = {}) {
      const isReadOnly = isToBeRead && !isWritable(config);
      const { files, store } = await opening(config, async () => {
        const mayBegin = mayCreate || isToBeRestored;
        if (mayBegin) makeFolder(config.dataFolder);
        else refuseWithoutWiki(config);
        const how = { mayBegin, isToBeRestored, isReadOnly, audit, isServer: log !== undefined };
        const open = () => openDatabase(config, how);
        const { store, isNew } = await (log ? whenDatabaseAnswers(config, log, open) : open());
        return orClose(store, async () => {
          // Created with the wiki, so that a missing key is later known to be lost.
          if (isNew && !isToBeRestored) await loadKeys({ env: config.key, file: keyFileOf(config) });
          return { files: await openFiles(config, undefined, isToBeRead), store };
        });
      });
      const webhookSender = async () =>
        (await import('./webhook-sender.ts')).createWebhookSender(config, Date.now);
      const language = async () => (await import('#core/content/language.ts')).createLanguage();
      const services = {
        apiTokenSecrets: createApiTokenSecrets,
        files: () => files,
        renderer: async () =>
          (await import('#core/content/render.ts')).createRenderer(() => store.settings.current().name),
        secrets: createSecrets,
        secondFactorRule: () => config.secondFactor,
        secretLinks: async () =>
          (await import('#core/reading/secret-links.ts')).createSecretLinks(store, createSecrets()),
        // Only for members and strangers, who act by themselves.
        strangers: refuse,
        credentials: refuse,
        // A running server empties its own caches within seconds.
        erasing: () => ({ files: files.store, emptyCaches: () => {}, backups: () => knownBackups(config) }),
        signUpRules: () => ({ mode: store.settings.current().signUp, role: config.signUpRole }),
        imports: refuse,
        webhookSender,
        language,
      };
      const wiki = { store, clock: Date.now, services };
      return {
        store,
        carry: carryOutFor(wiki, 'command line'),
        async carryAs(email, operation, input) {
          const actor = await actorFor(store, email);
          return carryOutFor(wiki, { actor, isCommandLine: true })(operation, input);
        },
        files,
        ownsFiles: config.s3 === undefined,
        passphrases: createPassphrases({ wikiName: () => store.settings.current().name }),
        secrets: createSecrets(),
        [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
      };
    },
    openOutgoing: async () =>
      (await import('./webhook-sender.ts')).createWebhookSender(config, Date.now).outgoing,
    createComparer: createComparerOn(config),
    async openExporting(store) {
      const [{ createThreadedLanguage }, { createRenderer }, { readLook }] = await Promise.all([
        import('#markup/language.ts'),
        import('#core/content/render.ts'),
        import('#web/look.ts'),
      ]);
      const threads = createThreadedLanguage();
      const settings = store.settings.current();
      const { name, language, home } = settings;
      return {
        wiki: { name, url: config.url, language, home, settings: chosenSettings(settings) },
        look: readLook,
        renderer: createRenderer(() => name, threads),
        [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
      };
    },
    noteBackup: (place) => noteBackup(config, place),
    openCopy: async (place) =>
      (await import('./open-copy.ts')).openCopy(config, place, (dataFolder) =>
        commandContext({ ...config, dataFolder, s3: undefined }).open({ isToBeRead: true }),
      ),
    rotateKey(keyFile) {
      return opening(config, async () => {
        refuseWithoutWiki(config);
        if (!existsSync(keyFile)) {
          throw new BadSettings([
            `COPPICE_DATA: ${keyFile} is missing, so there is no key to rotate. The server makes one when it starts.`,
          ]);
        }
        return rotateKeyFile(keyFile, Date.now());
      });
    },
  };
}
