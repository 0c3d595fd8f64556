/** Proposing changes of pages, reviewing them, and merging them. */

import { type Static, Type } from 'typebox';
import { removeUnused } from '#core/files/remove-unused.ts';
import { beginMatching } from '#core/members/watches.ts';
import { proposalMessage } from '#core/model/event.ts';
import type { MemberName, PageName } from '#core/model/page.ts';
import { readPath } from '#core/model/path.ts';
import { type Actor, isModerator } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import {
  component,
  idField,
  integer,
  literals,
  objects,
  option,
  optionalText,
  text,
} from '#core/operations/fields.ts';
import { listOf, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import {
  type ProposalFilter,
  type ProposalRow,
  type ProposedChange,
  proposalStates,
} from '#core/ports/proposal-store.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import { findReadable, getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';
import { checkTexts, checkTime } from './check-texts.ts';
import { invitedIds, namesOfInvited } from './invited.ts';
import { judge } from './judge-changes.ts';
import { refuseBeyondQuota, refuseComment, refuseMany } from './limits-of-members.ts';
import { type LinkEffects, linkEffects } from './link-effects.ts';
import { mayWriteAll } from './may-merge.ts';
import { mergeProposal } from './merge-proposal.ts';
import { type NeededApprovals, neededApprovals } from './needed-approvals.ts';
import { type GivenChange, prepareChanges } from './prepare-changes.ts';
import { isOwn, mayKnow, noProposal, proposalReaderOf, refuseClosed, refuseReduced } from './proposals.ts';
import { reviewedChange, visibleReviews } from './reviews-of-changes.ts';
import {
  LinksOfProposal,
  NewProposal,
  ProposalEdit,
  type ProposalSeen,
  ReviewInput,
  shownProposal,
} from './schemas.ts';
import { compareChanges, type ShownChange } from './show-changes.ts';

const id = idField('ID of the proposal.', 3);
const byId = Type.Object({ id });

const reading = { access: 'self', scope: 'read', subtree: 'within' } as const;
const proposing = { access: 'self', scope: 'write', subtree: 'within', refusesBlocked: true } as const;

const attachesFiles = ({ changes = [] }: { changes?: Static<typeof NewProposal>['changes'] }) =>
  changes.some(({ files = [] }) => files.length > 0);

export const propose = operation({
  ...proposing,
  name: 'propose',
  summary: 'Propose changes',
  description:
    'For members who may read the pages, readers included. The changes are merged together or not at all. Members see the changes of pages that they may read, and of new pages if they may read the nearest page above. `{{subst:…}}` is expanded now, with the rights of the author.',
  attachesFiles,
  input: NewProposal,
  output: shownProposal,
  problems: ['not-found', 'blocked', 'too-large', 'path-reserved', 'insufficient-scope'],
  writes: 'itself',
  audit: [],
  ports: ['store', 'renderer', 'secrets', 'files'],
  async run({ store, renderer, secrets, files }, { input, by, now }): Promise<ProposalSeen> {
    const { state = 'open', invited = [], ...given } = input;
    if (given.publishAt) await refuseReduced(store, by);
    const reader = store.readAs(by);
    const fields = {
      ...checkTexts({ text: '', ...given }),
      publishAt: checkTime(given.publishAt, now) ?? null,
      state,
      invited: await invitedIds(store, by, invited),
    };
    const defaultFormat = store.settings.current().format;
    const changes = await prepareChanges(
      { reader, renderer, by, defaultFormat, now, files },
      readChanges(given.changes),
      [],
    );
    const id = await store.transact(async (store) => {
      await refuseMany(store, by, '/title');
      await refuseBeyondQuota(store, by, changes);
      const id = await store.proposals.insert({ ...fields, authorId: by.memberId }, changes, now);
      await beginMatching(store);
      await store.watches.join([by.memberId], 'proposals', now, () => secrets.make().secret);
      if (state === 'open') await recordProposed({ store, by }, id, changes, now);
      return id;
    });
    return getSeenProposal(store, by, id);
  },
});

export const listProposals = operation({
  ...reading,
  name: 'listProposals',
  summary: 'List proposals',
  description:
    'Newest first, without the fields of pages: proposals with a change that the caller may see, and drafts of the caller or those that they are invited to. `conflict` counts as true where the texts are too long to be compared in a list.',
  input: Type.Object({
    state: Type.Optional(
      literals(proposalStates, { description: 'Only in this state.', examples: ['open'] }),
    ),
    author: Type.Optional(
      Type.Union([Type.Literal('me'), Type.Integer({ minimum: 1 })], {
        description: 'Only by the member with this ID; `me` for the caller.',
        examples: [3],
      }),
    ),
    path: optionalText('Only proposals that change the page at this path, or create it.', '/garden/roses'),
    ancestor: optionalText('Only proposals that change this page or a page beneath it.', '/garden'),
    ...rangeFields(),
  }),
  output: listOf(shownProposal, 'Proposals.'),
  problems: ['not-found', 'gone'],
  ports: ['store'],
  async run({ store }, { input, by }) {
    const reader = store.readAs(by);
    const { author } = input;
    const filter: ProposalFilter = {
      state: input.state,
      authorId: author === 'me' ? by.memberId : author,
      path: input.path === undefined ? undefined : await pathFilter(reader, input.path),
      ancestor: input.ancestor === undefined ? undefined : await getReadable(reader, input.ancestor),
    };
    const { limit, offset } = rangeOf(input);
    const range = { limit: Math.min(limit, mostListed), offset };
    const found = await store.proposals.list(proposalReaderOf(by, store), filter, range);
    return { items: await seenOf(store, reader, found.proposals), total: found.total };
  },
});

export const readProposal = operation({
  ...reading,
  name: 'proposal',
  summary: 'Read a proposal',
  description:
    'With the fields of the pages, in the form in which they are proposed. Changes of pages that the caller may not read are left out, and a proposal without any other change is answered as a missing one.',
  input: byId,
  output: shownProposal,
  problems: ['not-found'],
  ports: ['store'],
  run: ({ store }, { input, by }) => getSeenProposal(store, by, input.id),
});

/** For the site. */
export const showProposal = operation({
  ...reading,
  name: 'showProposal',
  summary: 'Show a proposal',
  description: 'As `readProposal`, with the differences that it makes, and the approvals that it needs.',
  input: byId,
  output: Type.Unsafe<
    ProposalSeen & {
      shown: ShownChange[];
      needed: NeededApprovals[];
      invited: MemberName[];
      links: LinkEffects;
      /** Whether the member may write what they see of it. */
      mayMerge: boolean;
    }
  >({}),
  problems: ['not-found'],
  ports: ['store', 'language'],
  async run({ store, language }, { input, by }) {
    const proposal = await getSeenProposal(store, by, input.id);
    const reader = store.readAs(by);
    const [shown, needed, invited] = await Promise.all([
      compareChanges(store, reader, language, proposal.changes),
      neededApprovals(store, reader, proposal.changes),
      proposal.isOwn ? namesOfInvited(store, proposal.proposal.invited) : [],
    ]);
    const links = await linkEffects(store, reader, shown);
    return {
      ...proposal,
      shown,
      needed,
      invited,
      links,
      mayMerge: await mayWriteAll(reader, by, proposal.changes),
    };
  },
});

export const linksOfProposal = operation({
  ...reading,
  name: 'linksOfProposal',
  summary: 'Read what a proposal does to links',
  description:
    'New links in its texts to pages that would not exist, and links of other pages to those that it deletes, as far as the caller may read them. It considers the first 30 changes and the first ten deleted pages, and lists at most 100 links of each kind.',
  input: byId,
  output: LinksOfProposal,
  problems: ['not-found'],
  ports: ['store', 'language'],
  async run({ store, language }, { input, by }) {
    const { changes } = await getSeenProposal(store, by, input.id);
    const reader = store.readAs(by);
    const links = await linkEffects(store, reader, await compareChanges(store, reader, language, changes));
    const named = ({ id, path, title }: PageName) => ({ id, path, title });
    return { ...links, dead: links.dead.map(({ target, page }) => ({ target, page: named(page) })) };
  },
});

export const changeProposal = operation({
  ...proposing,
  name: 'changeProposal',
  summary: 'Change a proposal',
  description:
    'For its author; moderators can withdraw proposals that they see. New `changes` replace all of them and make earlier approvals void; a page that stays in the proposal keeps its `base` unless another is given.',
  attachesFiles,
  input: ProposalEdit,
  output: shownProposal,
  problems: [
    'not-found',
    'not-permitted',
    'proposal-closed',
    'blocked',
    'too-large',
    'path-reserved',
    'insufficient-scope',
  ],
  writes: 'itself',
  audit: [],
  ports: ['store', 'renderer', 'files'],
  async run({ store, renderer, files }, { input: { id, ...given }, by, now }): Promise<ProposalSeen> {
    const { proposal, changes: before } = await getSeenProposal(store, by, id);
    const isWithdrawal = given.state === 'withdrawn' && Object.keys(given).length === 1;
    if (!isOwn(by, proposal) && !(isWithdrawal && isModerator(by)))
      throw new Problem('not-permitted', say('problem.onlyTheAuthorOfAProposalCan'));
    const fields = {
      ...checkTexts(given),
      ...(given.state === undefined ? {} : { state: given.state }),
      ...(given.invited === undefined ? {} : { invited: await invitedIds(store, by, given.invited) }),
      ...(given.publishAt === undefined
        ? {}
        : { publishAt: checkTime(given.publishAt, now) ?? null, publishProblem: null }),
    };
    const defaultFormat = store.settings.current().format;
    const preparing = { reader: store.readAs(by), renderer, by, defaultFormat, now, files };
    const changes = given.changes && (await prepareChanges(preparing, readChanges(given.changes), before));
    const removed = await store.transact(async (store) => {
      const locked = await store.proposals.lock(id);
      if (!locked) throw noProposal(id);
      if (locked.state === 'merged') refuseClosed(locked);
      if (locked.state === 'withdrawn' && (given.state ?? 'withdrawn') !== 'withdrawn')
        await refuseMany(store, by, '/state');
      if ((fields.publishAt === undefined ? locked : fields).publishAt && !isWithdrawal)
        await refuseReduced(store, by);
      const removed = await store.proposals.update(id, fields, changes, now);
      await refuseBeyondQuota(store, by, []);
      if (given.state === 'open' && locked.state !== 'open')
        await recordProposed({ store, by }, id, changes ?? (await store.proposals.changesOf([id])), now);
      return removed;
    });
    await removeUnused(store, files.store, removed, now);
    return getSeenProposal(store, by, id);
  },
});

export const reviewProposal = operation({
  ...proposing,
  name: 'reviewProposal',
  summary: 'Review a proposal',
  description:
    'For everybody who may read the proposal. The latest approval or rejection of each member counts, for the changes that it was about. Approvals by the author do not count, nor those by members who cannot see all changes when the proposal is merged; a rule says whose approvals it needs.',
  input: ReviewInput,
  output: shownProposal,
  problems: ['not-found', 'proposal-closed', 'blocked', 'insufficient-scope'],
  writes: true,
  audit: [],
  ports: ['store', 'secrets'],
  async run({ store, secrets }, { input: { id, verdict, text = '', on }, by, now }): Promise<ProposalSeen> {
    const proposal = await store.proposals.lock(id);
    if (!proposal) throw noProposal(id);
    const { changes } = await getSeenProposal(store, by, id);
    refuseClosed(proposal);
    if (verdict === 'approve') await refuseReduced(store, by);
    const { text: words } = checkTexts({ text });
    if (verdict === 'comment') await refuseComment(store, by, id, words);
    const { revision } = proposal;
    const place = on ? reviewedChange(changes, on, verdict) : null;
    const review = { memberId: by.memberId, verdict, text: words ?? '', revision, on: place };
    await store.proposals.addReview(id, review, now);
    await beginMatching(store);
    await store.watches.join([by.memberId], 'proposals', now, () => secrets.make().secret);
    // One event for all pages. Drafts are nobody else's business.
    const pageId = place ? place.shownWith : changes.flatMap(({ shownWith }) => shownWith ?? [])[0];
    const event = { kind: 'reviewed', at: now, editorId: by.memberId, msg: proposalMessage(id) } as const;
    if (proposal.state === 'open' && pageId != null)
      await store.events.record([{ ...event, pageId, keepsFacts: true }]);
    return getSeenProposal(store, by, id);
  },
});

export const mergeTheProposal = operation({
  access: 'self',
  scope: 'write',
  subtree: 'within',
  writesPages: true,
  name: 'mergeProposal',
  summary: 'Merge a proposal',
  description:
    'Carries out all changes in one transaction, or none. Requires permission to write all of the pages, and the approvals that rules ask for, unless the caller can give them. The author of the proposal becomes the editor of the changes and the owner of new pages; the message of each change names proposal, author and who approved it. Edits are merged with later changes by lines.',
  input: byId,
  output: component('MergedProposal', 'Pages that were changed.', {
    pages: objects('In the order of the changes.', {
      id: idField('Page ID.', 7),
      path: text('Path of the page.', '/garden/roses'),
      change: integer('Latest change of the page.', 42, { minimum: 1 }),
      deleted: Type.Optional(option('The page is in the trash.')),
    }),
  }),
  problems: [
    'not-found',
    'proposal-closed',
    'proposal-conflict',
    'needs-approval',
    'not-permitted',
    'protected',
    'blocked',
    'path-taken',
    'pages-beneath',
  ],
  writes: 'itself',
  audit: ['proposal-merged', 'page-deleted', 'permissions-changed'],
  ports: ['store', 'files', 'secondFactorRule'],
  run: async ({ store, files, secondFactorRule: rule }, { input: { id }, by, now }) => ({
    pages: await mergeProposal({ store, files, by, now }, id, { rule }),
  }),
});

/** Maximum number of proposals in a list, because each is compared with its pages. */
const mostListed = 100;

/** Refuses `not-found` unless the actor may see something of it. */
async function getSeenProposal(store: Store, by: NonNullable<Actor>, id: number): Promise<ProposalSeen> {
  const proposal = await store.proposals.find(id);
  if (!proposal || !mayKnow(by, proposal)) throw noProposal(id);
  const [one] = await seenOf(store, store.readAs(by), [proposal], { withFields: true });
  if (!one || (one.changes.length === 0 && !one.isOwn)) throw noProposal(id);
  return one;
}

async function seenOf(
  store: Store,
  reader: Reader,
  proposals: ProposalRow[],
  options: { withFields?: boolean } = {},
): Promise<ProposalSeen[]> {
  const [judged, reviews] = await Promise.all([
    judge(store, reader, proposals, options),
    store.proposals.reviewsOf(proposals.map(({ id }) => id)),
  ]);
  const maySee = await visibleReviews(reader, [...reviews.values()].flat());
  return judged.map((one) => {
    const own = isOwn(reader.actor, one.proposal);
    const all = reviews.get(one.proposal.id) ?? [];
    return { ...one, reviews: own ? all : all.filter(maySee), isOwn: own };
  });
}

async function pathFilter(reader: Reader, given: string): Promise<ProposalFilter['path']> {
  const read = readPath(given);
  if ('problem' in read) throw invalid('?path', read.problem);
  return { pageId: (await findReadable(reader, read.path))?.id ?? null, path: read.path };
}

/** Tells readers of each page that something was proposed for it, but not what. */
export async function recordProposed(
  { store, by }: { store: Transaction; by: NonNullable<Actor> },
  id: number,
  changes: readonly Pick<ProposedChange, 'shownWith'>[],
  at: number,
): Promise<void> {
  const pageIds = [...new Set(changes.flatMap(({ shownWith }) => shownWith ?? []))];
  const event = { kind: 'proposed', at, editorId: by.memberId, msg: proposalMessage(id) } as const;
  if (pageIds.length > 0) await store.events.record(pageIds.map((pageId) => ({ ...event, pageId })));
}

function readChanges(changes: Static<typeof NewProposal>['changes']): GivenChange[] {
  return changes as GivenChange[];
}
