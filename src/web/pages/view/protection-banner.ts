/** Banner on a protected page: from whom, why and until when. */
import type { WholePage } from '#core/model/page.ts';
import { protectionAt, whoOf } from '#core/pages/protection.ts';
import { say } from '#words/say.ts';
import { pageUrl } from '../../components.ts';
import { momentOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';

export function protectionBanner(page: WholePage, now: number): Html | undefined {
  const found = protectionAt(page, now);
  if (!found) return undefined;
  const { level, path, reason, until } = found;
  const what =
    path === page.path
      ? say('common.thisPage')
      : html`${say('protectionBanner.pathWithEverythingBeneathIt', { path: html`<a href="${pageUrl(path)}">${path}</a>` })}`;
  return html`<div class="banner" role="note"><p>${
    until === null
      ? say('protectionBanner.isProtected', { what, who: whoOf(level) })
      : say('protectionBanner.isProtectedUntil', { what, who: whoOf(level), time: momentOf(until) })
  }${reason !== '' && html` <bdi>${reason}</bdi>`}</p></div>`;
}
