/** Exports of everything the visitor may read: a link for each format, for the whole wiki or a subtree. */
import type { FastifyInstance } from 'fastify';
import { pageByPath } from '#core/pages/reading-operations.ts';
import type { FormatName } from '#export/format-names.ts';
import { say } from '#words/say.ts';
import { pageLink, urlOfVisit } from '../components.ts';
import { errorSummary } from '../form-fields.ts';
import { html, type Words } from '../html.ts';
import { sendLayout } from '../layout.ts';
import { carryFor, reads } from '../operation-pages.ts';
import type { Site } from '../site.ts';

const offers: Record<FormatName, { name: Words; words: Words }> = {
  markdown: {
    name: say('common.markdown'),
    words: say('export.oneFileForEachPageWithIts'),
  },
  mdbook: { name: 'mdBook, GitBook', words: say('export.forMdbook') },
  mkdocs: { name: 'MkDocs', words: say('export.forMkdocs') },
  docusaurus: { name: 'Docusaurus', words: say('export.forDocusaurus') },
  hugo: { name: 'Hugo', words: say('export.forHugo') },
  site: {
    name: say('export.website'),
    words: say('export.pagesThatLookAsTheyDoHere'),
  },
  html: {
    name: say('export.oneHtmlFile'),
    words: say('export.allPagesOneAfterTheOtherTo'),
  },
  epub: { name: 'EPUB', words: say('export.anEBookWithOneChapterForEach') },
  jsonl: {
    name: say('export.jsonLines'),
    words: say('export.everyPageChangeAndFile'),
  },
  'mediawiki-xml': {
    name: say('export.mediawikiXml'),
    words: say('export.everyChangeAsARevisionEvery'),
  },
  wikitext: {
    name: say('common.wikitext'),
    words: say('export.everyTextUnchangedAndAListOf'),
  },
};

export function exportRoutes(server: FastifyInstance, site: Site): void {
  server.get('/export', reads(pageByPath), async (request, reply) => {
    const { visit } = request;
    const asked = (urlOfVisit(visit).searchParams.get('ancestor') ?? '').trim();
    const page =
      asked === '' || asked === '/' ? null : await carryFor(site, request)(pageByPath, { path: asked });
    const query = page ? `&ancestor=${encodeURIComponent(page.path)}` : '';
    const what = page
      ? html`${say('export.pageAndAllPagesBeneathIt', { page: pageLink(page) })}`
      : say('common.theWholeWiki');
    const main = html`<div class="plain">
<h1>${say('export.export')}</h1>
<p class="lede">${say(visit.actor ? 'export.asFarAsYouMayRead' : 'export.asFarAsEverybodyMayRead', { what })}</p>
${errorSummary(page === undefined ? say('export.noPageExistsAt', { path: asked }) : undefined)}
${
  page !== undefined &&
  html`<ul class="offers">${Object.entries(offers).map(
    ([format, { name, words }]) =>
      html`<li><a href="/v1/export?format=${format}${query}" aria-describedby="about-${format}">${name}</a><p id="about-${format}">${words}</p></li>`,
  )}</ul>`
}
<form method="get" action="/export" class="inline-search"><label for="ancestor">${say(
      'export.onlyAPageAndThePagesBeneath',
    )}</label><input id="ancestor" name="ancestor" value="${asked}" placeholder="${say('export.garden')}" autocomplete="off" dir="auto"><button type="submit">${say('export.choose')}</button></form>
${page !== null && html`<p><a href="/export">${say('common.theWholeWiki')}</a></p>`}
</div>`;
    const status = page === undefined ? 404 : 200;
    return sendLayout(site, reply, { title: say('export.export'), kind: 'export', main, status });
  });
}
