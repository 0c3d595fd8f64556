/**
 * Parses coordinates as people write them.
 *
 *   40.7128, -74.006        40.7128 N, 74.006 W        40°42'46"N 74°0'21"W        N 40° 42.77', W 74° 0.35'
 *
 * Latitude comes first, unless the first number has the letter E or W.
 */
import type { Location } from './tree.ts';

export type LocationResult = Location | { problem: string };

/** Returns latitude and longitude in degrees, or a sentence that says why the text is invalid. */
export function parseLocation(text: string): LocationResult {
  const read = readAngles(text.normalize('NFKC').trim());
  if (typeof read === 'string') return { problem: `The location "${shorten(text)}" ${read}` };
  let [lat, lon] = read;
  if (lat.axis === 'lon' || lon.axis === 'lat') [lat, lon] = [lon, lat];
  if (lat.axis === 'lon' || lon.axis === 'lat') {
    return { problem: `The location "${shorten(text)}" names the same direction twice.` };
  }
  if (Math.abs(lat.value) > 90) return { problem: `The latitude ${lat.value} is not between -90 and 90.` };
  if (Math.abs(lon.value) > 180)
    return { problem: `The longitude ${lon.value} is not between -180 and 180.` };
  return { lat: lat.value + 0, lon: lon.value + 0 };
}

type Angle = { value: number; axis: 'lat' | 'lon' | undefined };

const form = 'should read like "40.71, -74.01" or 40°42\'46"N 74°0\'21"W.';
const tokenPattern =
  /\s*(?:(\d{1,9}(?:\.\d{0,15})?|\.\d{1,15})|([NSEWOnsewo])(?![A-Za-z])|([+\-−–])|([°º˚d:])|(′′|''|["″”“])|(['′’‘])|([,;/]))/y;

function readAngles(text: string): [Angle, Angle] | string {
  if (text === '') return 'is empty.';
  if (text.length > 120) return form;
  const angles: { parts: number[]; sign: number; letter: string | undefined; units: number }[] = [];
  let current: (typeof angles)[number] | undefined;
  let before: string | undefined;
  let sign = 1;
  let isDone = true;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const from = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (!match) return text.slice(from).trim() === '' ? finish() : form;
    const [, number, letter, signMark, degrees, seconds, minutes, separator] = match;
    if (number !== undefined) {
      if (!current || isDone || current.units >= 3 || current.parts.length > current.units) {
        if (angles.length === 2) return form;
        current = { parts: [], sign, letter: before, units: 0 };
        angles.push(current);
        before = undefined;
        sign = 1;
        isDone = false;
      }
      current.parts.push(Number(number));
    } else if (degrees !== undefined || minutes !== undefined || seconds !== undefined) {
      if (!current || isDone || current.parts.length === 0) return form;
      const unit =
        degrees === ':' ? current.parts.length : degrees !== undefined ? 1 : minutes !== undefined ? 2 : 3;
      if (unit < current.parts.length) return form;
      while (current.parts.length < unit) current.parts.splice(current.parts.length - 1, 0, 0);
      current.units = unit;
    } else if (letter !== undefined) {
      const upper = letter.toUpperCase() === 'O' ? 'W' : letter.toUpperCase();
      if (current && current.letter === undefined && !(isDone && angles.length < 2 && before !== undefined)) {
        current.letter = upper;
        isDone = true;
      } else if (before === undefined && angles.length < 2) {
        before = upper;
        isDone = true;
      } else return form;
    } else if (signMark !== undefined) {
      sign = signMark === '+' ? 1 : -1;
      isDone = true;
    } else if (separator !== undefined) {
      if (!current || angles.length === 2) return form;
      isDone = true;
    }
  }
  return finish();

  function finish(): [Angle, Angle] | string {
    const [first, second] = angles;
    if (!first || !second) return form;
    const read: Angle[] = [];
    for (const { parts, sign: angleSign, letter } of [first, second]) {
      const [whole = 0, minute = 0, second_ = 0] = parts;
      if (minute >= 60 || second_ >= 60) return 'has minutes or seconds of 60 or more.';
      if (letter !== undefined && angleSign < 0) return 'has both a minus and a letter.';
      const size = whole + minute / 60 + second_ / 3600;
      const value = (letter === 'S' || letter === 'W' ? -1 : angleSign) * size;
      read.push({
        value,
        axis: letter === undefined ? undefined : letter === 'N' || letter === 'S' ? 'lat' : 'lon',
      });
    }
    return read as [Angle, Angle];
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
