/** A member as others see them, and their contributions. */
import { Type } from 'typebox';
import { findMember, listContributions } from '#core/members/member-page.ts';
import {
  component,
  exampleTime,
  flag,
  idField,
  integer,
  object,
  orNull,
  text,
} from '#core/operations/fields.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import { RoleField } from '../schemas/member.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];
const defaultLimit = 50;
const params = Type.Object({ id: idField('Member ID.', 3) });

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

export async function contributionRoutes(server: Server, { store }: Service): Promise<void> {
  server.get(
    // Only digits, because other words are operations such as `auth`.
    '/v1/members/:id(^\\d+$)',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within' },
      schema: {
        operationId: 'member',
        tags,
        summary: 'Read a member’s profile',
        description:
          'Returns name and time of joining. People who are not signed in see only members who changed a page that anyone may read.',
        params,
        response: { 200: ShownMember },
        problems: ['not-found'],
      },
    },
    async ({ reader, params }) => {
      const { since, ...member } = await findMember(store, reader, params.id);
      return { ...member, since: new Date(since).toISOString() };
    },
  );

  server.get(
    '/v1/members/:id/contributions',
    {
      config: { access: 'optional', scope: 'read', subtree: 'within', strangersMs: 2 },
      schema: {
        operationId: 'contributions',
        tags,
        summary: 'List contributions of a member',
        description: 'Changes of pages that the caller may see, latest first.',
        params,
        querystring: Type.Object({
          before: Type.Optional(
            idField('Lists only changes before this ID, which is `next` of the previous response.', 41),
          ),
          limit: limitField(defaultLimit, 50),
        }),
        response: {
          200: component('Contributions', 'Changes that a member made.', {
            contributions: Type.Array(ContributionObject, { description: 'The changes.' }),
            next: orNull(
              Type.Integer(),
              'Value for `before` to get the next changes. Null at the end of the list.',
              41,
            ),
          }),
        },
        problems: ['not-found'],
      },
    },
    async ({ reader, params, query }) => {
      const limit = countOf(query.limit, defaultLimit);
      const found = await listContributions(store, reader, params.id, { before: query.before, limit });
      const contributions = found.contributions.map(({ at, isErased, ...rest }) => ({
        ...rest,
        timestamp: new Date(at).toISOString(),
        erased: isErased,
      }));
      return { contributions, next: found.next };
    },
  );
}
