/** Words for times, shared by the server and by scripts that use the reader's time zone and language. */

export interface TimeWords {
  /** `3 hours ago`; beyond 13 days, the form of `day`. */
  ago(at: number, now: number): string;
  /** `28 October`, or `28 October 2025` if the year is another. */
  day(at: number, now: number): string;
  /** `28 October 2026 at 14:32` */
  exact(at: number): string;
}

/** Locale of the site, and for readers whose language is English. */
export const siteLocale = 'en-GB';

/** `timeZone` defaults to that of the machine. */
export function timeWords(locale: string, timeZone?: string): TimeWords {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, timeZone === undefined ? options : { ...options, timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const before = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
    // In Hebrew, `לפני דקה (1)`: the words say the number already.
    relative.format(-count, unit).replace(/ \([12]\)$/, '');
  const moment = format({ dateStyle: 'long', timeStyle: 'short' });
  const date = format({ dateStyle: 'long' });
  const dateInYear = format({ day: 'numeric', month: 'long' });
  const year = format({ year: 'numeric' });

  // The server makes many dates, and formatting takes longer than comparing.
  const yearOf = (at: number) => (timeZone === 'UTC' ? new Date(at).getUTCFullYear() : year.format(at));
  const day = (at: number, now: number) => (yearOf(at) === yearOf(now) ? dateInYear : date).format(at);
  return {
    day,
    exact: (at) => moment.format(at),
    ago(at, now) {
      const seconds = Math.max(0, Math.round((now - at) / 1000));
      if (seconds < 45) return justNow(locale) ?? before(0, 'second');
      const minutes = Math.round(seconds / 60);
      if (minutes < 60) return before(minutes, 'minute');
      const hours = Math.round(minutes / 60);
      if (hours < 24) return before(hours, 'hour');
      const days = Math.round(hours / 24);
      return days < 14 ? before(days, 'day') : day(at, now);
    },
  };
}

/** The word that stands in sentences, where that of `Intl` does not fit: `今に変更` is wrong. */
function justNow(locale: string): string | undefined {
  if (locale === siteLocale) return 'just now';
  return /^ja\b/.test(locale) ? '1 分以内' : undefined;
}
