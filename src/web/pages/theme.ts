/** Remembers theme and language, so that the next page is right from its first byte. The account keeps the language for mail and other browsers. */

import type { FastifyInstance } from 'fastify';
import { changeOwnLanguage } from '#core/members/change-account.ts';
import { formRoutes } from '../form-routes.ts';
import type { Site } from '../site.ts';
import { rememberLanguage, rememberTheme, returnAddress } from '../visitor.ts';

export function themeRoutes(server: FastifyInstance, site: Site): void {
  const onForm = formRoutes(server, site);
  onForm('/theme', [], async (form, { visit }, reply) => {
    if (form.has('language')) {
      const language = rememberLanguage(reply, form.text('language'));
      if (visit.actor) await changeOwnLanguage(site.service.store, visit.actor, language ?? null);
    } else rememberTheme(reply, form.text('theme'));
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}
