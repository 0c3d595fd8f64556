/** Member data that administrators see and change. */

import { say } from '#words/say.ts';
import type { Member, Role } from '../model/member.ts';
import type { Operator } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Store } from '../ports/store.ts';
import { changeMember } from './manage-members.ts';

/** Members with what administrators can remove from them, a page at a time. */
export async function listMembers(
  store: Store,
  range: Range,
  now: number,
): Promise<{ members: (Member & { hasResetLink: boolean; hasFactors: boolean })[]; total: number }> {
  const { members, total } = await store.members.list(range);
  const ids = members.map(({ id }) => id);
  const withLink = await store.members.withOpenResetLinks(ids, now);
  const withFactor = await store.secondFactors.among(ids);
  const listed = members.map((one) => ({
    ...one,
    hasResetLink: withLink.has(one.id),
    hasFactors: withFactor.has(one.id),
  }));
  return { members: listed, total };
}

/** Changes role or activity. Refuses `not-found`, and to leave the wiki without an administrator. */
export async function administerMember(
  store: Store,
  by: Operator,
  id: number,
  fields: { role?: Role | undefined; isActive?: boolean | undefined },
): Promise<Member> {
  const member = await store.members.findById(id);
  if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
  return changeMember(store, member.email, fields, by);
}
