/** The places in a part of the map, as far as the caller can see. */
import type { Location, PageName } from '../pages/page.ts';
import { type Actor, visibilityOf } from '../permission.ts';
import type { Store } from '../ports/store.ts';

/** Degrees; west > east crosses the antimeridian. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

export const wholeEarth: Box = { south: -90, west: -180, north: 90, east: 180 };

export async function mapPlaces(
  store: Store,
  actor: Actor,
  box: Box,
  limit: number,
): Promise<(PageName & { location: Location; type: string | null })[]> {
  return store.lists.placesIn(box, visibilityOf(actor), limit);
}
