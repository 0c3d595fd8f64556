/** Limits of what members propose, and of what they add to proposals: comments and files. */
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { ProposedChange } from '#core/ports/proposal-store.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';
import { maxFileBytes } from './prepare-files.ts';
import { maxComments, maxUnfinished } from './proposals.ts';

/** Refuses `invalid` if the member has as many unfinished proposals as possible. */
export async function refuseMany(
  { proposals }: Pick<Store, 'proposals'>,
  by: NonNullable<Actor>,
  pointer: string,
): Promise<void> {
  if ((await proposals.countUnfinished(by.memberId, maxUnfinished)) >= maxUnfinished)
    throw invalid(pointer, say('problem.youHaveUnfinishedProposalsMergeOrWithdraw', { maxUnfinished }));
}

/** Refuses `too-large` if the files of the member take more than their space with these changes. */
export async function refuseBeyondQuota(
  { proposals }: Pick<Store, 'proposals'>,
  by: NonNullable<Actor>,
  changes: readonly ProposedChange[],
): Promise<void> {
  const added = changes.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (changes.length > 0 && added === 0) return;
  if ((await proposals.fileBytesOf(by.memberId)) + added <= maxFileBytes.member) return;
  throw new Problem(
    'too-large',
    say('problem.filesOfYourProposals', { megabytes: maxFileBytes.member / 1e6 }),
  );
}

/** Refuses `invalid` for an empty comment, and for one too many. */
export async function refuseComment(
  { proposals }: Pick<Store, 'proposals'>,
  by: NonNullable<Actor>,
  id: number,
  words: string | undefined,
): Promise<void> {
  if (!words) throw invalid('/text', say('problem.writeWhatYouThink'), 'required');
  const { all, own } = await proposals.countComments(id, by.memberId);
  if (own >= maxComments.own)
    throw invalid('/text', say('problem.eachMemberCanCommentOnAProposal', { own: maxComments.own }));
  if (all >= maxComments.all)
    throw invalid('/text', say('problem.aProposalCanHaveAtMostComments', { all: maxComments.all }));
}
