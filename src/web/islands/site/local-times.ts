/** Times in the reader's time zone: `3 hours ago`, exact on hover, updated while the page is open. */

import { type TimeWords, timeWords } from '#web/time-words.ts';
import { localeOf } from '#words/say.ts';
import { element } from '../element.ts';

const wording = timeWords(localeOf(document.documentElement.lang));

export function localTimes(): void {
  // The server's words are kept at first, because they are recent and changing them could move the layout.
  update(document, true);
  setInterval(() => update(document, false), 60_000);
}

/** Element for a time. `at`: milliseconds since 1970. */
export function timeElement(at: number): HTMLElement {
  const words = wording.ago(at, Date.now());
  return element('time', { datetime: new Date(at).toISOString(), title: wording.exact(at) }, words);
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
    const words = wording[kind](at, now);
    // Days and exact times do not change.
    if (!keepsWords && kind === 'ago' && time.textContent !== words) time.textContent = words;
    time.title = wording.exact(at);
  }
}
