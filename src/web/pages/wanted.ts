/** Wanted links, most wanted first, with the pages that contain them. */
import type { FastifyInstance } from 'fastify';
import { wantedLinks } from '#core/pages/wanted-links.ts';
import { joined, pageLink, urlOfVisit } from '../components.ts';
import { count, plainNumber } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { type Site, shared } from '../site.ts';

const shown = 100;
const shownAtMost = 1000;
const askersShown = 8;

export function wantedRoutes(server: FastifyInstance, site: Site): void {
  server.get('/wanted', { config: { ...shared, showsProposals: true } }, async (request, reply) => {
    const isWhole = urlOfVisit(request.visit).searchParams.has('all');
    const limit = isWhole ? shownAtMost : shown;
    const wanted = await wantedLinks(request.reader, limit, askersShown);
    const main = html`<div class="plain">
<h1>Wanted pages</h1>
<p class="lede">${wanted.length === 0 ? 'No pages are wanted, because every link leads to a page.' : 'Pages that links point to but nobody has written yet, most wanted first.'}</p>
<ol class="wanted">${wanted.map(item)}</ol>
${wanted.length === limit && html`<p class="quiet">${isWhole ? `These are the ${limit} most wanted.` : html`These are the ${limit} most wanted. <a href="/wanted?all">Show up to ${plainNumber(shownAtMost)}</a>`}</p>`}
</div>`;
    return sendLayout(site, reply, { title: 'Wanted pages', kind: 'wanted', main, isListed: !isWhole });
  });
}

type Wanted = Awaited<ReturnType<typeof wantedLinks>>[number];

function item({ title, count: asked, links }: Wanted): Html {
  return html`<li><p class="wanted-title">${wantedLink(title)} <span class="quiet">wanted by ${count(asked, 'page')}</span></p>
<p class="quiet">${joined(links.slice(0, askersShown).map(pageLink))}${asked > askersShown && html` and ${asked - askersShown} more`}</p></li>`;
}

/** Link to the form that creates the page. */
export function wantedLink(title: string): Html {
  const target = title.startsWith('/')
    ? `/new?path=${encodeURIComponent(title)}`
    : `/new?title=${encodeURIComponent(title)}`;
  return html`<a class="new" href="${target}" title="not written yet" dir="auto">${title}</a>`;
}
