/** The provider accounts by which a member signs in, visible to that member only. */

import { getOwnAccount } from '../members/change-account.ts';
import type { IdentityLink } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import type { Store } from '../ports/store.ts';

/** In order of linking. Refuses `unauthenticated`. */
export async function listIdentities(store: Store, actor: Actor): Promise<IdentityLink[]> {
  const member = await getOwnAccount(store, actor);
  return store.identities.listOf(member.id);
}
