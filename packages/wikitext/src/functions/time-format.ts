/** Formats points in time in any zone that the runtime knows. Format letters are those of PHP's date(), as in MediaWiki. */
import { calendarText } from './calendars.ts';
import { hebrewNumeral, romanNumeral } from './numerals.ts';
import { formatOf } from './runtime-formats.ts';

export const months =
  'January February March April May June July August September October November December'.split(' ');
export const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

type Parts = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  zone: string;
  offset: number;
};

/**
 * Formats `at` (milliseconds) by a pattern such as `Y-m-d H:i`, with names of months and days in a language (BCP 47). Text in
 * double quotes and after a backslash is literal. `xr` and `xh` write the next number in Roman or Hebrew numerals.
 */
export function formatTime(format: string, at: number, zone: string, language = 'en'): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return '';
  const parts = partsOf(at, zone);
  const local = new Date(at + parts.offset * 60_000);
  let out = '';
  let numeral: ((text: string) => string) | undefined;
  const write = (text: string) => {
    out += numeral ? numeral(text) : text;
    numeral = undefined;
  };
  for (let index = 0; index < format.length; index++) {
    const letter = format[index] ?? '';
    if (letter === '\\') out += format[++index] ?? '\\';
    else if (letter === '"') {
      const close = format.indexOf('"', index + 1);
      if (close < 0) out += letter;
      else {
        out += format.slice(index + 1, close);
        index = close;
      }
    } else if (letter === 'x') {
      const next = format[index + 1] ?? '';
      const other = 'imjkot'.includes(next) ? format[index + 2] : undefined;
      if (next === 'x') out += 'x';
      else if (next === 'g') write(nameOf('xg', local, language) ?? formatLetter('F', parts, local, at));
      else if (next === 'r') numeral = romanNumeral;
      else if (next === 'h') numeral = hebrewNumeral;
      else if (other) write(calendarText(next, other, local, language) ?? other);
      else if (!/[nN]/.test(next)) write(next);
      // `xn` and `xN` choose a kind of digits; there is only one here.
      index += other ? 2 : 1;
    } else {
      write(nameOf(letter, local, language) ?? formatLetter(letter, parts, local, at));
    }
  }
  return out;
}

const nameStyles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  F: { month: 'long' },
  xg: { month: 'long', day: 'numeric' },
  M: { month: 'short' },
  l: { weekday: 'long' },
  D: { weekday: 'short' },
};

/** Returns the name of a month or day in a language other than English. `xg` is the form of a month within a date. */
function nameOf(letter: string, local: Date, language: string): string | undefined {
  const style =
    language.startsWith('en') || !Object.hasOwn(nameStyles, letter) ? undefined : nameStyles[letter];
  if (!style) return undefined;
  const format = formatOf(language, { ...style, timeZone: 'UTC' });
  // Outside a date, a month's name may consist of several parts, so the whole output is used.
  if (!style.day) return format?.format(local);
  return format?.formatToParts(local).find(({ type }) => type === 'month')?.value;
}

function formatLetter(letter: string, parts: Parts, local: Date, at: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const { year, month, day, hour, minute, second } = parts;
  const weekday = local.getUTCDay();
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  switch (letter) {
    case 'Y':
      return String(year).padStart(4, '0');
    case 'y':
      return two(year % 100);
    case 'L':
      return isLeap ? '1' : '0';
    case 'o':
      return String(isoWeek(local)[0]);
    case 'n':
      return String(month);
    case 'm':
      return two(month);
    case 'M':
      return (months[month - 1] ?? '').slice(0, 3);
    case 'F':
      return months[month - 1] ?? '';
    case 'W':
      return two(isoWeek(local)[1]);
    case 'j':
      return String(day);
    case 'd':
      return two(day);
    case 'z':
      return String(
        Math.floor(
          (Date.UTC(2000 + (year % 400), month - 1, day) - Date.UTC(2000 + (year % 400), 0, 1)) / 86_400_000,
        ),
      );
    case 't':
      return String(new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate());
    case 'D':
      return (days[weekday] ?? '').slice(0, 3);
    case 'l':
      return days[weekday] ?? '';
    case 'N':
      return String(weekday || 7);
    case 'w':
      return String(weekday);
    case 'a':
      return hour < 12 ? 'am' : 'pm';
    case 'A':
      return hour < 12 ? 'AM' : 'PM';
    case 'g':
      return String(hour % 12 || 12);
    case 'h':
      return two(hour % 12 || 12);
    case 'G':
      return String(hour);
    case 'H':
      return two(hour);
    case 'i':
      return two(minute);
    case 's':
      return two(second);
    case 'U':
      return String(Math.floor(at / 1000));
    case 'e':
      return parts.zone;
    case 'T':
      return parts.zone === 'UTC' ? 'UTC' : offsetText(parts.offset, ':');
    case 'I':
      return parts.offset > Math.min(...[0, 6].map((of) => offsetAt(Date.UTC(year, of), parts.zone)))
        ? '1'
        : '0';
    case 'O':
      return offsetText(parts.offset, '');
    case 'P':
      return offsetText(parts.offset, ':');
    case 'Z':
      return String(parts.offset * 60);
    case 'c':
      return formatTime('Y-m-d\\TH:i:sP', at, parts.zone);
    case 'r':
      return formatTime('D, d M Y H:i:s O', at, parts.zone);
    default:
      return letter;
  }
}

function partsOf(at: number, zone: string): Parts {
  const offset = offsetAt(at, zone);
  const date = new Date(at + offset * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    zone,
    offset,
  };
}

/** Returns the zone's offset from UTC in minutes at a time; 0 for zones that the runtime does not know. */
export function offsetAt(at: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const fixed = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3]));
  const format = zoneFormat(zone);
  if (!format) return 0;
  const values: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(new Date(at))) values[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values;
  const local = Date.UTC(year, month - 1, day, hour % 24, minute, second);
  return Math.round((local - Math.floor(at / 1000) * 1000) / 60_000);
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  return formatOf('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/**
 * Whether a time zone can be used: `UTC`, an offset such as `+01:00`, or a name such as `Europe/Vienna` that the runtime
 * knows.
 */
export function isZone(name: string): boolean {
  return (
    name === 'UTC' ||
    /^[+-]\d{2}:?\d{2}$/.test(name) ||
    (/^[A-Za-z_]+\/[A-Za-z_/+-]+$/.test(name) && zoneFormat(name) !== undefined)
  );
}

function isoWeek(date: Date): [number, number] {
  const thursday = new Date(date.getTime());
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return [thursday.getUTCFullYear(), Math.ceil(((thursday.getTime() - yearStart) / 86_400_000 + 1) / 7)];
}

function offsetText(minutes: number, separator: string): string {
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}${separator}${String(size % 60).padStart(2, '0')}`;
}
