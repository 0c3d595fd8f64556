/** Store port of groups of members. The rules in `store.ts` apply. */
import type { GroupName, MemberName } from '../model/page.ts';
import type { Range } from './list-reads.ts';

export interface Group extends GroupName {
  /** Some of its members, by name. */
  members: MemberName[];
  memberCount: number;
}

export interface GroupStore {
  /** By name. `memberId`: only groups of this member. `members`: maximum number of members returned for each group. */
  list(range: Range, members: number, memberId?: number): Promise<{ groups: Group[]; total: number }>;
  /** Returns the group with the members in this range. */
  find(id: number, members: Range): Promise<Group | undefined>;
  count(): Promise<number>;
  /**
   * Names are compared ignoring case. Within a transaction the groups are locked: none is renamed or deleted before its end.
   */
  lockByNames(names: readonly string[]): Promise<GroupName[]>;
  /** Returns the group, locked against other changes until the transaction ends. */
  lock(id: number): Promise<GroupName | undefined>;
  /** Refuses `invalid` if there is a group of that name. */
  insert(name: string, createdAt: number): Promise<GroupName>;
  rename(id: number, name: string): Promise<void>;
  /** Number of pages that belong to the group or give it to new pages beneath them, and how many of these are in the trash. */
  usage(id: number): Promise<{ pages: number; trashed: number }>;
  /** Deletes a locked group without pages. Its members leave it at once. */
  remove(id: number): Promise<void>;
  /** Called in a transaction that has locked the member. Does nothing if the member is in the group already. */
  addMember(id: number, memberId: number, by: { at: number; byProvider: boolean }): Promise<void>;
  /** Called in a transaction that has locked the member. */
  removeMember(id: number, memberId: number): Promise<void>;
  /** Groups to which a sign-in by a provider added the member. */
  listByProvider(memberId: number): Promise<number[]>;
}
