/** A member as others see them: name, time of joining, and those contributions that the reader may see. */

import { say } from '#words/say.ts';
import type { Role } from '../model/member.ts';
import { Problem } from '../model/problem.ts';
import type { Contribution } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';

export interface MemberPage {
  id: number;
  name: string;
  since: number;
  isAdmin: boolean;
  role: Role;
}

/**
 * Refuses `not-found`. Members can see every member; strangers see only members with a contribution that they may see, because
 * no other member is named to them.
 */
export async function findMember(store: Store, reader: Reader, id: number): Promise<MemberPage> {
  const member = await store.members.findById(id);
  const isShown =
    member &&
    (reader.actor || (await reader.lists.contributions(id, { before: undefined, limit: 1 })).length > 0);
  if (!isShown) throw new Problem('not-found', say('problem.memberNotFound'));
  return { id, name: member.name, since: member.createdAt, isAdmin: member.isAdmin, role: member.role };
}

/** Latest first, before the change with this ID. Refuses as `findMember` does. */
export async function listContributions(
  store: Store,
  reader: Reader,
  id: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<{ member: MemberPage; contributions: Contribution[]; next: number | null }> {
  const member = await findMember(store, reader, id);
  // One extra entry tells whether there are more.
  const found = await reader.lists.contributions(id, { before, limit: limit + 1 });
  const contributions = found.slice(0, limit);
  return { member, contributions, next: found.length > limit ? (contributions.at(-1)?.id ?? null) : null };
}
