/** Actions on a page: Edit and History beside its title, all others in a menu. */
import { mayCreate } from '#core/model/may-write.ts';
import { mayModeratePage } from '#core/model/page-access.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { rulesAt } from '#core/pages/protection.ts';
import { mayChangeAccess } from '#core/reading/access-sentence.ts';
import { urlOf } from '#http/page-paths.ts';
import { say } from '#words/say.ts';
import { type Html, html } from '../../html.ts';
import type { Visit } from '../../site.ts';

export function pageActions(
  visit: Visit,
  { page, mayWrite }: PageView,
  { isWatched, isStarred }: { isWatched: boolean; isStarred: boolean },
): Html {
  const { actor } = visit;
  const likesIt = actor !== null && page.likes.includes(actor.memberId);
  const like =
    actor !== null &&
    !actor.block &&
    html`<form method="post" action="${urlOf('/like', page.path)}"><button type="submit" name="like" value="${likesIt ? 'no' : 'yes'}" aria-pressed="${likesIt ? 'true' : 'false'}">${
      likesIt ? say('pageActions.liked') : say('pageActions.like')
    }${page.likes.length > 0 && html` <span class="count">${page.likes.length}</span>`}</button></form>`;
  const others = html`${like}
${
  actor !== null &&
  (isWatched
    ? html`<a href="${urlOf('/watch', page.path)}">${say('pageActions.watching')}</a>`
    : html`<form method="post" action="${urlOf('/watch', page.path)}"><button type="submit">${say('pageActions.watch')}</button></form>`)
}
${
  actor !== null &&
  html`<form method="post" action="/account/favourites"><button type="submit" name="${isStarred ? 'unstar' : 'star'}" value="${page.path}" aria-pressed="${isStarred ? 'true' : 'false'}">${
    isStarred ? say('pageActions.starred') : say('pageActions.star')
  }</button></form>`
}
${mayWrite && html`<a href="${urlOf('/move', page.path)}">${say('pageActions.move')}</a>`}
${mayModeratePage(actor, page, visit) && html`<a href="${urlOf('/delete', page.path)}">${say('pageActions.delete')}</a>`}
${
  mayCreate(actor) &&
  html`<a href="/new?parent=${encodeURIComponent(page.path)}">${say(
    'pageActions.addBelow',
  )}</a> <a href="${urlOf('/copy', page.path)}">${say('pageActions.copy')}</a> <a href="/new?translationOf=${encodeURIComponent(page.path)}">${say(
    'pageActions.translate',
  )}</a>`
}
${actor !== null && html`<a href="/proposals?path=${encodeURIComponent(page.path)}">${say('pageActions.proposals')}</a>`}
<a href="/export?ancestor=${encodeURIComponent(page.path)}">${say('pageActions.export')}</a>
${(actor?.isAdmin || actor?.role === 'moderator') && html`<a href="${urlOf('/protect', page.path)}">${say('pageActions.protect')}</a>`}
${mayChangeAccess(actor, page) && html`<a href="${urlOf('/access', page.path)}">${say('pageActions.access')}</a>`}
${(mayChangeAccess(actor, page) || (actor !== null && rulesAt(page).length > 0)) && html`<a href="${urlOf('/proposals/rules', page.path)}">${say('pageActions.approval')}</a>`}`;
  const signIn =
    actor === null &&
    html`<a href="${`/login?next=${encodeURIComponent(urlOf('/edit', page.path))}`}">${say('pageActions.signInToEdit')}</a>`;
  return html`<div class="actions" role="group" aria-label="${say('common.thisPage')}">
${mayWrite && html`<a class="action-main" href="${urlOf('/edit', page.path)}" accesskey="e">${say('pageActions.edit')}</a>`}
${
  !mayWrite &&
  actor !== null &&
  !actor.block &&
  html`<a class="action-main" href="${urlOf('/edit', page.path)}" accesskey="e">${say('pageActions.propose', { span: (words) => html`<span class="on-wide">${words}</span>` })}</a>`
}
${
  actor === null &&
  visit.strangers === 'proposals' &&
  html`<a class="action-main" href="${urlOf('/login/propose', page.path)}">${say('pageActions.propose', { span: (words) => html`<span class="on-wide">${words}</span>` })}</a>`
}
<a href="${urlOf('/history', page.path)}">${say('pageActions.history')}</a>
<details class="actions-more" data-sheet><summary aria-label="${say('pageActions.moreAboutThisPage')}">⋯</summary><div class="menu">${signIn}${others}</div></details>
</div>`;
}
