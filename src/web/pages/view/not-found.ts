/** The 404 page, the same for missing and unreadable pages, with suggestions where to go. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayCreate } from '#core/model/may-write.ts';
import type { PageName } from '#core/model/page.ts';
import type { Reader } from '#core/ports/reader.ts';
import { nearMatches } from '#core/search/near-matches.ts';
import { searchOutlines } from '#core/search/search-pages.ts';
import { say } from '#words/say.ts';
import { pageLink } from '../../components.ts';
import { html } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import type { Site } from '../../site.ts';

const shownMatches = 6;

export async function sendNotFound(
  site: Site,
  { visit, reader }: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const title = titleOf(path);
  const [found, above] = await Promise.all([findNear(reader, path), findAbove(reader, path)]);
  const create = writeUrl(path);
  const main = html`<div class="plain">
<h1>${say('notFound.noPageHereYet')}</h1>
<p class="lede">${say('notFound.noPageAt', { path: html`<code dir="auto">${path}</code>` })}${above && html` ${say('notFound.itWouldBeBelowPage', { page: pageLink(above) })}`}</p>
${
  visit.actor
    ? mayCreate(visit.actor) &&
      html`<p><a class="button" href="${create}">${say('notFound.writeTitle', { title })}</a></p>`
    : html`<p>${say('notFound.youCanSignInToWriteItOrIfIt', {
        link: (words) => html`<a href="/login?next=${encodeURIComponent(create)}">${words}</a>`,
        link2: (words) => html`<a href="/login?next=${encodeURIComponent(visit.url)}">${words}</a>`,
      })}</p>`
}
${
  found.length > 0 &&
  html`<h2>${say('notFound.didYouMean')}</h2><ul class="near-matches">${found.map((page) => html`<li>${pageLink(page)} <span class="quiet" dir="auto">${page.path}</span></li>`)}</ul>`
}
<form class="inline-search" action="/search" role="search" aria-label="${say('notFound.searchForThisPage')}"><label for="missing-search">${say(
    'notFound.searchForIt',
  )}</label> <input id="missing-search" type="search" name="text" value="${title}"> <button type="submit">${say('notFound.search')}</button></form>
</div>`;
  return sendLayout(site, reply, {
    title: say('notFound.noPageHereYet'),
    kind: 'missing',
    main,
    status: 404,
  });
}

/** URL of the form that creates a missing page. */
export function writeUrl(path: string): string {
  return `/new?title=${encodeURIComponent(titleOf(path))}&path=${encodeURIComponent(path)}`;
}

/** Title from the last segment of a path: `/garden/old-roses` → `Old roses`. */
export function titleOf(path: string): string {
  const words = (path.split('/').at(-1) ?? '').replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Suggestions: pages with a similar name, then pages whose text contains the words. */
async function findNear(reader: Reader, path: string): Promise<PageName[]> {
  const text = titleOf(path).slice(0, 200);
  const query = { text, order: 'relevance', limit: shownMatches, offset: 0, isStrict: true } as const;
  const [alike, byText] = await Promise.all([
    nearMatches(reader, path, shownMatches),
    searchOutlines(reader, query),
  ]);
  const found = new Map<number, PageName>();
  for (const page of [...alike, ...byText.pages]) if (!found.has(page.id)) found.set(page.id, page);
  return [...found.values()].slice(0, shownMatches);
}

/** The nearest existing ancestor of the path. */
async function findAbove(reader: Reader, path: string): Promise<PageName | undefined> {
  const segments = path.split('/').slice(1, -1);
  const paths = segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`).reverse();
  if (paths.length === 0) return undefined;
  const found = await reader.links.resolve(paths);
  return found.get(paths.find((one) => found.has(one)) ?? '');
}
