/** JSON of proposals. */
import { type Static, Type } from 'typebox';
import type { StoredBytes } from '#core/model/file.ts';
import { isoTime } from '#core/model/iso-time.ts';
import type { MemberName } from '#core/model/page.ts';
import {
  component,
  count,
  flag,
  idField,
  idOrNull,
  integer,
  literals,
  objects,
  oneOf,
  option,
  optionalText,
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
  proposalActions,
  proposalStates,
  type Review,
  verdicts,
} from '#core/ports/proposal-store.ts';
import type { Judged, JudgedChange } from './judge-changes.ts';
import { maxFiles, maxSentBytes } from './prepare-files.ts';
import { approvalsOf, maxInvited, maxTextLength, maxTitleLength } from './proposals.ts';
import { maxQuoteLength } from './reviews-of-changes.ts';

const action = oneOf(
  proposalActions,
  '`create` makes a page, `edit` changes fields, `move` gives another place, `delete` puts the page into the trash.',
  'edit',
);
const pathOrId = Type.Union([Type.String(), Type.Integer(), Type.Null()], {
  description:
    'Path or ID of the parent; null for a root page. A page that the same proposal makes earlier can be one.',
  examples: ['/garden'],
});

/** Fields of a page, as in requests that create or edit it. */
const pageFields = {
  to: optionalText('New path of a page that is moved.', '/park/roses'),
  title: optionalText('Title.', 'Roses'),
  slug: optionalText('Last part of the path.', 'roses'),
  parent: Type.Optional(pathOrId),
  description: Type.Optional(textOrNull('Description.', 'Every rose in the garden.')),
  type: Type.Optional(textOrNull('Type.', 'Collection')),
  permissions: Type.Optional(Type.Number({ description: 'Three octal digits.', examples: [774] })),
  group: Type.Optional(textOrNull('Group of the page.', 'editors')),
  defaults: Type.Optional(
    orNull(
      Type.Object({
        permissions: Type.Optional(Type.Number({ description: 'Three octal digits.', examples: [770] })),
        group: Type.Optional(textOrNull('Group of new pages.', 'editors')),
      }),
      'Access of new pages beneath the page.',
      null,
    ),
  ),
  location: Type.Optional(
    Type.Union(
      [
        Type.Object({
          lat: Type.Number({ description: 'Degrees north.', examples: [52.5163] }),
          lon: Type.Number({ description: 'Degrees east.', examples: [13.3777] }),
        }),
        Type.Literal(false),
        Type.Null(),
      ],
      { description: 'Location of the page.', examples: [null] },
    ),
  ),
  format: Type.Optional(oneOf(['wikitext', 'markdown'], 'Language of the body.', 'wikitext')),
  body: optionalText('Content of the page.', 'Roses need [[Pruning]].'),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Structured data.',
      examples: [{ height: 26 }],
    }),
  ),
  image: Type.Optional(textOrNull('Address of a picture for the page.', null)),
  language: Type.Optional(textOrNull('Language of the page (BCP 47).', 'de')),
  comments: Type.Optional(oneOf(['off', 'members', 'writers'], 'Members who can comment.', 'members')),
  msg: optionalText(
    'Message of the change. Without one, the title of the proposal is used.',
    'More about pruning',
  ),
  subtree: Type.Optional(option('For a deletion: deletes the pages beneath as well.')),
};

const GivenChange = component('ProposedChangeInput', 'A change of one page, with the fields of its action.', {
  action,
  path: optionalText(
    'Path of the page. For a new page, the path that it will have; by default made from parent and slug.',
    '/garden/roses',
  ),
  base: Type.Optional(
    integer(
      'ID of the change of the page on which the proposed one is based. The default is its latest change.',
      41,
      { minimum: 1 },
    ),
  ),
  ...pageFields,
  files: Type.Optional(
    Type.Array(
      Type.Object(
        {
          file: Type.Object(
            {
              name: Type.String({ description: 'File name.', minLength: 1, examples: ['rose.jpg'] }),
              data: Type.Optional(
                Type.Unsafe<string | StoredBytes>({
                  description: 'The bytes in base64.',
                  examples: ['UklGRg=='],
                }),
              ),
            },
            { description: 'The file.' },
          ),
        },
        { description: 'A file.' },
      ),
      {
        description: `Files that a creation or an edit attaches, at most ${maxFiles}, and ${maxSentBytes / 1e6} MB in one request. One without \`data\` stays from the changes that are replaced.`,
        maxItems: maxFiles,
        examples: [[{ file: { name: 'rose.jpg', data: 'UklGRg==' } }]],
      },
    ),
  ),
});

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
    description: `Members who can read the draft, at most ${maxInvited}: their IDs, or the whole name of one of them.`,
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
    path: text('Path of the page when it was proposed; of a new page its future path.', '/garden/roses'),
    base: idOrNull('Change on which it is based. Null for a new page.', 41),
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
  createdAt: time('When it was made'),
  updatedAt: time('When it last changed, reviews included'),
  publishAt,
  publishProblem: textOrNull(
    'Reason why merging at `publishAt` was refused, for the author. Null if it was not.',
    null,
  ),
  mergedAt: timeOrNull('When it was merged. Null before', null),
  mergedBy: orNull(MemberNameSchema, 'The member who merged it. Null before.', null),
  invited: Type.Optional(invited),
  changes: Type.Array(ShownChange, { description: 'The changes that the caller may see.' }),
  reviews: Type.Array(ShownReview, { description: 'The latest hundred reviews, oldest first.' }),
  approvals: count('Number of approvals of the present changes, by others than the author.', 1),
  mergeable: flag(
    'Whether none of these changes conflicts with the present pages, and it is neither merged nor withdrawn.',
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
    ...{ id, title, text, state, author: nameOf(author), stranger },
    ...{ createdAt: isoTime(proposal.createdAt), updatedAt: isoTime(proposal.updatedAt) },
    // The reason may name pages that others cannot see.
    ...{ publishAt: isoTime(proposal.publishAt), publishProblem: isOwn ? publishProblem : null },
    ...{ mergedAt: isoTime(proposal.mergedAt), mergedBy: mergedBy && nameOf(mergedBy) },
    ...(isOwn ? { invited } : {}),
    changes: changes.map(changeJson),
    reviews: reviews.map((review) => ({
      ...{ id: review.id, member: nameOf(review.member), verdict: review.verdict, text: review.text },
      ...{ at: isoTime(review.at), current: review.revision === revision },
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
    ...{ action, path, base, conflict: conflict !== false },
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
