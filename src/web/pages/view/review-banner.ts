/** Banner on a page that is to be reviewed. */
import { dayOf } from '#core/model/date-words.ts';
import { dayMs } from '#core/model/iso-time.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { momentOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';

export function reviewBanner({ page, mayWrite }: PageView, now: number): Html | undefined {
  const { reviewBy } = page;
  if (reviewBy === null || reviewBy > dayOf(now)) return undefined;
  return html`<div class="banner" role="note"><p>${say('reviewBanner.toBeReviewedSince', { time: momentOf(Date.parse(reviewBy)) })}${
    mayWrite && html` <a href="${urlOf('/verify', page.path)}">${say('reviewBanner.verified')}</a>`
  }</p></div>`;
}

/** Milliseconds until the banner appears; undefined if it stays as it is. */
export function reviewBeginsIn(reviewBy: string | null, now: number): number | undefined {
  if (reviewBy === null || reviewBy <= dayOf(now)) return undefined;
  return Math.min(Date.parse(reviewBy) - now, 365 * dayMs);
}
