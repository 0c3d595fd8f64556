/** Remembers theme and language, so that the next page is right from its first byte. The account keeps the language for mail and other browsers. */

import type { FastifyInstance } from 'fastify';
import { languageChange } from '#core/members/account-operations.ts';
import { formRoutes } from '../form-routes.ts';
import { carryFor } from '../operation-pages.ts';
import type { Site } from '../site.ts';
import { rememberLanguage, rememberTheme, returnAddress } from '../visitor.ts';

export function themeRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes(server, site);
  onForm('/theme', [languageChange], async (form, request, reply) => {
    if (form.has('language')) {
      const language = rememberLanguage(reply, form.text('language'));
      if (request.visit.actor) await carryFor(site, request)(languageChange, { language: language ?? null });
    } else rememberTheme(reply, form.text('theme'));
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}
