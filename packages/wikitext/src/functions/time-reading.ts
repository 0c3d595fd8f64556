/**
 * Parses dates as people write them: `15 January 2001`, `2001-01-15 08:30 +02:00`, `first Monday of May 2001`, `now + 3 days`.
 * The forms are those of PHP's `strtotime`; at each position, the longest match wins.
 */
import { isZone, months, offsetAt } from './time-format.ts';

const longestText = 200;

/**
 * Returns the date in milliseconds since 1970, or undefined if the text is not a date. `zone` applies to dates that name no
 * zone.
 */
export function readTime(written: string, now: number, zone: string): number | undefined {
  if (written.length > longestText) return undefined;
  // Four digits alone are a year; beside other parts, they may be a time.
  const text = /^\d{4}$/.test(written) ? `00:00 ${written}` : written;
  const reading = new Reading();
  return reading.reads(text) ? reading.result(now, zone) : undefined;
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';
/** A pattern, and the function that reads its groups. */
type Form = readonly [RegExp, (reading: Reading, parts: readonly (string | undefined)[]) => void];

const dayNames = 'sun mon tue wed thu fri sat'.split(' ');
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
);
const romans = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ');

/** Offset from UTC in hours, by abbreviation. */
const zones: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'wet 0 west 1 bst 1 cet 1 cest 2 eet 2 eest 3 msk 3 jst 9 kst 9 aest 10 aedt 11 nzst 12 nzdt 13 ast -4 adt -3 est -5 edt -4 cst -6 cdt -5 mst -7 mdt -6 pst -8 pdt -7 akst -9 akdt -8 hst -10'
      .match(/\S+ \S+/g)
      ?.map((pair) => pair.split(' '))
      .map(([name, hours]) => [name, Number(hours)]) ?? [],
  ),
  // Military time zones.
  ...Object.fromEntries([...'abcdefghiklm'].map((letter, index) => [letter, index + 1])),
  ...Object.fromEntries([...'nopqrstuvwxy'].map((letter, index) => [letter, -index - 1])),
};

const monthName = `(${months.join('|')}|sept|${months.map((name) => name.slice(0, 3)).join('|')})`;
const anyMonth = `${monthName.slice(0, -1)}|${[...romans].sort((a, b) => b.length - a.length).join('|')})`;
const dayName = '((?:sun|mon|tue|wed|thu|fri|sat)[a-z]*)';
const unit = `(msec|millisecond|sec|second|min|minute|hour|day|week|fortnight|month|year|weekday|${dayName.slice(1, -1)})s?(?![a-z])`;
const which = `(${ordinals.join('|')}|next|last|previous|this)`;
const [hour12, hour, minute, second] = [
  '(1[0-2]|0?[1-9])',
  '(2[0-4]|[01]?\\d)',
  '([0-5]?\\d)',
  '(60|[0-5]?\\d)',
];
const [month, day, year] = ['(1[0-2]|0?\\d)', '(3[01]|[0-2]?\\d)', '(\\d{1,4})'];
const [month2, day2, year4] = ['(0\\d|1[0-2])', '([0-2]\\d|3[01])', '(\\d{4})'];
const nth = `${day}(?:st|nd|rd|th)?`;
const gap = '[ .\\t-]*';
const half = '[ \\t]*([ap])\\.?m\\.?(?![a-z])';

