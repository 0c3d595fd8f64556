/** Merges proposals whose time has come, in every process: the row that is locked makes it happen once. */

import { refuseUnlessWriter } from '#core/model/may-write.ts';
import type { SecondFactorRule } from '#core/model/member.ts';
import { Problem } from '#core/model/problem.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { absentActor } from '#core/sign-in/required-second-factor.ts';
import { keepRounds, type Rounds } from '#scheduling/rounds.ts';
import { say, sentences } from '#words/say.ts';
import { mergeProposal } from './merge-proposal.ts';

const everyMs = 3000;
const mostAtOnce = 20;

export type Publishing = Rounds;

/** `rule`: members who need a second factor for their rights. */
export interface Merging {
  store: Store;
  files: Files;
  rule: SecondFactorRule;
}

export function keepPublishing(
  merging: Merging,
  clock: () => number,
  failed: (error: unknown) => void,
): Publishing {
  return keepRounds(
    everyMs,
    async (isStopped) => {
      while (!isStopped() && (await publishDue(merging, clock())) === mostAtOnce);
    },
    failed,
  );
}

/**
 * Merges what is due with the rights that its author has now, or says in the proposal why it cannot. Returns how many were due. An error
 * in one proposal is thrown after the others have been merged.
 */
export async function publishDue(merging: Merging, now: number): Promise<number> {
  const { store } = merging;
  if (store.writeTrouble()) return 0;
  const due = await store.proposals.due(now, mostAtOnce);
  let failure: unknown;
  for (const id of due) {
    try {
      await publish(merging, id, now);
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') {
        failure ??= error;
        continue;
      }
      await store.transact(async (store) => {
        const proposal = await store.proposals.lock(id);
        // Another process may have merged it, or its author may have chosen another time.
        if (proposal?.state !== 'open' || proposal.publishAt === null || proposal.publishAt > now) return;
        await store.proposals.update(id, { publishAt: null, publishProblem: error.message }, undefined, now);
      });
    }
  }
  if (failure !== undefined) throw failure;
  return due.length;
}

async function publish({ store, files, rule }: Merging, id: number, now: number): Promise<void> {
  const proposal = await store.proposals.find(id);
  if (!proposal) return;
  const { author } = proposal;
  const found = (await store.proposals.approvers([author.id])).get(author.id);
  if (!found) throw new Problem('not-permitted', say('problem.theAccountOfTheAuthorIsNot'));
  const actor = absentActor(rule, found, now);
  refuseUnlessWriter(actor);
  try {
    await mergeProposal({ store, files, by: actor, now }, id, { isDue: true, rule });
  } catch (error) {
    if (!(error instanceof Problem) || !actor.needsSecondFactor || !missesPowers.has(error.code)) throw error;
    const why = say('problem.theAuthorHasNoSecondFactor');
    throw new Problem(error.code, sentences([error.words, why]), { cause: error });
  }
}

/** Refusals that administrators need not expect. A page that the author cannot read counts as a conflict. */
const missesPowers: ReadonlySet<Problem['code']> = new Set([
  'not-permitted',
  'needs-approval',
  'protected',
  'proposal-conflict',
]);
