/** Above an older version of a page: when it was current, and how to compare or restore it. */
import type { PageView } from '#core/pages/page-view.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { pageUrl } from '../../components.ts';
import { momentOf } from '../../format.ts';
import { type Html, html } from '../../html.ts';

export function oldBanner({ page, mayWrite }: PageView, version: number): Html {
  return html`<div class="banner" role="note">
<p>${say('oldBanner.thisIsAnOlderVersionFromTime', {
    time: html`<strong>${momentOf(page.updatedAt)}</strong>`,
    link: (words) => html`<a href="${pageUrl(page.path)}">${words}</a>`,
    link2: (words) =>
      html`<a href="${urlOf('/diff', page.path)}?from=${version}&amp;to=${page.history.at(-1)?.id ?? version}">${words}</a>`,
  })}</p>
${
  mayWrite &&
  html`<form method="post" action="${urlOf('/history', page.path)}"><input type="hidden" name="to" value="${version}"><button type="submit">${say('oldBanner.restoreThisVersion')}</button></form>`
}
</div>`;
}
