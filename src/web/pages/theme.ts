/** Remembers light or dark, so that the next page is right from its first byte. */
import type { FastifyInstance } from 'fastify';
import { readForm } from '../forms.ts';
import type { Site } from '../site.ts';
import { rememberTheme, returnAddress } from '../visitor.ts';

export function themeRoutes(server: FastifyInstance, site: Site): void {
  server.post('/theme', { config: { audit: [] } }, async (request, reply) => {
    const form = await readForm(site, request);
    rememberTheme(request, reply, form.text('theme'));
    return reply.redirect(returnAddress(form.text('next')), 303);
  });
}
