/** Places in a part of the map that the caller can see. */
import type { Box } from '../model/written-criteria.ts';
import type { MapPlace } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';

export const wholeEarth: Box = { south: -90, west: -180, north: 90, east: 180 };

/** Readable pages with a location within the box, at most `limit`. */
export async function mapPlaces(reader: Reader, box: Box, limit: number): Promise<MapPlace[]> {
  return reader.lists.placesIn(box, limit);
}
