/** A member as others see them, and their contributions. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import {
  component,
  exampleTime,
  flag,
  idField,
  integer,
  object,
  orNull,
  text,
} from '../operations/fields.ts';
import { memberId, RoleField } from '../operations/member-fields.ts';
import { type AnswerTo, converted, operation } from '../operations/operation.ts';
import { countOf, limitField } from '../operations/paging.ts';
import { findMember, listContributions, type MemberPage } from './member-page.ts';

const ShownMember = component('ShownMember', 'A member as others see them.', {
  id: integer('Member ID.', 3),
  name: text('Name.', 'Ada Lovelace'),
  since: text('When the member joined, ISO 8601 in UTC.', exampleTime),
  isAdmin: flag('Whether the member is an administrator.', false),
  role: RoleField,
});

const ContributionObject = component('Contribution', 'A change that a member made.', {
  id: integer('Change ID.', 41),
  timestamp: text('Time of the change, ISO 8601 in UTC.', exampleTime),
  msg: text('Commit message; may be empty.', 'More about pruning'),
  page: object('The page that was changed.', {
    id: integer('Page ID.', 12),
    path: text('Its current path.', '/garden/roses'),
    title: text('Its current title.', 'Roses'),
  }),
  erased: flag('Whether the content of the change was erased.', false),
});

const Contributions = component('Contributions', 'Changes that a member made.', {
  contributions: Type.Array(ContributionObject, { description: 'The changes.' }),
  next: orNull(
    Type.Integer(),
    'Value for `before` to get the next changes. Null at the end of the list.',
    41,
  ),
});

const seeing = {
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  problems: ['not-found'],
  ports: ['store', 'reader'],
} as const;

export const memberProfile = operation({
  ...seeing,
  name: 'member',
  summary: 'Read a member’s profile',
  description:
    'Returns name and time of joining. People who are not signed in see only members who changed a page that anyone may read.',
  input: Type.Object({ id: memberId }),
  output: converted(ShownMember, ({ since, ...member }: MemberPage) => ({
    ...member,
    since: isoTime(since),
  })),
  run: ({ store, reader }, { input }) => findMember(store, reader, input.id),
});

export const contributionList = operation({
  ...seeing,
  name: 'contributions',
  summary: 'List contributions of a member',
  description: 'Changes of pages that the caller may see, latest first.',
  input: Type.Object({
    id: memberId,
    before: Type.Optional(
      idField('Lists only changes before this ID, which is `next` of the previous response.', 41),
    ),
    limit: limitField(50, 50),
  }),
  output: converted(Contributions, ({ contributions, next }: AnswerTo<typeof listContributions>) => ({
    contributions: contributions.map(({ at, isErased, ...rest }) => ({
      ...rest,
      timestamp: isoTime(at),
      erased: isErased,
    })),
    next,
  })),
  run: ({ store, reader }, { input: { id, before, limit } }) =>
    listContributions(store, reader, id, { before, limit: countOf(limit, 50) }),
});
