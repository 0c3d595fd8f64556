/** Remembers the theme, so that the next page is right from its first byte. */

import type { FastifyInstance } from 'fastify';
import { formRoutes } from '../form-routes.ts';
import type { Site } from '../site.ts';
import { rememberTheme, returnAddress } from '../visitor.ts';

export function themeRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes(server, site);
  onForm('/theme', [], async (form, _request, reply) => {
    rememberTheme(reply, form.text('theme'));
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}
