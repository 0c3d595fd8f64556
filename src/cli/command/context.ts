/** Context that `main.ts` passes to a command: relevant settings, and a way to open the wiki. */

import type { Carry } from '#core/operations/carry-out.ts';
import type { Operation } from '#core/operations/operation.ts';
import type { Passphrases, Secrets } from '#core/ports/credentials.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { MailServer } from '#core/ports/mail.ts';
import type { Outgoing } from '#core/ports/outgoing.ts';
import type { Store } from '#core/ports/store.ts';
import type { ExportSource } from '#export/walk.ts';
import type { CreateComparer } from '#import/comparison/comparer.ts';

export interface CommandContext {
  settings: {
    /** Address of the wiki without trailing slash, for printed links. */
    address: string;
    maxUploadBytes: number;
  };
  /** Version of Coppice. */
  version: string;
  /** File of the token keys; undefined if the key comes from COPPICE_KEY. */
  keyFile: string | undefined;
  /** File that exists while a restore is unfinished; until then nothing else opens the wiki. */
  restoringFile: string;
  /** Socket of a running server. */
  controlSocket: string;
  /** Undefined if no mail server is configured. */
  mailServer(): Promise<MailServer | undefined>;
  /** Milliseconds since 1970. */
  clock(): number;
  /**
   * Opens database and files, and migrates. Called after the arguments were checked, so that help changes nothing. Where there
   * is no wiki, refuses with a sentence and creates nothing, unless this begins one: with `mayCreate` or `isToBeRestored`. With
   * `isToBeRead` the wiki may be read-only: then nothing is migrated either.
   */
  open(how?: HowToOpen): Promise<OpenWiki>;
  /** Services that exports of rendered pages need besides the wiki itself. */
  openExporting(store: Store): Promise<Pick<ExportSource, 'renderer' | 'wiki' | 'look'> & AsyncDisposable>;
  /** Sends requests to addresses of other sites. */
  openOutgoing(): Promise<Outgoing>;
  /** Compares imported pages with their sources on a thread. */
  createComparer: CreateComparer;
  /** Records a finished backup and its location, for monitoring and erasures. */
  noteBackup(place: string): Promise<void>;
  /** The copy at a place, `s3:BUCKET/PREFIX` or a folder; without one, that of COPPICE_COPY_TO. Refuses a place that is neither. */
  openCopy(place?: string): Promise<Copy>;
  /** Adds a new key at the top of `keyFile`; returns the number of keys kept. */
  rotateKey(keyFile: string): Promise<number>;
}

export interface HowToOpen {
  /** Begins a new wiki where there is none, except beside files or a key of another. */
  mayCreate?: boolean;
  /** Begins a new wiki, also beside files. */
  isToBeRestored?: boolean;
  isToBeRead?: boolean;
}

export interface OpenWiki extends AsyncDisposable {
  store: Store;
  /** Carries out operations with the powers of the command line. */
  carry: Carry;
  /** The same for the member with this address, or the first administrator. Refuses `not-found`, and `not-permitted` for a member who is deactivated. */
  carryAs<Given, Answer>(
    email: string | undefined,
    operation: Operation<Given, Answer>,
    input: Given,
  ): Promise<Answer>;
  files: Files;
  /** Whether the files are only this wiki's; a bucket may be shared with others. */
  ownsFiles: boolean;
  passphrases: Passphrases;
  secrets: Secrets;
}

/** The continuous copy of a wiki. */
export interface Copy {
  /**
   * Writes the database into the data folder, as it was at `until` or a moment before. Until `finish` nothing but a restore opens the
   * wiki. Refuses a data folder that has a wiki, unless that is an interrupted restore from the same place.
   */
  restore(until: number): Promise<{ at: number }>;
  /** Decrypts the key and puts it in its place. `none`: the copy has none. Refuses identities that do not fit. */
  restoreKey(identities: string | undefined): Promise<'restored' | 'none' | 'needs identity'>;
  finish(): Promise<void>;
  /** Hashes of the files that the copy has. */
  files(): Promise<ReadonlySet<string>>;
  openFile(hash: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Restores the database into a temporary folder and opens it there. */
  openAside(): Promise<{ at: number; wiki: OpenWiki } & AsyncDisposable>;
  /** Records that the copy has been checked, for monitoring. */
  noteChecked(): Promise<void>;
}

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Function exported by each file in `cli/`. Returns the exit code: 0 done, 1 refused or a problem was found, 2 usage error. */
export type Run = (args: string[], context: CommandContext, io: Terminal) => Promise<number>;
