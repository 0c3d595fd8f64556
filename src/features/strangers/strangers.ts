/**
 * Comments and proposals of people without an account. They come with a proof of work, wait apart from everything else, and are shown
 * once a moderator who may read the page approves them: the moderator becomes their author, beside the name that the person gave.
 */

import { readName, refuseLookalike } from '#core/members/manage-members.ts';
import { notify } from '#core/members/notify.ts';
import { mayStrangers } from '#core/members/strangers.ts';
import { checkEmail } from '#core/model/email.ts';
import type { Operator } from '#core/model/permission.ts';
import { invalid, Problem, tooManyRequests } from '#core/model/problem.ts';
import type { Strangers } from '#core/ports/credentials.ts';
import type { Store } from '#core/ports/store.ts';
import type { NewSubmission, Submission } from '#core/ports/submission-store.ts';
import { say } from '#words/say.ts';

/** Most submissions of an address on a day. */
export const maxSubmissionsPerDay = 10;
export const maxWaiting = 500;
/** Maximum length of a submission as JSON. */
const maxSubmissionBytes = 200_000;
/** Maximum number of moderators who are told by mail. */
const maxNotified = 20;
const dayMs = 24 * 60 * 60_000;

export interface Person {
  name: string;
  email?: string | undefined;
  proof: string;
}

type Kind = Submission['kind'];

/** Refuses `unauthenticated` where strangers may not do this, and `not-permitted` for members, who need no approval. */
export function refuseUnlessStranger(store: Store, by: Operator, kind: Kind): void {
  if (by !== null) throw new Problem('not-permitted', say('problem.membersNeedNoApproval'));
  if (!mayStrangers(store, kind === 'comment' ? 'comment' : 'propose'))
    throw new Problem('unauthenticated', say('problem.signInToCommentOrPropose'));
}

/**
 * Stores a submission. Refuses `invalid` for a name that looks like a member's, and for a proof that is wrong or was used;
 * `too-large`; and `too-many-requests` if too much waits, or came from the address today. Fields are checked first, so that a mistake
 * costs no proof.
 */
export async function submit(
  { store, strangers, now }: { store: Store; strangers: Strangers; now: number },
  person: Person,
  given: Pick<NewSubmission, 'kind' | 'contents' | 'pageId'>,
): Promise<void> {
  const { name, problem } = readName(person.name);
  if (problem) throw invalid('/name', problem);
  const email = person.email?.trim() ? checkEmail(person.email) : null;
  if (Buffer.byteLength(JSON.stringify(given.contents)) > maxSubmissionBytes)
    throw new Problem(
      'too-large',
      say('problem.aSubmissionCanHave', { kilobytes: maxSubmissionBytes / 1000 }),
    );
  const proof = await strangers.proofsOfWork.check(person.proof, now);
  if (!proof || !(await store.signUps.spendProof(proof)))
    throw invalid('/proof', say('problem.theProofOfWorkIsMissingWrong'));
  const sender = strangers.sender();
  await store.transact(async (store) => {
    await refuseLookalike(store, { name });
    const today = Math.floor(now / dayMs);
    const restOfDay = Math.ceil(((today + 1) * dayMs - now) / 1000);
    if ((await store.submissions.countToday(sender, today)) > maxSubmissionsPerDay)
      throw tooManyRequests(say('problem.tooMuchFromYourAddressToday'), restOfDay);
    if ((await store.submissions.countWaiting()) >= maxWaiting)
      throw tooManyRequests(say('problem.tooMuchWaitsForApproval'), restOfDay);
    await store.submissions.insert({ ...given, stranger: name, email, sender, at: now } as NewSubmission);
    // At most once a day, because strangers could otherwise flood them.
    for (const { email: address } of await store.members.activeModerators(maxNotified))
      await notify(store, { kind: 'submissions-wait', address }, now, now - dayMs);
  });
}

export function noSubmission(id: number): Problem {
  return new Problem('not-found', say('problem.nothingWithThisIdWaits', { id: String(id) }));
}
