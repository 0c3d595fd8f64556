/** Distances on the Earth: geodesic metres on WGS 84 (C. F. F. Karney, Algorithms for geodesics, 2013). */
import geographiclib from 'geographiclib-geodesic';
import type { Location } from '../model/page.ts';

/** Length in metres of the geodesic on the WGS 84 ellipsoid. */
export function metresBetween(a: Location, b: Location): number {
  return (
    wgs84.Inverse(a.lat, a.lon, b.lat, b.lon, geographiclib.Geodesic.DISTANCE).s12 ?? Number.POSITIVE_INFINITY
  );
}

/** Distance on a sphere. The exact distance lies within a factor of `roughMargin` plus `roughMetres`. */
export function roughMetresBetween(a: Location, b: Location): number {
  const [latA, latB] = [a.lat * radian, b.lat * radian];
  const [sinLat, sinLon] = [Math.sin((latB - latA) / 2), Math.sin(((b.lon - a.lon) * radian) / 2)];
  const haversine = sinLat * sinLat + Math.cos(latA) * Math.cos(latB) * sinLon * sinLon;
  return 2 * meanRadiusMetres * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The two differ by up to 0.6 %; `roughMetres` covers rounding at the smallest distances. */
export const roughMargin = 1.01;
export const roughMetres = 0.001;
const meanRadiusMetres = 6_371_008.8;
const radian = Math.PI / 180;

const wgs84 = geographiclib.Geodesic.WGS84;
