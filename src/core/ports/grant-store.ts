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
}
