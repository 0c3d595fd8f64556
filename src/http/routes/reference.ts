/** The OpenAPI document and the reference page, each made once. */

import { referenceCss, referencePage, referenceScript } from '../reference-page.ts';
import type { Server } from '../service.ts';

/** Address in examples if the public one is unknown: a wiki on one's own machine. */
const localAddress = 'http://localhost:8080';

export async function referenceRoutes(
  server: Server,
  document: () => Record<string, unknown>,
  address: string,
): Promise<void> {
  let json: string | undefined;
  let page: string | undefined;

  server.get('/v1/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    json ??= JSON.stringify(document());
    return reply.type('application/json; charset=utf-8').send(json);
  });

  server.get('/v1/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= referencePage(document(), address || localAddress).text;
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    return reply.type('text/html; charset=utf-8').send(page);
  });

  server.get('/v1/docs/style.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(referenceCss),
  );

  server.get('/v1/docs/try.js', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/javascript; charset=utf-8')
      .send(referenceScript),
  );
}
