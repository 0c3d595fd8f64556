/** Adds or removes a like. */

import type { FastifyInstance } from 'fastify';
import { like, unlike } from '#core/pages/like-operations.ts';
import { pageUrl } from '../../components.ts';
import { formRoutes } from '../../form-routes.ts';
import { carryFor } from '../../operation-pages.ts';
import { pathOf } from '../../page-address.ts';
import type { Site } from '../../site.ts';

export function likeRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes(server, site);
  onForm('/like/*', [like, unlike], async (form, request, reply) => {
    const carry = carryFor(site, request);
    const path = pathOf(request);
    if (form.text('like') === 'no') await carry(unlike, { path });
    else await carry(like, { path });
    return reply.redirect(pageUrl(path), 303);
  });
}
