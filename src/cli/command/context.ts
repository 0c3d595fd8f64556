/** Context that `main.ts` hands to a command: settings that concern it, and how to open the wiki it works on. */

import type { Backup } from '#domain/erasure/erase.ts';
import type { Files } from '#domain/files/attach-files.ts';
import type { LetterHead } from '#domain/mail/letter-writer.ts';
import type { Role } from '#domain/members/member.ts';
import type { Format } from '#domain/pages/page.ts';
import type { ApiTokenSecrets, Passphrases, Secrets } from '#domain/ports/credentials.ts';
import type { MailServer } from '#domain/ports/mail.ts';
import type { Store } from '#domain/ports/store.ts';
import type { WebhookSender } from '#domain/webhooks/send-webhook.ts';
import type { ExportSource } from '#export/walk.ts';

export interface CommandContext {
  settings: {
    /** Address of the wiki without trailing slash, for links that are printed. */
    address: string;
    maxUploadBytes: number;
    defaultFormat: Format;
    letterHead: LetterHead;
    /** Role of members who signed up. */
    signUpRole: Role;
  };
  /** Version of Coppice. */
  version: string;
  /** File of the token keys; undefined: the key is given by COPPICE_KEY and not kept by Coppice. */
  keyFile: string | undefined;
  /** File that is there while a restore is not finished: until then nothing else opens the wiki. */
  restoringFile: string;
  /** Undefined where none is set. */
  mailServer(): Promise<MailServer | undefined>;
  /** Milliseconds since the epoch. */
  clock(): number;
  /**
   * Opens database and files, makes them if there are none, migrates. Called by a command once its arguments are
   * known to be good, so that asking for help changes nothing. Refuses to make a database beside files or a key of another
   * wiki, unless one is `isToBeRestored`. What is only `isToBeRead` may lie where nothing can be written: then nothing is made
   * and nothing migrated.
   */
  open(how?: { isToBeRestored?: boolean; isToBeRead?: boolean }): Promise<OpenWiki>;
  /** Everything that exports which show pages need besides the wiki itself. */
  openExporting(): Promise<Pick<ExportSource, 'renderer' | 'wiki' | 'look'> & AsyncDisposable>;
  /** Notes that a backup was finished now, and where: for those who watch over the server, and for erasures. */
  noteBackup(place: string): Promise<void>;
  /** Backups that were noted, oldest first. */
  backups(): readonly Backup[];
  /** Puts a new key first in `keyFile`; returns how many keys are kept. */
  rotateKey(keyFile: string): Promise<number>;
}

export interface OpenWiki extends AsyncDisposable {
  store: Store;
  files: Files;
  /** The files lie in the data folder; in a bucket another wiki may name them, too. */
  ownsFiles: boolean;
  passphrases: Passphrases;
  secrets: Secrets;
  apiTokenSecrets: ApiTokenSecrets;
  openWebhooks(): Promise<WebhookSender>;
}

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Function that each file in `cli/` exports. Returns the exit code: 0 done, 1 refused or something is wrong, 2 usage error. */
export type Run = (args: string[], context: CommandContext, io: Terminal) => Promise<number>;
