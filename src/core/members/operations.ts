/** Members as administrators manage them. */
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import { blockAt, type Member } from '../model/member.ts';
import { component, exampleTime, flag, text } from '../operations/fields.ts';
import { blockedField, memberId, RoleField } from '../operations/member-fields.ts';
import { type AnswerTo, converted, listOf, operation } from '../operations/operation.ts';
import { rangeFields, rangeOf } from '../operations/paging.ts';
import { administerMember, listMembers } from './administer-members.ts';

const ListedMember = component('ListedMember', 'A member as administrators see them.', {
  id: memberId,
  name: text("The member's name.", 'Ada Lovelace'),
  email: text('E-mail address, shown only to administrators.', 'ada@example.org'),
  role: RoleField,
  isAdmin: flag('Whether the role is `administrator`.', false),
  isActive: flag('Whether the member can sign in.', true),
  isBot: flag('Whether the account is a bot, which acts only with API tokens.', false),
  since: text('When the member joined, ISO 8601 in UTC.', exampleTime),
  blocked: blockedField,
});

/** A member, with their block at the time of the answer. */
const shownAt = <M extends Member>(member: M, now: number) => ({ ...member, block: blockAt(member, now) });

function memberJson({ id, name, email, role, isAdmin, isActive, isBot, createdAt, block }: Member) {
  const blocked = block && { reason: block.reason, until: isoTime(block.until) };
  return { id, name, email, role, isAdmin, isActive, isBot, since: isoTime(createdAt), blocked };
}

type ManagedMember = AnswerTo<typeof listMembers>['members'][number];

const managing = { access: 'administrator', scope: 'members', ports: ['store'] } as const;

export const memberList = operation({
  ...managing,
  name: 'members',
  summary: 'List members',
  description: 'All members, by ID. For administrators.',
  input: Type.Object(rangeFields(100)),
  output: listOf(
    converted(ListedMember, memberJson as (member: ManagedMember) => ReturnType<typeof memberJson>),
    'The members.',
  ),
  async run({ store }, { input, now }) {
    const { members, total } = await listMembers(store, rangeOf(input, 100), now);
    return { items: members.map((member) => shownAt(member, now)), total };
  },
});

export const memberChange = operation({
  ...managing,
  name: 'changeMember',
  summary: 'Change the role of a member',
  description:
    'For administrators. Takes effect with the next request of the member. Deactivating a member ends all their sessions and API tokens. The last active administrator can be neither deactivated nor given another role.',
  input: component('ChangeMember', 'Changed fields. Fields that are left out stay as they are.', {
    id: memberId,
    role: Type.Optional(RoleField),
    isActive: Type.Optional(flag('Whether the member can sign in.', true)),
  }),
  output: converted(ListedMember, memberJson),
  problems: ['not-found'],
  writes: 'itself',
  audit: ['role-changed', 'member-activated', 'member-deactivated'],
  run: async ({ store }, { input: { id, ...fields }, by, now }) =>
    shownAt(await administerMember(store, by, id, fields), now),
});
