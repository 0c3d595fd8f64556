/**
 * Encodes a position on Earth as one number for an index: the Earth is cut into bands of a tenth of a degree of latitude, and
 * each band is numbered from west to east. A circle or box is one range of numbers in each band that it touches, or two if it
 * crosses the antimeridian.
 */
import type { Location } from '#core/model/page.ts';

export type CellRange = [first: number, last: number];

const bandsPerDegree = 10;
const bands = 180 * bandsPerDegree;
/** Steps in a band; about 40 m each at the equator. */
const steps = 2 ** 20;
const earthRadiusMetres = 6_371_008.8;
/** Spherical distances differ from ellipsoidal ones by up to 0.6 %. */
const margin = 1.01;
/** Larger circles cover a great part of the Earth. */
const widestRadius = Math.PI / 4;

export function cellOf({ lat, lon }: Location): number {
  return bandOf(lat) * steps + stepOf(lon);
}

/** Ranges that contain every place within the radius; undefined if that is a great part of the Earth. */
export function cellsAround(centre: Location, radiusMetres: number): CellRange[] | undefined {
  const radius = (radiusMetres * margin + 1) / earthRadiusMetres;
  if (radius > widestRadius) return undefined;
  const [lat, lon] = [radians(centre.lat), radians(centre.lon)];
  const [south, north] = [Math.max(lat - radius, -Math.PI / 2), Math.min(lat + radius, Math.PI / 2)];
  // Latitude at which the circle is widest, if it contains no pole; a circle with a pole grows wider towards it.
  const holdsPole = lat + radius >= Math.PI / 2 || lat - radius <= -Math.PI / 2;
  const widest = Math.asin(Math.sin(lat) / Math.cos(radius));
  const ranges: CellRange[] = [];
  for (let band = bandOf(degrees(south)); band <= bandOf(degrees(north)); band++) {
    const [from, to] = [radians(southOf(band)), radians(southOf(band + 1))];
    const halfWidth = holdsPole
      ? Math.max(halfWidthAt(from, lat, radius), halfWidthAt(to, lat, radius))
      : halfWidthAt(clamp(widest, from, to), lat, radius);
    addRange(ranges, band, degrees(lon - halfWidth), degrees(lon + halfWidth));
  }
  return ranges;
}

/** Ranges that contain no place beyond the radius, and most of those within it; none if `cellsAround` returns undefined. */
export function cellsWithin(centre: Location, radiusMetres: number): CellRange[] {
  const radius = (radiusMetres / margin - 1) / earthRadiusMetres;
  if (radius <= 0 || (radiusMetres * margin + 1) / earthRadiusMetres > widestRadius) return [];
  const lat = radians(centre.lat);
  const ranges: CellRange[] = [];
  const [first, last] = [bandOf(degrees(lat - radius)), bandOf(degrees(lat + radius))];
  for (let band = first; band <= last; band++) {
    // A circle is convex, so within a band it is at least as wide as at one of the band's edges.
    const ends = [southOf(band), southOf(band + 1)].map((at) => halfWidthAt(radians(at), lat, radius, 0));
    addInner(ranges, band, centre.lon, degrees(Math.min(...ends)));
  }
  return ranges;
}

/** Parts of these ranges that the others do not cover. Ranges within one list must not overlap. */
export function subtractRanges(ranges: CellRange[], others: CellRange[]): CellRange[] {
  const holes = others.toSorted((a, b) => a[0] - b[0]);
  const left: CellRange[] = [];
  let next = 0;
  for (let [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    while (next < holes.length && (holes[next] as CellRange)[1] < first) next++;
    for (let i = next; i < holes.length && (holes[i] as CellRange)[0] <= last; i++) {
      const hole = holes[i] as CellRange;
      if (hole[0] > first) left.push([first, hole[0] - 1]);
      first = hole[1] + 1;
    }
    if (first <= last) left.push([first, last]);
  }
  return left;
}

/** Ranges that contain every place in the box; west > east crosses the antimeridian. All longitudes of a pole are one place. */
export function cellsIn(box: { south: number; west: number; north: number; east: number }): CellRange[] {
  const ranges: CellRange[] = [];
  const east = box.west > box.east ? box.east + 360 : box.east;
  const poles = [...(box.south === -90 ? [bandOf(-90)] : []), ...(box.north === 90 ? [bandOf(90)] : [])];
  for (let band = bandOf(box.south); band <= bandOf(box.north); band++) {
    if (poles.includes(band)) addRange(ranges, band, -180, 180);
    else addRange(ranges, band, box.west, east);
  }
  return ranges;
}

/** Half the width of the circle at a latitude, in radians of longitude, or `unknown` at the poles. */
function halfWidthAt(at: number, centre: number, radius: number, unknown = Math.PI): number {
  // Spherical law of cosines, solved for the difference in longitude.
  const cosine = (Math.cos(radius) - Math.sin(at) * Math.sin(centre)) / (Math.cos(at) * Math.cos(centre));
  // Not finite at the poles, where all longitudes are the same place.
  if (!(cosine < 1)) return Number.isFinite(cosine) ? 0 : unknown;
  return Math.acos(Math.max(cosine, -1));
}

/** `west` and `east` may exceed 180° by less than a full turn. */
function addRange(ranges: CellRange[], band: number, west: number, east: number): void {
  const add = (from: number, to: number) =>
    ranges.push([band * steps + stepOf(from), band * steps + stepOf(to)]);
  // One step more on each side, for rounding, and for ±180°, which are the same meridian.
  const [from, to] = [west - 360 / steps, east + 360 / steps];
  // Nearly a full turn: its two ends would share a step, and places there would be found twice.
  if (to - from >= 359.9) return void add(-180, 180);
  if (from < -180) add(from + 360, 180);
  if (to > 180) add(-180, to - 360);
  add(from, to);
}

/** One step less on each side than the given half width. */
function addInner(ranges: CellRange[], band: number, lon: number, halfWidth: number): void {
  const add = (first: number, last: number) => {
    if (first <= last) ranges.push([band * steps + first, band * steps + last]);
  };
  if (halfWidth >= 180) {
    add(0, steps - 1);
    return;
  }
  const [west, east] = [lon - halfWidth, lon + halfWidth];
  if (west < -180) add(stepOf(west + 360) + 1, steps - 1);
  if (east > 180) add(0, stepOf(east - 360) - 1);
  add(west < -180 ? 0 : stepOf(west) + 1, east > 180 ? steps - 1 : stepOf(east) - 1);
}

function bandOf(lat: number): number {
  return clamp(Math.floor((lat + 90) * bandsPerDegree), 0, bands - 1);
}

function southOf(band: number): number {
  return band / bandsPerDegree - 90;
}

function stepOf(lon: number): number {
  return clamp(Math.floor(((lon + 180) / 360) * steps), 0, steps - 1);
}

function clamp(value: number, from: number, to: number): number {
  return Math.min(Math.max(value, from), to);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
