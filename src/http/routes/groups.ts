/** Groups of members: managed by administrators, visible to their members. */
import { Type } from 'typebox';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  putInGroup,
  renameGroup,
  takeFromGroup,
} from '#core/members/groups.ts';
import type { Group } from '#core/ports/group-store.ts';
import { pagingHeaders, rangeFields, rangeOf, setPaging } from '../lists.ts';
import { component, count, idField, text } from '../schemas/fields.ts';
import { MemberName } from '../schemas/output.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Groups'];

const GroupSchema = component('Group', 'A group of members.', {
  id: idField('ID of the group.', 2),
  name: text('Its name, by which pages name it.', 'editors'),
  members: Type.Array(MemberName, {
    description: 'Its members by name: in lists the first hundred.',
  }),
  memberCount: count('How many members it has.', 1),
});

const GroupName = component('GroupInput', 'Name of the group.', {
  name: text(
    'Name of the group, up to 100 characters; unique without regard to case. Not `members`.',
    'editors',
  ),
});

const params = Type.Object({ id: idField('ID of the group.', 2) });
const memberParams = Type.Object({
  id: idField('ID of the group.', 2),
  memberId: idField('ID of the member.', 1),
});

export async function groupRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.get(
    '/v1/groups',
    {
      config: { access: 'required', scope: 'read', subtree: 'refused' },
      schema: {
        operationId: 'groups',
        tags,
        summary: 'List groups',
        description:
          'Groups by name: administrators see all, other members those that they are in. The group of all members, `members`, is always there and not listed.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(GroupSchema, { description: 'The groups.' }) },
        headersOut: pagingHeaders,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { groups, total } = await listGroups(store, request.actor, range);
      setPaging(request, reply, range, total);
      return groups.map(groupJson);
    },
  );

  server.post(
    '/v1/groups',
    {
      config: { audit: ['group-made'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'createGroup',
        tags,
        summary: 'Make a group',
        description: 'For administrators. It has no members yet.',
        body: GroupName,
        response: { 200: GroupSchema },
        problems: ['administrators-only'],
      },
    },
    async ({ actor, body }) => groupJson(await createGroup(store, actor, body.name, clock())),
  );

  server.get(
    '/v1/groups/:id',
    {
      config: { access: 'required', scope: 'read', subtree: 'refused' },
      schema: {
        operationId: 'group',
        tags,
        summary: 'Read a group',
        description: 'For administrators and its members. `limit` and `offset` are those of its members.',
        params,
        querystring: Type.Object(rangeFields(1000)),
        response: { 200: GroupSchema },
        headersOut: pagingHeaders,
        problems: ['not-found'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 1000);
      const group = await getGroup(store, request.actor, request.params.id, range);
      setPaging(request, reply, range, group.memberCount);
      return groupJson(group);
    },
  );

  server.post(
    '/v1/groups/:id',
    {
      config: { audit: ['group-renamed'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'renameGroup',
        tags,
        summary: 'Rename a group',
        description:
          'For administrators. Its pages show the new name; their changes keep the one of their time.',
        params,
        body: GroupName,
        response: { 200: GroupSchema },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async ({ actor, params, body }) => groupJson(await renameGroup(store, actor, params.id, body.name)),
  );

  server.delete(
    '/v1/groups/:id',
    {
      config: { audit: ['group-deleted'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'deleteGroup',
        tags,
        summary: 'Delete a group',
        description:
          'For administrators. Refused while pages are of it, in the trash or not, so that no page is ever opened to readers whom nobody chose.',
        params,
        others: { 204: 'Deleted.' },
        problems: ['administrators-only', 'not-found', 'group-in-use'],
      },
    },
    async ({ actor, params }) => deleteGroup(store, actor, params.id),
  );

  server.put(
    '/v1/groups/:id/members/:memberId',
    {
      config: { audit: ['group-joined'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'addToGroup',
        tags,
        summary: 'Put a member into a group',
        description: 'For administrators. It holds from the next request of the member on.',
        params: memberParams,
        others: { 204: 'The member is in the group.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async ({ actor, params }) => putInGroup(store, actor, params.id, params.memberId, clock()),
  );

  server.delete(
    '/v1/groups/:id/members/:memberId',
    {
      config: { audit: ['group-left'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'removeFromGroup',
        tags,
        summary: 'Take a member out of a group',
        description:
          'For administrators. The member loses what the group may read and write with the next request; streams that are open end.',
        params: memberParams,
        others: { 204: 'The member is not in the group.' },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async ({ actor, params }) => takeFromGroup(store, actor, params.id, params.memberId),
  );
}

function groupJson({ id, name, members, memberCount }: Group) {
  return { id, name, members: members.map(({ id, name }) => ({ id, name })), memberCount };
}
