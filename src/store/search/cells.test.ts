import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metresBetween } from '#core/places/distance.ts';
import { type CellRange, cellOf, cellsAround, cellsWithin, subtractRanges } from './cells.ts';

const lat = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(-90, -89.95, 0, 89.95, 90),
);
const lon = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, -179.99, 0, 179.99, 180),
);
const radius = fc.oneof(
  fc.double({ min: 0, max: 4_900_000, noNaN: true }),
  fc.constantFrom(0, 1, 3000, 400_000),
);
const holding = (ranges: CellRange[], cell: number) =>
  ranges.filter(([first, last]) => cell >= first && cell <= last).length;

test('cells within a radius contain no place beyond it; with the edge cells they contain all within it, once each', () => {
  fc.assert(
    fc.property(
      fc.record({ lat, lon }),
      radius,
      fc.record({
        share: fc.double({ min: 0, max: 2, noNaN: true }),
        bearing: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      }),
      fc.record({ lat, lon }),
      (centre, radiusMetres, { share, bearing }, anywhere) => {
        const degrees = (share * radiusMetres) / 111_000;
        const near = {
          lat: Math.max(-90, Math.min(90, centre.lat + degrees * Math.cos(bearing))),
          lon: Math.max(
            -180,
            Math.min(
              180,
              centre.lon + (degrees * Math.sin(bearing)) / Math.cos(centre.lat * (Math.PI / 180)),
            ),
          ),
        };
        const around = cellsAround(centre, radiusMetres) as CellRange[];
        const within = cellsWithin(centre, radiusMetres);
        const edge = subtractRanges(around, within);
        for (const place of [near, anywhere, centre]) {
          const cell = cellOf(place);
          const isWithin = metresBetween(centre, place) <= radiusMetres;
          if (holding(within, cell) > 0) expect(isWithin).toBe(true);
          if (isWithin) expect(holding(within, cell) + holding(edge, cell)).toBe(1);
          else expect(holding(edge, cell)).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 20_000 },
  );
});

test('no cells are within a radius that is too wide for cells around it', () => {
  for (const radius of [4_960_000, 5_000_000, 20_003_931]) {
    expect(cellsAround({ lat: 10, lon: 20 }, radius)).toBeUndefined();
    expect(cellsWithin({ lat: 10, lon: 20 }, radius)).toEqual([]);
  }
});

test('most of a wide circle lies in cells within it', () => {
  for (const lat of [0, 47, 75, 89.9, -90]) {
    const [around, within] = [cellsAround, cellsWithin].map(
      (cells) => cells({ lat, lon: 179 }, 400_000) ?? [],
    );
    const size = (ranges: CellRange[] = []) =>
      ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    expect(size(within) / size(around)).toBeGreaterThan(0.8);
  }
});
