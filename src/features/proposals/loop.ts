/** Merges proposals whose time has come, in every process: the row that is locked makes it happen once. */
import type { Files } from '#core/files/attach-files.ts';
import { actorOf } from '#core/model/member.ts';
import { Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { mergeProposal } from './merge-proposal.ts';

const everyMs = 3000;
const mostAtOnce = 20;

export interface Publishing {
  /** Waits for the current round. */
  stop(): Promise<void>;
}

export function keepPublishing(
  store: Store,
  files: Files,
  clock: () => number,
  failed: (error: unknown) => void,
): Publishing {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let round = Promise.resolve();
  const rounds = async () => {
    try {
      while (!isStopped && (await publishDue(store, files, clock())) === mostAtOnce);
    } catch (error) {
      if (!isStopped) failed(error);
    }
    next();
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = rounds();
    }, everyMs).unref();
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

/** Merges what is due with the rights that its author has now, or says in the proposal why it cannot. Returns how many were due. */
export async function publishDue(store: Store, files: Files, now: number): Promise<number> {
  const due = await store.proposals.due(now, mostAtOnce);
  for (const id of due) {
    try {
      await publish(store, files, id, now);
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
      await store.transact(async (store) => {
        const proposal = await store.proposals.lock(id);
        // Another process may have merged it, or its author may have chosen another time.
        if (proposal?.state !== 'open' || proposal.publishAt === null || proposal.publishAt > now) return;
        await store.proposals.update(id, { publishAt: null, publishProblem: error.message }, undefined, now);
      });
    }
  }
  return due.length;
}

async function publish(store: Store, files: Files, id: number, now: number): Promise<void> {
  const proposal = await store.proposals.find(id);
  const author = proposal && (await store.members.findById(proposal.author.id));
  if (!author?.isActive) throw new Problem('not-permitted', 'The account of the author is not active.');
  await mergeProposal(store, files, actorOf(author, now), id, now, { isDue: true });
}
