/**
 * Where on Earth a place lies, as one number that an index can hold: its S2 cell, a position on a curve that fills the
 * sphere, without seams at the poles or the antimeridian. What is near on the curve is near on Earth, so that a cap or
 * box is covered by a few ranges of the curve. Kept are the upper 51 of 64 bits (cells of about 1 m), so that the
 * number is exact in JavaScript.
 */
import { r1, s1, s2 } from 's2js';
import type { Location } from '#domain/page.ts';

export type CellRange = [first: number, last: number];

const droppedBits = 13n;
/** More cells follow the outline more closely and cost more look-ups. */
const coverer = new s2.RegionCoverer({ minLevel: 0, maxLevel: 20, maxCells: 12 });
const earthRadiusMetres = 6_371_008.8;
/** A sphere's distances differ from those on the ellipsoid by up to 0.6 %. */
const margin = 1.01;

export function cellOf(location: Location): number {
  return Number(s2.cellid.fromLatLng(s2.LatLng.fromDegrees(location.lat, location.lon)) >> droppedBits);
}

/** Ranges that hold every place within the radius; undefined when that is a great part of the Earth. */
export function cellsAround(centre: Location, radiusMetres: number): CellRange[] | undefined {
  const angle = (radiusMetres * margin + 1) / earthRadiusMetres;
  if (angle > Math.PI / 3) return undefined;
  const point = s2.Point.fromLatLng(s2.LatLng.fromDegrees(centre.lat, centre.lon));
  return rangesOf(coverer.covering(s2.Cap.fromCenterAngle(point, angle)));
}

/** Ranges that hold every place in the box; west > east crosses the antimeridian. */
export function cellsIn(box: {
  south: number;
  west: number;
  north: number;
  east: number;
}): CellRange[] | undefined {
  const width = box.east - box.west + (box.west > box.east ? 360 : 0);
  if (width > 180) return undefined;
  const latitudes = new r1.Interval(radians(box.south), radians(box.north));
  const longitudes = s1.Interval.fromEndpoints(radians(box.west), radians(box.east));
  return rangesOf(coverer.covering(new s2.Rect(latitudes, longitudes).expanded(new s2.LatLng(1e-7, 1e-7))));
}

function rangesOf(cells: Iterable<bigint>): CellRange[] {
  const ranges: CellRange[] = [];
  for (const cell of cells) {
    const first = Number(s2.cellid.rangeMin(cell) >> droppedBits);
    const last = Number(s2.cellid.rangeMax(cell) >> droppedBits);
    const previous = ranges.at(-1);
    // Neighbours on the curve are one range, and no place is found twice where two truncated ranges meet.
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else ranges.push([first, last]);
  }
  return ranges;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
