/** Data for link previews: title, description, picture. Empty for unreadable pages. */
import type { FastifyInstance } from 'fastify';
import { wholePageByPath } from '#core/pages/reading-operations.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { html } from '../html.ts';
import { carryFor, reads } from '../operation-pages.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

export function linkPreviewRoutes(server: FastifyInstance, site: Site): void {
  server.get('/preview/*', reads(wholePageByPath), async (request, reply) => {
    const page = await carryFor(site, request)(wholePageByPath, { path: pathOf(request) });
    const thumbnail = page.files.find((file) => file.thumbnail !== null)?.thumbnail;
    const preview = html`<div class="card">${
      thumbnail && html`<img src="${fileUrl(thumbnail)}" alt="">`
    }<p class="card-title" dir="auto">${page.title}</p><p class="card-text" dir="auto">${page.description}</p></div>`;
    return reply
      .header('cache-control', 'private, no-cache')
      .type('text/html; charset=utf-8')
      .send(preview.in(request.visit.language));
  });
}
