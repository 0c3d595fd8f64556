/** Random histories of a wiki, compared with a brute-force model for every kind of caller, on both engines. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRenderer } from '#core/content/render.ts';
import { verifyPages } from '#core/maintenance/verify-pages.ts';
import { blockMember, unblockMember } from '#core/members/block-member.ts';
import { addMember } from '#core/members/manage-members.ts';
import { memberChange } from '#core/members/operations.ts';
import type { Grant } from '#core/model/grant.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { actorOf, type Member, roles } from '#core/model/member.ts';
import type { Attachment } from '#core/model/page-input.ts';
import { slugOf } from '#core/model/path.ts';
import { type Actor, everything as allPages } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { initialSettings } from '#core/model/settings.ts';
import { createPage } from '#core/pages/create-page.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { listBacklinks } from '#core/pages/list-backlinks.ts';
import { listChildren } from '#core/pages/list-children.ts';
import { listHistory } from '#core/pages/list-history.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { viewSaved } from '#core/pages/page-view.ts';
import { recentUpdates } from '#core/pages/recent-updates.ts';
import { saveRollback } from '#core/pages/rollback-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { nearPlaces } from '#core/places/near-places.ts';
import type { Store } from '#core/ports/store.ts';
import { findPages, searchPages } from '#core/search/search-pages.ts';
import { openDisk } from '#files/disk.ts';
import { createProbe } from '#files/probe.ts';
import { changeAccess } from '#src/features/access/operations.ts';
import { orderPages } from '#src/features/order/operations.ts';
import {
  changeProposal,
  listProposals,
  mergeTheProposal,
  propose,
} from '#src/features/proposals/operations.ts';
import { protectPage } from '#src/features/protection/operations.ts';
import { changeSettings } from '#src/features/settings/operations.ts';
import {
  approveSubmission,
  listSubmissions,
  refuseSubmissions,
  submitProposal,
} from '#src/features/strangers/operations.ts';
import { listTrash, restoreDeletion } from '#src/features/trash/operations.ts';
import { effort } from '../support/effort.ts';
import { addGroup, addToGroup, removeFromGroup } from '../support/groups.ts';
import { carryFor } from '../support/operations.ts';
import { engines } from '../support/postgres.ts';
import { solvedProof } from '../support/proof.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Body, bodyText, type Files, Model, type ModelMember, type ModelPage } from './model.ts';
import { ModelProposals } from './model-proposals.ts';

const files = { store: await openDisk(await temporaryFolder()), probe: createProbe() };

/** One per wiki, because it caches renderings by the IDs of that wiki. */
let renderer = createRenderer('Test');
const titles = ['Alpha', 'alpha', 'Beta', 'Gamma Ray', 'Élan', 'Zeta'];
const targets = [
  ...titles,
  'Nowhere',
  'nowhere',
  'Elsewhere',
  '/alpha',
  '/beta',
  '/alpha/beta',
  '/gone',
  '/Gone',
  '../beta',
  '../gone',
  './beta',
  '../../alpha',
  '..',
];
const words = ['forest', 'forestry', 'river', 'mill'];
const codes = [774, 774, 774, 770, 700, 444, 0, 744];
/** Group names by ID. `members` has no row. */
const groups = ['members', 'red', 'blue'];
const group = fc.nat(groups.length - 1);
/** Mostly Ada, who may moderate at first. */
const moderating = fc.constantFrom(2, 2, 0, 1);
/** Duration in milliseconds; some end a few steps later. */
const lasting = fc.constantFrom(null, null, 3500);
const spots = [
  { lat: 0, lon: 0 },
  { lat: 0.05, lon: 179.99 },
  { lat: 0, lon: -179.99 },
  { lat: 89.99, lon: 10 },
  { lat: 89.99, lon: -170 },
];

const body: fc.Arbitrary<Body> = fc.record({
  links: fc.array(fc.constantFrom(...targets), { maxLength: 4 }),
  tags: fc.array(fc.tuple(fc.constantFrom('kind', 'mood', 'old'), fc.constantFrom('old', 'new', 'kind')), {
    maxLength: 2,
  }),
  location: fc.option(fc.constantFrom(...spots), { freq: 3 }),
  words: fc.array(fc.constantFrom(...words), { maxLength: 3 }),
});

