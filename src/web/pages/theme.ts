/** Remembers theme and language, so that the next page is right from its first byte. */

import type { FastifyInstance } from 'fastify';
import { formRoutes } from '../form-routes.ts';
import type { Site } from '../site.ts';
import { rememberLanguage, rememberTheme, returnAddress } from '../visitor.ts';

export function themeRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes(server, site);
  onForm('/theme', [], async (form, _request, reply) => {
    if (form.has('language')) rememberLanguage(reply, form.text('language'));
    else rememberTheme(reply, form.text('theme'));
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}
