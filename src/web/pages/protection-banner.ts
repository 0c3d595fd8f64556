/** Banner on a protected page: from whom, why and until when. */
import type { WholePage } from '#core/model/page.ts';
import { protectionAt, whoOf } from '#core/pages/protection.ts';
import { pageUrl } from '../components.ts';
import { momentOf } from '../format.ts';
import { type Html, html } from '../html.ts';

export function protectionBanner(page: WholePage, now: number): Html | undefined {
  const found = protectionAt(page, now);
  if (!found) return undefined;
  const { level, path, reason, until } = found;
  const what =
    path === page.path
      ? 'This page'
      : html`<a href="${pageUrl(path)}">${path}</a>, with everything beneath it,`;
  return html`<div class="banner" role="note"><p>${what} is protected${until !== null && html` until ${momentOf(until)}`}: only ${whoOf(level)} can change it.${reason !== '' && html` <bdi>${reason}</bdi>`}</p></div>`;
}
