/** JSON of proposals. */
import { type Static, Type } from 'typebox';
import { isoTime } from '#core/model/iso-time.ts';
import type { MemberName } from '#core/model/page.ts';
import {
  component,
  count,
  flag,
  idField,
  idOrNull,
  literals,
  objects,
  oneOf,
  orNull,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '#core/operations/fields.ts';
import { converted } from '#core/operations/operation.ts';
import { MemberName as MemberNameSchema } from '#core/operations/schemas.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import {
  maxChanges,
  type ProposedFile,
  proposalStates,
  type Review,
  verdicts,
} from '#core/ports/proposal-store.ts';
import { action, GivenChange, pageFields } from './given-change.ts';
import type { Judged, JudgedChange } from './judge-changes.ts';
import { approvalsOf, maxInvited, maxTextLength, maxTitleLength } from './proposals.ts';
import { maxQuoteLength } from './reviews-of-changes.ts';

const title = Type.String({
  description: `Title of the proposal, up to ${maxTitleLength} characters.`,
  minLength: 1,
  examples: ['Prune the roses'],
});
const reason = Type.String({
  description: `Reason as plain text, up to ${maxTextLength} characters.`,
  examples: ['They are to be pruned in March.'],
});
const publishAt = timeOrNull(
  'Time at which the proposal merges by itself, with the rights of its author. Null if it does not',
  '2100-01-01T00:00:00.000Z',
);
const inviting = Type.Array(
  Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 255 })]),
  {
    description: `Members who can read the draft, at most ${maxInvited}: a list of IDs, or the full name of a single member.`,
    maxItems: maxInvited,
    examples: [[7]],
  },
);
const invited = Type.Array(Type.Integer({ minimum: 1 }), {
  description: `IDs of members who can read the draft, at most ${maxInvited}.`,
  maxItems: maxInvited,
  examples: [[7]],
});
const changes = Type.Array(GivenChange, {
  description: `1 to ${maxChanges} changes, in the order in which they are made.`,
});
const given = {
  text: Type.Optional(reason),
  publishAt: Type.Optional(publishAt),
  invited: Type.Optional(inviting),
};

export const NewProposal = component('NewProposal', 'Proposed changes of pages.', {
  title,
  ...given,
  state: Type.Optional(
    oneOf(
      ['draft', 'open'],
      '`draft`: only its author and invited members see it. The default is `open`.',
      'open',
    ),
  ),
  changes,
});

export const ProposalEdit = Type.Object(
  {
    id: idField('ID of the proposal.', 3),
    title: Type.Optional(title),
    ...given,
    state: Type.Optional(
      literals(['draft', 'open', 'withdrawn'], { description: 'New state.', examples: ['open'] }),
    ),
    changes: Type.Optional(changes),
  },
  {
    title: 'ProposalEdit',
    description: 'Fields that are left out stay as they are. `changes` replaces all of them.',
  },
);

export const ReviewInput = Type.Object(
  {
    id: idField('ID of the proposal.', 3),
    verdict: oneOf(verdicts, '`approve`, `reject` or `comment`.', 'approve'),
    text: Type.Optional(reason),
    on: Type.Optional(
      Type.Object(
        {
          path: text('Path of the page that the proposal changes.', '/garden/roses'),
          quote: Type.Optional(
            Type.String({
              description: 'Words of the proposed text, in its source. White space does not matter.',
              maxLength: maxQuoteLength,
              examples: ['Prune in March.'],
            }),
          ),
        },
        { description: 'For a comment about one change.' },
      ),
    ),
  },
  { title: 'ReviewInput', description: 'A review.' },
);

const ShownChange = component(
  'ProposedChange',
  'A proposed change. Only a single proposal includes the fields of pages.',
  {
    action,
    path: text(
      'Path that the page had when the change was proposed. For a new page, its future path.',
      '/garden/roses',
    ),
    base: idOrNull('Change of the page on which the proposal is based. Null for a new page.', 41),
    conflict: flag(
      'Whether the change conflicts with the present page, and cannot be merged as it is.',
      false,
    ),
    page: orNull(
      Type.Object({
        id: idField('Page ID.', 7),
        path: text('Present path.', '/garden/roses'),
        title: text('Present title.', 'Roses'),
      }),
      'The present page. Null for a page that does not exist yet or any more.',
      { id: 7, path: '/garden/roses', title: 'Roses' },
    ),
    ...pageFields,
    files: Type.Optional(
      objects('Files that the change attaches.', {
        name: text('File name.', 'rose.jpg'),
        mime: text('Media type, detected from the bytes.', 'image/jpeg'),
        size: count('Size in bytes.', 31200),
        url: text('Address of the file on this server.', '/files/p3-0-00-9f86d081884c7d65-rose.jpg'),
      }),
    ),
  },
);

