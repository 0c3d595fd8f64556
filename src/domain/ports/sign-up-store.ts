/** The part of the port to the database that keeps strangers who ask to join. */
import type { Range } from './list-reads.ts';

export interface SignUp {
  id: number;
  email: string;
  name: string;
  passphraseHash: string;
  createdAt: number;
  /** Since when it waits for an administrator; null: its address is not confirmed. */
  waitingSince: number | null;
  expiresAt: number;
}

export interface SignUpStore {
  /** Takes a proof of work out of use: true for exactly one caller. */
  spendProof(proof: { nonce: string; expiresAt: number }): Promise<boolean>;
  /**
   * Takes the place of one with the same address that is not confirmed, and keeps its time if that is not before `renewBefore`. Undefined
   * if one with this address waits: that one stays as it is.
   */
  insert(
    signUp: Omit<SignUp, 'id'>,
    renewBefore: number,
  ): Promise<Pick<SignUp, 'id' | 'createdAt'> | undefined>;
  /** Whose address is not confirmed; an expired one is none. */
  findByToken(tokenHash: string, now: number): Promise<SignUp | undefined>;
  /** From now on this link confirms the address, and no other does. Undefined if there is nothing to confirm. */
  setToken(email: string, tokenHash: string, now: number): Promise<SignUp | undefined>;
  /** Its address is confirmed: true for exactly one caller, and false if another request took its place. */
  startWaiting(
    signUp: Pick<SignUp, 'id' | 'passphraseHash'>,
    since: number,
    expiresAt: number,
  ): Promise<boolean>;
  /** How many requests wait, and when the latest of them began to; 0 without any. */
  waiting(now: number): Promise<{ total: number; latest: number }>;
  /** Requests that wait, the first that came first. */
  listWaiting(range: Range, now: number): Promise<{ signUps: SignUp[]; total: number }>;
  /** In a transaction: takes it away, for exactly one caller. */
  take(id: number, now: number): Promise<SignUp | undefined>;
  /** Keeps the `kept` newest of those whose address is not confirmed. */
  trimUnconfirmed(kept: number): Promise<void>;
  /** Removes what has expired, and returns how much. */
  purge(now: number): Promise<number>;
}
