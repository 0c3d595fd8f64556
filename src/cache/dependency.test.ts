import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresBetween } from '#core/places/distance.ts';
import { placesAround, placesAt } from './dependency.ts';

test('a query for places around a point depends on each cell that the radius reaches', () => {
  const degrees = (most: number) => fc.integer({ min: -100 * most, max: 100 * most }).map((n) => n / 100);
  const location = fc.record({ lat: degrees(90), lon: degrees(180) });
  fc.assert(
    fc.property(location, location, (centre, place) => {
      expect(placesAround(centre, metresBetween(centre, place))).toContain(placesAt(place));
    }),
  );
  // Degrees of latitude are shortest at the equator.
  const [south, north] = [
    { lat: -0.01, lon: 0 },
    { lat: 5, lon: 0 },
  ];
  expect(placesAround(south, metresBetween(south, north))).toContain(placesAt(north));
});
