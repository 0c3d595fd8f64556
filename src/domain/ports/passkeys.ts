/** Passkeys (WebAuthn): the port to their cryptography, and the part of the port to the database that keeps them. */
export interface Passkey {
  id: number;
  memberId: number;
  name: string;
  /** ID that the authenticator gave it, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Signatures that the authenticator counted; 0: it counts none. */
  counter: number;
  /** Whether the authenticator keeps copies on other devices. */
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

/** A challenge that was answered. It must not be answered again before it expires. */
export interface AnsweredChallenge {
  hash: string;
  expiresAt: number;
}

type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'isSynced'>;

/**
 * `address`: public address of the wiki, whose name passkeys are bound to. `answer`: what the browser's credential gives by `toJSON()`;
 * anything may be passed, and nothing of it is believed before its signature was verified.
 */
export interface Passkeys {
  /** Why there can be no passkeys at this address, as a sentence; undefined where there can. */
  obstacleAt(address: string): string | undefined;
  /** For `PublicKeyCredential.parseCreationOptionsFromJSON`. `known`: IDs of credentials that the member has. */
  creationOptions(
    address: string,
    member: { id: number; email: string; name: string },
    known: readonly string[],
  ): Promise<Record<string, unknown>>;
  /** For `PublicKeyCredential.parseRequestOptionsFromJSON`: any passkey of the wiki that the browser has. */
  requestOptions(address: string): Promise<Record<string, unknown>>;
  /** Undefined unless it is a new credential of a verified user, made for this address and a challenge given to this member. */
  readCreation(
    address: string,
    answer: unknown,
    memberId: number,
  ): Promise<{ credential: NewCredential; challenge: AnsweredChallenge } | undefined>;
  /** The credential that an answer says to be by. */
  credentialIdOf(answer: unknown): string | undefined;
  /** Undefined unless the passkey signed it for this address and an unexpired challenge, and its count went up. */
  readRequest(
    address: string,
    answer: unknown,
    passkey: Passkey,
  ): Promise<{ counter: number; isSynced: boolean; challenge: AnsweredChallenge } | undefined>;
}

export interface PasskeyStore {
  find(credentialId: string): Promise<Passkey | undefined>;
  /** A member's, in order of adding. */
  listOf(memberId: number): Promise<Passkey[]>;
  /** Refuses `invalid` at `/credential` if somebody has this credential. */
  insert(passkey: Omit<Passkey, 'id' | 'lastUsedAt'>): Promise<Passkey>;
  /** False if the member has no such passkey. */
  rename(memberId: number, id: number, name: string): Promise<boolean>;
  /** False if it was used with this count or a higher one meanwhile, unless it counts nothing. */
  noteUsed(id: number, use: { counter: number; isSynced: boolean; at: number }): Promise<boolean>;
  /** Also ends the sessions that it began. Undefined if the member has no such passkey. */
  remove(memberId: number, id: number): Promise<Passkey | undefined>;
  /** Removes all of a member's and returns how many there were. Their sessions stay. */
  removeOf(memberId: number): Promise<number>;
  /** True for exactly one caller. Forgets challenges that have expired by `now`. */
  useChallenge(challenge: AnsweredChallenge, now: number): Promise<boolean>;
}