/** Forms of dates. Of two matches with equal length, the first wins. */
const forms: readonly Form[] = [
  form('[ .,;\\t\\r\\n]+|now(?![a-z])', () => {}),
  form('@(-?\\d{1,13})(?:\\.\\d{0,6})?', (reading, [seconds]) => {
    reading.date(1970, 1, 1);
    reading.time(0, 0, 0);
    reading.offset(0);
    reading.move('second', Number(seconds));
  }),
  form('(today|midnight|noon|tomorrow|yesterday)(?![a-z])', (reading, [word]) => {
    reading.startDay(word === 'noon' ? 12 : 0);
    if (word === 'tomorrow' || word === 'yesterday') reading.move('day', word === 'tomorrow' ? 1 : -1);
  }),
  form(`${hour12}(?:[:.]${minute}(?:[:.]${second})?)?${half}`, (reading, [h, i, s, letter]) =>
    reading.time((Number(h) % 12) + (letter === 'p' ? 12 : 0), i, s),
  ),
  form(`t?${hour}[:.]${minute}(?:[:.]${second}(?:[.,]\\d+)?)?`, (reading, [h, i, s]) =>
    reading.time(h, i, s),
  ),
  form('t([01]\\d|2[0-4])', (reading, [h]) => reading.time(h)),
  form('t?([01]\\d|2[0-4])([0-5]\\d)([0-5]\\d)', (reading, [h, i, s]) => reading.time(h, i, s)),
  // If the text has a time already, such digits are a year.
  form('([01]\\d|2[0-4])([0-5]\\d)', (reading, [h, i]) =>
    reading.hasTime ? reading.year(`${h}${i}`) : reading.time(h, i),
  ),
  form('t([01]\\d|2[0-4])([0-5]\\d)', (reading, [h, i]) => reading.time(h, i)),
  form(`(back|front) of ${hour}(?:${half})?`, (reading, [word, h, letter]) => {
    const at = letter ? (Number(h) % 12) + (letter === 'p' ? 12 : 0) : Number(h);
    reading.time(word === 'back' ? at : at - 1, word === 'back' ? 15 : 45);
  }),
  form(`${month}/${day}(?:/${year})?`, (reading, [m, d, y]) => reading.date(y, m, d)),
  form(`([+-]?\\d{4})-${month2}-${day2}`, (reading, [y, m, d]) => reading.date(y, m, d)),
  form(`${year}-${month}-${day}`, (reading, [y, m, d]) => reading.date(y, m, d)),
  form(`${year4}/${month}/${day}/?`, (reading, [y, m, d]) => reading.date(y, m, d)),
  form(`${year4}-${month}`, (reading, [y, m]) => reading.date(y, m, 1)),
  form(`${year4}${month2}${day2}`, (reading, [y, m, d]) => reading.date(y, m, d)),
  form(`${year4}:${month2}:${day2}`, (reading, [y, m, d]) => reading.date(y, m, d)),
  form(`${day}[.\\t-]${month}[.-]${year4}`, (reading, [d, m, y]) => reading.date(y, m, d)),
  form(`${day}[.\\t]${month}\\.(\\d\\d)`, (reading, [d, m, y]) => reading.date(y, m, d)),
  form(`${nth}${gap}${anyMonth}(?:${gap}${year})?`, (reading, [d, m, y]) => reading.date(y, m, d)),
  form(`${anyMonth}${gap}${nth}[,.stndrh\\t ]+${year}`, (reading, [m, d, y]) => reading.date(y, m, d)),
  form(`${anyMonth}${gap}${nth}[,.\\t ]*`, (reading, [m, d]) => reading.date(undefined, m, d)),
  form(
    `${anyMonth}${gap}${nth}[,.\\t ]*t?${hour}[:.]${minute}(?:[:.]${second})?`,
    (reading, [m, d, h, i, s]) => {
      reading.date(undefined, m, d);
      reading.time(h, i, s);
    },
  ),
  form(`${anyMonth}${gap}${year4}`, (reading, [m, y]) => reading.date(y, m, 1)),
  form(`${year4}${gap}${anyMonth}`, (reading, [y, m]) => reading.date(y, m, 1)),
  form(`${day}/${monthName}/${year4}:`, (reading, [d, m, y]) => reading.date(y, m, d)),
  form(`${monthName}(?![a-z])`, (reading, [m]) => reading.date(undefined, m, undefined)),
  form(`${year4}[.-]?(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])`, (reading, [y, d]) =>
    reading.date(y, 1, d),
  ),
  form(`${year4}-?w(0[1-9]|[1-4]\\d|5[0-3])(?:-?([0-7]))?`, (reading, [y, week, d = '1']) => {
    // The fourth of January is always in the first week.
    const fourth = new Date(0);
    fourth.setUTCFullYear(Number(y), 0, 4);
    reading.date(y, 1, 4 - (fourth.getUTCDay() || 7) + (Number(week) - 1) * 7 + Number(d));
  }),
  form(year4, (reading, [y]) => reading.year(y)),
  form('(first|last) day of(?![a-z])', (reading, [edge]) => {
    reading.edge = edge;
  }),
  form(`${which} +${dayName} +of(?![a-z])`, (reading, [count, name]) => {
    reading.startDay(0);
    reading.inMonth(numberOf(count), dayNumber(name));
  }),
  form(`([+-]*)[ \\t]*(\\d{1,9})[ \\t]*${unit}`, (reading, [signs = '', amount, name = '']) =>
    reading.moveBy(name, Number(amount) * (signs.replaceAll('+', '').length % 2 === 1 ? -1 : 1), true),
  ),
  form(`${which} +${unit}`, (reading, [count, name = '']) => {
    const amount = numberOf(count);
    if (name !== 'week' || ordinals.includes(count ?? ''))
      reading.moveBy(name, amount, false, count === 'this');
    else reading.moveToWeek(amount);
  }),
  form(`${dayName}`, (reading, [name]) => reading.nextDay(dayNumber(name))),
  form('ago(?![a-z])', (reading) => reading.turnBack()),
  form('\\(?(?:utc|gmt|z)(?![a-z/])\\)?', (reading) => reading.offset(0)),
  form('utc[+-]\\d{1,2}(?::?\\d\\d)?', (reading) => reading.offset(0)),
  form('(?:gmt)?([+-])(2[0-4]|[01]?\\d):?([0-5]\\d)?', (reading, [sign, h, i = '0']) =>
    reading.offset((sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(i))),
  ),
  form('\\(?([a-z]{1,5})(?![a-z/])\\)?', (reading, [name = '']) => {
    if (Object.hasOwn(zones, name)) reading.offset((zones[name] ?? 0) * 60);
    else reading.isBad = true;
  }),
  form('([a-z_]+/[a-z_/+-]+)', (reading, [name = '']) => reading.inZone(name)),
];

