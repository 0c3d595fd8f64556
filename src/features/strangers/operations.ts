/** Submitting comments and proposals without an account, and what moderators do with them. */
import { type Static, Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import type { WholePage } from '#core/model/page.ts';
import type { Operator } from '#core/model/permission.ts';
import { everything, visibilityOf } from '#core/model/permission.ts';
import { invalid, notSignedIn } from '#core/model/problem.ts';
import {
  component,
  count,
  idField,
  objects,
  oneOf,
  optionalText,
  orNull,
  text,
  textOrNull,
  time,
} from '#core/operations/fields.ts';
import { converted, listOf, nothing, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import type { ProofChallenge } from '#core/ports/credentials.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import type { ListedSubmission } from '#core/ports/submission-store.ts';
import { findWhole, getReadable, refuseMissing } from '#core/reading/find-page.ts';
import { findQuote, readBody, refuseUnlessOpenTo } from '#src/features/comments/comments.ts';
import { placeOf } from '#src/features/comments/find-comments.ts';
import { refreshQuotes } from '#src/features/comments/refresh.ts';
import { writeComment } from '#src/features/comments/write-comment.ts';
import { checkTexts } from '#src/features/proposals/check-texts.ts';
import { recordProposed } from '#src/features/proposals/operations.ts';
import { type GivenChange, prepareChanges } from '#src/features/proposals/prepare-changes.ts';
import { compareChanges, type ShownChange } from '#src/features/proposals/show-changes.ts';
import { say } from '#words/say.ts';
import { maxSubmissionsPerDay, maxWaiting, noSubmission, refuseUnlessStranger, submit } from './strangers.ts';

const person = {
  name: text('Name by which the person wants to be shown. It cannot look like a member’s.', 'Grace'),
  email: optionalText(
    'E-mail address for questions of moderators, deleted once they decide.',
    'grace@example.org',
  ),
  proof: text(
    'The solved challenge of `GET /v1/members/challenge`, as the widget of ALTCHA sends it.',
    'eyJjaGFsbGVuZ2UiOnsicGFyYW1ldGVycyI6e319fQ==',
  ),
};
const pathExample = '/garden/roses';
const submitted = {
  access: 'anyone',
  scope: 'none',
  writes: 'itself',
  audit: [],
  output: nothing('A moderator will see it.'),
} as const;
const bounds = `The wiki may have it switched off. Each address can submit ${maxSubmissionsPerDay} times a day, and at most ${maxWaiting} submissions wait.`;

export const submitComment = operation({
  ...submitted,
  name: 'submitComment',
  summary: 'Comment without an account',
  description: `For people who are not signed in. The comment is shown once a moderator approves it. ${bounds}`,
  input: component('SubmittedComment', 'A comment of a person without an account.', {
    ...person,
    page: text('Path of the page.', pathExample),
    body: text('Text as Markdown, at most 10,000 characters.', 'They bloom again in autumn.'),
    quote: Type.Optional(
      Type.Object(
        {
          text: text('Words of the page, at most 2,000 characters.', 'planted in 1912'),
          before: optionalText('Text before these words.', 'roses were '),
          after: optionalText('Text after these words.', ' by Ada'),
        },
        { description: 'Words of the page that the comment is about.' },
      ),
    ),
    replyTo: Type.Optional(idField('Comment that the new one answers.', 18)),
  }),
  problems: ['not-found', 'gone', 'not-permitted', 'unauthenticated', 'too-large'],
  ports: ['store', 'renderer', 'strangers'],
  async run({ store, renderer, strangers }, { input, by, now }) {
    refuseUnlessStranger(store, by, 'comment');
    const reader = store.readAs(null);
    const { pageId, replyTo } = await placeOf(store, reader, input);
    refuseUnlessOpenTo(await getReadable(reader, input.page));
    const body = readBody(input.body);
    if (replyTo !== null && input.quote) throw invalid('/quote', say('problem.aReplyIsAboutTheWordsOf'));
    const known = input.quote && (await refreshQuotes({ store, renderer, now }, pageId, { isAlways: true }));
    const found = input.quote ? findQuote(known?.text ?? '', input.quote) : null;
    const quote = found && { text: found.text, before: found.before, after: found.after };
    const contents = { body, replyTo, quote };
    await submit({ store, strangers, now }, input, { kind: 'comment', contents, pageId });
  },
});

const SubmittedChange = Type.Object({
  action: oneOf(['create', 'edit', 'move', 'delete'], 'The kind of change.', 'edit'),
  path: text('Path of the page; of a new page its future path.', pathExample),
  to: optionalText('New path of a page that is moved.', '/park/roses'),
  base: Type.Optional(
    idField('Change of the page on which the proposal is based. The default is the latest one.', 41),
  ),
  title: optionalText('Title.', 'Roses'),
  description: optionalText('Description.', 'Every rose in the garden.'),
  format: Type.Optional(oneOf(['wikitext', 'markdown'], 'Language of the body.', 'wikitext')),
  body: optionalText('Content of the page.', 'Roses need [[Pruning]].'),
  msg: optionalText('Message of the change.', 'More about pruning'),
});

export const submitProposal = operation({
  ...submitted,
  name: 'submitProposal',
  summary: 'Propose a change without an account',
  description: `For people who are not signed in: a change of one page, without files. It becomes a proposal once a moderator lets it in. ${bounds}`,
  input: component('SubmittedProposal', 'A proposal of a person without an account.', {
    ...person,
    title: text('Title of the proposal.', 'Prune the roses'),
    text: optionalText('Reason as plain text.', 'They are to be pruned in March.'),
    changes: Type.Array(SubmittedChange, {
      description: 'One change, with the fields of its action.',
      minItems: 1,
      maxItems: 1,
    }),
  }),
  problems: ['not-found', 'not-permitted', 'unauthenticated', 'too-large', 'path-reserved'],
  ports: ['store', 'renderer', 'files', 'strangers'],
  async run({ store, renderer, files, strangers }, { input, by, now }) {
    refuseUnlessStranger(store, by, 'proposal');
    const texts = checkTexts({ title: input.title, text: input.text ?? '' });
    const { format: defaultFormat } = store.settings.current();
    // With the rights of a stranger: `{{subst:…}}` must not bring in what only the moderator may read.
    const preparing = { reader: store.readAs(null), renderer, by: null, defaultFormat, now, files };
    const [change] = await prepareChanges(preparing, input.changes as GivenChange[], []);
    if (!change) return;
    const contents = { title: texts.title ?? '', text: texts.text ?? '', change };
    await submit({ store, strangers, now }, input, { kind: 'proposal', contents, pageId: change.shownWith });
  },
});

interface Offer {
  page: WholePage;
  challenge: ProofChallenge;
}

export const offerToStrangers = operation({
  name: 'offerToStrangers',
  summary: 'Begin a submission without an account',
  description: 'For the forms of the site. Refuses what submitting would refuse.',
  access: 'anyone',
  scope: 'none',
  input: Type.Object({
    path: text('Path of the page.', pathExample),
    kind: oneOf(['comment', 'proposal'], 'The kind of submission.', 'comment'),
  }),
  output: Type.Unsafe<Offer>({}),
  problems: ['not-found', 'gone', 'not-permitted', 'unauthenticated'],
  ports: ['store', 'strangers'],
  async run({ store, strangers }, { input, by, now }): Promise<Offer> {
    refuseUnlessStranger(store, by, input.kind);
    const reader = store.readAs(null);
    const page = (await findWhole(reader, input.path, 'none')) ?? (await refuseMissing(reader, input.path));
    if (input.kind === 'comment') refuseUnlessOpenTo(page);
    return { page, challenge: await strangers.proofsOfWork.challenge(now) };
  },
});

const ShownSubmission = component('Submission', 'A comment or proposal that waits for a moderator.', {
  id: idField('ID of the submission.', 5),
  kind: oneOf(['comment', 'proposal'], '`comment` or `proposal`.', 'comment'),
  page: orNull(
    Type.Object({
      id: idField('Page ID.', 12),
      path: text('Present path.', pathExample),
      title: text('Present title.', 'Roses'),
    }),
    'The page, or the nearest one above a new page. Null for a new root page.',
    { id: 12, path: pathExample, title: 'Roses' },
  ),
  name: text('Name that the person gave.', 'Grace'),
  email: textOrNull('E-mail address that the person gave.', null),
  at: time('When the comment or proposal was submitted'),
  from: text(
    'Identifies the network address without revealing it: submissions from one address have the same value.',
    'x3VnQ0bXkYt1mZ7r2sLwPA',
  ),
  ofSender: count('Number of submissions from that address that the moderator can see.', 1),
  title: textOrNull('Title of the proposal. Null for a comment.', null),
  text: text('Text of the comment, or reason of the proposal.', 'They bloom again in autumn.'),
  quote: textOrNull('Words that the comment is about.', null),
  changes: objects('The change of a proposal. Empty for a comment.', {
    action: oneOf(['create', 'edit', 'move', 'delete'], 'The kind of change.', 'edit'),
    path: text('Path of the page.', pathExample),
    body: textOrNull('Proposed content.', null),
  }),
});

export function submissionJson({ kind, contents, ...one }: ListedSubmission): Static<typeof ShownSubmission> {
  const { id, page, stranger: name, email, at, sender: from, ofSender } = one;
  const facts = { id, kind, page, name, email, at: isoTime(at), from, ofSender };
  if ('change' in contents) {
    const { title, text, change } = contents;
    const { action, path, fields } = change;
    return { ...facts, title, text, quote: null, changes: [{ action, path, body: fields.body ?? null }] };
  }
  return { ...facts, title: null, text: contents.body, quote: contents.quote?.text ?? null, changes: [] };
}

/** Maximum number of submissions with their differences. */
const shownAtOnce = 20;
const moderating = { access: 'moderator', scope: 'write', subtree: 'refused' } as const;
const seenBy = (store: Store, by: NonNullable<Operator>) =>
  by === 'command line' ? everything : visibilityOf(by, store);

export const listSubmissions = operation({
  ...moderating,
  scope: 'read',
  name: 'submissions',
  summary: 'List submissions',
  description:
    'Comments and proposals of people without an account that wait, oldest first, about pages that the moderator may read.',
  input: Type.Object(rangeFields(50)),
  output: listOf(converted(ShownSubmission, submissionJson), 'The submissions.'),
  ports: ['store'],
  async run({ store }, { input, by }) {
    const { submissions: items, total } = await store.submissions.list(seenBy(store, by), rangeOf(input, 50));
    return { items, total };
  },
});

/** With the difference that its change makes, unless the page or its base cannot be read. */
export type ShownSubmission = ListedSubmission & { shown: ShownChange | undefined };

export const showSubmissions = operation({
  ...moderating,
  scope: 'read',
  name: 'showSubmissions',
  summary: 'Show submissions',
  description: 'For the site: as `listSubmissions`, with the differences that proposals make.',
  input: Type.Object(rangeFields(shownAtOnce)),
  output: Type.Unsafe<{ items: ShownSubmission[]; total: number }>({}),
  ports: ['store', 'language'],
  async run({ store, language }, { input, by }) {
    const range = rangeOf(input, shownAtOnce);
    const { submissions, total } = await store.submissions.list(seenBy(store, by), range);
    const reader = store.readAs(by === 'command line' ? null : by);
    const ids = submissions.flatMap(({ pageId }) => pageId ?? []);
    const pages = new Map((await reader.pages.states([...new Set(ids)])).map((page) => [page.id, page]));
    const changes = submissions.flatMap((one) => {
      if (one.kind === 'comment') return [];
      const { change } = one.contents;
      const page = pages.get(change.pageId ?? 0);
      // Submissions have no number as proposals do; theirs tells the changes apart.
      return [
        { ...change, page, n: one.id, proposalId: 0, bytes: 0, conflict: false, touching: [], files: [] },
      ];
    });
    const compared = await compareChanges(store, reader, language, changes);
    const shown = new Map(compared.map((one) => [one.change.n, one]));
    return { items: submissions.map((one) => ({ ...one, shown: shown.get(one.id) })), total };
  },
});

export const approveSubmission = operation({
  ...moderating,
  name: 'approveSubmission',
  summary: 'Approve a submission',
  description:
    'The comment is shown, or the proposal opened, with the name of the person beside that of the moderator, who counts as its author. The e-mail address is deleted.',
  input: Type.Object({ id: idField('ID of the submission.', 5) }),
  output: component('ApprovedSubmission', 'The comment or the proposal.', {
    comment: Type.Optional(idField('ID of the comment.', 18)),
    proposal: Type.Optional(idField('ID of the proposal.', 3)),
  }),
  problems: ['not-found', 'gone', 'not-permitted', 'blocked'],
  writes: 'itself',
  audit: ['submission-approved'],
  ports: ['store', 'renderer', 'secrets'],
  async run({ store, renderer, secrets }, { input: { id }, by, now }) {
    if (by === 'command line') throw notSignedIn();
    const visibility = visibilityOf(by, store);
    const found = await store.submissions.find(id, visibility);
    if (!found) throw noSubmission(id);
    const take = async (store: Transaction) => {
      if ((await store.submissions.remove({ ids: [id] }, visibility)) === 0) throw noSubmission(id);
      await store.audit.record({ kind: 'submission-approved', subject: { kind: 'submission', id } });
    };
    const { stranger, pageId, contents } = found;
    if ('change' in contents) {
      const { title, text, change } = contents;
      const proposal = await store.transact(async (store) => {
        await take(store);
        const fields = { title, text, state: 'open', publishAt: null, stranger } as const;
        const proposal = await store.proposals.insert(
          { ...fields, invited: [], authorId: by.memberId },
          [change],
          now,
        );
        await recordProposed({ store, by }, proposal, [change], now);
        return proposal;
      });
      return { proposal };
    }
    const { quote, ...others } = contents;
    const written = { ...others, pageId: pageId ?? 0, quote: quote ?? undefined, stranger };
    return { comment: await writeComment({ store, renderer, secrets, now }, by, written, take) };
  },
});

export const refuseSubmissions = operation({
  ...moderating,
  name: 'refuseSubmissions',
  summary: 'Refuse submissions',
  description: 'Deletes submissions for good: those with the IDs, or all from the same network address.',
  input: component('RefusedSubmissions', 'Submissions to refuse.', {
    ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        description: 'IDs of submissions.',
        maxItems: maxWaiting,
        examples: [[5]],
      }),
    ),
    from: optionalText('Refuses all submissions whose `from` has this value.', 'x3VnQ0bXkYt1mZ7r2sLwPA'),
  }),
  output: component('CountOfRefused', 'Number of refused submissions.', {
    refused: count('Number of submissions.', 1),
  }),
  writes: true,
  audit: ['submissions-refused'],
  ports: ['store'],
  async run({ store }, { input: { ids, from }, by, record }) {
    if ((ids === undefined) === (from === undefined))
      throw invalid('/ids', say('problem.giveIdsOrFrom'), 'required');
    const which = from === undefined ? { ids: ids ?? [] } : { sender: from };
    const refused = await store.submissions.remove(which, seenBy(store, by));
    if (refused > 0)
      await record({ kind: 'submissions-refused', subject: { kind: 'submission' }, note: String(refused) });
    return { refused };
  },
});

export const eraseStranger = operation({
  name: 'eraseStranger',
  summary: 'Erase what a stranger wrote',
  description:
    'Deletes everything that waits under the name of a person without an account, their comments, and their proposals that were not merged. Merged proposals lose the name, the title and the reason; the texts of pages are erased with `POST /v1/erase`.',
  access: 'administrator',
  scope: 'admin',
  input: component('EraseStranger', 'Name of the person whose contributions are erased.', {
    name: text('The name that the person gave.', 'Grace'),
  }),
  output: component('ErasedStranger', 'Numbers of erased contributions.', {
    submissions: count('Waiting submissions.', 0),
    comments: count('Comments.', 1),
    proposals: count('Proposals.', 0),
  }),
  writes: true,
  audit: ['stranger-erased'],
  ports: ['store'],
  async run({ store }, { input, record }) {
    const erased = await store.submissions.erase(input.name.trim());
    await record({ kind: 'stranger-erased', subject: { kind: 'submission' } });
    return erased;
  },
});
