/** Schemas of members, roles and blocks, which answers of several operations share. */
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { isoTime } from '../model/iso-time.ts';
import { actorOf, type Member, roles } from '../model/member.ts';
import type { Actor } from '../model/permission.ts';
import { component, flag, idField, integer, oneOf, orNull, text, textOrNull } from './fields.ts';
import { converted } from './operation.ts';

export const memberId = idField('Member ID.', 3);

export const oneTimeToken = text('The one-time token.', 'pXc3n2gq0l6Zc8m4Jb1r7uKd5tQy9wEaHfVsLoNi2xM');

export const RoleField = oneOf(
  roles,
  '`reader`: likes and watches pages, but does not write. `writer`: writes where permissions allow. `moderator`: also restores and deletes pages that anyone may read, undoes changes, blocks members and protects pages. `administrator`: everything.',
  'writer',
);

export const reasonField = text(
  'Reason, up to 500 characters, which is shown to the members concerned.',
  'Advertisements',
);

const example = { reason: 'Advertisements', until: '2026-04-01T00:00:00.000Z' };

const Blocked = component('Blocked', 'Why a member cannot write, and until when.', {
  reason: reasonField,
  until: textOrNull(
    'When the block ends by itself, ISO 8601 in UTC. Null if it has no end.',
    '2026-04-01T00:00:00.000Z',
  ),
});

export const blockedField = orNull(
  Blocked,
  'Why and until when the member cannot write. Null if they are not blocked.',
  example,
);

const MeObject = component('Me', 'Member that the token belongs to.', {
  id: integer('Member ID.', 3, { minimum: 1 }),
  name: text("The member's name.", 'Ada Lovelace'),
  isAdmin: flag('Whether the member is an administrator.', false),
  role: RoleField,
  blocked: blockedField,
  needsSecondFactor: Type.Optional(
    flag(
      'Present for an administrator without the second factor that this wiki requires. Until they add one, `role` and `isAdmin` describe their reduced rights.',
      true,
    ),
  ),
});

/** The caller, as shown to themselves. */
export const Me = converted(MeObject, (actor: NonNullable<Actor>): Static<typeof MeObject> => {
  const { memberId, name, isAdmin, role, block, needsSecondFactor } = actor;
  const blocked = block ? { reason: block.reason, until: isoTime(block.until) } : null;
  return {
    id: memberId,
    name,
    isAdmin,
    role: role ?? (isAdmin ? 'administrator' : 'writer'),
    blocked,
    ...(needsSecondFactor ? { needsSecondFactor } : {}),
  };
});

/** A member whom the operation has made or changed, as shown to themselves. */
export const MadeMember = converted(MeObject, ({ member, now }: MadeMember) =>
  Me.toJson(actorOf(member, now)),
);

export interface MadeMember {
  member: Member;
  now: number;
}
