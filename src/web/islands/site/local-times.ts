/** Times in the reader's time zone and language: `3 hours ago`, exact on hover, updated while the page is open. */

import { siteLocale, type TimeWords, timeWords } from '#web/time-words.ts';
import { element } from '../element.ts';

const isOurLanguage = navigator.language.split('-')[0] === document.documentElement.lang;
const locale = isOurLanguage ? siteLocale : navigator.language;
const said = timeWords(locale);

export function localTimes(): void {
  // If the reader uses the site's language, the server's words are kept, because they are recent and changing them could move
  // the layout.
  update(document, isOurLanguage);
  setInterval(() => update(document, false), 60_000);
}

/** Element for a time. `at`: milliseconds since 1970. */
export function timeElement(at: number): HTMLElement {
  const words = said.ago(at, Date.now());
  return element('time', { datetime: new Date(at).toISOString(), title: said.exact(at) }, words);
}

/** Listings from the API contain only the date. */
export function tellListedTimes(markup: ParentNode): void {
  for (const time of markup.querySelectorAll<HTMLTimeElement>('.listing time:not([title])')) time.title = '';
  update(markup, false);
}

function update(within: ParentNode, keepsWords: boolean): void {
  const now = Date.now();
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[datetime][title]')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const kind = (time.dataset.words ?? 'ago') as keyof TimeWords;
    const words = said[kind](at, now);
    // Days and exact times do not change.
    if (!keepsWords && (kind === 'ago' || !isOurLanguage) && time.textContent !== words)
      time.textContent = words;
    time.title = said.exact(at);
    if (!isOurLanguage) time.lang = locale;
  }
}
