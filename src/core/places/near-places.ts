/** Places around a point, nearest first. */

import type { Location, PageOutline } from '../model/page.ts';
import type { Reader } from '../ports/reader.ts';
import { metresBetween, roughMargin, roughMetres, roughMetresBetween } from './distance.ts';

type Nearest = { nearest: { id: number; metres: number }[]; total: number };
type NearQuery = Location & { radiusMetres: number; limit: number; offset: number };

/** Up to this many places around a point are measured one by one; with more, only those near enough and those at the edge. */
const mostMeasured = 1000;
/** Number of radii tried. Each is half the one before; the first is half of the requested one. */
const radiiLookedAt = 11;

/**
 * Ties are broken by ID, so that paging never repeats or skips a page. `total` counts all visible places within the radius at
 * the same moment. Three statements, or four if places disappear meanwhile.
 */
export async function nearPlaces(
  reader: Reader,
  query: NearQuery,
): Promise<{ places: { id: number; metres: number }[]; total: number }> {
  const centre = { lat: query.lat, lon: query.lon };
  const { nearest, total } = await nearestAround(reader, centre, query);
  return { places: nearest.slice(query.offset), total };
}

async function nearestAround(
  { lists }: Reader,
  centre: Location,
  { radiusMetres, limit, offset }: NearQuery,
): Promise<Nearest> {
  const count = offset + limit;
  const some = await lists.placesAround(centre, radiusMetres, mostMeasured + 1);
  if (some.length <= mostMeasured) return nearestOf(some, centre, radiusMetres, count);
  const radii = Array.from({ length: radiiLookedAt }, (_, i) => radiusMetres / 2 ** (i + 1));
  const surelyWithin = await lists.countPlacesWithin(centre, radii);
  // The smallest radius that certainly contains as many as are wanted.
  const radius = radii[surelyWithin.findLastIndex((places) => places >= count)];
  if (radius !== undefined) {
    const { near, edge, counted } = await lists.placesNearest(centre, radius, radiusMetres);
    const { nearest } = nearestOf(near, centre, radius, count);
    // Fewer remain if places disappeared after they were counted.
    if (nearest.length === count)
      return { nearest, total: counted + nearestOf(edge, centre, radiusMetres, 0).total };
  }
  return nearestOf(await lists.placesAround(centre, radiusMetres), centre, radiusMetres, count);
}

/** Like `nearPlaces`, with the pages, but without their contents. */
export async function nearOutlines(
  reader: Reader,
  query: NearQuery,
): Promise<{ pages: (PageOutline & { distanceMetres: number })[]; total: number }> {
  const { places, total } = await nearPlaces(reader, query);
  const distances = new Map(places.map(({ id, metres }) => [id, metres]));
  const pages = await reader.pages.outlines([...distances.keys()]);
  return {
    pages: pages.map((page) => ({ ...page, distanceMetres: distances.get(page.id) ?? 0 })),
    total,
  };
}

/**
 * Returns the first `count` places within the radius and their total number. Exact distances are expensive, so they are
 * computed only where spherical distances leave open whether a place is within the radius or among the first.
 */
function nearestOf(
  candidates: { id: number; location: Location }[],
  centre: Location,
  radiusMetres: number,
  count: number,
): Nearest {
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
