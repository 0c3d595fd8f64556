/** Members who are invited to a draft: found by name, and named for its author. */

import { memberNamed } from '#core/members/member-named.ts';
import type { MemberName } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { maxInvited } from './proposals.ts';

/** IDs of the invited, given by ID, or as `memberNamed` finds them. */
export async function invitedIds(
  store: Pick<Store, 'grants' | 'members'>,
  by: NonNullable<Actor>,
  given: readonly (number | string)[],
): Promise<number[]> {
  const ids = given.filter((one) => typeof one === 'number');
  // Names come from a form, one at a time.
  const names = given.filter((one) => typeof one === 'string');
  if (names.length > 1) throw invalid('/invited', say('problem.inviteMembersOneByOneByTheir'));
  for (const name of names) ids.push((await memberNamed(store, by, name.trim(), '/invited')).id);
  const distinct = [...new Set(ids)];
  if (distinct.length > maxInvited)
    throw invalid('/invited', say('problem.atMostMembersCanBeInvited', { maxInvited }));
  return distinct;
}

/** In the order of their IDs; a deleted member is left out. */
export async function namesOfInvited(
  store: Pick<Store, 'grants'>,
  ids: readonly number[],
): Promise<MemberName[]> {
  if (ids.length === 0) return [];
  const { members } = await store.grants.namesOf(ids.map((member) => ({ member })));
  return ids.flatMap((id) => members.get(id) ?? []);
}
