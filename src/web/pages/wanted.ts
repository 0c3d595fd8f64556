/** Wanted links, most wanted first, with the pages that contain them. */
import type { FastifyInstance } from 'fastify';
import { wantedList } from '#core/pages/reading-operations.ts';
import type { wantedLinks } from '#core/pages/wanted-links.ts';
import { say } from '#words/say.ts';
import { joined, pageLink, urlOfVisit } from '../components.ts';
import { plainNumber } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor } from '../operation-pages.ts';
import { type Site, shared } from '../site.ts';

const shown = 100;
const shownAtMost = 1000;
const askersShown = 8;

export function wantedRoutes(server: FastifyInstance, site: Site): void {
  const config = { ...shared, operations: [wantedList], showsProposals: true };
  server.get('/wanted', { config }, async (request, reply) => {
    const isWhole = urlOfVisit(request.visit).searchParams.has('all');
    const limit = isWhole ? shownAtMost : shown;
    const wanted = await carryFor(site, request)(wantedList, { num: limit, linking: askersShown });
    const main = html`<div class="plain">
<h1>${say('common.wantedPages')}</h1>
<p class="lede">${wanted.length === 0 ? say('wanted.noPagesAreWantedBecauseEvery') : say('wanted.pagesThatLinksPointToBut')}</p>
<ol class="wanted">${wanted.map(item)}</ol>
${
  wanted.length === limit &&
  html`<p class="quiet">${
    isWhole
      ? say('wanted.mostWanted', { count: limit })
      : html`${say('wanted.theseAreTheLimitMostWanted', { limit, number: plainNumber(shownAtMost), link: (words) => html`<a href="/wanted?all">${words}</a>` })}`
  }</p>`
}
</div>`;
    return sendLayout(site, reply, {
      title: say('common.wantedPages'),
      kind: 'wanted',
      main,
      isListed: !isWhole,
    });
  });
}

type Wanted = Awaited<ReturnType<typeof wantedLinks>>[number];

function item({ title, count: asked, links }: Wanted): Html {
  return html`<li><p class="wanted-title">${wantedLink(title)} <span class="quiet">${say('wanted.wantedBy', { count: asked })}</span></p>
<p class="quiet">${joined(links.slice(0, askersShown).map(pageLink))}${asked > askersShown && html` ${say('common.andMore', { count: asked - askersShown })}`}</p></li>`;
}

/** Link to the form that creates the page. */
export function wantedLink(title: string): Html {
  const target = title.startsWith('/')
    ? `/new?path=${encodeURIComponent(title)}`
    : `/new?title=${encodeURIComponent(title)}`;
  return html`<a class="new" href="${target}" title="${say('wanted.notWrittenYet')}" dir="auto">${title}</a>`;
}
