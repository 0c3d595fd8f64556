/**
 * Contract of both engines: TypeScript and SQL agree on who may read a page, for every code, owner, group and kind of actor.
 */
import { expect, test } from 'vitest';
import { type Actor, canSee, includesAudience, may, visibilityOf } from '#core/model/permission.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addPages, asked, withMembers } from '../support/write-pages.ts';

const [ann, bob] = [1, 2].map((memberId): NonNullable<Actor> => ({ memberId, name: '', isAdmin: false })) as [
  NonNullable<Actor>,
  NonNullable<Actor>,
];
const groups = [1, 2, 3];
const actors: Actor[] = [
  null,
  ann,
  bob,
  { ...bob, groupIds: [1] },
  { memberId: 3, name: '', isAdmin: false, groupIds: [1, 2] },
  { memberId: 3, name: '', isAdmin: false, groupIds: [1, 2, 3] },
  { memberId: 3, name: '', isAdmin: true },
];
/** Each digit grants or denies reading; the test without a store covers all other codes. */
const codes = [0, 4, 40, 44, 400, 404, 440, 444, 37, 777];
const pages = codes.flatMap((permissions) =>
  [1, 2].flatMap((ownerId) =>
    [null, ...groups.map((id) => ({ id }))].map((group) => ({ permissions, ownerId, group })),
  ),
);
const allCodes = Array.from({ length: 512 }, (_, n) => Number(n.toString(8)));

test.each([false, true])(
  'every code, owner and group allows reading to those whose digits say so; private: %s',
  (isPrivate) => {
    for (const permissions of allCodes) {
      const [ofOwner = 0, ofGroup = 0, ofWorld = 0] = String(permissions)
        .padStart(3, '0')
        .split('')
        .map(Number);
      for (const group of [null, { id: 1 }, { id: 2 }])
        for (const actor of actors) {
          const digits = [
            ...(isPrivate ? [] : [ofWorld]),
            ...(actor && (group === null || actor.groupIds?.includes(group.id)) ? [ofGroup] : []),
            ...(actor?.memberId === 1 ? [ofOwner] : []),
            ...(actor?.isAdmin ? [7] : []),
          ];
          const page = { permissions, ownerId: 1, group };
          expect(may(actor, 'read', page, { isPrivate }), JSON.stringify([permissions, group, actor])).toBe(
            digits.some((digit) => (digit & 4) === 4),
          );
        }
    }
  },
);

test('one audience includes another if all who read the narrow one read the wide one', () => {
  const readers = [
    ...actors,
    { memberId: 3, name: '', isAdmin: false, groupIds: [2] },
    ...actors.flatMap((actor) => (actor ? [{ ...actor, memberId: 1 }] : [])),
  ];
  const audiences = [0, 1, 2, 3, 4, 5, 6, 7];
  for (const wide of audiences)
    for (const narrow of audiences) {
      const sees = (audience: number) => (actor: Actor) =>
        canSee(visibilityOf(actor, { isPrivate: false }), { audience, ownerId: 1 });
      const losing = readers.filter((actor) => sees(narrow)(actor) && !sees(wide)(actor));
      expect(includesAudience(wide, narrow), `${wide} ${narrow}`).toBe(losing.length === 0);
    }
});

forEachEngine((open) => {
  test.each(['public', 'private', 'private at first', 'public at first'])(
    'queries find, load and link exactly the pages that the actor may read, in a wiki that is %s',
    async (how) => {
      await using store = await open();
      await withMembers(store);
      if (how.startsWith('private')) await store.settings.write({ private: true }, 1, null);
      await store.settings.refresh();
      for (const name of ['One', 'Two', 'Three']) await store.groups.insert(name, 1);
      const drafts = pages.map((page, i) => ({
        permissions: page.permissions,
        ownerId: page.ownerId,
        ...(page.group ? { groupId: page.group.id } : {}),
        title: `P ${String(i).padStart(4, '0')}`,
        path: `/${i}`,
        links: [`Wanted ${i}`],
      }));
      await addPages(
        store,
        drafts.map((draft) => ({ parent: null, drafts: [draft] })),
      );
      if (how.endsWith('at first')) await store.settings.write({ private: !store.isPrivate }, 2, null);
      await store.settings.refresh();
      expect(store.isPrivate).toBe(how === 'private' || how === 'public at first');
      expect(await store.maintenance.violations(10)).toEqual([]);
      for (const actor of actors) {
        const reader = store.readAs(actor);
        const expected = pages.flatMap((page, i) => (may(actor, 'read', page, store) ? [i] : []));
        const limit = pages.length;
        const { ids, total } = await reader.lists.search({ ...asked, pathPrefix: '/', limit });
        const found = await reader.pages.outlines(ids);
        const numbers = found.map(({ title }) => Number(title.slice(2)));
        expect(numbers).toEqual(expected);
        expect(total).toBe(expected.length);
        for (const page of found)
          expect(
            canSee(visibilityOf(actor, store), { audience: page.audience, ownerId: page.owner.id }),
          ).toBe(true);
        // Loading by ID leaves out hidden pages as well.
        const everyId = pages.map((_, i) => i + 1);
        expect((await reader.pages.outlines(everyId)).map(({ id }) => id).sort((a, b) => a - b)).toEqual(
          [...ids].sort((a, b) => a - b),
        );
        const titles = new Map(drafts.map(({ title }, i) => [title, i]));
        const linked = await reader.links.resolve([...titles.keys()]);
        expect([...linked.keys()].map((title) => titles.get(title)).sort((a = 0, b = 0) => a - b)).toEqual(
          expected,
        );
        const wanted = await reader.links.wanted(limit, 1);
        const asking = wanted.flatMap(({ links }) => links.map(({ title }) => titles.get(title)));
        expect(asking.sort((a = 0, b = 0) => a - b)).toEqual(expected);
      }
    },
  );
});
