/**
 * Dates and times for letters and exports, where no script can convert them to the reader's time zone. Same form as on the
 * site.
 */
import type { LocalText } from '#html/html.ts';
import { inLanguage } from '#words/say.ts';

const format = (locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', ...options });

/** `28 October 2026` */
export function dayWords(at: number): LocalText {
  return inLanguage((locale) => format(locale, {}).format(at));
}

/** `28 October 2026 at 14:32 UTC` */
export function momentWords(at: number): LocalText {
  return inLanguage((locale) => `${format(locale, { timeStyle: 'short' }).format(at)} UTC`);
}

/** The day in UTC in the form of programs, `2026-10-28`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
