/** The site's own files. Browsers may cache them for ever, because their URL contains a hash of their content. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#core/model/problem.ts';
import { encodingFor } from '#http/response-cache/encodings.ts';
import { say } from '#words/say.ts';
import type { Site } from '../site.ts';

/** Headers for a document in a frame of our pages: it may have its own style sheets, and only our scripts. */
const frameHeaders = {
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};

export function assetRoutes(server: FastifyInstance, { assets, look }: Site): void {
  server.get<{ Params: { version: string; '*': string } }>('/assets/:version/*', async (request, reply) => {
    const [version = '', ...rest] = request.url.slice('/assets/'.length).split('?')[0]?.split('/') ?? [];
    const asset = assets.find(rest.join('/'));
    if (!asset) throw new Problem('not-found', say('assets.thereIsNothingAtThisAddress'));
    // The URL of an older release still works but must not be cached, because its hash belongs to other content.
    const isCurrent = version === assets.version;
    reply
      .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .type(asset.mime);
    if (asset.mime.startsWith('text/html')) reply.headers(frameHeaders);
    const encoding = encodingFor(request, asset.bytes.length);
    if (encoding === 'identity') return reply.send(asset.bytes);
    return reply.header('content-encoding', encoding).send(await asset.compressed(encoding));
  });

  server.get('/favicon.ico', async (_request, reply) => {
    const { settings, url } = look();
    return reply.redirect(settings.icon === null ? assets.url('mark.svg') : url('icon'), 302);
  });
}
