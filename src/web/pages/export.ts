/** Exports of everything the visitor may read: a link for each format, for the whole wiki or a subtree. */
import type { FastifyInstance } from 'fastify';
import { findReadable } from '#core/reading/find-page.ts';
import type { FormatName } from '#export/format-names.ts';
import { pageLink, urlOfVisit } from '../components.ts';
import { errorSummary } from '../form-fields.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const offers: Record<FormatName, { name: string; words: string }> = {
  markdown: {
    name: 'Markdown',
    words:
      'One file for each page, with its pictures and files: for Obsidian, other wikis and site generators.',
  },
  site: {
    name: 'Website',
    words: 'Pages that look as they do here, with search and map: for any web server, or opened from a disk.',
  },
  html: {
    name: 'One HTML file',
    words: 'All pages one after the other: to archive, to send, or to print as PDF.',
  },
  epub: { name: 'EPUB', words: 'An e-book with one chapter for each page.' },
  jsonl: {
    name: 'JSON lines',
    words: 'Every page, change and file without loss: for programs, and for import into another Coppice.',
  },
  'mediawiki-xml': {
    name: 'MediaWiki XML',
    words: 'Every change as a revision, every file as an upload: for import into a MediaWiki.',
  },
  wikitext: {
    name: 'Wikitext',
    words: 'Every text unchanged, and a list of each page’s metadata.',
  },
};

export function exportRoutes(server: FastifyInstance, site: Site): void {
  server.get('/export', async (request, reply) => {
    const { visit, reader } = request;
    const asked = (urlOfVisit(visit).searchParams.get('ancestor') ?? '').trim();
    const page = asked === '' || asked === '/' ? null : await findReadable(reader, asked);
    const query = page ? `&ancestor=${encodeURIComponent(page.path)}` : '';
    const what = page ? html`${pageLink(page)} and all pages beneath it` : 'The whole wiki';
    const main = html`<div class="plain">
<h1>Export</h1>
<p class="lede">${what}, as far as ${visit.actor ? 'you may read it' : 'everybody may read it'}. The file is made while it is sent, so a large wiki takes a while.</p>
${errorSummary(page === undefined ? `No page exists at ${asked}.` : undefined)}
${page !== undefined && html`<ul class="offers">${Object.entries(offers).map(([format, { name, words }]) => html`<li><a href="/v1/export?format=${format}${query}" aria-describedby="about-${format}">${name}</a><p id="about-${format}">${words}</p></li>`)}</ul>`}
<form method="get" action="/export" class="inline-search"><label for="ancestor">Only a page and the pages beneath it</label><input id="ancestor" name="ancestor" value="${asked}" placeholder="/garden" autocomplete="off" dir="auto"><button type="submit">Choose</button></form>
${page !== null && html`<p><a href="/export">The whole wiki</a></p>`}
</div>`;
    const status = page === undefined ? 404 : 200;
    return sendLayout(site, reply, { title: 'Export', kind: 'export', main, status });
  });
}
