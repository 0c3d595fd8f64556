/** Secret links on the site: the links of a page for those who may make them, and the page as it is read by a link. */
import { linkedMarkup } from '#core/content/linked-markup.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { copyOnce, languageOfText, pageLink, pageUrl, urlOfVisit } from '#web/components.ts';
import { checkbox, choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { chosenId } from '#web/form-routes.ts';
import { exactTime, timeAgo } from '#web/format.ts';
import type { Form } from '#web/forms.ts';
import { html, trusted, type Words } from '#web/html.ts';
import { readable } from '#web/markup.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
import { createLink, listLinks, readLinked, revokeLink } from './operations.ts';

const dayMs = 24 * 3_600_000;
const maxSearchLength = 300;
const spans: [days: number, words: Words][] = [
  [0, say('links.untilSomebodyRevokesIt')],
  ...[1, 7, 30, 365].map((days) => [days, say('common.forDays', { days })] as [number, Words]),
];

/** A read may be a search, and is no cached response. */
const byLink = { isSecret: true, strangersMs: 20, reads: [readLinked], show: linkedPage };

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
  { url: '/by-link/:secret', ...byLink },
  { url: '/by-link/:secret/:id', ...byLink },
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
<h1>${say('links.secretLinksToThisPage')}</h1>
<p class="lede">${say('links.anyoneWhoHasSuchALinkCanRead')}</p>
${errorSummary(refused.message)}
${made && copyOnce(say('links.copyTheLinkNowItIsNotShown'), { id: 'made-link', label: say('common.link'), value: `${visit.origin}/by-link/${made.secret}` })}
${links.length === 0 && html`<p class="quiet">${say('links.thereAreNoLinksToThisPage')}</p>`}
${
  links.length > 0 &&
  html`<form method="post" action="${url}"><ul class="access-list">${links.map(
    (link) =>
      html`<li><span class="access-name">${say(link.beneath ? 'links.madeBeneath' : 'links.made', {
        time: timeAgo(link.createdAt, visit.now),
        name: html`<bdi>${link.maker}</bdi>`,
      })}</span> <span>${endWords(link, visit.now)} · ${
        link.lastUsedAt === null
          ? say('links.neverUsed')
          : html`${say('links.pageReadTheLastTime', { uses: link.uses, time: timeAgo(link.lastUsedAt, visit.now) })}`
      }</span> <span class="row-actions"><button type="submit" name="revoke" value="${link.id}">${say('links.revoke')}</button></span></li>`,
  )}</ul></form>`
}
<h2>${say('links.newLink')}</h2>
<form method="post" action="${url}" class="narrow-form">
${checkbox('beneath', 'yes', false, say('links.alsoForPagesBeneath'))}
${selectField('days', say('links.howLong'), choices(spans, 30), { id: 'link-days' })}
<div class="buttons"><button type="submit" name="make" value="yes" class="button">${say(
    'links.makeALink',
  )}</button> <a href="${urlOf('/access', name.path)}">${say('links.access')}</a> <a href="${pageUrl(name.path)}">${say(
    'common.backToThePage',
  )}</a></div>
</form></div>`;
  return { title: say('links.secretLinksTitle', { title: name.title }), kind: 'access', main };
}

function endWords({ expiresAt }: { expiresAt: number | null }, now: number) {
  if (expiresAt === null) return say('links.untilRevoked');
  return expiresAt <= now ? say('links.ended') : say('links.until', { time: exactTime(expiresAt) });
}

async function linkedPage({ carry, params: { secret = '', id: given }, id, visit }: PageCall) {
  const words = (urlOfVisit(visit).searchParams.get('text') ?? '').trim().slice(0, maxSearchLength);
  const linked = await carry(readLinked, {
    secret,
    text: words,
    ...(given === undefined ? {} : { id: id || 1 }),
  });
  const { page, displayTitle, above, found } = linked;
  const listed = found ?? linked.beneath;
  const heading = found ? say('search.search') : say('links.pagesBeneath');
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
  const inLanguage = languageOfText(page.language, linked.wikiLanguage);
  const main = html`<article class="page">
<header class="page-head">
${above && html`<p class="above"><a href="${shownUrl(above.path) ?? url}" dir="auto">${above.title}</a></p>`}
<h1${inLanguage}>${displayTitle === undefined ? page.title : trusted(displayTitle)}</h1>
</header>
<div class="markup"${inLanguage}>
${readable(markup, visit.now)}
</div>
${
  linked.hasSearch &&
  html`<section class="linked-list"><form method="get" role="search" class="invite-form">${field(
    'text',
    say('search.searchWords'),
    html`type="search" maxlength="${maxSearchLength}" value="${words}" dir="auto"`,
  )} <button type="submit" class="button">${say('search.search')}</button></form>${
    found?.length === 0 && html`<p role="status">${say('exported.nothingFound')}</p>`
  }</section>`
}
${
  listed.length > 0 &&
  html`<nav class="linked-list" aria-label="${heading}"><h2>${heading}</h2><ul>${listed.map(
    ({ path, title }) => html`<li><a href="${shownUrl(path) ?? url}" dir="auto">${title}</a></li>`,
  )}</ul></nav>`
}
${files.length > 0 && html`<section class="linked-list"><h2>${say('links.files')}</h2><ul>${files}</ul></section>`}
</article>`;
  return { title: page.title, kind: 'page', main, isSecret: true };
}
