/** Likes a page, or no longer. */
import type { FastifyInstance } from 'fastify';
import { likePage, unlikePage } from '#domain/pages/like-page.ts';
import { tailOf } from '#http/page-paths.ts';
import { pageUrl } from '../components.ts';
import { readForm } from '../forms.ts';
import type { Site } from '../site.ts';

export function likeRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.post('/like/*', { config: { audit: [] } }, async (request, reply) => {
    const { actor, now } = request.visit;
    const path = `/${tailOf(request.url, '/like/*')}`;
    const form = await readForm(site, request);
    if (form.text('like') === 'no') await unlikePage(store, actor, path);
    else await likePage(store, actor, path, now);
    return reply.redirect(pageUrl(path), 303);
  });
}
