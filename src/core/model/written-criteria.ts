/** Criteria with a syntax of their own: lists of IDs, boxes, distances, times. */
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import type { Location } from './page.ts';
import { invalid } from './problem.ts';

/** In degrees. A box with west > east crosses the antimeridian. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

const maxIds = 1000;
const defaultMetres = 10_000;
/** Larger circles contain more places than can be sorted; `/v1/near` reaches further. */
const maxMetres = 1_000_000;
const decimal = /^[+-]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})$/;

/** Reads `1, 2, 3` without repetitions. Refuses `invalid` for other texts and for too many IDs. */
export function readIds(text: string): number[] {
  const ids = text.split(',').map((id) => id.trim());
  if (ids.length > maxIds) throw invalid('?ids', say('problem.atMostPageIdsCanBeGiven', { maxIds }));
  return [...new Set(ids.map((id) => readId('?ids', id, say('problem.expectedPageIds'))))];
}

/** Reads the ID of a member. Refuses `invalid` for anything else. */
export function readOwner(text: string): number {
  return readId('?owner', text.trim(), say('problem.expectedIdOfAMember'));
}

function readId(pointer: string, text: string, expected: Words): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id < 1) throw invalid(pointer, expected);
  return id;
}

/** Reads `lat,lon` or `lat,lon,metres`, in degrees. Refuses `invalid` for other texts and for values out of range. */
export function readNear(text: string): Location & { radiusMetres: number } {
  const numbers = readNumbers(text);
  const [lat, lon, radiusMetres = defaultMetres] = numbers ?? [];
  if (
    lat === undefined ||
    lon === undefined ||
    (numbers?.length ?? 0) > 3 ||
    !isWithin(lat, 90) ||
    !isWithin(lon, 180) ||
    radiusMetres < 0 ||
    radiusMetres > maxMetres
  )
    throw invalid('?near', say('problem.expectedLatLonMetresSuchAs52', { maxMetres }));
  return { lat, lon, radiusMetres };
}

/**
 * Reads `west,south,east,north` in degrees; west may exceed east across the date line. Refuses `invalid` for anything else.
 */
export function readBox(text: string): Box {
  const [west, south, east, north, ...others] = readNumbers(text) ?? [];
  if (
    west === undefined ||
    south === undefined ||
    east === undefined ||
    north === undefined ||
    others.length > 0 ||
    ![west, east].every((lon) => isWithin(lon, 180)) ||
    ![south, north].every((lat) => isWithin(lat, 90)) ||
    south > north
  )
    throw invalid('?bbox', say('problem.expectedWestSouthEastNorthInDegrees'));
  return { west, south, east, north };
}

/** Milliseconds since 1970 of an ISO 8601 date, date and time, or Unix seconds. Refuses `invalid` at `?since`. */
export function readMoment(text: string): number {
  const isIso =
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/i.test(text);
  const at = isIso ? Date.parse(text) : /^\d{1,11}$/.test(text) ? Number(text) * 1000 : Number.NaN;
  if (Number.isNaN(at)) throw invalid('?since', say('problem.expectedADateADateAndTime'));
  return at;
}

function readNumbers(text: string): number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => decimal.test(part)) ? parts.map(Number) : undefined;
}

function isWithin(value: number, most: number): boolean {
  return Math.abs(value) <= most;
}
