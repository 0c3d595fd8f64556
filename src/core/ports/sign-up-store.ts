/** Store port of sign-up requests. */
import type { Range } from './list-reads.ts';

export interface SignUp {
  id: number;
  email: string;
  name: string;
  passphraseHash: string;
  createdAt: number;
  /** Time since which it waits for approval; null if its address is not confirmed. */
  waitingSince: number | null;
  expiresAt: number;
}

export interface SignUpStore {
  /** Marks a proof of work as used: returns true for exactly one caller. */
  spendProof(proof: { nonce: string; expiresAt: number }): Promise<boolean>;
  /**
   * Replaces an unconfirmed request with the same address, whose time is kept if it is not before `renewBefore`. Returns
   * undefined if a request with this address is waiting, which is not changed.
   */
  insert(
    signUp: Omit<SignUp, 'id'>,
    renewBefore: number,
  ): Promise<Pick<SignUp, 'id' | 'createdAt'> | undefined>;
  /** An unconfirmed, unexpired request. */
  findByToken(tokenHash: string, now: number): Promise<SignUp | undefined>;
  /** Sets the only valid link for confirming the address. Returns undefined if there is nothing to confirm. */
  setToken(email: string, tokenHash: string, now: number): Promise<SignUp | undefined>;
  /** Confirms the address: returns true for exactly one caller, and false if the request was replaced. */
  startWaiting(
    signUp: Pick<SignUp, 'id' | 'passphraseHash'>,
    since: number,
    expiresAt: number,
  ): Promise<boolean>;
  /** Number of waiting requests, and when the latest of them was confirmed; 0 if there are none. */
  waiting(now: number): Promise<{ total: number; latest: number }>;
  /** Waiting requests, oldest first. */
  listWaiting(range: Range, now: number): Promise<{ signUps: SignUp[]; total: number }>;
  /** Removes a request within a transaction, for exactly one caller. */
  take(id: number, now: number): Promise<SignUp | undefined>;
  /** Keeps the `kept` newest unconfirmed requests. */
  trimUnconfirmed(kept: number): Promise<void>;
  /** Removes expired requests and returns their number. */
  purge(now: number): Promise<number>;
}
