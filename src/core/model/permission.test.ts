import { expect, test } from 'vitest';
import { audienceKey } from './grant.ts';
import {
  type Actor,
  audienceByDigits,
  may,
  readPermissionCode,
  sharedWithReaders,
  visibilityOf,
} from './permission.ts';

const owner: Actor = { memberId: 1, name: 'Olga', isAdmin: false };
const member: Actor = { memberId: 2, name: 'Max', isAdmin: false };
const admin: Actor = { memberId: 3, name: 'Ada', isAdmin: true };
const open = { isPrivate: false };
const codes = Array.from({ length: 512 }, (_, n) => Number(n.toString(8)));

test.each([
  [774, null, 'r-'],
  [774, member, 'rw'],
  [774, owner, 'rw'],
  [700, null, '--'],
  [700, member, '--'],
  [700, owner, 'rw'],
  [700, admin, 'rw'],
  [444, owner, 'r-'],
  [444, member, 'r-'],
  [444, admin, 'rw'],
  [0, admin, 'rw'],
  [0, owner, '--'],
  [740, member, 'r-'],
  // The most favourable digit counts: the owner may do whatever the world may.
  [6, owner, 'rw'],
  // Writing needs reading: 2 alone is nothing, and 4 and 2 of different digits do not add up.
  [222, member, '--'],
  [424, owner, 'r-'],
] as const)('%s lets %o %s', (permissions, actor, expected) => {
  const page = { permissions, ownerId: 1, group: null };
  expect(`${may(actor, 'read', page, open) ? 'r' : '-'}${may(actor, 'write', page, open) ? 'w' : '-'}`).toBe(
    expected,
  );
});

test.each([false, true])(
  'the most favourable digit of those that apply decides, for every code and everyone; private: %s',
  (isPrivate) => {
    for (const permissions of codes) {
      const [ofOwner = 0, group = 0, world = 0] = String(permissions).padStart(3, '0').split('').map(Number);
      for (const [actor, digits] of [
        [null, isPrivate ? [] : [world]],
        [member, [isPrivate ? 0 : world, group]],
        [owner, [isPrivate ? 0 : world, group, ofOwner]],
        [admin, [7]],
      ] as const) {
        const page = { permissions, ownerId: 1, group: null };
        for (const [action, needed] of [
          ['read', 4],
          ['write', 6],
        ] as const)
          expect(may(actor, action, page, { isPrivate }), `${permissions} ${action}`).toBe(
            digits.some((digit) => (digit & needed) === needed),
          );
      }
    }
  },
);

test.each([false, true])(
  'guests read pages of their own whenever all members do; private: %s',
  (isPrivate) => {
    const guest: Actor = { memberId: 1, name: 'Gus', isAdmin: false, role: 'guest' };
    for (const permissions of [770, 774, 70, 74]) {
      expect(
        may(guest, 'read', { permissions, ownerId: 1, group: null }, { isPrivate }),
        `${permissions}`,
      ).toBe(true);
      const granted = {
        id: 1,
        key: audienceKey(audienceByDigits({ permissions, group: null }, { isPrivate }), '4'),
      };
      const shared = { permissions, ownerId: 1, group: null, granted };
      expect(may(guest, 'read', shared, { isPrivate }), `${permissions} shared`).toBe(true);
      const isForAll = permissions % 10 === 4 && !isPrivate;
      expect(may(guest, 'read', { ...shared, ownerId: 2 }, { isPrivate })).toBe(isForAll);
    }
  },
);

test('public content is equal for all, members’ content for members', () => {
  const of = (actor: Actor, ...audiences: (0 | 1 | 2 | 3)[]) =>
    sharedWithReaders(
      visibilityOf(actor, open),
      audiences.map((audience) => ({ audience })),
    );
  expect([of(null), of(null, 0), of(member, 0, 0), of(admin, 0)]).toEqual([0, 0, 0, 0]);
  expect([of(member, 0, 1), of(admin, 1)]).toEqual([1, 1]);
  // Anonymous readers may see fewer ancestors of their page than members.
  expect([of(null, 0, 1), of(owner, 0, 2), of(admin, 3)]).toEqual([undefined, undefined, undefined]);
});

test('a code is three octal digits, as number or text', () => {
  expect(readPermissionCode(774)).toBe(774);
  expect(readPermissionCode('044')).toBe(44);
  expect(readPermissionCode(0)).toBe(0);
  for (const bad of [778, 1000, -1, 7.5, Number.NaN, '7x4', '', ' 774', null, undefined, {}, [774]]) {
    expect(readPermissionCode(bad)).toBeUndefined();
  }
});
