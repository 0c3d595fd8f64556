/**
 * Dates and times for letters and exports, where no script can convert them to the reader's time zone. Same form as on the
 * site.
 */
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `28 October 2026` */
export function dayWords(at: number): string {
  return day.format(at);
}

/** `28 October 2026 at 14:32 UTC` */
export function momentWords(at: number): string {
  return `${moment.format(at)} UTC`;
}

/** The day in UTC in the form of programs, `2026-10-28`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
