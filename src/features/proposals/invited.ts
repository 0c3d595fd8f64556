/** Members who are invited to a draft: found by name, and named for its author. */

import type { MemberName } from '#core/model/page.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { maxInvited } from './proposals.ts';

const maxFound = 20;

/** IDs of the invited, given by ID or by the whole name. Refuses `invalid` for a name that no member has, or more than one. */
export async function invitedIds(
  store: Pick<Store, 'grants'>,
  by: NonNullable<Actor>,
  given: readonly (number | string)[],
): Promise<number[]> {
  const ids = given.filter((one) => typeof one === 'number');
  // Names come from a form, one at a time.
  const names = given.filter((one) => typeof one === 'string');
  if (names.length > 1) throw invalid('/invited', say('problem.inviteMembersOneByOneByTheir'));
  for (const name of names) ids.push(await idOf(store, by, name.trim()));
  const distinct = [...new Set(ids)];
  if (distinct.length > maxInvited)
    throw invalid('/invited', say('problem.atMostMembersCanBeInvited', { maxInvited }));
  return distinct;
}

async function idOf(store: Pick<Store, 'grants'>, by: NonNullable<Actor>, name: string): Promise<number> {
  if (by.role === 'guest') throw new Problem('not-permitted', say('problem.guestsCannotSearchForMembers'));
  const { members } = name === '' ? { members: [] } : await store.grants.find(name, maxFound, by.memberId);
  const same = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0;
  const [found, ...others] = members.filter((member) => same(member.name, name));
  if (!found) throw invalid('/invited', say('problem.thereIsNoMemberWithTheName', { name }), 'not-found');
  if (others.length > 0)
    throw invalid('/invited', say('problem.severalMembersHaveTheNameInviteThe', { name }));
  return found.id;
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
