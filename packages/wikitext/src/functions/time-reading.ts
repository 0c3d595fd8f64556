/** Dates as people write them → points in time: `15 January 2001`, `2001-01-15 08:30 +02:00`, `now + 3 days`. */
import { days, isZone, months, offsetAt } from './time-format.ts';

const unitLengths: Readonly<Record<string, number>> = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
};

/** Milliseconds of a date as people write it (`15 January 2001`, `2001-01-15 08:30 +02:00`, `now + 3 days`), or undefined. */
export function readTime(written: string, now: number, zone: string): number | undefined {
  const text = written.trim().toLowerCase().replace(/\s+/g, ' ');
  if (text === '' || text === 'now') return now;
  if (text.length > 200) return undefined;
  const stamp = /^@(-?\d{1,13})$/.exec(text);
  if (stamp) return Number(stamp[1]) * 1000;
  const compact = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (compact) {
    const [year = 0, month = 1, ...rest] = compact.slice(1).map(Number);
    return Date.UTC(year, month - 1, ...rest);
  }
  return new Reading(text, written, now, zone).result();
}

const month =
  `(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`.toLowerCase();
const dayMonth = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[ -]${month}(?:[ ,-]+(\\d{4}))?(?![\\d:])`);
const monthDay = new RegExp(`^${month} (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:[ ,]+(\\d{4})(?![\\d:]))?`);
const monthOnly = new RegExp(`^${month}(?: (\\d{4}))?(?![\\w:])`);

function monthNumber(name: string | undefined): number {
  return months.findIndex((full) => full.toLowerCase().startsWith((name ?? '').slice(0, 3))) + 1;
}

class Reading {
  #text: string;
  readonly #written: string;
  readonly #now: Date;
  #zone: string;
  #date: [number, number, number] | undefined;
  #time: [number, number, number] | undefined;
  readonly #shifts: [number, string][] = [];
  #weekday: number | undefined;
  /** The last or the next such day rather than today. */
  #isBefore = false;
  #isAfter = false;
  #isBad = false;
  /** First or last day of the month that everything else leads to. */
  #edge: 'first' | 'last' | undefined;

  constructor(text: string, written: string, now: number, zone: string) {
    this.#text = text;
    this.#written = written;
    this.#zone = zone;
    this.#now = new Date(now + offsetAt(now, zone) * 60_000);
  }

  result(): number | undefined {
    const zoneName = /(?:^|\s)([A-Za-z_]+\/[A-Za-z_/+-]+)\s*$/.exec(this.#written);
    if (zoneName?.[1] && isZone(zoneName[1])) {
      this.#zone = zoneName[1];
      this.#text = this.#text.slice(0, -zoneName[1].length).trim();
    }
    for (let guard = 0; this.#text !== '' && guard < 40 && !this.#isBad; guard++) this.#step();
    if (this.#isBad || this.#text !== '') return undefined;
    const [year, month, day] = this.#date ?? [
      this.#now.getUTCFullYear(),
      this.#now.getUTCMonth() + 1,
      this.#now.getUTCDate(),
    ];
    if (month < 1 || month > 12 || day < 0 || day > 31) return undefined;
    const keepsTime = this.#date === undefined && this.#time === undefined && this.#weekday === undefined;
    const [hour, minute, second] =
      this.#time ??
      (keepsTime
        ? [this.#now.getUTCHours(), this.#now.getUTCMinutes(), this.#now.getUTCSeconds()]
        : [0, 0, 0]);
    if (hour > 24 || minute > 59 || second > 60) return undefined;
    const local = new Date(0);
    local.setUTCFullYear(year, month - 1, day);
    local.setUTCHours(hour, minute, second, 0);
    for (const [amount, unit] of this.#shifts) shift(local, amount, unit);
    if (this.#weekday !== undefined) {
      const days = (this.#weekday - local.getUTCDay() + 7) % 7;
      local.setUTCDate(
        local.getUTCDate() + (this.#isBefore ? days - 7 : this.#isAfter && days === 0 ? 7 : days),
      );
    }
    if (this.#edge)
      local.setUTCMonth(local.getUTCMonth() + (this.#edge === 'last' ? 1 : 0), this.#edge === 'last' ? 0 : 1);
    const asUtc = local.getTime();
    return asUtc - offsetAt(asUtc - offsetAt(asUtc, this.#zone) * 60_000, this.#zone) * 60_000;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#text = this.#text.slice(match[0].length).replace(/^[\s,]+/, '');
    return match;
  }

  #step(): void {
    const thisYear = this.#now.getUTCFullYear();
    let match = this.#take(/^(-?\d{4,6})-(\d{1,2})-(\d{1,2})(?:t(?=\d))?/);
    if (match) {
      this.#date = [Number(match[1]), Number(match[2]), Number(match[3])];
      return;
    }
    match = this.#take(/^(first|last) day of\b/);
    if (match) {
      this.#edge = match[1] === 'first' ? 'first' : 'last';
      return;
    }
    match = this.#take(/^(\d{4})(\d\d)(\d\d)(?!\d)(?:t(?=\d))?/);
    if (match) {
      this.#date = [Number(match[1]), Number(match[2]), Number(match[3])];
      return;
    }
    match = this.#take(/^(\d{1,2})[.-](\d{1,2})[.-](\d{4})/);
    if (match) {
      this.#date = [Number(match[3]), Number(match[2]), Number(match[1])];
      return;
    }
    // Four digits alone are a year, six a time.
    match = this.#take(/^([01]\d|2[0-4])([0-5]\d)([0-5]\d)(?!\d)/);
    if (match) {
      this.#time = [Number(match[1]), Number(match[2]), Number(match[3])];
      return;
    }
    match = this.#take(/^(\d{1,2})[/](\d{1,2})[/](\d{4})/);
    if (match) {
      this.#date = [Number(match[3]), Number(match[1]), Number(match[2])];
      return;
    }
    match =
      this.#take(/^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([ap])\.?m\.?(?![a-z]))?/) ??
      this.#take(/^(\d{1,2})()() ?([ap])\.?m\.?(?![a-z])/);
    if (match) {
      const hour = Number(match[1]);
      const half = match[4];
      this.#time = [
        half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour,
        Number(match[2]),
        Number(match[3] ?? 0),
      ];
      return;
    }
    match = this.#take(dayMonth);
    if (match) {
      this.#date = [Number(match[3] ?? thisYear), monthNumber(match[2]), Number(match[1])];
      return;
    }
    match = this.#take(monthDay);
    if (match) {
      this.#date = [Number(match[3] ?? thisYear), monthNumber(match[1]), Number(match[2])];
      return;
    }
    match = this.#take(monthOnly);
    if (match) {
      this.#date = [Number(match[2] ?? thisYear), monthNumber(match[1]), 1];
      return;
    }
    match = this.#take(/^(\d{4})-(\d{1,2})(?![\d-])/);
    if (match) {
      this.#date = [Number(match[1]), Number(match[2]), 1];
      return;
    }
    match = this.#take(
      /^([+-] ?\d{1,7}|next|last|\d{1,7}) (sec|second|min|minute|hour|day|week|fortnight|month|year)s?( ago)?\b/,
    );
    if (match) {
      const amount =
        match[1] === 'next' ? 1 : match[1] === 'last' ? -1 : Number((match[1] ?? '').replace(' ', ''));
      this.#shifts.push([match[3] ? -amount : amount, match[2] ?? '']);
      return;
    }
    match = this.#take(/^(today|midnight|now|tomorrow|yesterday|noon)\b/);
    if (match) {
      if (match[1] !== 'now') this.#time = match[1] === 'noon' ? [12, 0, 0] : [0, 0, 0];
      if (match[1] === 'tomorrow') this.#shifts.push([1, 'day']);
      if (match[1] === 'yesterday') this.#shifts.push([-1, 'day']);
      return;
    }
    match = this.#take(/^(next |last )?(sun|mon|tue|wed|thu|fri|sat)[a-z]*\b/);
    if (match) {
      const [, which, day = '?'] = match;
      this.#isBefore = which === 'last ';
      this.#isAfter = which === 'next ';
      if (this.#date === undefined)
        this.#weekday = days.findIndex((name) => name.toLowerCase().startsWith(day));
      return;
    }
    match = this.#take(/^(utc|gmt|z)\b/);
    if (match) {
      this.#zone = 'UTC';
      return;
    }
    match = this.#take(/^([+-]\d{2}:?\d{2})\b/);
    if (match?.[1]) {
      this.#zone = match[1];
      return;
    }
    match = this.#take(/^(\d{4})\b/);
    if (match) {
      const [, month = this.#now.getUTCMonth() + 1, day = this.#now.getUTCDate()] = this.#date ?? [];
      this.#date = [Number(match[1]), month, day];
      return;
    }
    this.#isBad = true;
  }
}

function shift(date: Date, amount: number, unit: string): void {
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + amount);
  else if (unit === 'year') date.setUTCFullYear(date.getUTCFullYear() + amount);
  else date.setTime(date.getTime() + amount * (unitLengths[unit] ?? 0) * 1000);
}
