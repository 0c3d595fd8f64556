/** Store port of second factors. */
export interface SecondFactor {
  /** Base32. */
  secret: string;
  /** Null until it is confirmed. */
  confirmedAt: number | null;
  /** Number of unused recovery codes. */
  codesLeft: number;
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
  /** Replaces all recovery codes. */
  setCodes(memberId: number, codeHashes: readonly string[]): Promise<void>;
  /** Also removes the recovery codes. Returns false if there is none. */
  remove(memberId: number): Promise<boolean>;
  /** Members among these who have a confirmed second factor or a passkey. */
  among(memberIds: readonly number[]): Promise<Set<number>>;
}
