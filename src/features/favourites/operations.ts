/** Starring pages. Favourites are for the member alone: nobody else sees them, and nothing is recorded of them. */

import { Type } from 'typebox';
import { type Favourite, favouritesOf, maxFavourites } from '#core/members/favourites.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid } from '#core/model/problem.ts';
import { component, idField, text, time } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

const path = text('Path of the page.', '/garden/roses');

const FavouriteObject = component('Favourite', 'A page that the member starred.', {
  id: idField('Page ID.', 12),
  path,
  title: text('Title.', 'Roses'),
  at: time('When the member starred it'),
});

const Favourites = converted(
  Type.Array(FavouriteObject, { description: 'Favourites of the caller, latest first, at most 500.' }),
  (favourites: Favourite[]) => favourites.map(({ at, ...page }) => ({ ...page, at: isoTime(at) })),
);

export const listFavourites = operation({
  name: 'listFavourites',
  summary: 'List favourites',
  description:
    'Pages that the caller starred, latest first. Pages that the caller cannot read now are left out until they can read them again.',
  access: 'self',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({}),
  output: Favourites,
  ports: ['store', 'reader'],
  run: ({ store, reader }, { by }) => favouritesOf(store, reader, by.memberId),
});

const starring = {
  access: 'self',
  scope: 'write',
  subtree: 'refused',
  input: Type.Object({ path }),
  output: Favourites,
  problems: ['not-found', 'gone'],
  writes: true,
  audit: [],
  ports: ['store'],
} as const;

export const addFavourite = operation({
  ...starring,
  name: 'addFavourite',
  summary: 'Star a page',
  description: 'Starring a page twice has the same effect as starring it once. At most 500 pages.',
  run: ({ store }, { input, by, now }) =>
    store.transact(async (store) => {
      const { id } = await getReadable(store.readAs(by), input.path);
      const isNew = !(await store.favourites.has(by.memberId, id));
      if (isNew && (await store.favourites.count(by.memberId)) >= maxFavourites)
        throw invalid('/path', say('problem.youHaveStarredPagesAlreadyRemoveThe', { maxFavourites }));
      await store.favourites.add(by.memberId, id, now);
      return favouritesOf(store, store.readAs(by), by.memberId);
    }),
});

export const removeFavourite = operation({
  ...starring,
  name: 'removeFavourite',
  summary: 'Remove the star from a page',
  description: 'Removes the caller’s star, if there is one.',
  run: ({ store }, { input, by }) =>
    store.transact(async (store) => {
      const { id } = await getReadable(store.readAs(by), input.path);
      await store.favourites.remove(by.memberId, id);
      return favouritesOf(store, store.readAs(by), by.memberId);
    }),
});
