/** Store port of members who have pages open for editing. The rules in `store.ts` apply. */

export interface PresenceStore {
  /** Notes that the member has the page open now, and forgets everybody who was last noted before `since`. */
  note(pageId: number, memberId: number, at: number, since: number): Promise<void>;
  remove(pageId: number, memberId: number): Promise<void>;
  /** Other members who were noted since then, by name, at most `limit`. */
  othersAt(
    pageId: number,
    memberId: number,
    since: number,
    limit: number,
  ): Promise<{ id: number; name: string }[]>;
}
