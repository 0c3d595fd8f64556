/** Closing the wiki to strangers, and opening it. */
import { pageLink } from '#web/components.ts';
import { checkbox } from '#web/form-fields.ts';
import { type Html, html } from '#web/html.ts';
import { say } from '#words/say.ts';
import type { listPublicPages } from './operations.ts';

export type PublicPages = Awaited<ReturnType<typeof listPublicPages.run>>;

export function closing(action: string, { total, isMore }: PublicPages): Html {
  return html`<form method="post" action="${action}">
<p>${say('settings.inAPrivateWiki')}${total > 0 && html` ${say('settings.pagesBecomeMembersOnly', { count: total, more: String(isMore) })}`} ${say('settings.newPagesOfAPrivateWiki')}</p>
<div class="buttons"><button type="submit" class="button" name="what" value="close">${say('settings.makeTheWikiPrivate')}</button></div></form>`;
}

export function opening(action: string, { total, pages, isMore }: PublicPages): Html {
  return html`<details><summary>${say('settings.makeTheWikiPublic')}</summary><form method="post" action="${action}">
${
  total === 0
    ? html`<p>${say('settings.noPageBecomesPublicBecauseNo')}</p><input type="hidden" name="seen" value="0">`
    : html`<p>${say('settings.pagesBecomePublic', { count: total, more: String(isMore), strong: (words) => html`<strong>${words}</strong>` })}</p>
<ul class="public-pages">${pages.map((page) => html`<li>${pageLink(page)}</li>`)}${
        total > pages.length &&
        html`<li>${say('settings.andMorePages', { count: total - pages.length, more: String(isMore) })}</li>`
      }</ul>
${checkbox('seen', String(total), false, say('settings.iHaveReadThisList'))}`
}
<div class="buttons"><button type="submit" class="button grave" name="what" value="open">${say('settings.makeTheWikiPublic2')}</button></div></form></details>`;
}
