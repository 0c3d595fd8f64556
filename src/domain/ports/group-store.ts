/** The part of the port to the database that keeps groups of members. The rules on top of `store.ts` hold. */
import type { GroupName, MemberName } from '../pages/page.ts';
import type { Range } from './list-reads.ts';

export interface Group extends GroupName {
  /** Some of its members, by name. */
  members: MemberName[];
  memberCount: number;
}

export interface GroupStore {
  /** By name. `memberId`: those that the member is in. Of each group so many members, by name. */
  list(range: Range, members: number, memberId?: number): Promise<{ groups: Group[]; total: number }>;
  /** With the members in this range. */
  find(id: number, members: Range): Promise<Group | undefined>;
  count(): Promise<number>;
  /** Names compare without regard to case. In a transaction they are held: none of these groups is renamed or deleted before its end. */
  lockByNames(names: readonly string[]): Promise<GroupName[]>;
  /** In a transaction: the group, held against all others who change it. */
  lock(id: number): Promise<GroupName | undefined>;
  /** Refuses `invalid` if there is a group of that name. */
  insert(name: string, createdAt: number): Promise<GroupName>;
  rename(id: number, name: string): Promise<void>;
  /** How many pages are of the group or give it to new pages beneath them, and how many of them are in the trash. */
  usage(id: number): Promise<{ pages: number; trashed: number }>;
  /** In a transaction that holds a group that no page is of. Its members are out of it at once. */
  remove(id: number): Promise<void>;
  /** In a transaction that holds the member. Nothing is done for one who is in the group already. */
  addMember(id: number, memberId: number, by: { at: number; byProvider: boolean }): Promise<void>;
  /** In a transaction that holds the member. */
  removeMember(id: number, memberId: number): Promise<void>;
  /** Groups that a sign-in by a provider put the member in. */
  listByProvider(memberId: number): Promise<number[]>;
}
