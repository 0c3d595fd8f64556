/** Contract of both engines: who may read a page is one rule, in TypeScript and in SQL. Every code, owner and kind of actor. */
import { expect, test } from 'vitest';
import { type Actor, canSee, may, visibilityOf } from '#domain/permission.ts';
import { forEachEngine } from '../support/postgres.ts';
import { addPages, asked, withMembers } from '../support/write-pages.ts';

const [ann, bob] = [1, 2].map((memberId): NonNullable<Actor> => ({ memberId, name: '', isAdmin: false })) as [
  NonNullable<Actor>,
  NonNullable<Actor>,
];
const actors: Actor[] = [null, ann, bob, { memberId: 3, name: '', isAdmin: true }];
const codes = Array.from({ length: 512 }, (_, n) => Number(n.toString(8)));
const pages = codes.flatMap((permissions) => [1, 2].map((ownerId) => ({ permissions, ownerId })));

forEachEngine((open) => {
  test('queries find, load and link exactly the pages that the actor may read', async () => {
    await using store = await open();
    await withMembers(store);
    const drafts = pages.map((page, i) => ({
      ...page,
      title: `P ${String(i).padStart(4, '0')}`,
      path: `/${i}`,
      links: [`Wanted ${i}`],
    }));
    await addPages(
      store,
      drafts.map((draft) => ({ parent: null, drafts: [draft] })),
    );
    for (const actor of actors) {
      const reader = store.readAs(actor);
      const expected = pages.flatMap((page, i) => (may(actor, 'read', page) ? [i] : []));
      const limit = pages.length;
      const { ids, total } = await reader.lists.search({ ...asked, pathPrefix: '/', limit });
      const found = await reader.pages.outlines(ids);
      const numbers = found.map(({ title }) => Number(title.slice(2)));
      expect(numbers).toEqual(expected);
      expect(total).toBe(expected.length);
      for (const page of found)
        expect(canSee(visibilityOf(actor), { audience: page.audience, ownerId: page.owner.id })).toBe(true);
      // Loaded by ID, hidden pages are left out as well.
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
  });
});
