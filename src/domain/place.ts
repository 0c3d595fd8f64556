/** Distances on the Earth: geodesic metres on WGS 84 (C. F. F. Karney, Algorithms for geodesics, 2013). */
import geographiclib from 'geographiclib-geodesic';
import type { Location } from './page.ts';

/** Half the way round the Earth along a meridian, on WGS 84: no two places are further apart. */
export const maxRadiusMetres = 20_003_931.4586;

export function metresBetween(a: Location, b: Location): number {
  return (
    wgs84.Inverse(a.lat, a.lon, b.lat, b.lon, geographiclib.Geodesic.DISTANCE).s12 ?? Number.POSITIVE_INFINITY
  );
}

const wgs84 = geographiclib.Geodesic.WGS84;
