/** Store port of requests with an idempotency key. The rules in `store.ts` apply. */

/** A request that claims its key. */
interface KeyClaim {
  memberId: number;
  /** Unique for the member, across their credentials. */
  key: string;
  fingerprint: string;
  /** Random identifier of this attempt. */
  attempt: string;
  at: number;
  leaseUntil: number;
  /** Requests that began earlier are deleted. */
  forgetBefore: number;
}

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Null if the body is not stored. */
  body: string | null;
}

/**
 * State of a claimed key. `mine`: this attempt is to carry out the request. `lost`: something was committed, but the process
 * that would have answered has died.
 */
export type ClaimedKey =
  | { state: 'mine'; id: number }
  | { state: 'under way' | 'lost'; fingerprint: string }
  | { state: 'answered'; fingerprint: string; answer: StoredResponse };

export interface IdempotencyStore {
  /**
   * Claims the key for this attempt, once among all processes: if the key is new, or if its attempt has let the lease expire
   * and committed nothing.
   */
  claim(claim: KeyClaim): Promise<ClaimedKey>;
  /** Number of the member's stored requests, and the size of their responses. */
  usage(memberId: number, since: number): Promise<{ count: number; bytes: number }>;
  extendLease(id: number, attempt: string, until: number): Promise<void>;
  /**
   * Called in the transaction that carries out the request: records that it did. Returns false if another attempt has taken
   * over.
   */
  markDone(id: number, attempt: string): Promise<boolean>;
  saveAnswer(id: number, attempt: string, answer: StoredResponse): Promise<void>;
  /** Permits the request to be carried out again, if nothing was committed. Returns false if something was. */
  release(id: number, attempt: string): Promise<boolean>;
}
