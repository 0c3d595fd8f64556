/** Sentences about access agree with access itself, and with what a form would save. */
import { expect, test } from 'vitest';
import { type Actor, may } from '#core/model/permission.ts';
import { textOf } from '#words/say.ts';
import { chosenAccess } from './chosen-access.ts';
import { permissionWords } from './format.ts';

const board = { id: 7, name: 'Board' };
const member = { memberId: 2, name: '', isAdmin: false };
const actors: Record<string, Actor> = {
  owner: { ...member, memberId: 1 },
  'owner in the group': { ...member, memberId: 1, groupIds: [7] },
  'group member': { ...member, groupIds: [7] },
  'other member': member,
  'member of another group': { ...member, groupIds: [8] },
  guest: { ...member, role: 'guest' },
  stranger: null,
  administrator: { ...member, memberId: 3, isAdmin: true },
};

/** Whether the words for one action include the actor. Administrators may do everything. */
function includes(words: string, who: string): boolean {
  if (who === 'administrator' || words === 'anyone') return true;
  if (who === 'stranger') return false;
  if (words === 'everyone who is signed in') return true;
  if (words === 'members') return who !== 'guest';
  expect(words).toMatch(
    /^only (the owner|the group “Board”|the owner and the group “Board”|administrators)$/,
  );
  return (
    (who.startsWith('owner') && words.includes('the owner')) ||
    ((who === 'group member' || who === 'owner in the group') && words.includes('the group “Board”'))
  );
}

test.each([false, true])(
  'the sentence names those who can in fact read and edit, for every code and group; private: %s',
  (isPrivate) => {
    const wiki = { isPrivate };
    const wrong: string[] = [];
    for (let octal = 0; octal < 512; octal++)
      for (const group of [null, board]) {
        const permissions = Number(octal.toString(8));
        const sentence = textOf(permissionWords(permissions, { group, wiki }), 'en');
        const words = sentence.charAt(0).toLowerCase() + sentence.slice(1);
        const [, readers = '', , own] = /^(.+?) can read( and edit|, (.+) can edit)$/.exec(words) ?? [];
        for (const [who, actor] of Object.entries(actors)) {
          const page = { permissions, ownerId: 1, group };
          if (includes(readers, who) !== may(actor, 'read', page, wiki))
            wrong.push(`${who} reads: ${sentence}`);
          // A signed-in member is needed for every edit.
          if (actor && includes(own ?? readers, who) !== may(actor, 'write', page, wiki))
            wrong.push(`${who} edits: ${sentence}`);
        }
      }
    expect(wrong).toEqual([]);
  },
);

test('a form that gives access to all members no longer names the group, and empty fields change nothing', () => {
  const kept = { permissions: 770, group: board };
  const words = (fields: { code?: string; permissions?: string; group?: string }, isNew = false) => {
    const given = { permissions: fields.permissions, group: fields.group };
    const { permissions, group } = chosenAccess(given, kept, isNew);
    return textOf(permissionWords(permissions, { group, wiki: { isPrivate: false } }), 'en');
  };
  const ofBoard = 'Only the owner and the group “Board” can read and edit';
  expect(words({})).toBe(ofBoard);
  expect(words({ permissions: '770', group: 'Board' })).toBe(ofBoard);
  for (const group of ['members', ' Members ', ''])
    expect(words({ permissions: '770', group })).toBe('Members can read and edit');
  expect(words({ permissions: '', group: '' }, true)).toBe(ofBoard);
  expect(words({ permissions: '740', group: '' }, true)).toBe(
    'Only the owner and the group “Board” can read, only the owner can edit',
  );
  expect(words({ permissions: '', group: 'members' }, true)).toBe('Members can read and edit');
  expect(words({ permissions: '700', group: 'Yard' })).toBe('Only the owner can read and edit');
  expect(words({ permissions: '770', group: 'Yard' })).toBe(
    'Only the owner and the group “Yard” can read and edit',
  );
});
