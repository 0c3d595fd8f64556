/** Data for link previews: title, description, picture. Empty for unreadable pages. */
import type { FastifyInstance } from 'fastify';
import { fileUrl } from '#core/ports/file-store.ts';
import { getReadable, getWhole } from '#core/reading/find-page.ts';
import { html } from '../html.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

export function linkPreviewRoutes(server: FastifyInstance, _site: Site): void {
  server.get('/preview/*', async (request, reply) => {
    const { reader } = request;
    const found = await getReadable(reader, pathOf(request));
    const page = await getWhole(reader, found.id, 'none');
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
