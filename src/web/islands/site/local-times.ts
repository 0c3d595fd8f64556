/** Times in the reader's own zone and language: `3 hours ago`, exact on hover; kept true while the page stays open. */

const locale = navigator.language;
const language = locale.split('-')[0] ?? 'en';
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
const dayInYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
const distance = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

export function localTimes(): void {
  update(language === document.documentElement.lang);
  setInterval(() => update(false), 60_000);
}

/** `keepsWords`: the server's are in the reader's language and hardly old, and changing them would move what follows. */
function update(keepsWords: boolean): void {
  const now = Date.now();
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[datetime][title]')) {
    const at = Date.parse(element.dateTime);
    if (Number.isNaN(at)) continue;
    const words = relative(at, now);
    if (!keepsWords && element.textContent !== words) element.textContent = words;
    element.title = exact.format(at);
    if (language !== document.documentElement.lang) element.lang = locale;
  }
}

/** In the same steps as the server's. */
function relative(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 45) return locale.startsWith('en') ? 'just now' : distance.format(0, 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return distance.format(-minutes, 'minute');
  const hours = Math.round(minutes / 60);
  if (hours < 24) return distance.format(-hours, 'hour');
  const days = Math.round(hours / 24);
  if (days < 14) return distance.format(-days, 'day');
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? dayInYear.format(at) : day.format(at);
}
