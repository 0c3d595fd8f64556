/** A member's own work: pages that they created, and pages that they edited last. Visible only to themselves. */

import { say } from '#words/say.ts';
import type { PageName } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';

type Dated = PageName & { at: number };

/** Most recently changed first, by any member. Pages that their owner may no longer read are left out. */
export async function listOwnPages(reader: Reader, range: Range): Promise<{ pages: Dated[]; total: number }> {
  return reader.lists.ownedBy(memberOf(reader), range);
}

/** With the time of the member's own last change, latest first. */
export async function listEditedPages(reader: Reader, limit: number): Promise<Dated[]> {
  return reader.lists.editedBy(memberOf(reader), limit);
}

function memberOf({ actor }: Reader): number {
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToSeeTheListOf'));
  return actor.memberId;
}
