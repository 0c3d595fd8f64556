/** Settings of the site on the site, for administrators. */
import { invalid } from '#core/model/problem.ts';
import { pageLink } from '#web/components.ts';
import { checkbox, errorSummary } from '#web/form-fields.ts';
import { count } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage } from '#web/operation-pages.ts';
import { changeSettings, listPublicPages, readSettings } from './operations.ts';
import { variables } from './settings.ts';

type PublicPages = Awaited<ReturnType<typeof listPublicPages.run>>;

const url = '/settings';

export const web: readonly OperationPage[] = [
  {
    url,
    reads: [readSettings, listPublicPages],
    forms: {
      close: formOf(changeSettings, { notice: 'settings-saved', fields: () => ({ private: 'true' }) }),
      open: formOf(changeSettings, {
        notice: 'settings-saved',
        fields: async (form, { carry }) => {
          const { total } = await carry(listPublicPages, {});
          if (form.text('seen') !== String(total))
            throw invalid('/seen', 'Read the list of pages that become public, and say that you have.');
          return { private: 'false' };
        },
      }),
    },
    async show({ carry, refused }) {
      const publicPages = await carry(listPublicPages, {});
      const settings = await carry(readSettings, {});
      const main = html`<div class="plain settings">
<p class="above"><a href="/members">Members</a></p>
<h1>Settings</h1>
${errorSummary(refused.message)}
<section><h2>Who may read</h2>
<p>${
        settings.private
          ? 'This wiki is private: nobody reads anything without signing in.'
          : 'This wiki is public: everybody reads the pages whose permissions say so.'
      }</p>
${settings.fixed.includes('private') ? html`<p class="quiet">The setting <code>${variables.private}</code> decides this.</p>` : settings.private ? opening(publicPages) : closing(publicPages)}
</section></div>`;
      return { title: 'Settings', kind: 'members', main };
    },
  },
];

function closing({ total }: PublicPages): Html {
  return html`<form method="post" action="${url}">
<p>In a private wiki strangers see the form to sign in and nothing else. ${total > 0 && `${count(total, 'page', 'pages')} that everybody reads now ${total === 1 ? 'is' : 'are'} then for members.`} New pages are for members, who can read and edit them.</p>
<div class="buttons"><button type="submit" class="button" name="what" value="close">Make the wiki private</button></div></form>`;
}

function opening({ total, pages }: PublicPages): Html {
  return html`<details><summary>Make the wiki public…</summary><form method="post" action="${url}">
${
  total === 0
    ? html`<p>No page becomes public: the permissions of none let everybody read.</p><input type="hidden" name="seen" value="0">`
    : html`<p><strong>${count(total, 'page becomes', 'pages become')} public</strong>, because ${total === 1 ? 'its' : 'their'} permissions let everybody read:</p>
<ul class="public-pages">${pages.map((page) => html`<li>${pageLink(page)}</li>`)}${total > pages.length && html`<li>and ${count(total - pages.length, 'more page', 'more pages')}</li>`}</ul>
${checkbox('seen', String(total), false, 'I have read this list')}`
}
<div class="buttons"><button type="submit" class="button grave" name="what" value="open">Make the wiki public</button></div></form></details>`;
}
