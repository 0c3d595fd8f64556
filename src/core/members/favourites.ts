/** Favourites: pages that a member starred. Nobody else sees them. */
import type { PageName } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';

/** Maximum number of favourites of a member. */
export const maxFavourites = 500;

export type Favourite = PageName & { at: number };

/** Latest first. Pages that the member cannot read now are left out, and come back when they can. */
export async function favouritesOf(
  store: Pick<Store, 'favourites'>,
  reader: Reader,
  memberId: number,
): Promise<Favourite[]> {
  const starred = await store.favourites.listOf(memberId, maxFavourites);
  const pages = await reader.pages.states(starred.map(({ pageId }) => pageId));
  const byId = new Map(pages.map((page) => [page.id, page]));
  return starred.flatMap(({ pageId, at }) => {
    const page = byId.get(pageId);
    return page ? [{ id: page.id, title: page.title, path: page.path, at }] : [];
  });
}
