/**
 * Dates of other calendars in `{{#time}}`: Iranian (`xij xiF xin xiY xiy xit xiz`), Islamic (`xmj xmF xmn xmY`), Hebrew
 * (`xjj xjF xjx xjn xjY xjt`), Thai (`xkY`), Minguo (`xoY`) and Japanese (`xtY`).
 */
import { formatOf } from './runtime-formats.ts';

type CalendarDate = { year: string; month: number; day: number };
type Calendar = { name: string; letters: string; months: readonly string[] };

/** Months in numerical order. Those of Hebrew leap years come last, as in MediaWiki. */
const calendars: Readonly<Record<string, Calendar>> = {
  i: {
    name: 'persian',
    letters: 'jFnYytz',
    months: 'Farvardin Ordibehesht Khordad Tir Mordad Shahrivar Mehr Aban Azar Dey Bahman Esfand'.split(' '),
  },
  m: {
    name: 'islamic-civil',
    letters: 'jFnY',
    months:
      "Muharram,Safar,Rabi' al-awwal,Rabi' al-thani,Jumada al-awwal,Jumada al-thani,Rajab,Sha'aban,Ramadan,Shawwal,Dhu al-Qi'dah,Dhu al-Hijjah".split(
        ',',
      ),
  },
  j: {
    name: 'hebrew',
    letters: 'jFxnYt',
    months: 'Tishrei,Cheshvan,Kislev,Tevet,Shevat,Adar,Nisan,Iyar,Sivan,Tamuz,Av,Elul,Adar I,Adar II'.split(
      ',',
    ),
  },
};

/** Names that the JavaScript runtime gives to months of the Hebrew calendar, where they differ. */
const otherNames: Readonly<Record<string, string>> = { Tishri: 'Tishrei', Heshvan: 'Cheshvan' };

const day = 86_400_000;

/** `code` is the calendar's letter after `x`. Returns undefined for a value that the calendar does not have. */
export function calendarText(
  code: string,
  letter: string,
  local: Date,
  language: string,
): string | undefined {
  if ('kot'.includes(code)) return letter === 'Y' ? yearElsewhere(code, local) : undefined;
  const calendar = Object.hasOwn(calendars, code) ? calendars[code] : undefined;
  if (!calendar?.letters.includes(letter)) return undefined;
  const date = dateIn(calendar, local);
  switch (letter) {
    case 'j':
      return String(date.day);
    case 'n':
      return String(date.month);
    case 'Y':
      return date.year;
    case 'y':
      return date.year.slice(-2).padStart(2, '0');
    case 't':
      return String(daysOfMonth(calendar, date, local));
    case 'z':
      return String(Math.min(date.month - 1, 6) * 31 + Math.max(date.month - 7, 0) * 30 + date.day - 1);
    default:
      return monthName(calendar, date, local, language);
  }
}

function dateIn({ name, months }: Calendar, at: Date | number): CalendarDate {
  const month = name === 'hebrew' ? 'long' : 'numeric';
  const format = formatOf(`en-u-ca-${name}-nu-latn`, {
    year: 'numeric',
    month,
    day: 'numeric',
    timeZone: 'UTC',
  });
  const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]));
  const written = parts.get('month') ?? '';
  return {
    year: parts.get('year') ?? '',
    month: month === 'long' ? months.indexOf(otherNames[written] ?? written) + 1 : Number(written),
    day: Number(parts.get('day')),
  };
}

function daysOfMonth(calendar: Calendar, date: CalendarDate, local: Date): number {
  const isWithin = (last: number) =>
    dateIn(calendar, local.getTime() + (last - date.day) * day).month === date.month;
  return [31, 30].find(isWithin) ?? 29;
}

/** Returns MediaWiki's name for English; otherwise the runtime's, in the form that the language uses within a date. */
function monthName({ name, months }: Calendar, date: CalendarDate, local: Date, language: string): string {
  const english = months[date.month - 1] ?? '';
  if (/^en\b/.test(language)) return english;
  const format = formatOf(`${language}-u-ca-${name}`, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return format?.formatToParts(local).find(({ type }) => type === 'month')?.value ?? english;
}

function yearElsewhere(code: string, local: Date): string {
  const year = local.getUTCFullYear();
  if (code === 'o') return String(year - 1911);
  // From 1912 to 1940, the Thai year began in April.
  if (code === 'k')
    return String(year + 543 - (year >= 1912 && year <= 1940 && local.getUTCMonth() < 3 ? 1 : 0));
  if (year < 1873) return `西暦${year}`;
  const format = formatOf('ja-u-ca-japanese', { era: 'short', year: 'numeric', timeZone: 'UTC' });
  const parts = format?.formatToParts(local).filter(({ type }) => type !== 'literal') ?? [];
  return parts.map(({ value }) => value).join('');
}
