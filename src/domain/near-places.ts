/** Places around a point, nearest first. */
import type { Location, WholePage } from './page.ts';
import { seenBy } from './page-view.ts';
import { type Actor, sightOf } from './permission.ts';
import { metresBetween } from './place.ts';
import type { HistoryWanted, Store } from './store.ts';

export type NearPlace = WholePage & { distanceMetres: number };

/** Ties are broken by ID, so that paging never repeats or skips. `total` counts all visible places within the radius. */
export async function nearPlaces(
  store: Store,
  actor: Actor,
  wanted: Location & { radiusMetres: number; limit: number; offset: number; history: HistoryWanted },
): Promise<{ pages: NearPlace[]; total: number }> {
  const sight = sightOf(actor);
  const centre = { lat: wanted.lat, lon: wanted.lon };
  const candidates = await store.lists.placesAround(centre, wanted.radiusMetres, sight);
  const within = candidates
    .map(({ id, location }) => ({ id, metres: metresBetween(centre, location) }))
    .filter(({ metres }) => metres <= wanted.radiusMetres)
    .sort((a, b) => a.metres - b.metres || a.id - b.id);
  const shown = within.slice(wanted.offset, wanted.offset + wanted.limit);
  const distances = new Map(shown.map(({ id, metres }) => [id, metres]));
  const pages = await store.pages.load([...distances.keys()], wanted.history);
  return {
    pages: pages.map((page) => ({ ...seenBy(sight, page), distanceMetres: distances.get(page.id) ?? 0 })),
    total: within.length,
  };
}
