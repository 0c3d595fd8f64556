/**
 * Merges a proposal in one transaction, with the rights of the member who merges it; its author counts as the editor of the changes and
 * the owner of new pages. Each change is carried out as if the member had made it: edits are merged with later changes by their base.
 */

import { proposalMessage } from '#core/model/event.ts';
import type { SecondFactorRule } from '#core/model/member.ts';
import type { MemberName } from '#core/model/page.ts';
import { mayWrite } from '#core/model/page-access.ts';
import { maxMessageLength } from '#core/model/page-fields.ts';
import { type Actor, type Approver, canSee, visibilityOf } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { ProposalRow, ProposedFields } from '#core/ports/proposal-store.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { absentActor } from '#core/sign-in/required-second-factor.ts';
import { say } from '#words/say.ts';
import { inputOf, type Judged, type JudgedChange, judge } from './judge-changes.ts';
import { approvalsOf, isOwn, mayKnow, noProposal, refuseClosed, seesRoot } from './proposals.ts';

interface MergedPage {
  id: number;
  path: string;
  /** Its latest change; of a deleted page, the change at which it was deleted. */
  change: number;
  deleted?: true;
}

/**
 * Refuses `not-found`; `proposal-closed`, so that of two merges at the same time one takes place; `proposal-conflict` with all conflicts;
 * `needs-approval`; and every refusal of the single changes. Nothing is done then. `isDue`: only if its time has come. `rule`: decides which approvals
 * are those of administrators.
 */
export async function mergeProposal(
  { store, files, by, now }: { store: Store; files: Files; by: NonNullable<Actor>; now: number },
  id: number,
  { isDue = false, rule }: { isDue?: boolean; rule: SecondFactorRule },
): Promise<MergedPage[]> {
  return store.transact(async (store) => {
    const proposal = await store.proposals.lock(id);
    if (!proposal || !mayKnow(by, proposal)) throw noProposal(id);
    const [judged] = (await judge(store, store.readAs(by), [proposal], { withFields: true })) as [Judged];
    if (judged.changes.length === 0 && !isOwn(by, proposal)) throw noProposal(id);
    refuseClosed(proposal);
    if (isDue && (proposal.publishAt === null || proposal.publishAt > now))
      throw new Problem('proposal-closed', say('problem.theTimeOfPublishingWasChangedMeanwhile'));
    // Counts changes that the member cannot see, because they have to know why merging is refused.
    if (!judged.isWhole) throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToWrite'));
    const approvals = await approvalsFor({ store, by, now }, judged, rule);
    const { pages, made } = await applyProposal({ store, files, by, now }, { ...judged, approvals });
    const merger = { id: by.memberId, name: by.name };
    const names = [proposal.author, ...approvals.members.slice(0, mostNamed), merger];
    await store.proposals.close(id, { by: merger.id, pageIds: made, names }, now);
    const merged = { kind: 'merged', at: now, editorId: by.memberId, msg: proposalMessage(id) } as const;
    const present = pages.filter(({ deleted }) => !deleted);
    if (present.length > 0)
      await store.events.record(present.map(({ id: pageId }) => ({ ...merged, pageId })));
    return pages;
  });
}

/** Approving members in the message of a change. */
const mostNamed = 5;

interface Applied extends Pick<Judged, 'proposal' | 'changes'> {
  approvals: Approvals;
}

interface Approvals {
  members: MemberName[];
  approvers: Approver[];
}

/**
 * Applies all changes within a transaction. `made`: IDs of new pages by position of their change. Also shows the wiki as it would be:
 * a preview ends the transaction without a commit.
 */
