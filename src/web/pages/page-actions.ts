/** Actions on a page: Edit and History beside its title, all others in a menu. */
import { mayCreate } from '#core/model/may-write.ts';
import { mayModeratePage } from '#core/model/page-access.ts';
import type { PageView } from '#core/pages/page-view.ts';
import { rulesAt } from '#core/pages/protection.ts';
import { mayChangeAccess } from '#core/reading/access-sentence.ts';
import { urlOf } from '#http/page-paths.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../site.ts';

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
    html`<form method="post" action="${urlOf('/like', page.path)}"><button type="submit" name="like" value="${likesIt ? 'no' : 'yes'}" aria-pressed="${likesIt ? 'true' : 'false'}">${likesIt ? 'Liked' : 'Like'}${page.likes.length > 0 && html` <span class="count">${page.likes.length}</span>`}</button></form>`;
  const others = html`${like}
${actor !== null && (isWatched ? html`<a href="${urlOf('/watch', page.path)}">Watching</a>` : html`<form method="post" action="${urlOf('/watch', page.path)}"><button type="submit">Watch</button></form>`)}
${actor !== null && html`<form method="post" action="/account/favourites"><button type="submit" name="${isStarred ? 'unstar' : 'star'}" value="${page.path}" aria-pressed="${isStarred ? 'true' : 'false'}">${isStarred ? 'Starred' : 'Star'}</button></form>`}
${mayWrite && html`<a href="${urlOf('/move', page.path)}">Move</a>`}
${mayModeratePage(actor, page, visit) && html`<a href="${urlOf('/delete', page.path)}">Delete</a>`}
${mayCreate(actor) && html`<a href="/new?parent=${encodeURIComponent(page.path)}">Add below</a> <a href="${urlOf('/copy', page.path)}">Copy</a> <a href="/new?translationOf=${encodeURIComponent(page.path)}">Translate</a>`}
${actor !== null && html`<a href="/proposals?path=${encodeURIComponent(page.path)}">Proposals</a>`}
<a href="/export?ancestor=${encodeURIComponent(page.path)}">Export</a>
${(actor?.isAdmin || actor?.role === 'moderator') && html`<a href="${urlOf('/protect', page.path)}">Protect</a>`}
${mayChangeAccess(actor, page) && html`<a href="${urlOf('/access', page.path)}">Access</a>`}
${(mayChangeAccess(actor, page) || (actor !== null && rulesAt(page).length > 0)) && html`<a href="${urlOf('/proposals/rules', page.path)}">Approval</a>`}`;
  const signIn =
    actor === null &&
    html`<a href="${`/login?next=${encodeURIComponent(urlOf('/edit', page.path))}`}">Sign in to edit</a>`;
  return html`<div class="actions" role="group" aria-label="This page">
${mayWrite && html`<a class="action-main" href="${urlOf('/edit', page.path)}" accesskey="e">Edit</a>`}
${!mayWrite && actor !== null && !actor.block && html`<a class="action-main" href="${urlOf('/edit', page.path)}" accesskey="e">Propose<span class="on-wide"> a change</span></a>`}
<a href="${urlOf('/history', page.path)}">History</a>
<details class="actions-more" data-sheet><summary aria-label="More about this page">⋯</summary><div class="menu">${signIn}${others}</div></details>
</div>`;
}
