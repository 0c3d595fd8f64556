/** Places around a point, nearest first. */
import type { Location, PageOutline } from './page.ts';
import { readableOf } from './page-view.ts';
import { type Actor, sightOf } from './permission.ts';
import { metresBetween, roughMargin, roughMetres, roughMetresBetween } from './place.ts';
import type { Store } from './store.ts';
import { placesAround, type Subject } from './subjects.ts';

type Wanted = Location & { radiusMetres: number; limit: number; offset: number };

/**
 * Ties are broken by ID, so that paging never repeats or skips. `total` counts all visible places within the radius.
 * `madeFrom`: all that decides this.
 */
export async function nearPlaces(
  store: Store,
  actor: Actor,
  wanted: Wanted,
): Promise<{ places: { id: number; metres: number }[]; total: number; madeFrom: Subject[] }> {
  const centre = { lat: wanted.lat, lon: wanted.lon };
  const candidates = await store.lists.placesAround(centre, wanted.radiusMetres, sightOf(actor));
  const { nearest, total } = nearestOf(candidates, centre, wanted.radiusMetres, wanted.offset + wanted.limit);
  return {
    places: nearest.slice(wanted.offset),
    total,
    madeFrom: placesAround(centre, wanted.radiusMetres),
  };
}

/** As `nearPlaces`, with the pages, but not what they say. */
export async function nearOutlines(
  store: Store,
  actor: Actor,
  wanted: Wanted,
): Promise<{ pages: (PageOutline & { distanceMetres: number })[]; total: number }> {
  const { places, total } = await nearPlaces(store, actor, wanted);
  const distances = new Map(places.map(({ id, metres }) => [id, metres]));
  const pages = readableOf(actor, await store.pages.outlines([...distances.keys()]));
  return {
    pages: pages.map((page) => ({ ...page, distanceMetres: distances.get(page.id) ?? 0 })),
    total,
  };
}

/**
 * The first `count` within the radius, and how many there are. Exact distances cost most, so they are worked out only
 * where distances on a sphere leave open which side of the radius a place is on, or whether it is among the first.
 */
function nearestOf(
  candidates: { id: number; location: Location }[],
  centre: Location,
  radiusMetres: number,
  count: number,
): { nearest: { id: number; metres: number }[]; total: number } {
  const within: { id: number; location: Location; rough: number }[] = [];
  for (const { id, location } of candidates) {
    const rough = roughMetresBetween(centre, location);
    const isWithin =
      (rough + roughMetres) * roughMargin <= radiusMetres ||
      (rough <= radiusMetres * roughMargin + roughMetres && metresBetween(centre, location) <= radiusMetres);
    if (isWithin) within.push({ id, location, rough });
  }
  const last =
    within.length <= count ? undefined : within.map(({ rough }) => rough).sort((a, b) => a - b)[count - 1];
  const farthest = last === undefined ? Number.POSITIVE_INFINITY : last * roughMargin ** 2 + roughMetres;
  const nearest = within
    .filter(({ rough }) => rough <= farthest)
    .map(({ id, location }) => ({ id, metres: metresBetween(centre, location) }))
    .sort((a, b) => a.metres - b.metres || a.id - b.id)
    .slice(0, count);
  return { nearest, total: within.length };
}