export async function applyProposal(
  { store, files, by, now }: { store: Transaction; files: Files; by: NonNullable<Actor>; now: number },
  { proposal, changes, approvals: { members, approvers } }: Applied,
  goOn: () => void = () => {},
): Promise<{ pages: MergedPage[]; made: Map<number, number> }> {
  refuseConflicts(changes);
  const actor = { ...by, author: proposal.author, approvedBy: approvers };
  const [pages, made] = [[] as MergedPage[], new Map<number, number>()];
  for (const change of changes) {
    goOn();
    const { fields = {} } = change;
    const msg = messageOf(proposal, fields, members, by);
    const page = await applyChange({ store, files, actor, now }, { ...change, fields: { ...fields, msg } });
    if (change.action === 'create') made.set(change.n, page.id);
    pages.push(page);
  }
  const subject = { kind: 'proposal', id: proposal.id, name: proposal.title } as const;
  const note =
    members.length === 0
      ? 'without approvals'
      : `${members.length} ${members.length === 1 ? 'approval' : 'approvals'}`;
  await store.audit.record({ kind: 'proposal-merged', subject, note });
  return { pages, made };
}

/**
 * Applies to the transaction what the member sees of a proposal, so that the wiki can be read as it would be. Members who may not write
 * a page see what is proposed for it as well, except changes of access, and moves that could show them more than before.
 */
export async function applyForView(
  { store, files, by, now }: { store: Store; files: Files; by: NonNullable<Actor>; now: number },
  id: number,
  goOn: () => void,
): Promise<{ id: number; title: string }> {
  const proposal = await store.proposals.find(id);
  if (!proposal || !mayKnow(by, proposal)) throw noProposal(id);
  const [judged] = (await judge(store, store.readAs(by), [proposal], { withFields: true })) as [Judged];
  if (judged.changes.length === 0 && !isOwn(by, proposal)) throw noProposal(id);
  refuseClosed(proposal);
  const changes = judged.changes.map((change) => {
    const { page, fields = {} } = change;
    if (page && mayWrite(by, page, store)) return change;
    const { permissions: _, group: __, defaults: ___, ...shown } = fields;
    if (page && shown.parent !== undefined)
      throw new Problem('not-permitted', say('problem.onlyMembersWhoMayMoveCanSee', { path: page.path }));
    return { ...change, fields: shown };
  });
  const { role: ____, block: _____, ...member } = by;
  const everywhere = { ...member, isAdmin: true, shownTo: by };
  await store.transact(async (store) => {
    try {
      const approvals = await approvalsFor({ store, by, now }, { proposal, changes }, 'none');
      await applyProposal({ store, files, by: everywhere, now }, { proposal, changes, approvals }, goOn);
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'proposal-conflict' || error.code === 'timeout')
        throw error;
      // The words of other refusals may name pages that the member cannot see.
      throw new Problem('proposal-conflict', say('problem.thisProposalCannotBeShownBecauseIt'), {
        details: { conflicts: [] },
      });
    }
  });
  return { id, title: proposal.title };
}

async function applyChange(
  { store, files, actor, now }: { store: Transaction; files: Files; actor: NonNullable<Actor>; now: number },
  {
    action,
    pageId,
    path: proposedPath,
    base,
    fields,
    touching,
    files: proposed,
  }: JudgedChange & { fields: ProposedFields },
): Promise<MergedPage> {
  const input = inputOf(fields);
  // A view serves them by the names that they have in the proposal.
  const attached = proposed.map(({ name, ...file }) => (actor.shownTo ? { ...file, shownAs: name } : file));
  try {
    if (action === 'create') {
      const format = store.settings.current().format;
      const made = await createPage({ store, files, actor, now }, input, { format, files: attached });
      return { id: made.id, path: made.path, change: made.changeId };
    }
    // An earlier change of the proposal may have moved it.
    const page = await store.pages.lockById(pageId ?? 0, 'update');
    if (!page) throw new Problem('not-found', say('problem.thePageAtNoLongerExists', { proposedPath }));
    if (action === 'delete') {
      const { subtree = false } = fields;
      const deleted = await deletePage({ store, actor, now }, page.path, {
        subtree,
        ...(base === null ? {} : { matches: [base] }),
      });
      return { id: page.id, path: deleted.path, change: page.changeId, deleted: true };
    }
    const edit = { ...input, ...(base === null ? {} : { base }) };
    const saved = await saveEdit({ store, files, actor, now }, page.path, edit, {
      history: 'none',
      proposed: attached,
    });
    return { id: page.id, path: saved.page.path, change: saved.page.changeId };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { base: common = null, theirs = null, yours = null } = error.details ?? {};
    if (error.code === 'edit-conflict')
      throw conflicting([{ path: proposedPath, fields: touching, base: common, theirs, yours }]);
    if (error.code === 'path-taken')
      throw conflicting([
        { path: proposedPath, fields: ['path'], base: null, theirs: null, yours: { fields } },
      ]);
    // All other refusals name no change of the proposal by themselves.
    const { code, words: why, errors, details } = error;
    const words = say('problem.aboutAPage', { path: proposedPath, why });
    throw new Problem(code, words, {
      ...(errors ? { errors } : {}),
      ...(details ? { details } : {}),
      cause: error,
    });
  }
}

