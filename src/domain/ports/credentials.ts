/** Credentials and sessions: what they are, and the ports to them. What they permit is decided in `permission.ts`. */

export interface Passphrases {
  /** Argon2id in PHC form, off the event loop, at most a few at a time. */
  hash(passphrase: string): Promise<string>;
  /** Takes the same time for a wrong passphrase and for `null` (nobody there, or a member without one). */
  verify(hash: string | null, passphrase: string): Promise<boolean>;
  /** Whether a passphrase, in NFKC and lower case, is one of the 10,000 most common ones that are long enough. */
  isCommon(folded: string): boolean;
  /** Name of the wiki, which is no passphrase in it. */
  readonly wikiName: string;
}

/** One-time passwords of a second factor (RFC 6238). */
export interface OneTimePasswords {
  /** Base32. */
  makeSecret(): string;
  /** `otpauth://…`, which apps read from a QR code. */
  urlOf(secret: string, account: string): string;
  /** The time step whose code this is, now or just before or after; undefined for any other code. */
  stepOf(secret: string, code: string, now: number): number | undefined;
  makeRecoveryCode(): string;
}

/** A challenge of ALTCHA, version 2. `parameters.data.expires`: when it expires, in milliseconds. */
export interface ProofChallenge {
  parameters: Record<string, unknown>;
  signature: string;
}

/** Work that a stranger's browser does before they sign up: a moment for one person, a lot for whoever makes thousands of accounts. */
export interface ProofsOfWork {
  challenge(now: number): Promise<ProofChallenge>;
  /** Base64 of JSON `{challenge, solution}`. Undefined for anything but a solved, unexpired challenge of ours. Never throws on input. */
  check(proof: string, now: number): Promise<{ nonce: string; expiresAt: number } | undefined>;
}

export const proofLifetimeMs = 60 * 60_000;

/** How a member signed in. A session ends when this is revoked. */
export type SignInMethod =
  | { method: 'passphrase' }
  /** The handle of a stored OAuth 2.0 token. */
  | { method: 'handle'; provider: string; handleHash: string }
  | { method: 'provider'; provider: string; issuer: string; subject: string }
  | { method: 'passkey'; credentialId: string };

/** A sign-in that has not ended. */
export interface Session {
  /** Random; no secret, as tokens that refer to it are sealed. */
  id: string;
  memberId: number;
  method: SignInMethod['method'];
  /** Name in the settings of whom the handle or identity is; null for a passphrase or passkey. */
  provider: string | null;
  /** A cookie of the site refers to it; else only tokens of 15 minutes do. */
  isBrowser: boolean;
  /** Client's name for itself, by which the member can recognise it. */
  userAgent: string | null;
  createdAt: number;
  /** Written at most every five minutes. */
  seenAt: number;
}

export interface Claims {
  memberId: number;
  epoch: number;
  sessionId: string;
  /** For a cookie of the site: valid for as long as its session can last, and no bearer token of the API. */
  isCookie?: boolean;
  /** Milliseconds. */
  issuedAt: number;
  /** When the member last showed a passphrase or passkey or came from a provider; renewing keeps it. Undefined: not known. */
  signedInAt?: number;
}

export interface Tokens {
  /** An encrypted token that `read` gives back until 15 minutes have passed, or a cookie: see `isCookie`. */
  issue(claims: Claims): Promise<string>;
  /** Undefined for anything that is not a valid, unexpired token of ours, issued by now. Never throws on input. */
  read(token: string): Promise<Claims | undefined>;
}

export const tokenLifetimeMs = 15 * 60 * 1000;

/** By so much the clocks of several servers may differ. */
export const clockToleranceMs = 60 * 1000;

/** 32 random bytes in base64url, and the hash under which they are kept: for handles and invitations. */
export interface Secrets {
  make(): { secret: string; hash: string };
  hash(secret: string): string;
}

/** `files`: attach files to what is written; `members`: invitations and reset links; `admin`: an administrator's rights on pages. */
export const scopes = ['read', 'write', 'files', 'members', 'admin'] as const;
export type Scope = (typeof scopes)[number];

export interface ApiToken {
  id: number;
  memberId: number;
  name: string;
  scopes: Scope[];
  /** ID of the page that it is limited to, with what lies beneath. */
  ancestorId: number | null;
  createdAt: number;
  expiresAt: number | null;
  /** Written at most every five minutes, with the address it came from. */
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
}

/** Secrets of API tokens, `cop_…`: the checksum at their end tells a mistyped or invented one without a look-up. */
export interface ApiTokenSecrets {
  make(): { secret: string; hash: string };
  /** Undefined for what is none of our form, or has a wrong checksum. */
  hash(secret: string): string | undefined;
}

/** By Standard Webhooks: receivers check them with any of its libraries. */
export interface WebhookSignatures {
  /** `whsec_…`. */
  makeSecret(): string;
  /** Whether it is one, of 24 to 64 bytes. */
  isSecret(text: string): boolean;
  /** Value of the header. `timestamp`: seconds. */
  sign(secret: string, id: string, timestamp: number, body: string): string;
}

/** Encrypted data that is kept for a while, and can be read by this wiki alone. */
export interface SealedTexts {
  seal(fields: Record<string, string>, at: number): Promise<string>;
  /** Undefined for what is not sealed by a key of this wiki, or for longer than it is good. */
  open(text: string): Promise<Record<string, unknown> | undefined>;
}

export const deviceLifetimeMs = 365 * 24 * 60 * 60 * 1000;

/**
 * Browsers that have signed in before, by a sealed cookie (OWASP, “Slow down online guessing attacks with device cookies”).
 * It signs nobody in: it only gives this browser an allowance of its own for mistyped passphrases.
 */
export interface Devices {
  /** A cookie by which this browser is known to the account from now on, and to those that it was known to. */
  remember(cookie: string | undefined, account: string): Promise<string>;
  /** ID of the browser for this account; undefined if it has not signed in to it, or if the cookie is none of ours. */
  find(cookie: string | undefined, account: string): Promise<string | undefined>;
}
