/** Store port of grants: names of their subjects, and the grants of pages above. */
import type { Grant, GrantSubject } from '../model/grant.ts';
import type { GroupName, MemberName } from '../model/page.ts';

export interface GrantNames {
  groups: ReadonlyMap<number, GroupName>;
  members: ReadonlyMap<number, MemberName>;
}

export interface GrantStore {
  /** Grants of these pages that hold for all pages beneath them, in no order. Pages without any are absent. */
  passedOnBy(pageIds: readonly number[]): Promise<{ id: number; path: string; grants: Grant[] }[]>;
  /** Names of these groups and members; deleted groups are absent. */
  namesOf(subjects: readonly GrantSubject[]): Promise<GrantNames>;
  /**
   * Active members and groups with a word in their name that begins with the text, whatever its case and accents, by name; at
   * most `limit` of each. Names that begin with the text are found among all members, other words among the first 2,000.
   * `groupsOf`: finds only groups of this member.
   */
  find(
    text: string,
    limit: number,
    groupsOf?: number,
  ): Promise<{ groups: GroupName[]; members: MemberName[] }>;
}