/** Indexes are taken modulo the number of existing items. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      actor: fc.nat(2),
      title: fc.constantFrom(...titles),
      parent: fc.option(fc.nat()),
      permissions: fc.constantFrom(...codes),
      group: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: group }),
      body,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      title: fc.option(fc.constantFrom(...titles), { nil: undefined }),
      body: fc.option(body, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('permit' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      permissions: fc.constantFrom(...codes),
      group: fc.option(group, { nil: undefined }),
      history: fc.constantFrom(undefined, undefined, 'from now' as const, 'all' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      parent: fc.option(fc.nat()),
      slug: fc.option(fc.constantFrom('alpha', 'beta', 'gone', 'x'), { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('attach' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      files: fc.dictionary(fc.constantFrom('a.txt', 'b.txt'), fc.constantFrom('one', 'two'), { minKeys: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      subtree: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      path: fc.constantFrom(undefined, undefined, '/gone', '/back'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      actor: fc.nat(1),
      group: fc.integer({ min: 1, max: groups.length - 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('role' as const),
      actor: moderating,
      member: fc.nat(2),
      role: fc.constantFrom(...roles, 'moderator' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      actor: moderating,
      member: fc.nat(2),
      isLifted: fc.boolean(),
      lasting,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('protect' as const),
      actor: moderating,
      page: fc.nat(),
      level: fc.constantFrom('moderators' as const, 'administrators' as const, null),
      subtree: fc.boolean(),
      lasting,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('share' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      grants: fc.uniqueArray(
        fc.record({
          whom: fc.constantFrom<{ member: number } | { group: number }>(
            ...[{ member: 1 }, { member: 2 }, { group: 1 }, { group: 2 }],
          ),
          may: fc.constantFrom('read' as const, 'write' as const),
          beneath: fc.boolean(),
        }),
        { maxLength: 2, selector: ({ whom }) => JSON.stringify(whom) },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      first: fc.nat(3),
      placed: fc.nat(4),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      actor: moderating,
      settings: fc.record(
        {
          private: fc.boolean(),
          name: fc.constantFrom('Elm', 'Oak'),
          home: fc.constantFrom('/home', '/alpha'),
          statistics: fc.boolean(),
          strangers: fc.constantFrom('off', 'comments', 'proposals'),
          // The first is no colour, so that nothing of the change counts.
          accent: fc.constantFrom('red', '#1d6b4f', null),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      actor: fc.nat(2),
      page: fc.option(fc.nat()),
      title: fc.constantFrom(...titles),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('rework' as const, 'withdraw' as const, 'merge' as const, 'merge' as const),
      actor: fc.nat(2),
      proposal: fc.nat(),
      title: fc.constantFrom(...titles),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      // Null for a person without an account.
      actor: fc.constantFrom(null, null, null, 0),
      page: fc.option(fc.nat()),
      title: fc.constantFrom(...titles),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'refuse' as const),
      actor: moderating,
      submission: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rollback' as const),
      actor: fc.nat(2),
      page: fc.nat(),
      to: fc.nat(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Grants that pages take along, which short random histories seldom have: shared, moved beneath by others, deleted and restored. */
const sharing: Step[] = [
  ...(
    [
      [0, 'Alpha', null, 774],
      [0, 'Beta', 0, 700],
      [1, 'Zeta', null, 774],
      [0, 'Gamma Ray', 1, 700],
    ] as const
  ).map(([actor, title, parent, permissions]): Step => {
    const body = { links: [], tags: [], location: null, words: ['mill'] };
    return { do: 'create', actor, title, parent, permissions, group: 0, body };
  }),
  { do: 'share', actor: 1, page: 2, grants: [{ whom: { member: 2 }, may: 'read', beneath: true }] },
  { do: 'move', actor: 1, page: 0, parent: 2, slug: undefined },
  { do: 'move', actor: 0, page: 0, parent: 2, slug: undefined },
  { do: 'share', actor: 0, page: 1, grants: [{ whom: { group: 1 }, may: 'write', beneath: true }] },
  { do: 'join', actor: 0, group: 1 },
  { do: 'share', actor: 0, page: 1, grants: [{ whom: { group: 1 }, may: 'write', beneath: true }] },
  { do: 'join', actor: 1, group: 1 },
  { do: 'delete', actor: 2, page: 0, subtree: true },
  { do: 'share', actor: 1, page: 0, grants: [] },
  { do: 'restore', actor: 2, page: 0, path: undefined },
  { do: 'move', actor: 1, page: 2, parent: null, slug: 'x' },
];

const blank = { links: [], tags: [], location: null, words: ['mill'] };
const newAlpha = {
  do: 'create',
  actor: 0,
  title: 'Alpha',
  parent: null,
  permissions: 774,
  group: 0,
} as const;

