/** Blocks, which moderators see, set and lift. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import {
  component,
  exampleTime,
  idField,
  orNull,
  text,
  textOrNull,
  timeOrNull,
} from '../operations/fields.ts';
import { memberId, reasonField } from '../operations/member-fields.ts';
import { converted, listOf, nothing, operation } from '../operations/operation.ts';
import { rangeFields, rangeOf } from '../operations/paging.ts';
import { MemberName } from '../operations/schemas.ts';
import { type BlockedMember, blockMember, listBlocks, unblockMember } from './block-member.ts';

const BlockObject = component('Block', 'A member who is blocked from writing.', {
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

const Block = converted(BlockObject, ({ member, block }: BlockedMember) => {
  const { reason, until, at, by } = block;
  return {
    member: { id: member.id, name: member.name },
    reason,
    until: isoTime(until),
    at: isoTime(at),
    by,
  };
});

const moderating = { access: 'moderator', scope: 'members', ports: ['store'] } as const;

export const blockList = operation({
  ...moderating,
  name: 'blocks',
  summary: 'List blocked members',
  description: 'Current blocks, latest first. For moderators.',
  input: Type.Object(rangeFields(100)),
  output: listOf(Block, 'The blocks.'),
  async run({ store }, { input, now }) {
    const { blocked, total } = await listBlocks(store, rangeOf(input, 100), now);
    return { items: blocked, total };
  },
});

export const memberBlocking = operation({
  ...moderating,
  name: 'blockMember',
  summary: 'Block a member',
  action: 'block members',
  description:
    'For moderators. The member can read but not write: no pages, files, likes or tokens, and the same applies to their API tokens. They are shown the reason and the end of the block. A new block replaces the current one. Nobody can block themselves, and only administrators can block administrators.',
  input: component('BlockInput', 'Reason and end of the block.', {
    id: memberId,
    reason: reasonField,
    until: Type.Optional(
      timeOrNull(
        'When the block ends by itself, ISO 8601. Without it, the block lasts until somebody lifts it.',
        '2026-04-01T00:00:00Z',
      ),
    ),
  }),
  output: Block,
  problems: ['administrators-only', 'not-found'],
  writes: 'itself',
  audit: ['member-blocked'],
  run: ({ store }, { input: { id, reason, until }, by: actor, now }) =>
    blockMember({ store, actor, now }, id, { reason, until: until ? Date.parse(until) : null }),
});

export const memberUnblocking = operation({
  ...moderating,
  name: 'unblockMember',
  summary: 'Lift a block',
  action: 'block members',
  description: 'For moderators. Only administrators can unblock administrators.',
  input: Type.Object({ id: memberId }),
  output: nothing('The member is no longer blocked.'),
  problems: ['administrators-only', 'not-found'],
  writes: 'itself',
  audit: ['member-unblocked'],
  run: ({ store }, { input: { id }, by, now }) => unblockMember(store, by, id, now),
});
