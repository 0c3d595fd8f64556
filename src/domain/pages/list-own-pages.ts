/** A member's own work: the pages they began, and those that they changed last. Visible to themselves alone. */

import type { Range } from '../ports/list-reads.ts';
import { Problem } from '../problem.ts';
import type { Reader } from '../reader.ts';
import type { PageName } from './page.ts';

type Dated = PageName & { at: number };

/** Changed last first, by whomever. A page that its owner may not read any more is not in it. */
export async function listOwnPages(reader: Reader, range: Range): Promise<{ pages: Dated[]; total: number }> {
  return reader.lists.ownedBy(memberOf(reader), range);
}

/** With the time of the member's own last change, latest first. */
export async function listEditedPages(reader: Reader, limit: number): Promise<Dated[]> {
  return reader.lists.editedBy(memberOf(reader), limit);
}

function memberOf({ actor }: Reader): number {
  if (!actor) throw new Problem('unauthenticated', 'Your pages are listed for you alone: sign in.');
  return actor.memberId;
}
