/** Dependencies of the HTTP interface: the domain's ports and the settings that concern it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { SpillFile } from '#cache/spill-file.ts';
import type { RenderingsWaiting } from '#domain/content/language.ts';
import type { Renderer } from '#domain/content/render.ts';
import type { Backup } from '#domain/erasure/erase.ts';
import type { Files } from '#domain/files/attach-files.ts';
import type { ApiTokens } from '#domain/members/api-tokens.ts';
import type { Sessions, SignedIn } from '#domain/members/sessions.ts';
import type { SignUpRules } from '#domain/members/sign-up.ts';
import type { Format } from '#domain/pages/page.ts';
import type { Actor } from '#domain/permission.ts';
import type {
  ApiTokenSecrets,
  Devices,
  OneTimePasswords,
  Passphrases,
  ProofsOfWork,
  SealedTexts,
  Secrets,
  Tokens,
} from '#domain/ports/credentials.ts';
import type { AskSpace } from '#domain/ports/disk-space.ts';
import type { Passkeys } from '#domain/ports/passkeys.ts';
import type { PictureVariants } from '#domain/ports/picture-variants.ts';
import type { Providers } from '#domain/ports/sign-in-provider.ts';
import type { Store } from '#domain/ports/store.ts';
import type { UploadTickets } from '#domain/ports/upload-tickets.ts';
import type { Reader } from '#domain/reader.ts';
import type { WebhookSender } from '#domain/webhooks/send-webhook.ts';
import type { ExportSource } from '#export/walk.ts';
import type { Imports } from '#import/imports.ts';
import type { Operations } from './operations.ts';
import type { Origins } from './origins.ts';

export interface Service {
  store: Store;
  operations: Operations;
  /** For the audit log. */
  origins: Origins;
  files: Files;
  pictures: PictureVariants;
  renderer: Renderer;
  imports: Imports;
  /** Formats that are exported every few hours. */
  scheduledExports: readonly string[];
  /** Facts of the wiki that exports show, and how its site looks. */
  exporting: Pick<ExportSource, 'wiki' | 'look'>;
  /** Number of rendering steps that wait for a thread, by kind. */
  renderingsWaiting(): RenderingsWaiting;
  /** Absent where nothing may lie on disk, or nothing can. */
  spillFile?: SpillFile;
  /** For monitoring. */
  disk: {
    /** Free space of the disk that holds the data folder. */
    space: AskSpace;
    /** When the last backup was finished, in milliseconds since the epoch. */
    lastBackupAt(): number | undefined;
    /** Finished backups that this data folder knows of, oldest first. */
    backups(): readonly Backup[];
  };
  passphrases: Passphrases;
  tokens: Tokens;
  sessions: Sessions;
  apiTokens: ApiTokens;
  secrets: Secrets;
  oneTimePasswords: OneTimePasswords;
  passkeys: Passkeys;
  proofsOfWork: ProofsOfWork;
  signUp: SignUpRules;
  apiTokenSecrets: ApiTokenSecrets;
  devices: Devices;
  uploadTickets: UploadTickets;
  /** Answers that hold secrets, as they may be stored for a day. */
  sealedAnswers: SealedTexts;
  /** How events are sent to addresses that administrators gave. */
  webhooks: WebhookSender;
  /** Names of members who have shown their passphrase and not yet their second factor, for a few minutes. */
  signInTickets: SealedTexts;
  /** Whom people may sign in by, besides their passphrase. */
  providers: Providers;
  /** Whether a file of this kind could run something in a browser, and so is only ever downloaded. */
  isActive(mime: string): boolean;
  /** Milliseconds since the epoch. */
  clock(): number;
}

/** Attempts in the current window, and for how many milliseconds it still runs. */
export interface Counted {
  current: number;
  ttl: number;
}

/** Services that the workers of one server share. */
export interface Siblings {
  /** Counts an attempt, or some other amount, in a window of so many milliseconds. */
  count(key: string, windowMs: number, amount?: number): Promise<Counted>;
  /** Numbers of all workers as one, in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Gives the others this worker's numbers, as data, whenever they ask. */
  shareMetrics(numbers: () => Promise<unknown>): void;
}

/** Who may read the metrics: programs on this machine, everybody, nobody, or clients with the token. */
export type MetricsAccess = 'local' | 'open' | 'off' | { token: string };

export interface HttpSettings {
  name: string;
  version: string;
  /** Public address without trailing slash; empty: addresses are given without host. */
  baseUrl: string;
  defaultFormat: Format;
  maxUploadBytes: number;
  hasRateLimits: boolean;
  metrics: MetricsAccess;
  /** Fastify's setting; `false`: no `X-Forwarded-For` is trusted. */
  trustProxy: boolean | number | string | string[];
  /** Whether only programs on this machine reach the server. */
  isLocal: boolean;
  /** To receive a whole request, and to answer a read. */
  requestTimeoutMs: number;
}

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * Whether an operation looks at who is asking: `none` never does, `optional` shows more to members,
 * `required` refuses everyone without a valid token before it reads the body. `bearer` is `optional` for programs: no cookie
 * counts, and a token that is no good is refused.
 */
export type AccessKind = 'none' | 'optional' | 'bearer' | 'required';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessKind;
  }
  interface FastifyRequest {
    actor: Actor;
    /** The wiki as whoever asks sees it: `actor`, or on the site who is signed in there. */
    reader: Reader;
    /** Session that identified `actor`; undefined for anonymous callers and API tokens. */
    signedIn: SignedIn | undefined;
  }
}