function refuseConflicts(changes: readonly JudgedChange[]): void {
  const conflicts = changes.filter(({ conflict }) => conflict === true);
  if (conflicts.length === 0) return;
  throw conflicting(
    conflicts.map(({ path, touching, fields = {}, versions }) => ({
      path,
      fields: touching,
      ...(versions ?? { base: null, theirs: null, yours: { fields } }),
    })),
  );
}

function conflicting(conflicts: readonly Conflict[]): Problem {
  const [first] = conflicts.map(({ path }) => path);
  const words = say('problem.changesConflict', { count: conflicts.length, path: first });
  return new Problem('proposal-conflict', words, {
    details: { conflicts },
  });
}

interface Conflict extends Record<'base' | 'theirs' | 'yours', unknown> {
  path: string;
  /** Parts of the page that both sides changed, or `path`. */
  fields: readonly string[];
}

/** Approvals by members who see all changes: nobody approves what they cannot read. At most three statements. */
async function approvalsFor(
  { store, by, now }: { store: Store; by: Actor; now: number },
  { proposal, changes }: Pick<Judged, 'proposal' | 'changes'>,
  rule: SecondFactorRule,
): Promise<Approvals> {
  const reviews = (await store.proposals.reviewsOf([proposal.id])).get(proposal.id) ?? [];
  const approvals = approvalsOf(proposal, reviews);
  const found = await store.proposals.approvers(approvals.map(({ member }) => member.id));
  const shownWith = [...new Set(changes.map((change) => change.shownWith))];
  const ids = found.size === 0 ? [] : shownWith.filter((id) => id !== null);
  const pages = await store.readAs(by).pages.states(ids);
  const sees = (actor: NonNullable<Actor>) => {
    const seen = visibilityOf(actor, store);
    const all = pages.every(({ audience, owner, granted }) =>
      canSee(seen, { audience, ownerId: owner.id, granted }),
    );
    return all && (!shownWith.includes(null) || seesRoot(actor));
  };
  const counting = approvals.flatMap(({ member }) => {
    const approver = found.get(member.id);
    const actor = approver && absentActor(rule, approver, now);
    return actor && sees(actor) ? [{ member, actor }] : [];
  });
  return { members: counting.map(({ member }) => member), approvers: counting.map(({ actor }) => actor) };
}

/** The message of its author, then the proposal, its author, who approved it, and who merged it. */
function messageOf(
  { id, title, author }: ProposalRow,
  { msg }: ProposedFields,
  approvers: readonly MemberName[],
  by: NonNullable<Actor>,
): string {
  const names = approvers.slice(0, mostNamed).map(({ name }) => name);
  const approved = names.length === 0 ? '' : `, approved by ${names.join(', ')}`;
  const merged = by.memberId === author.id ? '' : `, merged by ${by.name}`;
  const note = ` (proposal ${id} by ${author.name}${approved}${merged})`;
  const room = Math.max(0, maxMessageLength - [...note].length);
  return `${[...(msg?.trim() || title)].slice(0, room).join('')}${[...note].slice(0, maxMessageLength).join('')}`;
}
