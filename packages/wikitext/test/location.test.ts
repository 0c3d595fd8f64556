import { describe, expect, it } from 'vitest';
import { parseLocation } from '../src/index.ts';

describe('a location is read from', () => {
  const close = (text: string, lat: number, lon: number) =>
    it(text, () => {
      const place = parseLocation(text);
      expect('problem' in place ? place.problem : '').toBe('');
      if ('problem' in place) return;
      expect(place.lat).toBeCloseTo(lat, 4);
      expect(place.lon).toBeCloseTo(lon, 4);
    });
  close('40.7, -74', 40.7, -74);
  close('40.7 -74', 40.7, -74);
  close('40.7128;-74.006', 40.7128, -74.006);
  close('+51.5, -.12', 51.5, -0.12);
  close('40°42\'46"N 74°0\'21"W', 40.71278, -74.00583);
  close('40° 42′ 46″ N, 74° 0′ 21″ W', 40.71278, -74.00583);
  close("40°42.77'N 74°0.35'W", 40.71283, -74.00583);
  close('N 40.7 W 74', 40.7, -74);
  close('40.7N, 74W', 40.7, -74);
  close('74 W, 40.7 N', 40.7, -74);
  close('-33.9°, 151.2°', -33.9, 151.2);
  close("33°54'S 151°12'E", -33.9, 151.2);
  close('0, 0', 0, 0);
  close('90, 180', 90, 180);
});

describe('a problem is reported for', () => {
  for (const text of [
    '',
    'here',
    '1',
    '1, 2, 3',
    '91, 0',
    '0, 181',
    '40 N 70 N',
    "40°61'N 1°E",
    '-40 S, 1 E',
    '1e5, 2',
    'NaN, 1',
    '1,,2,3',
    '°, °',
  ]) {
    it(JSON.stringify(text), () => expect(parseLocation(text)).toHaveProperty('problem'));
  }
});
