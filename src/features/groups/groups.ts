/**
 * Rules of groups of members. Their type and the port to their rows are in `core/ports/group-store.ts`, because pages name groups
 * and sign-ins by a provider follow them.
 */

import { allMembers, groupKey, readGroupName } from '#core/model/group-name.ts';
import type { Member } from '#core/model/member.ts';
import type { GroupName } from '#core/model/page.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { GroupStore } from '#core/ports/group-store.ts';
import type { MemberStore } from '#core/ports/member-store.ts';
import { say } from '#words/say.ts';

export const maxGroups = 1000;
/** Members shown in lists of groups; a single group lists all, paged. */
export const shownMembers = 100;

/** Returns the name as it is stored. Refuses `invalid`. */
export function checkName(given: string): string {
  const read = readGroupName(given);
  if ('problem' in read) throw invalid('/name', read.problem);
  if (groupKey(read.name) === allMembers)
    throw invalid('/name', say('problem.isTheGroupOfAllMembersWhich', { allMembers }));
  return read.name;
}

/** Returns the group, locked until the transaction ends. Refuses `not-found`. */
export async function lockGroup(groups: GroupStore, id: number): Promise<GroupName> {
  const group = await groups.lock(id);
  if (!group) throw noGroup();
  return group;
}

/** The group as the subject of entries in the audit log. */
export function subjectOf({ id, name }: GroupName) {
  return { kind: 'group', id, name } as const;
}

export function noGroup(): Problem {
  return new Problem('not-found', say('problem.groupNotFound'));
}

/** Returns the member, locked until the transaction ends. Refuses `not-found`. */
export async function lockMember(members: MemberStore, id: number): Promise<Member> {
  const member = await members.lock(id);
  if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
  return member;
}

/** `pages` and `trashed`: pages of the group, or that give it to new pages. */
export function groupInUse(name: string, { pages, trashed }: { pages: number; trashed: number }): Problem {
  const count = pages + trashed;
  const words =
    trashed === 0
      ? say('problem.pagesAreOfTheGroup', { count, name })
      : say('problem.pagesAreOfTheGroupAlsoInTrash', { count, name, trashed });
  return new Problem('group-in-use', words, { details: { pages, trashed } });
}
