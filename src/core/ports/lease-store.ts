/** Store port of leases: claims on work that other processes leave alone until they expire. The rules in `store.ts` apply. */

export interface LeaseStore {
  /**
   * Makes this process a holder of leases: those that it takes from now on end with it. Never fails: where its end cannot be
   * seen by others, its leases expire.
   */
  hold(): Promise<void>;
  /** Ends the leases of holders that have ended. Returns the number of leases. */
  endAbandoned(): Promise<number>;
}
