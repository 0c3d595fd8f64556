/** Ports to credentials: passphrases and tokens. What they permit is decided in `permission.ts`. */

export interface Passphrases {
  /** Argon2id in PHC form, off the event loop, at most a few at a time. */
  hash(passphrase: string): Promise<string>;
  /** Takes the same time for a wrong passphrase and for `null` (nobody there, or a member without one). */
  verify(hash: string | null, passphrase: string): Promise<boolean>;
}

export interface Claims {
  memberId: number;
  epoch: number;
  /** Milliseconds. */
  issuedAt: number;
  /** When the member last showed a passphrase or came from a provider; renewing keeps it. Undefined: not known. */
  signedInAt?: number;
}

export interface Tokens {
  /** An encrypted token that `read` gives back until 15 minutes have passed. */
  issue(claims: Claims): Promise<string>;
  /** Undefined for anything that is not a valid, unexpired token of ours. Never throws on input. */
  read(token: string): Promise<Claims | undefined>;
}

export const tokenLifetimeMs = 15 * 60 * 1000;

/** 32 random bytes in base64url, and the hash under which they are kept: for handles and invitations. */
export interface Secrets {
  make(): { secret: string; hash: string };
  hash(secret: string): string;
}