function form(pattern: string, read: Form[1]): Form {
  return [new RegExp(pattern, 'iy'), read];
}

function numberOf(word: string | undefined): number {
  if (word === 'this') return 0;
  if (word === 'next') return 1;
  return ordinals.indexOf(word ?? '') + 1 || -1;
}

function dayNumber(name: string | undefined): number {
  return dayNames.indexOf((name ?? '').slice(0, 3));
}

const daySpellings = /^(?:sun|mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur)(?:days?)?$/;

const units: Readonly<Record<string, readonly [Unit, number]>> = {
  msec: ['second', 0],
  millisecond: ['second', 0],
  sec: ['second', 1],
  second: ['second', 1],
  min: ['minute', 1],
  minute: ['minute', 1],
  hour: ['hour', 1],
  day: ['day', 1],
  week: ['day', 7],
  fortnight: ['day', 14],
  month: ['month', 1],
  year: ['year', 1],
};

class Reading {
  isBad = false;
  hasTime = false;
  edge: string | undefined;
  #hasDate = false;
  #year: number | undefined;
  #month: number | undefined;
  #day: number | undefined;
  #clock: [number, number, number] | undefined;
  #zone: string | number | undefined;
  readonly #moves: Record<Unit, number> = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  #workdays = 0;
  /** `kind`: the next such weekday from today on, the next after today, or the one in this week. */
  #weekday: { day: number; kind: 'from' | 'after' | 'week' } | undefined;
  #isInMonth: 'first' | 'last' | undefined;

