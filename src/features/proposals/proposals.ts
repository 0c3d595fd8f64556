/**
 * Proposals: changes of pages that are merged together or not at all. What all parts of the feature share: who may see which part
 * of a proposal, and its bounds.
 *
 * A change is shown with a page: the page that it changes, or the nearest page above a new one. Members who may read that page may see
 * the change. To everybody else, the proposal looks as if the change were not part of it; if no change is left, it does not exist.
 * Authors always see all of their proposals.
 */

import { actorOf } from '#core/model/member.ts';
import { type Actor, visibilityOf, type Wiki } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { ProposalReader, ProposalRow, Review } from '#core/ports/proposal-store.ts';
import type { Store } from '#core/ports/store.ts';
import { say } from '#words/say.ts';

/** Maximum length of all fields of a proposal as JSON. */
export const maxProposalBytes = 8_000_000;
/** Maximum number of drafts and open proposals of a member. */
export const maxUnfinished = 200;
export const maxTitleLength = 255;
export const maxTextLength = 10_000;
export const maxInvited = 50;
/** Maximum number of comments on a proposal, by all and by one member. */
export const maxComments = { all: 1000, own: 100 };

export function noProposal(id: number): Problem {
  return new Problem('not-found', say('problem.thereIsNoProposalWithTheId', { id: String(id) }));
}

/** Whether the proposal is the actor's own. A token limited to a subtree sees no more of it than of others. */
export function isOwn(actor: Actor, { author }: Pick<ProposalRow, 'author'>): boolean {
  return actor !== null && actor.within === undefined && actor.memberId === author.id;
}

/** Whether its state lets the actor see the proposal; which changes they see depends on the pages. */
export function mayKnow(actor: Actor, { author, state, invited }: ProposalRow): boolean {
  if (actor === null) return false;
  return state !== 'draft' || actor.memberId === author.id || invited.includes(actor.memberId);
}

/** Whether the actor sees new root pages of proposals. */
export function seesRoot(actor: Actor): boolean {
  return actor !== null && actor.role !== 'guest' && actor.within === undefined;
}

export function proposalReaderOf(actor: NonNullable<Actor>, wiki: Wiki): ProposalReader {
  return {
    memberId: actor.within === undefined ? actor.memberId : null,
    visibility: visibilityOf(actor, wiki),
    seesRoot: seesRoot(actor),
  };
}

/**
 * Refuses `insufficient-scope` for a credential with fewer rights than its member: approvals count, and proposals merge at their time,
 * with the rights that the member has then.
 */
export async function refuseReduced(
  { members }: Pick<Store, 'members'>,
  { memberId, isAdmin, role, within }: NonNullable<Actor>,
): Promise<void> {
  const member = await members.findById(memberId);
  const whole = member && actorOf(member);
  if (within === undefined && whole?.isAdmin === isAdmin && whole.role === role) return;
  throw new Problem('insufficient-scope', say('problem.toApproveAProposalOrToSet'));
}

/** Refuses `proposal-closed`. */
export function refuseClosed({ state }: Pick<ProposalRow, 'state'>): void {
  if (state === 'merged') throw new Problem('proposal-closed', say('problem.thisProposalWasMergedAlready'));
  if (state === 'withdrawn')
    throw new Problem('proposal-closed', say('problem.thisProposalWasWithdrawnItsAuthorCan'));
}

/** Latest approval or rejection of each member at the present revision; the author’s own counts for nothing. */
function standing(
  { author, revision }: Pick<ProposalRow, 'author' | 'revision'>,
  reviews: readonly Review[],
): Review[] {
  const latest = new Map<number, Review>();
  for (const review of reviews)
    if (review.verdict !== 'comment' && review.revision === revision && review.member.id !== author.id)
      latest.set(review.member.id, review);
  return [...latest.values()];
}

export function approvalsOf(...given: Parameters<typeof standing>): Review[] {
  return standing(...given).filter(({ verdict }) => verdict === 'approve');
}
