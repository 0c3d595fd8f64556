/** The member whom somebody names in a form: by the whole name, or by the address of their page. */

import { say } from '#words/say.ts';
import { idInMemberUrl, memberUrl } from '../model/member-address.ts';
import type { MemberName } from '../model/page.ts';
import type { Operator } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

const maxFound = 20;
/** No member has this ID, and so no groups are found. */
const noGroups = 0;

/**
 * The only active member with the name. Refuses a name that no member has, or more than one, at the field, and guests, who
 * may not search for members.
 */
export async function memberNamed(
  store: Pick<Store, 'grants' | 'members'>,
  by: Operator,
  name: string,
  pointer: string,
): Promise<MemberName> {
  if (by !== 'command line' && by?.role === 'guest')
    throw new Problem('not-permitted', say('problem.guestsCannotSearchForMembers'));
  const nobody = () =>
    invalid(pointer, say('problem.thereIsNoMemberWithTheName', { name: name.slice(0, 255) }), 'not-found');
  const id = idInMemberUrl(name);
  if (id !== undefined) {
    const member = await store.members.findById(id);
    if (!member?.isActive) throw nobody();
    return member;
  }
  const { members } = name === '' ? { members: [] } : await store.grants.find(name, maxFound, noGroups);
  const same = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0;
  const [found, ...others] = members.filter((member) => same(member.name, name));
  if (!found) throw nobody();
  if (others.length > 0)
    throw invalid(pointer, say('problem.severalMembersHaveTheName', { name, address: memberUrl(found.id) }));
  return found;
}