  /** Reads the whole text. Returns false if it is not a date. */
  reads(text: string): boolean {
    for (let at = 0; at < text.length && !this.isBad; ) {
      let longest = '';
      let found: (() => void) | undefined;
      for (const [pattern, read] of forms) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (!match || match[0].length <= longest.length) continue;
        longest = match[0];
        found = () =>
          read(
            this,
            match.slice(1).map((part) => part?.toLowerCase()),
          );
      }
      if (!found) return false;
      found();
      at += longest.length;
    }
    return !this.isBad;
  }

  /** Sets the date. Years of up to two digits are in the last century or this one. */
  date(
    year: string | number | undefined,
    month: string | number | undefined,
    day: string | number | undefined,
  ): void {
    if (this.#hasDate) this.isBad = true;
    this.#hasDate = true;
    if (year !== undefined) this.year(year);
    this.#month = monthNumber(month);
    this.#day = day === undefined ? undefined : Number(day);
  }

  year(written: string | number | undefined): void {
    const year = Number(written);
    this.#year = String(written).length > 2 ? year : year + (year < 70 ? 2000 : 1900);
  }

  time(hour: string | number | undefined, minute: string | number = 0, second: string | number = 0): void {
    if (this.hasTime) this.isBad = true;
    this.hasTime = true;
    this.#clock = [Number(hour), Number(minute), Number(second)];
  }

  /** Sets the time of day to an hour. Hour 0 does not replace a time that was given already. */
  startDay(hour: number): void {
    if (!this.hasTime || hour > 0) this.#clock = [hour, 0, 0];
  }

  offset(minutes: number): void {
    if (this.#zone !== undefined) this.isBad = true;
    this.#zone = minutes;
  }

  inZone(name: string): void {
    if (this.#zone !== undefined || !isZone(name)) this.isBad = true;
    this.#zone = name;
  }

  move(unit: Unit, amount: number): void {
    this.#moves[unit] += amount;
  }

  /** `keepsTime`: whether a weekday leaves the time of day, as counted ones do. Named ones reset it. */
  moveBy(name: string, amount: number, keepsTime: boolean, isThis = false): void {
    if (name === 'weekday') this.#workdays += amount;
    else if (Object.hasOwn(units, name)) {
      const [unit, factor] = units[name] ?? ['second', 0];
      this.move(unit, amount * factor);
    } else if (daySpellings.test(name)) {
      if (!keepsTime) this.startDay(0);
      this.move('day', (amount > 0 ? amount - 1 : amount) * 7);
      this.#weekday = { day: dayNumber(name), kind: isThis ? 'from' : 'after' };
    } else this.isBad = true;
  }

  moveToWeek(amount: number): void {
    this.move('day', amount * 7);
    this.#weekday = { day: this.#weekday?.day ?? 1, kind: 'week' };
  }

  nextDay(day: number): void {
    this.startDay(0);
    this.#weekday = { day, kind: this.#weekday?.kind === 'week' ? 'week' : 'from' };
  }

  inMonth(count: number, day: number): void {
    this.#isInMonth = count < 0 ? 'last' : 'first';
    this.move('day', (count > 0 ? count - 1 : count) * 7);
    this.#weekday = { day, kind: 'from' };
  }

  turnBack(): void {
    for (const unit of Object.keys(this.#moves) as Unit[]) this.#moves[unit] *= -1;
    this.#workdays *= -1;
  }

  result(now: number, ownZone: string): number {
    const zone = this.#zone ?? ownZone;
    const today = new Date(now + offsetIn(ownZone, now) * 60_000);
    const local = new Date(0);
    const month = this.#month ?? today.getUTCMonth() + 1;
    const day = this.#day ?? today.getUTCDate();
    const moves = this.#moves;
    local.setUTCFullYear(this.#year ?? today.getUTCFullYear(), month - 1, day);
    if (this.#isInMonth) {
      local.setUTCMonth(local.getUTCMonth() + moves.month + (this.#isInMonth === 'last' ? 1 : 0), 1);
      moves.month = 0;
    }
    const keepsTime = !this.#hasDate && this.#clock === undefined;
    if (keepsTime)
      local.setUTCHours(
        today.getUTCHours(),
        today.getUTCMinutes(),
        today.getUTCSeconds(),
        today.getUTCMilliseconds(),
      );
    else local.setUTCHours(...(this.#clock ?? ([0, 0, 0] as const)), 0);
    this.#toWeekday(local);
    local.setUTCFullYear(
      local.getUTCFullYear() + moves.year,
      local.getUTCMonth() + moves.month,
      local.getUTCDate() + moves.day,
    );
    if (this.edge)
      local.setUTCMonth(local.getUTCMonth() + (this.edge === 'last' ? 1 : 0), this.edge === 'last' ? 0 : 1);
    this.#overWorkdays(local);
    const asUtc = local.getTime();
    const at = asUtc - offsetIn(zone, asUtc - offsetIn(zone, asUtc) * 60_000) * 60_000;
    return at + (moves.hour * 3600 + moves.minute * 60 + moves.second) * 1000;
  }

  #toWeekday(local: Date): void {
    if (!this.#weekday) return;
    const { day, kind } = this.#weekday;
    const today = local.getUTCDay();
    let difference = day - today;
    // Weeks begin on Monday.
    if (kind === 'week') difference = (day || 7) - (today || 7);
    else if (this.#moves.day < 0 ? difference < 0 : kind === 'from' ? difference < 0 : difference <= 0)
      difference += 7;
    local.setUTCDate(local.getUTCDate() + difference);
  }

  #overWorkdays(local: Date): void {
    const step = Math.sign(this.#workdays);
    // Five workdays are a week.
    local.setUTCDate(local.getUTCDate() + Math.trunc(this.#workdays / 5) * 7);
    for (let left = Math.abs(this.#workdays % 5); left > 0; ) {
      local.setUTCDate(local.getUTCDate() + step);
      if (local.getUTCDay() % 6 !== 0) left--;
    }
  }
}

function monthNumber(written: string | number | undefined): number | undefined {
  if (written === undefined || !Number.isNaN(Number(written)))
    return written === undefined ? undefined : Number(written);
  const name = String(written);
  const roman = romans.indexOf(name);
  return roman >= 0
    ? roman + 1
    : months.findIndex((full) => full.toLowerCase().startsWith(name.slice(0, 3))) + 1;
}

/** Returns the offset from UTC in minutes of a zone; a number is the offset itself. */
function offsetIn(zone: string | number, at: number): number {
  return typeof zone === 'number' ? zone : offsetAt(at, zone);
}