/** Proposals that meet later changes: merged beside them, in conflict, changed and withdrawn. */
const proposing: Step[] = [
  { ...newAlpha, body: blank },
  { do: 'propose', actor: 1, page: 0, title: 'Beta' },
  { do: 'propose', actor: 1, page: null, title: 'Zeta' },
  { do: 'edit', actor: 0, page: 0, title: undefined, body: { ...blank, words: ['river'] } },
  { do: 'merge', actor: 0, proposal: 0, title: 'Beta' },
  { do: 'merge', actor: 0, proposal: 0, title: 'Beta' },
  { do: 'propose', actor: 1, page: 0, title: 'Zeta' },
  { do: 'edit', actor: 0, page: 0, title: 'alpha', body: undefined },
  { do: 'merge', actor: 2, proposal: 2, title: 'Beta' },
  { do: 'rework', actor: 1, proposal: 2, title: 'alpha' },
  { do: 'merge', actor: 2, proposal: 2, title: 'Beta' },
  { do: 'merge', actor: 1, proposal: 1, title: 'Beta' },
  { do: 'propose', actor: 1, page: 0, title: 'Beta' },
  { do: 'withdraw', actor: 0, proposal: 3, title: 'Beta' },
  { do: 'withdraw', actor: 2, proposal: 3, title: 'Beta' },
  { do: 'merge', actor: 0, proposal: 3, title: 'Beta' },
  { do: 'propose', actor: 1, page: 0, title: 'Beta' },
  { do: 'delete', actor: 0, page: 0, subtree: false },
  { do: 'merge', actor: 1, proposal: 4, title: 'Beta' },
];

/** Proposals of people without an account: about pages that become hidden, change or go while they wait. */
const submitting: Step[] = [
  { ...newAlpha, body: blank },
  { ...newAlpha, title: 'Beta', body: blank },
  { do: 'submit', actor: null, page: 0, title: 'Zeta' },
  { do: 'set', actor: 2, settings: { strangers: 'proposals' } },
  { do: 'submit', actor: 0, page: 0, title: 'Zeta' },
  ...[0, 0, 1, 1, null].map((page): Step => ({ do: 'submit', actor: null, page, title: 'Zeta' })),
  { do: 'approve', actor: 0, submission: 0 },
  { do: 'role', actor: 2, member: 1, role: 'moderator' },
  { do: 'approve', actor: 1, submission: 0 },
  { do: 'refuse', actor: 1, submission: 0 },
  { do: 'permit', actor: 0, page: 1, permissions: 700, group: undefined, history: undefined },
  { do: 'submit', actor: null, page: 1, title: 'Zeta' },
  { do: 'approve', actor: 1, submission: 0 },
  { do: 'refuse', actor: 1, submission: 0 },
  { do: 'approve', actor: 2, submission: 0 },
  { do: 'edit', actor: 0, page: 0, title: 'alpha', body: undefined },
  { do: 'merge', actor: 0, proposal: 0, title: 'Zeta' },
  { do: 'rework', actor: 1, proposal: 0, title: 'alpha' },
  { do: 'merge', actor: 0, proposal: 0, title: 'Zeta' },
  { do: 'delete', actor: 0, page: 1, subtree: false },
  { do: 'approve', actor: 2, submission: 0 },
  { do: 'approve', actor: 1, submission: 1 },
  { do: 'merge', actor: 0, proposal: 2, title: 'Zeta' },
  { do: 'restore', actor: 0, page: 0, path: undefined },
];

describe.each(engines)('%s', (name, open) => {
  test('after any history the wiki equals the model, for everyone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await using store = await open();
        await play(store, steps);
      }),
      {
        examples: [[sharing], [proposing], [submitting]],
        numRuns: Number(process.env.COPPICE_MODEL_RUNS ?? effort(name === 'SQLite' ? 16 : 5, 60)),
      },
    );
  }, 300_000);
});

