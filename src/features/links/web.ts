/** Secret links on the site: the links of a page for those who may make them, and the page as it is read by a link. */
import { linkedMarkup } from '#core/content/linked-markup.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { copyOnce, pageLink, pageUrl } from '#web/components.ts';
import { checkbox, choices, errorSummary, selectField } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { count, exactTime, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { html, trusted } from '#web/html.ts';
import { readable } from '#web/markup.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { createLink, listLinks, readLinked, revokeLink } from './operations.ts';

const dayMs = 24 * 3_600_000;
const spans: [days: number, words: string][] = [
  [0, 'until somebody revokes it'],
  [1, 'for a day'],
  [7, 'for a week'],
  [30, 'for 30 days'],
  [365, 'for a year'],
];

export const web: readonly OperationPage[] = [
  {
    url: '/secret-links/*',
    followsMoves: true,
    reads: [listLinks],
    forms: {
      make: formOf(createLink, {
        fields: (form, { path, visit }) => ({
          page: path,
          beneath: form.has('beneath'),
          expiresAt: endOf(form, visit.now),
        }),
      }),
      revoke: formOf(revokeLink, {
        notice: 'links-saved',
        fields: (form: Form) => ({ id: chosenId(form, 'revoke') }),
      }),
    },
    show: linksPage,
  },
  { url: '/by-link/:secret', isSecret: true, reads: [readLinked], show: linkedPage },
  { url: '/by-link/:secret/:id', isSecret: true, reads: [readLinked], show: linkedPage },
];

function endOf(form: Form, now: number): string | null {
  const days = spans.find(([days]) => String(days) === form.text('days'))?.[0] ?? 0;
  return days === 0 ? null : isoTime(now + days * dayMs);
}

async function linksPage({ carry, path, visit, refused, answerTo }: PageCall) {
  const { links, page } = await carry(listLinks, { page: path });
  const made = answerTo(createLink);
  const name = page ?? { title: path, path };
  const url = urlOf('/secret-links', name.path);
  const main = html`<div class="plain">
<p class="above">${pageLink(name)}</p>
<h1>Secret links to this page</h1>
<p class="lede">Anyone who has such a link can read the page without an account, and nothing else of the wiki.</p>
${errorSummary(refused.message)}
${made && copyOnce('Copy the link now. It is not shown again.', { id: 'made-link', label: 'Link', value: `${visit.origin}/by-link/${made.secret}` })}
${links.length === 0 && html`<p class="quiet">There are no links to this page.</p>`}
${
  links.length > 0 &&
  html`<form method="post" action="${url}"><ul class="access-list">${links.map(
    (link) =>
      html`<li><span class="access-name">Made ${timeAgo(link.createdAt, visit.now)} by <bdi>${link.maker}</bdi>${link.beneath && ', with the pages beneath'}</span> <span>${endWords(link, visit.now)} · ${link.lastUsedAt === null ? 'never used' : html`${count(link.uses, 'page')} read, the last ${timeAgo(link.lastUsedAt, visit.now)}`}</span> <span class="row-actions"><button type="submit" name="revoke" value="${link.id}">Revoke</button></span></li>`,
  )}</ul></form>`
}
<h2>New link</h2>
<form method="post" action="${url}" class="narrow-form">
${checkbox('beneath', 'yes', false, 'also for pages beneath that everybody who may read this page may read')}
${selectField('days', 'How long', choices(spans, 30), { id: 'link-days' })}
<div class="buttons"><button type="submit" name="make" value="yes" class="button">Make a link</button> <a href="${urlOf('/access', name.path)}">Access</a> <a href="${pageUrl(name.path)}">Back to the page</a></div>
</form></div>`;
  return { title: `Secret links: ${name.title}`, kind: 'access', main };
}

function endWords({ expiresAt }: { expiresAt: number | null }, now: number) {
  if (expiresAt === null) return 'until revoked';
  return expiresAt <= now ? 'ended' : html`until ${exactTime(expiresAt)}`;
}

async function linkedPage({ carry, params: { secret = '', id: given }, id, visit }: PageCall) {
  const linked = await carry(readLinked, { secret, ...(given === undefined ? {} : { id: id || 1 }) });
  const { page, displayTitle, above, beneath } = linked;
  const url = `/by-link/${encodeURIComponent(secret)}`;
  const shownUrl = (path: string) => {
    const found = linked.shown.get(path);
    return found === undefined ? undefined : found === linked.topId ? url : `${url}/${found}`;
  };
  const markup = linkedMarkup(linked.markup, { page: shownUrl, secret, origin: visit.origin });
  const files = page.files.map(
    ({ name, filename }) =>
      html`<li><a href="${fileUrl(name)}?link=${encodeURIComponent(secret)}" dir="auto">${filename}</a></li>`,
  );
  const main = html`<article class="page">
<header class="page-head">
${above && html`<p class="above"><a href="${shownUrl(above.path) ?? url}" dir="auto">${above.title}</a></p>`}
<h1 dir="auto">${displayTitle === undefined ? page.title : trusted(displayTitle)}</h1>
</header>
<div class="markup" dir="auto">
${readable(markup, visit.now)}
</div>
${beneath.length > 0 && html`<nav class="linked-list" aria-label="Pages beneath"><h2>Pages beneath</h2><ul>${beneath.map(({ path, title }) => html`<li><a href="${shownUrl(path) ?? url}" dir="auto">${title}</a></li>`)}</ul></nav>`}
${files.length > 0 && html`<section class="linked-list"><h2>Files</h2><ul>${files}</ul></section>`}
</article>`;
  return { title: page.title, kind: 'page', main, isSecret: true };
}