const ShownReview = component('Review', 'A review of a proposal.', {
  id: idField('ID of the review.', 5),
  member: MemberNameSchema,
  verdict: oneOf(verdicts, 'Verdict.', 'approve'),
  text: text('Text; may be empty.', 'Good.'),
  at: time('When'),
  current: flag(
    'Whether the review is about the present changes. Approvals of earlier changes do not count.',
    true,
  ),
  on: orNull(
    Type.Object({
      path: text('Path of the page that the proposal changes.', '/garden/roses'),
      quote: textOrNull('Words of the proposed text.', 'Prune in March.'),
    }),
    'The change that a comment is about. Null for the whole proposal.',
    null,
  ),
});

const Proposal = component('Proposal', 'Changes of pages that are merged together or not at all.', {
  id: idField('ID of the proposal.', 3),
  title,
  text: reason,
  state: oneOf(proposalStates, '`draft`, `open`, `withdrawn` or `merged`.', 'open'),
  author: MemberNameSchema,
  stranger: textOrNull(
    'Name of a person without an account who proposed it, and whose proposal the author let in. Null for members.',
    null,
  ),
  createdAt: time('When the proposal was made'),
  updatedAt: time('When the proposal or its reviews last changed'),
  publishAt,
  publishProblem: textOrNull(
    'Reason why merging at `publishAt` was refused, for the author. Null if it was not.',
    null,
  ),
  mergedAt: timeOrNull('When the proposal was merged. Null before', null),
  mergedBy: orNull(MemberNameSchema, 'The member who merged the proposal. Null before.', null),
  invited: Type.Optional(invited),
  changes: Type.Array(ShownChange, { description: 'The changes that the caller may see.' }),
  reviews: Type.Array(ShownReview, { description: 'The latest hundred reviews, oldest first.' }),
  approvals: count('Number of members besides the author who have approved the present changes.', 1),
  mergeable: flag(
    'Whether the proposal could be merged now: it is neither merged nor withdrawn, and none of these changes conflicts with the present pages.',
    true,
  ),
});

export const LinksOfProposal = component('LinksOfProposal', 'Effects of a proposal on links.', {
  wanted: objects('New links to pages that would not exist.', {
    target: text('Target as written: a title, or a path.', 'Compost'),
    page: text('Path of the page with the link.', '/garden/roses'),
  }),
  dead: objects('Links of other pages to pages that it deletes.', {
    target: text('Path of the deleted page.', '/garden/weeds'),
    page: Type.Object(
      {
        id: idField('Page ID.', 7),
        path: text('Path of the page with the link.', '/garden'),
        title: text('Its title.', 'Garden'),
      },
      { description: 'The page with the link.' },
    ),
  }),
});

/** A proposal as its reader sees it. */
export interface ProposalSeen extends Judged {
  reviews: Review[];
  /** Whether the reader is told who is invited. */
  isOwn: boolean;
}

export const shownProposal = converted(Proposal, proposalJson);

export function proposalJson({ proposal, changes, reviews, isOwn }: ProposalSeen): Static<typeof Proposal> {
  const { id, title, text, state, author, stranger, invited, publishProblem, mergedBy, revision } = proposal;
  return {
    id,
    title,
    text,
    state,
    author: nameOf(author),
    stranger,
    createdAt: isoTime(proposal.createdAt),
    updatedAt: isoTime(proposal.updatedAt),
    // The reason may name pages that others cannot see.
    publishAt: isoTime(proposal.publishAt),
    publishProblem: isOwn ? publishProblem : null,
    mergedAt: isoTime(proposal.mergedAt),
    mergedBy: mergedBy && nameOf(mergedBy),
    ...(isOwn ? { invited } : {}),
    changes: changes.map(changeJson),
    reviews: reviews.map((review) => ({
      id: review.id,
      member: nameOf(review.member),
      verdict: review.verdict,
      text: review.text,
      at: isoTime(review.at),
      current: review.revision === revision,
      on: review.on && { path: review.on.path, quote: review.on.quote },
    })),
    approvals: approvalsOf(proposal, reviews).length,
    mergeable: isMergeable({ proposal, changes }),
  };
}

export function isMergeable({ proposal: { state }, changes }: Pick<Judged, 'proposal' | 'changes'>): boolean {
  return (state === 'open' || state === 'draft') && changes.every(({ conflict }) => conflict === false);
}

function changeJson({
  action,
  path,
  base,
  conflict,
  page,
  fields,
  files,
}: JudgedChange): Static<typeof ShownChange> {
  const { path: to, ...others } = fields ?? {};
  return {
    action,
    path,
    base,
    conflict: conflict !== false,
    page: page ? { id: page.id, path: page.path, title: page.title } : null,
    ...(others as object),
    ...(action === 'create' || to === undefined ? {} : { to }),
    ...(files.length === 0 ? {} : { files: files.map(fileJson) }),
  };
}

function fileJson({ filename, mime, sizeBytes, name }: ProposedFile) {
  return { name: filename, mime, size: sizeBytes, url: fileUrl(name) };
}

function nameOf({ id, name }: MemberName): MemberName {
  return { id, name };
}