async function play(store: Store, steps: Step[]): Promise<void> {
  renderer = createRenderer('Test');
  const passphrases = {
    hash: async () => 'x',
    verify: async () => false,
    isCommon: () => false,
    wikiName: '',
  };
  const model = new Model();
  for (const [name, isAdmin] of [
    ['Max', false],
    ['Mia', false],
    ['Ada', true],
  ] as const) {
    const member = await addMember(
      store,
      passphrases,
      { email: `${name}@example.org`, name, passphrase: null, isAdmin },
      1,
    );
    const role = isAdmin ? 'administrator' : 'writer';
    model.members.push({ id: member.id, name, role, groupIds: [], block: null });
  }
  for (const name of groups.slice(1)) await addGroup(store, name, 1);
  const proposals = new ModelProposals(model);
  for (const one of steps) {
    model.now += 1000;
    // Before each request.
    await store.settings.refresh();
    if (one.do === 'submit') {
      await submit(store, model, proposals, one);
      continue;
    }
    const member = model.members[one.actor] as ModelMember;
    const actor = model.actorOf(member);
    if (isDecision(one)) await decide(store, proposals, actor, one, model.now);
    else if (one.do === 'join') await toggleGroup(store, member, one.group, model.now);
    else if (one.do === 'set')
      conclude(
        model.set(actor, one.settings),
        await outcome(carryFor(store, actor, model.now)(changeSettings, one.settings)),
      );
    else if (isOfProposals(one)) await propound(store, model, proposals, actor, one);
    else if (one.do === 'role' || one.do === 'block') await govern(store, model, actor, one);
    else await take(store, model, actor, one, model.now);
  }
  await store.settings.refresh();
  expect(await store.maintenance.violations(10)).toEqual([]);
  expect(await Array.fromAsync(verifyPages(store))).toEqual([]);
  expect(store.settings.current()).toEqual({ ...initialSettings, ...model.settings });
  const logged = await store.audit.listAfter(0, 1000, { kinds: ['settings-changed'] });
  expect(logged.map(({ subject, note }) => ({ name: subject?.name, note }))).toEqual(model.settingsLog);
  const actors = model.members.map((member) => model.actorOf(member));
  for (const actor of actors)
    expect(actorOf((await store.members.findById(actor.memberId)) as Member, model.now)).toEqual(actor);
  for (const actor of [null, ...actors]) await compare(store, model, actor);
  for (const actor of actors) await compareProposals(store, proposals, actor, model.now);
}

type OfProposals = Extract<Step, { do: 'propose' | 'rework' | 'withdraw' | 'merge' }>;

function isOfProposals(one: Step): one is OfProposals {
  return ['propose', 'rework', 'withdraw', 'merge'].includes(one.do);
}

/** Makes, changes, withdraws or merges a proposal. */
async function propound(
  store: Store,
  model: Model,
  proposals: ModelProposals,
  actor: NonNullable<Actor>,
  one: OfProposals,
): Promise<void> {
  const { now } = model;
  const carry = carryFor(store, actor, now, files);
  const changeOf = (path: string, isNew: boolean, title: string) => ({
    ...(isNew ? { action: 'create' as const, permissions: 774 } : { action: 'edit' as const }),
    ...{ path, title },
  });
  if (one.do === 'propose') {
    const pages = [...model.pages.values()];
    const page = one.page === null ? null : pages[one.page % Math.max(1, pages.length)];
    if (page === undefined) return;
    const path = page?.path ?? `/${slugOf(one.title)}`;
    const changes = [changeOf(path, page === null, one.title)];
    const expected = proposals.propose(actor, page, one.title, path);
    const done = await outcome(carry(propose, { title: 'Proposal', changes }));
    return conclude(typeof expected === 'string' ? expected : ({ proposal }) => expected(proposal.id), done);
  }
  const proposal = proposals.all[one.proposal % Math.max(1, proposals.all.length)];
  if (!proposal) return;
  const { id } = proposal;
  if (one.do === 'withdraw')
    return conclude(
      proposals.withdraw(actor, proposal),
      await outcome(carry(changeProposal, { id, state: 'withdrawn' })),
    );
  if (one.do === 'rework') {
    // A new page has the address that follows from its title, so that stays.
    const title = proposal.base === null ? proposal.title : one.title;
    const path = proposals.pageOf(proposal)?.path ?? proposal.path;
    const changes = [changeOf(proposal.base === null ? proposal.path : path, proposal.base === null, title)];
    return conclude(
      proposals.rework(actor, proposal, title),
      await outcome(carry(changeProposal, { id, changes })),
    );
  }
  const expected = proposals.merge(actor, proposal);
  const done = await outcome(carry(mergeTheProposal, { id }));
  if (typeof expected === 'string' || typeof done === 'string') return conclude(expected as string, done);
  const [page] = done.pages;
  if (page) expected(page, now);
}

/** `one.actor`: null for a person without an account. */
async function submit(
  store: Store,
  model: Model,
  proposals: ModelProposals,
  one: Extract<Step, { do: 'submit' }>,
): Promise<void> {
  const actor = one.actor === null ? null : model.actorOf(model.members[one.actor] as ModelMember);
  const pages = [...model.pages.values()];
  const page = one.page === null ? null : pages[one.page % Math.max(1, pages.length)];
  if (page === undefined) return;
  const path = page?.path ?? `/${slugOf(one.title)}`;
  const action = page ? ('edit' as const) : ('create' as const);
  const proof = await solvedProof(model.now);
  const done = await outcome(
    carryFor(
      store,
      actor,
      model.now,
      files,
    )(submitProposal, {
      ...{ name: 'Grace', proof, title: 'Proposal', changes: [{ action, path, title: one.title }] },
    }).then(async () => (await store.submissions.list(allPages, { limit: 1000, offset: 0 })).submissions),
  );
  const expected = proposals.submit(actor, page, one.title, path);
  conclude(typeof expected === 'string' ? expected : (waiting) => expected(waiting.at(-1)?.id ?? 0), done);
}

