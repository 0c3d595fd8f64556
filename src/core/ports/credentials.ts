/** Credentials and sessions, and the ports to them. What they permit is decided in `permission.ts`. */

export interface Passphrases {
  /** Hashes with Argon2id in PHC form, off the event loop, a few at a time. */
  hash(passphrase: string): Promise<string>;
  /** Takes the same time for a wrong passphrase and for `null` (no such member, or a member without a passphrase). */
  verify(hash: string | null, passphrase: string): Promise<boolean>;
  /** Whether a passphrase, in NFKC and lower case, is among the 10,000 most common ones of sufficient length. */
  isCommon(folded: string): boolean;
  /** Name of the wiki, which is not accepted as a passphrase. */
  readonly wikiName: string;
}

/** Adds to a count whose window starts with the first use, for all workers of a server. Returns the new count. */
export type Count = (key: string, windowMs: number, by?: number) => Counted | Promise<Counted>;

/** Number in the current window, and its remaining milliseconds. */
export interface Counted {
  current: number;
  ttl: number;
}

/** One-time passwords of a second factor (RFC 6238). */
export interface OneTimePasswords {
  /** Base32. */
  makeSecret(): string;
  /** `otpauth://…`, which apps read from a QR code. */
  urlOf(secret: string, account: string): string;
  /** The time step of this code: now, or just before or after; undefined for any other code. */
  stepOf(secret: string, code: string, now: number): number | undefined;
  makeRecoveryCode(): string;
  /** Marks a step as used, for all workers and until the server stops. Returns true for exactly one caller. */
  useInMemory(memberId: number, step: number): Promise<boolean>;
  /** Adds to the wrong codes of a member, as `useInMemory`. Returns the new count and the remaining milliseconds of the window. */
  countInMemory(memberId: number, windowMs: number, by?: number): Promise<Counted>;
}

/** An ALTCHA challenge, version 2. `parameters.data.expires`: expiry in milliseconds. */
export interface ProofChallenge {
  parameters: Record<string, unknown>;
  signature: string;
}

/** Proof of work by the browser before a sign-up: a moment for one person, expensive for creating thousands of accounts. */
export interface ProofsOfWork {
  challenge(now: number): Promise<ProofChallenge>;
  /**
   * Checks base64 of JSON `{challenge, solution}`. Returns undefined unless it solves an unexpired challenge of this wiki.
   * Never throws on input.
   */
  check(proof: string, now: number): Promise<{ nonce: string; expiresAt: number } | undefined>;
}

/** Callers without an account. */
export interface Strangers {
  proofsOfWork: ProofsOfWork;
  /** Keyed hash of the caller's network address, which does not tell the address. */
  sender(): string;
}

export const proofLifetimeMs = 60 * 60_000;

/** How a member signed in. The session ends when this credential is revoked. */
export type SignInMethod =
  | { method: 'passphrase' }
  /** The handle of a stored OAuth 2.0 token. */
  | { method: 'handle'; provider: string; handleHash: string }
  | { method: 'provider'; provider: string; issuer: string; subject: string }
  | { method: 'passkey'; credentialId: string };

/** A current session. */
export interface Session {
  /** Random, but no secret, because tokens that contain it are sealed. */
  id: string;
  memberId: number;
  method: SignInMethod['method'];
  /** Name in the settings of the handle's or identity's provider; null for a passphrase or passkey. */
  provider: string | null;
  /** Whether a cookie of the site refers to it; otherwise only tokens of 15 minutes do. */
  isBrowser: boolean;
  /** The client's user agent, by which the member can recognise it. */
  userAgent: string | null;
  createdAt: number;
  /** Last use; written at most every five minutes. */
  seenAt: number;
}

export interface Claims {
  memberId: number;
  epoch: number;
  sessionId: string;
  /** Whether this is a cookie of the site: valid for the maximum life of its session, and not accepted as a bearer token. */
  isCookie?: boolean;
  /** Milliseconds since 1970. */
  issuedAt: number;
  /** When the member last presented a passphrase or passkey or came from a provider; kept by renewal. Undefined if unknown. */
  signedInAt?: number;
}

export interface Tokens {
  /** Issues an encrypted token that is valid for 15 minutes, or a cookie: see `isCookie`. */
  issue(claims: Claims): Promise<string>;
  /** Returns undefined unless it is a valid, unexpired token of this wiki, not issued in the future. Never throws on input. */
  read(token: string): Promise<Claims | undefined>;
}

export const tokenLifetimeMs = 15 * 60 * 1000;

/** Secrets of 32 random bytes in base64url, and the hashes under which they are stored, for handles and invitations. */
export interface Secrets {
  make(): { secret: string; hash: string };
  hash(secret: string): string;
}

/**
 * `files`: attach files to pages; `members`: members, groups and invitations; `admin`: an administrator's rights on pages;
 * `preview`: read only as the wiki would be with a proposal that the request names.
 */
export const scopes = ['read', 'write', 'files', 'members', 'admin', 'preview'] as const;
export type Scope = (typeof scopes)[number];

/** Scopes of a token limited to a subtree. The others concern members, or the wiki as a whole. */
export const subtreeScopes: readonly Scope[] = ['read', 'write', 'files'];

export interface ApiToken {
  id: number;
  memberId: number;
  name: string;
  scopes: Scope[];
  /** ID of the page to whose subtree it is limited. */
  ancestorId: number | null;
  createdAt: number;
  expiresAt: number | null;
  /** Written at most every five minutes, with the IP address. */
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
}

/** Secrets of API tokens, `cop_…`. The checksum at the end detects mistyped or invented ones without a lookup. */
export interface ApiTokenSecrets {
  make(): { secret: string; hash: string };
  /** Returns undefined for a malformed secret or a wrong checksum. */
  hash(secret: string): string | undefined;
}

/** Signatures by Standard Webhooks, which receivers can check with any of its libraries. */
export interface WebhookSignatures {
  /** `whsec_…`. */
  makeSecret(): string;
  /** Whether the text is a secret of 24 to 64 bytes. */
  isSecret(text: string): boolean;
  /** Value of the signature header. `timestamp` is in seconds. */
  sign(secret: string, id: string, timestamp: number, body: string): string;
}

/** Encrypted data that only this wiki can read, for a limited time. */
export interface SealedTexts {
  seal(fields: Record<string, string>, at: number): Promise<string>;
  /** Returns undefined unless it was sealed by a key of this wiki and has not expired. */
  open(text: string): Promise<Record<string, unknown> | undefined>;
}

export const deviceLifetimeMs = 365 * 24 * 60 * 60 * 1000;

/**
 * Recognises browsers that have signed in before, by a sealed cookie (OWASP, “Slow down online guessing attacks with device
 * cookies”). It grants no access; it only gives this browser its own allowance for mistyped passphrases.
 */
export interface Devices {
  /** Returns a cookie that identifies this browser to the account, and to the accounts that it was known to; and its ID. */
  remember(cookie: string | undefined, account: string): Promise<{ cookie: string; id: string }>;
  /** ID of the browser for this account; undefined if it has not signed in to it, or if the cookie is not ours. */
  find(cookie: string | undefined, account: string): Promise<string | undefined>;
}
