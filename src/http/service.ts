/** Dependencies of the HTTP interface: the core's ports and the settings that concern it. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { SpillFile } from '#cache/spill-file.ts';
import type { RenderingsWaiting } from '#core/content/language.ts';
import type { Renderer } from '#core/content/render.ts';
import type { Format } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import type { SignUpRules } from '#core/model/settings.ts';
import type { Wiki } from '#core/operations/carry-out.ts';
import type {
  ApiTokenSecrets,
  Counted,
  Devices,
  OneTimePasswords,
  Passphrases,
  ProofsOfWork,
  SealedTexts,
  Secrets,
  Tokens,
} from '#core/ports/credentials.ts';
import type { AskSpace } from '#core/ports/disk-space.ts';
import type { Backup } from '#core/ports/erasing.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Passkeys } from '#core/ports/passkeys.ts';
import type { PictureVariants } from '#core/ports/picture-variants.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Tally } from '#core/ports/report-store.ts';
import type { Sessions, SignedIn } from '#core/ports/sessions.ts';
import type { Providers } from '#core/ports/sign-in-provider.ts';
import type { Store } from '#core/ports/store.ts';
import type { UploadTickets } from '#core/ports/upload-tickets.ts';
import type { ApiTokens } from '#core/sign-in/api-tokens.ts';
import type { Exporter } from '#export/exporter.ts';
import type { Imports } from '#import/imports.ts';
import type { Operations } from './operations.ts';
import type { Origins } from './origins.ts';

/** Traces of requests. */
export interface RequestTracing {
  /** A listener that runs each request within a span. */
  listening(listener: RequestListener): RequestListener;
  /** Names the span of a request by its route. */
  named(request: IncomingMessage, route: string): void;
}

export interface Service {
  store: Store;
  /** Set when the server has been asked to stop: it serves on for a while, and `/readyz` says so. */
  isStopping?: boolean;
  operations: Operations;
  /** Undefined unless requests are traced. */
  tracing?: RequestTracing | undefined;
  /** Origins for the audit log. */
  origins: Origins;
  files: Files;
  pictures: PictureVariants;
  renderer: Renderer;
  imports: Imports;
  /** Formats of scheduled exports. */
  scheduledExports: readonly string[];
  exporter: Exporter;
  /** Number of queued rendering steps, by kind. */
  renderingsWaiting(): RenderingsWaiting;
  /** Absent if the disk cache is disabled or unavailable. */
  spillFile?: SpillFile;
  /** Disk data for monitoring. */
  disk: {
    /** Free space of the disk that holds the data folder. */
    space: AskSpace;
    /** Time of the last finished backup, in milliseconds since 1970. */
    lastBackupAt(): number | undefined;
    /** Seconds by which the continuous copy is behind, and since it was checked: infinite if never, undefined if there is none to be. */
    copy(): { ageSeconds: number; checkAgeSeconds: number } | undefined;
    /** Finished backups known to this data folder, oldest first. */
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
  /** Seals responses with secrets, which are stored for a day. */
  sealedAnswers: SealedTexts;
  /** Services of operations. */
  services: Wiki['services'];
  /** Counts reads of pages and vain searches of the site, if administrators want it. */
  tally: Tally;
  /** Seals the member during sign-in, between passphrase and second factor. */
  signInTickets: SealedTexts;
  /** Identity providers. */
  providers: Providers;
  /** Whether a file of this type could execute in a browser, so that it is only downloaded. */
  isActive(mime: string): boolean;
  /** Milliseconds since 1970. */
  clock(): number;
}

/** Services that the workers of one server share. */
export interface Siblings {
  /** Counts an attempt, or another amount, in a window of this length. */
  count(key: string, windowMs: number, amount?: number): Promise<Counted>;
  /** Metrics of all workers combined, in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Provides this worker's metrics to the others on request. */
  shareMetrics(numbers: () => Promise<unknown>): void;
}

/** Clients that may read the metrics: local programs, everybody, nobody, or holders of the token. */
export type MetricsAccess = 'local' | 'open' | 'off' | { token: string };

export interface HttpSettings {
  /** Name of the wiki now; administrators can change it, as they can `defaultFormat`. */
  readonly name: string;
  version: string;
  /** Public address without trailing slash; empty for relative addresses. */
  baseUrl: string;
  readonly defaultFormat: Format;
  maxUploadBytes: number;
  hasRateLimits: boolean;
  metrics: MetricsAccess;
  /** Whether a cache before the server is told what becomes stale. */
  isPurged: boolean;
  /** Fastify's setting; `false` trusts no `X-Forwarded-For`. */
  trustProxy: boolean | number | string | string[];
  /** Whether the server can only be reached from this machine. */
  isLocal: boolean;
  /** Maximum time for receiving a request, and for answering a read. */
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
 * How an operation treats authentication: `none` ignores it, `optional` shows more to members, `required` refuses callers
 * without a valid token before it reads the body. `bearer` is like `optional`, but ignores cookies and refuses invalid tokens.
 */
export type AccessKind = 'none' | 'optional' | 'bearer' | 'required';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessKind;
  }
  interface FastifyRequest {
    actor: Actor;
    /** Reader with the caller's rights: `actor`, or on the site the signed-in member. */
    reader: Reader;
    /** Session of `actor`; undefined for anonymous callers and API tokens. */
    signedIn: SignedIn | undefined;
  }
}
