/** Favourites on the site: their list, and the form that stars a page, which stands in the menu of each page. */
import { pageLink } from '#web/components.ts';
import { errorSummary } from '#web/form-fields.ts';
import { timeAgo } from '#web/format.ts';
import { html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import { addFavourite, listFavourites, removeFavourite } from './operations.ts';

const url = '/account/favourites';

export const web: readonly OperationPage[] = [
  {
    url,
    reads: [listFavourites],
    forms: {
      star: formOf(addFavourite, {
        fields: (form) => ({ path: form.text('star') }),
        leadsTo: url,
        notice: 'starred',
      }),
      unstar: formOf(removeFavourite, {
        fields: (form) => ({ path: form.text('unstar') }),
        leadsTo: url,
        notice: 'unstarred',
      }),
    },
    async show({ carry, visit, refused }) {
      const pages = await carry(listFavourites, {});
      const main = html`<div class="plain">
<p class="above"><a href="/account">${say('common.yourAccount')}</a></p>
<h1>${say('favourites.favourites')}</h1>
<p class="lede">${pages.length === 0 ? say('favourites.pagesThatYouStarInTheirMenu') : say('favourites.pagesThatYouStarredLatest')}</p>
${errorSummary(refused.message)}
<ul class="sessions">${pages.map(
        (
          page,
        ) => html`<li><form method="post" action="${url}"><p>${pageLink(page)} <span class="quiet">${timeAgo(page.at, visit.now)}</span></p>
<button type="submit" name="unstar" value="${page.path}" aria-label="${say('favourites.removeTitle', { title: page.title })}">${say('favourites.remove')}</button></form></li>`,
      )}</ul>
</div>`;
      return { title: say('favourites.favourites'), kind: 'account', main };
    },
  },
];
