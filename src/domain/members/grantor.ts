/**
 * The administrator behind an invitation or a reset link. What they granted is good only while they could grant it again: it
 * ends with their role, their account and their epoch, so that nobody returns through a link of their own making.
 */

import type { Actor } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { Member } from './member.ts';

export interface Grantor {
  id: number;
  name: string;
  isAdmin: boolean;
  isActive: boolean;
  epoch: number;
  /** The epoch at the time of granting. */
  grantedAtEpoch: number | null;
}

export function isStanding({ isAdmin, isActive, epoch, grantedAtEpoch }: Grantor): boolean {
  return isAdmin && isActive && epoch === grantedAtEpoch;
}

/** The actor as an administrator of this moment. Refuses `unauthenticated` and `administrators-only`. */
export async function getAdministrator(store: Store, actor: Actor): Promise<Member> {
  const member = actor && (await store.members.findById(actor.memberId));
  if (!member?.isActive) {
    throw new Problem('unauthenticated', 'Managing members needs a signed-in administrator.');
  }
  if (!member.isAdmin) throw new Problem('administrators-only', 'Only administrators may manage members.');
  return member;
}
