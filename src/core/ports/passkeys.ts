/** Passkeys (WebAuthn): the port to their cryptography, and their store port. */
import type { Words } from '#html/html.ts';

export interface Passkey {
  id: number;
  memberId: number;
  name: string;
  /** ID assigned by the authenticator, base64url. */
  credentialId: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** Signature counter of the authenticator; 0 if it does not count. */
  counter: number;
  /** Whether the authenticator keeps copies on other devices. */
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A challenge that was used. It must not be accepted again before it expires. */
export interface AnsweredChallenge {
  hash: string;
  expiresAt: number;
}

type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'isSynced'>;

/**
 * `address`: public URL of the wiki, to whose host name passkeys are bound. `answer`: the browser credential's `toJSON()`; any
 * value may be passed, and nothing in it is trusted before its signature was verified.
 */
export interface Passkeys {
  /** Reason why passkeys are impossible at this URL, as a sentence; undefined if they are possible. */
  obstacleAt(address: string): Words | undefined;
  /** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. `known`: IDs of the member's existing credentials. */
  creationOptions(
    address: string,
    member: { id: number; email: string; name: string },
    known: readonly string[],
  ): Promise<Record<string, unknown>>;
  /** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`: any passkey of the wiki in the browser. */
  requestOptions(address: string): Promise<Record<string, unknown>>;
  /**
   * Returns undefined unless it is a new credential of a verified user, created for this URL and for a challenge issued to this
   * member.
   */
  readCreation(
    address: string,
    answer: unknown,
    memberId: number,
  ): Promise<{ credential: NewCredential; challenge: AnsweredChallenge } | undefined>;
  /** The credential ID that a response claims. */
  credentialIdOf(answer: unknown): string | undefined;
  /** Returns undefined unless the passkey signed it for this URL and an unexpired challenge, and its counter increased. */
  readRequest(
    address: string,
    answer: unknown,
    passkey: Passkey,
  ): Promise<{ counter: number; isSynced: boolean; challenge: AnsweredChallenge } | undefined>;
  /** Marks a challenge as answered, for all workers and until the server stops. Returns true for exactly one caller. */
  useInMemory(challenge: AnsweredChallenge): Promise<boolean>;
}

export interface PasskeyStore {
  find(credentialId: string): Promise<Passkey | undefined>;
  /** Passkeys of a member, in order of adding. */
  listOf(memberId: number): Promise<Passkey[]>;
  /** Refuses `invalid` at `/credential` if any member has this credential. */
  insert(passkey: Omit<Passkey, 'id' | 'lastUsedAt'>): Promise<Passkey>;
  /** Returns false if the member has no such passkey. */
  rename(memberId: number, id: number, name: string): Promise<boolean>;
  /**
   * Records a use. Returns false if the passkey was used with this counter or a higher one meanwhile, unless it does not count.
   */
  noteUsed(id: number, use: { counter: number; isSynced: boolean; at: number }): Promise<boolean>;
  /** Also ends the sessions that it started. Returns undefined if the member has no such passkey. */
  remove(memberId: number, id: number): Promise<Passkey | undefined>;
  /** Removes all passkeys of a member and returns their number. Sessions are kept. */
  removeOf(memberId: number): Promise<number>;
  /** Returns true for exactly one caller. Deletes challenges that have expired by `now`. */
  useChallenge(challenge: AnsweredChallenge, now: number): Promise<boolean>;
}
