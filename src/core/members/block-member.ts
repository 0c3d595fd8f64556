/** Blocks: blocked members can read but not write until the block ends. */

import { say } from '#words/say.ts';
import { type Block, blockAt, type Member } from '../model/member.ts';
import type { Operator } from '../model/permission.ts';
import { invalid, Problem } from '../model/problem.ts';
import { getModerator } from '../operations/get-moderator.ts';
import type { Range } from '../ports/list-reads.ts';
import type { Store } from '../ports/store.ts';
import { refuseLastAdministrator } from './last-administrator.ts';
import { refuseBeyondCredential } from './may-give.ts';
import { notify } from './notify.ts';

export interface BlockInput {
  reason: string;
  /** Null for a block without end. */
  until: number | null;
}

export interface BlockedMember {
  member: Member;
  block: Block;
}

const maxReasonLength = 500;

/**
 * For moderators; replaces an existing block. The member is told by mail. Refuses `unauthenticated`, `moderators-only`,
 * `administrators-only` if a moderator blocks an administrator, `not-found`, and `invalid` for oneself, a missing reason or a
 * time in the past.
 */
export async function blockMember(
  { store, actor, now }: { store: Store; actor: Operator; now: number },
  id: number,
  input: BlockInput,
): Promise<BlockedMember> {
  const reason = input.reason.normalize('NFC').trim();
  if (reason === '' || reason.length > maxReasonLength || !reason.isWellFormed() || /\p{Cc}/u.test(reason))
    throw invalid('/reason', say('problem.giveAReasonOf1ToCharacters', { maxReasonLength }));
  const { until } = input;
  if (until !== null && !(until > now)) throw invalid('/until', say('problem.theEndOfABlockMustBe'));
  return store.transact(async (store) => {
    const by = await moderatorOf(store, actor);
    const member = await lockOther(store, actor, by, id);
    await refuseLastAdministrator(store, member, '/id');
    const block = { at: now, until, by: by?.id ?? null, reason };
    const blocked = await store.members.update(id, { block });
    const end = until === null ? '' : ` until ${new Date(until).toISOString()}`;
    await store.audit.record({ kind: 'member-blocked', subject: subjectOf(member), note: `${reason}${end}` });
    if (member.isActive && !member.isBot)
      await notify(store, { kind: 'blocked', address: member.email, reason, until }, now);
    return { member: blocked, block };
  });
}

/** Does nothing if the member is not blocked. Refuses as `blockMember` does. */
export async function unblockMember(store: Store, actor: Operator, id: number, now: number): Promise<void> {
  await store.transact(async (store) => {
    const by = await moderatorOf(store, actor);
    const member = await lockOther(store, actor, by, id);
    const isBlocked = blockAt(member, now) !== null;
    if (member.block) await store.members.update(id, { block: null });
    if (isBlocked) await store.audit.record({ kind: 'member-unblocked', subject: subjectOf(member) });
  });
}

/** Current blocks, latest first. */
export async function listBlocks(
  store: Store,
  range: Range,
  now: number,
): Promise<{ blocked: BlockedMember[]; total: number }> {
  const { members, total } = await store.members.listBlocked(range, now);
  const blocked = members.flatMap((member) => (member.block ? [{ member, block: member.block }] : []));
  return { blocked, total };
}

async function moderatorOf(store: Store, actor: Operator): Promise<Member | null> {
  return actor === 'command line' ? null : getModerator(store, actor, 'block members');
}

async function lockOther(store: Store, actor: Operator, by: Member | null, id: number): Promise<Member> {
  const member = await store.members.lock(id);
  if (!member) throw new Problem('not-found', say('problem.memberNotFound'));
  if (by?.id === id) throw invalid('/id', say('problem.youCannotBlockYourself'));
  if (by && member.isAdmin && !by.isAdmin)
    throw new Problem('administrators-only', say('problem.onlyAdministratorsMayBlockAnAdministrator'));
  refuseBeyondCredential(actor, member.role);
  return member;
}

function subjectOf({ id }: Member) {
  return { kind: 'member', id } as const;
}
