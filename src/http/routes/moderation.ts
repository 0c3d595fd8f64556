/** Members as administrators manage them, and blocks, which moderators see and set as well. */

import { Type } from 'typebox';
import { administerMember, listMembers } from '#core/members/administer-members.ts';
import { type BlockedMember, blockMember, listBlocks, unblockMember } from '#core/members/block-member.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { blockAt, type Member } from '#core/model/member.ts';
import {
  component,
  exampleTime,
  flag,
  idField,
  orNull,
  text,
  textOrNull,
  timeOrNull,
} from '#core/operations/fields.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { MemberName } from '#core/operations/schemas.ts';
import { pagingHeaders, setPaging } from '../lists.ts';
import { blockedField, RoleField, reasonField } from '../schemas/member.ts';
import type { Server, Service } from '../service.ts';

const tags = ['Members'];
const params = Type.Object({ id: idField('Member ID.', 3) });

const ListedMember = component('ListedMember', 'A member as administrators see them.', {
  id: idField('Member ID.', 3),
  name: text("The member's name.", 'Ada Lovelace'),
  email: text('E-mail address, shown only to administrators.', 'ada@example.org'),
  role: RoleField,
  isAdmin: flag('Whether the role is `administrator`.', false),
  isActive: flag('Whether the member can sign in.', true),
  isBot: flag('Whether the account is a bot, which acts only with API tokens.', false),
  since: text('When the member joined, ISO 8601 in UTC.', exampleTime),
  blocked: blockedField,
});

const Block = component('Block', 'A member who is blocked from writing.', {
  member: MemberName,
  reason: reasonField,
  until: textOrNull(
    'When the block ends by itself, ISO 8601 in UTC. Null if it has no end.',
    '2026-04-01T00:00:00.000Z',
  ),
  at: text('When the member was blocked, ISO 8601 in UTC.', exampleTime),
  by: orNull(
    idField('ID of the member who set the block.', 1),
    'ID of the member who set the block. Null for the command line.',
    1,
  ),
});

export async function moderationRoutes(server: Server, { store, clock }: Service): Promise<void> {
  server.get(
    '/v1/members',
    {
      config: { access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'members',
        tags,
        summary: 'List members',
        description: 'All members, by ID. For administrators.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(ListedMember, { description: 'The members.' }) },
        headersOut: pagingHeaders,
        problems: ['administrators-only'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { members, total } = await listMembers(store, request.actor, range, clock());
      setPaging({ request, reply }, range, total);
      return members.map((member) => memberJson(member, clock()));
    },
  );

  server.patch(
    '/v1/members/:id(^\\d+$)',
    {
      config: {
        audit: ['role-changed', 'member-activated', 'member-deactivated'],
        access: 'required',
        scope: 'members',
        subtree: 'refused',
      },
      schema: {
        operationId: 'changeMember',
        tags,
        summary: 'Change the role of a member',
        description:
          'For administrators. Takes effect with the next request of the member. Deactivating a member ends all their sessions and API tokens. The last active administrator can be neither deactivated nor given another role.',
        params,
        body: component('ChangeMember', 'Changed fields. Fields that are left out stay as they are.', {
          role: Type.Optional(RoleField),
          isActive: Type.Optional(flag('Whether the member can sign in.', true)),
        }),
        response: { 200: ListedMember },
        problems: ['administrators-only', 'not-found'],
      },
    },
    async ({ actor, params, body }) =>
      memberJson(await administerMember(store, actor, params.id, body), clock()),
  );

  server.get(
    '/v1/blocks',
    {
      config: { access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'blocks',
        tags,
        summary: 'List blocked members',
        description: 'Current blocks, latest first. For moderators.',
        querystring: Type.Object(rangeFields(100)),
        response: { 200: Type.Array(Block, { description: 'The blocks.' }) },
        headersOut: pagingHeaders,
        problems: ['moderators-only'],
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, 100);
      const { blocked, total } = await listBlocks(store, request.actor, range, clock());
      setPaging({ request, reply }, range, total);
      return blocked.map(blockJson);
    },
  );

  server.post(
    '/v1/members/:id/block',
    {
      config: { audit: ['member-blocked'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'blockMember',
        tags,
        summary: 'Block a member',
        description:
          'For moderators. The member can read but not write: no pages, files, likes or tokens, and the same applies to their API tokens. They are shown the reason and the end of the block. A new block replaces the current one. Nobody can block themselves, and only administrators can block administrators.',
        params,
        body: component('BlockInput', 'Reason and end of the block.', {
          reason: reasonField,
          until: Type.Optional(
            timeOrNull(
              'When the block ends by itself, ISO 8601. Without it, the block lasts until somebody lifts it.',
              '2026-04-01T00:00:00Z',
            ),
          ),
        }),
        response: { 200: Block },
        problems: ['moderators-only', 'administrators-only', 'not-found'],
      },
    },
    async ({ actor, params, body: { reason, until } }) => {
      const input = { reason, until: until ? Date.parse(until) : null };
      return blockJson(await blockMember({ store, actor, now: clock() }, params.id, input));
    },
  );

  server.delete(
    '/v1/members/:id/block',
    {
      config: { audit: ['member-unblocked'], access: 'required', scope: 'members', subtree: 'refused' },
      schema: {
        operationId: 'unblockMember',
        tags,
        summary: 'Lift a block',
        description: 'For moderators. Only administrators can unblock administrators.',
        params,
        others: { 204: 'The member is no longer blocked.' },
        problems: ['moderators-only', 'administrators-only', 'not-found'],
      },
    },
    async (request) => unblockMember(store, request.actor, request.params.id, clock()),
  );
}

function memberJson(member: Member, now: number) {
  const { id, name, email, role, isAdmin, isActive, isBot, createdAt } = member;
  const block = blockAt(member, now);
  return {
    id,
    name,
    email,
    role,
    isAdmin,
    isActive,
    isBot,
    since: isoTime(createdAt),
    blocked: block && { reason: block.reason, until: isoTime(block.until) },
  };
}

function blockJson({ member, block }: BlockedMember) {
  const { reason, until, at, by } = block;
  return {
    member: { id: member.id, name: member.name },
    reason,
    until: isoTime(until),
    at: isoTime(at),
    by,
  };
}
