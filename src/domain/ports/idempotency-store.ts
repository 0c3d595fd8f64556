/** The part of the port to the database that keeps requests with an idempotency key. The rules on top of `store.ts` hold. */

/** A request that claims its key. */
export interface KeyClaim {
  memberId: number;
  key: string;
  fingerprint: string;
  /** Random; names this try. */
  attempt: string;
  at: number;
  leaseUntil: number;
  /** Requests that began earlier are forgotten. */
  forgetBefore: number;
}

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  /** Null: not kept. */
  body: string | null;
}

/**
 * State of the key for the one who claimed it. `mine`: this try is to carry the request out. `lost`: something was committed, and whoever
 * would have answered has died.
 */
export type ClaimedKey =
  | { state: 'mine'; id: number }
  | { state: 'under way' | 'lost'; fingerprint: string }
  | { state: 'answered'; fingerprint: string; answer: StoredResponse };

export interface IdempotencyStore {
  /**
   * Claims the key for this try, once among all processes: if it is new, or if its try has let the lease run out and committed nothing.
   */
  claim(claim: KeyClaim): Promise<ClaimedKey>;
  /** Requests of the member that are remembered, and the bytes of their answers. */
  usage(memberId: number, since: number): Promise<{ count: number; bytes: number }>;
  extendLease(id: number, attempt: string, until: number): Promise<void>;
  /** In the transaction that does what was asked: says so. False if another try has taken over. */
  markDone(id: number, attempt: string): Promise<boolean>;
  saveAnswer(id: number, attempt: string, answer: StoredResponse): Promise<void>;
  /** The request may be carried out anew, if nothing of it was committed. False if something was. */
  release(id: number, attempt: string): Promise<boolean>;
}
