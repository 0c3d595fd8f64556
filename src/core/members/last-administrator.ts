/** Ensures that at least one administrator remains. */

import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { Member } from '../model/member.ts';
import { invalid } from '../model/problem.ts';
import type { Transaction } from '../ports/store.ts';

/** Refuses `invalid` if no other active administrator would remain, because that could not be undone from within the wiki. */
export async function refuseLastAdministrator(
  store: Transaction,
  member: Member,
  pointer: string,
  words: Words = say('problem.isTheLastActiveAdministratorMakeSomebody', { name: member.name }),
): Promise<void> {
  if (!member.isAdmin || !member.isActive || member.isBot) return;
  if ((await store.members.countActiveAdmins(member.id)) === 0) throw invalid(pointer, words);
}
