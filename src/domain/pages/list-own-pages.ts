/** A member's own work: the pages they began, and those that they changed last. Visible to themselves alone. */

import { type Actor, visibilityOf } from '../permission.ts';
import type { Range } from '../ports/list-store.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import type { PageName } from './page.ts';

type Dated = PageName & { at: number };

/** Changed last first, by whomever. A page that its owner may not read any more is not in it. */
export async function listOwnPages(
  store: Store,
  actor: Actor,
  range: Range,
): Promise<{ pages: Dated[]; total: number }> {
  return store.lists.ownedBy(memberOf(actor), visibilityOf(actor), range);
}

/** With the time of the member's own last change, latest first. */
export async function listEditedPages(store: Store, actor: Actor, limit: number): Promise<Dated[]> {
  return store.lists.editedBy(memberOf(actor), visibilityOf(actor), limit);
}

function memberOf(actor: Actor): number {
  if (!actor) throw new Problem('unauthenticated', 'Your pages are listed for you alone: sign in.');
  return actor.memberId;
}
