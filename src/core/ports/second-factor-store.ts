/** Store port of second factors. */
import type { CodeGuesses } from '../model/code-guesses.ts';

export interface SecondFactor {
  /** Base32. */
  secret: string;
  /** Null until it is confirmed. */
  confirmedAt: number | null;
  /** Number of unused recovery codes. */
  codesLeft: number;
  /** The latest time step whose code was used. */
  lastStep: number;
}

/** A browser that has given a right code before, or all other clients. */
interface SecondFactorClient {
  /** Undefined for all clients that have given no right code. */
  device: string | undefined;
  /** Its wrong codes; undefined if none is counted. */
  guesses: CodeGuesses | undefined;
}

export interface SecondFactorStore {
  find(memberId: number): Promise<SecondFactor | undefined>;
  /** Replaces an unconfirmed one. */
  begin(memberId: number, secret: string, at: number): Promise<void>;
  confirm(memberId: number, at: number): Promise<void>;
  /** Marks a time step and all earlier ones as used: returns true for exactly one caller. */
  useStep(memberId: number, step: number): Promise<boolean>;
  /** Marks a recovery code as used: returns true for exactly one caller. */
  useCode(memberId: number, codeHash: string): Promise<boolean>;
  /** The client with this ID of a browser, or all other clients if it has given no right code. */
  findClient(memberId: number, device: string | undefined): Promise<SecondFactorClient>;
  setGuesses(memberId: number, device: string | undefined, guesses: CodeGuesses): Promise<void>;
  /** Records that this browser gave a right code, and forgets its wrong ones. Keeps the `max` browsers used last. */
  noteDevice(memberId: number, device: string, at: number, max: number): Promise<void>;
  /** Forgets the wrong codes of all clients. */
  forgetGuesses(memberId: number): Promise<void>;
  /** Replaces all recovery codes. */
  setCodes(memberId: number, codeHashes: readonly string[]): Promise<void>;
  /** Also removes the recovery codes and clients. Returns false if there is none. */
  remove(memberId: number): Promise<boolean>;
  /** Members among these who have a confirmed second factor or a passkey. */
  among(memberIds: readonly number[]): Promise<Set<number>>;
}
