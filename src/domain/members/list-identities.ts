/** The provider accounts by which a member signs in, visible to that member only. */

import type { Actor } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { getOwnAccount } from './change-account.ts';
import type { IdentityLink } from './member.ts';

/** In order of linking. Refuses `unauthenticated`. */
export async function listIdentities(store: Store, actor: Actor): Promise<IdentityLink[]> {
  const member = await getOwnAccount(store, actor);
  return store.identities.listOf(member.id);
}
