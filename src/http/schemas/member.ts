/** JSON schemas of roles and blocks. */
import { roles } from '#core/model/member.ts';
import { component, oneOf, orNull, text, textOrNull } from '#core/operations/fields.ts';

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
