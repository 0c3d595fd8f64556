/** The part of the port to the database that keeps second factors. */
export interface SecondFactor {
  /** Base32. */
  secret: string;
  /** Null: begun, and not in force. */
  confirmedAt: number | null;
  /** Recovery codes that were not used yet. */
  codesLeft: number;
}

export interface SecondFactorStore {
  find(memberId: number): Promise<SecondFactor | undefined>;
  /** Replaces one that is not in force. */
  begin(memberId: number, secret: string, at: number): Promise<void>;
  confirm(memberId: number, at: number): Promise<void>;
  /** Takes a time step out of use with all before it: true for exactly one caller. */
  useStep(memberId: number, step: number): Promise<boolean>;
  /** Takes a recovery code out of use: true for exactly one caller. */
  useCode(memberId: number, codeHash: string): Promise<boolean>;
  /** Replaces all recovery codes. */
  setCodes(memberId: number, codeHashes: readonly string[]): Promise<void>;
  /** With the recovery codes. False if there is none. */
  remove(memberId: number): Promise<boolean>;
  /** Members among these who have a second factor in force or a passkey. */
  among(memberIds: readonly number[]): Promise<Set<number>>;
}
