/** Adds or removes a like. */

import type { FastifyInstance } from 'fastify';
import { likePage, unlikePage } from '#core/pages/like-page.ts';
import { pageUrl } from '../components.ts';
import { formRoutes } from '../form-routes.ts';
import { pathOf } from '../page-address.ts';
import type { Site } from '../site.ts';

export function likeRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  const onForm = formRoutes(server, site);
  onForm('/like/*', [], async (form, request, reply) => {
    const { actor, now } = request.visit;
    const path = pathOf(request);
    if (form.text('like') === 'no') await unlikePage(store, actor, path);
    else await likePage(store, actor, path, now);
    return reply.redirect(pageUrl(path), 303);
  });
}