type Decision = Extract<Step, { do: 'approve' | 'refuse' }>;

function isDecision(one: Step): one is Decision {
  return one.do === 'approve' || one.do === 'refuse';
}

/** Approves or refuses what waits. */
async function decide(
  store: Store,
  proposals: ModelProposals,
  actor: NonNullable<Actor>,
  one: Decision,
  now: number,
): Promise<void> {
  const { waiting } = proposals;
  const submission = waiting[one.submission % Math.max(1, waiting.length)];
  if (!submission) return;
  const { id } = submission;
  const carry = carryFor(store, actor, now, files);
  const expected = proposals[one.do](actor, submission);
  const done = await outcome(
    one.do === 'approve'
      ? carry(approveSubmission, { id }).then(({ proposal }) => proposal ?? 0)
      : carry(refuseSubmissions, { ids: [id] }).then(({ refused }) => refused),
  );
  conclude(expected, done);
}

async function compareProposals(
  store: Store,
  proposals: ModelProposals,
  actor: NonNullable<Actor>,
  now: number,
): Promise<void> {
  const { items, total } = await carryFor(store, actor, now, files)(listProposals, { limit: 100 });
  const expected = proposals.all
    .filter((one) => proposals.sees(actor, one))
    .map((one) => [one.id, one.state, proposals.conflicts(actor, one)])
    .toReversed();
  expect(
    items.map(({ proposal, changes }) => [
      proposal.id,
      proposal.state,
      changes.some(({ conflict }) => conflict !== false),
    ]),
  ).toEqual(expected);
  expect(total).toBe(expected.length);
  const waiting = proposals.decidable(actor);
  const listed = await outcome(carryFor(store, actor, now)(listSubmissions, { limit: 100 }));
  if (typeof waiting === 'string' || typeof listed === 'string') return conclude(waiting as string, listed);
  expect(listed.items.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
  expect(listed.total).toBe(waiting.length);
}

/** Puts the member into the group, or takes them out of it. */
async function toggleGroup(store: Store, member: ModelMember, group: number, now: number): Promise<void> {
  const isIn = member.groupIds.includes(group);
  if (isIn) await removeFromGroup(store, group, member.id);
  else await addToGroup(store, group, member.id, now);
  member.groupIds = isIn
    ? member.groupIds.filter((one) => one !== group)
    : [...member.groupIds, group].toSorted();
}

/** Changes what a member may do. */
async function govern(
  store: Store,
  model: Model,
  actor: NonNullable<Actor>,
  one: Extract<Step, { do: 'role' | 'block' }>,
): Promise<void> {
  const member = model.members[one.member] as ModelMember;
  const { now } = model;
  if (one.do === 'role')
    return conclude(
      model.setRole(actor, member, one.role),
      await outcome(carryFor(store, actor, now)(memberChange, { id: member.id, role: one.role })),
    );
  const block = { reason: 'Spam.', until: one.lasting && now + one.lasting };
  conclude(
    model.block(actor, member, one.isLifted ? null : block),
    one.isLifted
      ? await outcome(unblockMember(store, actor, member.id, now))
      : await outcome(blockMember({ store, actor, now }, member.id, block)),
  );
}

/** Checks the outcome against the model: an error code, or the resulting state. */
function conclude<T>(expected: string | ((done: T) => void), done: T | string): void {
  if (typeof expected === 'string') expect(expected.split(' or ')).toContain(done);
  else if (typeof done === 'string') expect(done).toBe('done');
  else expected(done);
}

/** The group as the model stores it. */
function groupOf(id: number): { id: number } | null {
  return id === 0 ? null : { id };
}

async function take(
  store: Store,
  model: Model,
  actor: NonNullable<Actor>,
  one: Exclude<Step, OfProposals | Decision | { do: 'join' | 'role' | 'block' | 'set' | 'submit' }>,
  now: number,
): Promise<void> {
  const all = [...model.pages.values()];
  const pick = (index: number | null) =>
    index === null || all.length === 0 ? null : (all[index % all.length] as ModelPage);
  if (one.do === 'create') {
    const parent = pick(one.parent);
    const expected = model.create(actor, {
      ...one,
      group: groupOf(one.group),
      parentId: parent?.id ?? null,
    });
    const done = await outcome(
      createPage(
        { store, files, actor, now },
        {
          title: one.title,
          permissions: one.permissions,
          group: groups[one.group] as string,
          body: bodyText(one.body),
          parent: parent?.id ?? null,
        },
      ),
    );
    return conclude(
      typeof expected === 'string' ? expected : ({ id, changeId }) => expected(id, changeId, now),
      done,
    );
  }
  if (one.do === 'restore') {
    const deletion = model.trash[one.page % Math.max(1, model.trash.length)];
    if (!deletion) return;
    const expected = model.restore(actor, deletion, one.path);
    const done = await outcome(
      carryFor(store, actor, now)(restoreDeletion, { id: deletion.id, path: one.path }),
    );
    return conclude(expected, done);
  }
  const page = pick(one.page);
  if (!page) return;
  if (one.do === 'delete') {
    const expected = model.delete(actor, page, one.subtree);
    const done = await outcome(deletePage({ store, actor, now }, page.path, { subtree: one.subtree }));
    return conclude(typeof expected === 'string' ? expected : ({ id }) => expected(id), done);
  }
  if (one.do === 'protect') {
    const { level, subtree } = one;
    const until = one.lasting && now + one.lasting;
    return conclude(
      model.protect(actor, page, level && { level, subtree, reason: '', until }),
      await outcome(
        carryFor(store, actor, now)(protectPage, { path: page.path, level, subtree, until: isoTime(until) }),
      ),
    );
  }
  if (one.do === 'share') {
    const given = one.grants.map(({ whom, ...rest }) =>
      'group' in whom ? { group: groups[whom.group] as string, ...rest } : { ...whom, ...rest },
    );
    const expected = model.share(
      actor,
      page,
      one.grants.map(({ whom, ...rest }) => ({ ...whom, ...rest }) as Grant),
    );
    const done = await outcome(carryFor(store, actor, now)(changeAccess, { path: page.path, grants: given }));
    if (typeof expected === 'string' || typeof done === 'string') return conclude(expected as string, done);
    return expected(done.page.changeId, now);
  }
  if (one.do === 'order') {
    const seen = model.children(page).filter((child) => model.sees(actor, child));
    const from = one.first % Math.max(1, seen.length);
    const placed = [...seen.slice(from), ...seen.slice(0, from)].slice(0, one.placed);
    const children = placed.map(({ path }) => path);
    return conclude(
      model.order(actor, page, placed),
      await outcome(carryFor(store, actor, now)(orderPages, { path: page.path, children })),
    );
  }
  const version = one.do === 'rollback' ? page.history[one.to % page.history.length] : undefined;
  const parent = one.do === 'move' ? pick(one.parent) : null;
  const fields =
    one.do === 'edit'
      ? { ...(one.title === undefined ? {} : { title: one.title }), ...(one.body ? { body: one.body } : {}) }
      : one.do === 'permit'
        ? {
            permissions: one.permissions,
            ...(one.group === undefined ? {} : { group: groupOf(one.group) }),
            ...(one.history ? { history: one.history } : {}),
          }
        : one.do === 'move'
          ? { parentId: parent?.id ?? null, ...(one.slug === undefined ? {} : { slug: one.slug }) }
          : one.do === 'attach'
            ? { files: { ...page.files, ...one.files } }
            : { title: version?.title ?? '', body: version?.body as Body, files: version?.files as Files };
  // Only an edit reports a hidden page differently from a missing one.
  const edited =
    version && !model.sees(actor, page) ? model.missing(actor, page.path) : model.edit(actor, page, fields);
  const isRead = typeof edited !== 'string' || edited === 'protected';
  const isHidden = version && isRead && !model.seesChange(actor, page, version.id);
  const expected = isHidden ? 'invalid' : edited;
  const done = await outcome(
    version
      ? saveRollback({ store, actor, now }, page.path, { to: version.id }).then((saved) =>
          viewSaved(store.readAs(actor), renderer, saved, now),
        )
      : one.do === 'attach'
        ? editPage({ store, files, renderer, actor, now }, page.path, { files: await uploadsOf(one.files) })
        : editPage({ store, files, renderer, actor, now }, page.path, { ...wire(fields) }),
  );
  conclude(typeof expected === 'string' ? expected : ({ page }) => expected(page.changeId, now), done);
}

function wire(fields: {
  title?: string;
  body?: Body;
  permissions?: number;
  group?: { id: number } | null;
  parentId?: number | null;
  slug?: string;
  history?: 'from now' | 'all';
}) {
  const { body, parentId, group, ...same } = fields;
  return {
    ...same,
    ...(group === undefined ? {} : { group: groups[group?.id ?? 0] as string }),
    ...(body ? { body: bodyText(body) } : {}),
    ...(parentId === undefined ? {} : { parent: parentId }),
  };
}

async function uploadsOf(texts: Files): Promise<Attachment[]> {
  return Promise.all(
    Object.entries(texts).map(async ([filename, text]) => ({
      file: { filename, blob: await files.store.put(Buffer.from(text), 100) },
    })),
  );
}

function hashesOf(texts: Files): [filename: string, hash: string][] {
  return Object.entries(texts)
    .map(([filename, text]): [string, string] => [filename, createHash('sha256').update(text).digest('hex')])
    .sort();
}

async function outcome<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

async function compare(store: Store, model: Model, actor: Actor): Promise<void> {
  const everything = { limit: 1000, offset: 0 };
  for (const page of model.pages.values()) {
    const seen = await outcome(
      viewPage({ reader: store.readAs(actor), renderer, now: model.now }, page.path, { history: 'all' }),
    );
    if (!model.sees(actor, page)) {
      const movedTo = model.movedFrom(actor, page.path)?.path;
      expect(seen).toEqual(movedTo === undefined ? model.missing(actor, page.path) : { movedTo });
      continue;
    }
    if (typeof seen === 'string' || 'movedTo' in seen) return void expect(seen).toBe('a page');
    const lineage = model.lineage(page);
    expect(seen.page).toMatchObject({
      id: page.id,
      title: page.title,
      path: page.path,
      permissions: page.permissions,
      group: page.group && { id: page.group.id, name: groups[page.group.id] },
      depth: lineage.length,
      parentId: page.parentId,
    });
    expect(seen.page.protection ?? null).toEqual(page.protection);
    expect(seen.mayWrite).toBe(actor !== null && typeof model.edit(actor, page, {}) !== 'string');
    expect(seen.page.lineage.map(({ id }) => id)).toEqual(lineage.map(({ id }) => id));
    expect(seen.page.lineage.map(({ isHidden }) => isHidden ?? false)).toEqual(
      lineage.map((above) => !model.sees(actor, above)),
    );
    const all = page.history.map(({ id }) => id);
    expect(seen.page.history.map(({ id }) => id)).toEqual(all.filter((id) => id >= page.historyFrom));
    const { changes, total } = await listHistory(store.readAs(actor), page.path, everything);
    const shown = all.filter((id) => model.seesChange(actor, page, id));
    expect([changes.map(({ id }) => id), total]).toEqual([shown.toReversed(), shown.length]);
    const filesOf = ({ page }: PageView) => page.files.map(({ filename, hash }) => [filename, hash]);
    expect(filesOf(seen)).toEqual(hashesOf(page.files));
    for (const { id, files } of page.history) {
      const then = await outcome(
        viewPage({ reader: store.readAs(actor), renderer, now: 0 }, page.path, {
          history: 'none',
          version: id,
        }),
      );
      const expected = model.seesChange(actor, page, id) ? hashesOf(files) : 'not-found';
      expect(typeof then === 'object' && 'page' in then ? filesOf(then) : then).toEqual(expected);
    }
    for (const target of new Set(page.body.links)) {
      const there = model.resolve(actor, model.meant(page, target));
      expect(seen.markup).toContain(there ? `href="${encodeURI(there.path)}"` : 'class="new"');
    }
    const backlinks = await listBacklinks(store.readAs(actor), page.path, everything);
    expect(backlinks.pages.map(({ id }) => id)).toEqual(model.backlinks(actor, page));
    expect(backlinks.total).toBe(backlinks.pages.length);
    const children = await listChildren(store.readAs(actor), page.path, everything);
    const seenOf = (pages: ModelPage[]) => pages.filter((one) => model.sees(actor, one)).map(({ id }) => id);
    expect(children.pages.map(({ id }) => id)).toEqual(seenOf(model.children(page)));
    const inTree = { ancestor: page.path, order: 'tree', ...everything };
    expect((await findPages(store.readAs(actor), inTree)).ids).toEqual(seenOf(model.tree(page)));
    await compareNeighbours(store, model, actor, page);
  }
  for (const { path } of model.aliases) {
    const there = model.at(path);
    if (there && model.sees(actor, there)) continue;
    const movedTo = model.movedFrom(actor, path)?.path;
    const seen = await outcome(
      viewPage({ reader: store.readAs(actor), renderer, now: 0 }, path, { history: 'none' }),
    );
    expect(seen).toEqual(movedTo === undefined ? model.missing(actor, path) : { movedTo });
  }
  await compareTrash(store, model, actor);
  const wanted = await wantedLinks(store.readAs(actor), 1000);
  expect(wanted.map(({ title, links }) => ({ title, links: links.map(({ id }) => id) }))).toEqual(
    model.wanted(actor),
  );
  // A shorter list is a prefix of the longer one.
  const firstTwo = await wantedLinks(store.readAs(actor), 2);
  expect(firstTwo.map(({ title }) => title)).toEqual(wanted.slice(0, 2).map(({ title }) => title));
  expect((await recentUpdates(store.readAs(actor), 1000)).map(({ id }) => id)).toEqual(model.updates(actor));
  for (const centre of spots) {
    for (const radiusMetres of [10_000, 400_000, 20_003_931]) {
      const near = await nearPlaces(store.readAs(actor), { ...centre, radiusMetres, ...everything });
      expect(near.places.map(({ id }) => id)).toEqual(model.near(actor, centre, radiusMetres));
    }
  }
  const pages = [...model.pages.values()];
  const searches = [
    { path: '/a' },
    { title: 'ALPHA' },
    { title: 'é' },
    { type: 'Place' },
    { tags: ['kind:old'] },
    { tags: ['new', 'mood:old'] },
    { tags: ['kind'] },
    { tags: ['OLD', 'Kind'] },
    { text: 'forest' },
    { path: '/a', tags: ['old'], text: 'riv' },
    { path: '/a', tags: ['MOOD'] },
    ...(pages[0] ? [{ ancestor: pages[0] }, { ancestor: pages[0], tags: ['old'], type: 'Place' }] : []),
  ];
  for (const { ancestor, ...criteria } of searches as {
    ancestor?: ModelPage;
    path?: string;
    title?: string;
    type?: string;
    tags?: string[];
    text?: string;
  }[]) {
    for (const logic of ['and', 'or']) {
      const found = await searchPages(store.readAs(actor), {
        ...criteria,
        ...(ancestor ? { ancestor: ancestor.path } : {}),
        logic,
        order: 'alphabetical',
        ...everything,
        history: 'none',
      });
      const isSeen = !ancestor || model.sees(actor, ancestor);
      const expected = isSeen
        ? model.search(actor, {
            ...criteria,
            ...(ancestor ? { ancestorId: ancestor.id } : {}),
            or: logic === 'or',
          })
        : [];
      expect(
        found.pages.map(({ id }) => id),
        JSON.stringify(criteria),
      ).toEqual(expected);
      expect(found.total).toBe(expected.length);
      const second = await searchPages(store.readAs(actor), {
        ...criteria,
        ...(ancestor ? { ancestor: ancestor.path } : {}),
        logic,
        order: 'alphabetical',
        limit: 1,
        offset: 1,
        history: 'none',
      });
      expect(second.pages.map(({ id }) => id)).toEqual(expected.slice(1, 2));
    }
  }
}

/** The pages before and after it in the topmost subtree whose visible pages are arranged. */
async function compareNeighbours(store: Store, model: Model, actor: Actor, page: ModelPage): Promise<void> {
  const isArranged = (one: ModelPage) =>
    model.children(one).some((child) => child.rank !== null && model.sees(actor, child));
  const top = [...model.lineage(page), page].find(isArranged);
  const pages = top ? [top, ...model.tree(top)].filter((one) => one === page || model.sees(actor, one)) : [];
  const at = pages.indexOf(page);
  const nameOf = (one: ModelPage | undefined) => one && { id: one.id, title: one.title, path: one.path };
  const trail = model.lineage(page).map(({ id }) => id);
  const found = await store.readAs(actor).lists.neighbours({ id: page.id, trail });
  expect([found.previous, found.next]).toEqual([
    nameOf(at < 0 ? undefined : pages[at - 1]),
    nameOf(at < 0 ? undefined : pages[at + 1]),
  ]);
}

async function compareTrash(store: Store, model: Model, actor: Actor): Promise<void> {
  for (const { path } of model.trash.flatMap(({ pages }) => pages)) {
    const there = model.at(path);
    if (there && model.sees(actor, there)) continue;
    const movedTo = model.movedFrom(actor, path)?.path;
    const seen = await outcome(
      viewPage({ reader: store.readAs(actor), renderer, now: 0 }, path, { history: 'none' }),
    );
    expect(seen).toEqual(movedTo === undefined ? model.missing(actor, path) : { movedTo });
  }
  if (!actor) return;
  const { items: deletions, total } = await carryFor(store, actor, 0)(listTrash, { limit: 1000 });
  const expected = model.trash
    .filter(({ pages }) => model.sees(actor, pages[0] as ModelPage))
    .map(({ id, pages }) => [id, pages.filter((page) => model.sees(actor, page)).length]);
  expect(deletions.map(({ id, pages }) => [id, pages])).toEqual(expected.toReversed());
  expect(total).toBe(expected.length);
}
