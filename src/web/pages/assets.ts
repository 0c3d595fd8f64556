/** The site's own files, kept by browsers for ever: their address names their content. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#domain/problem.ts';
import { encodingFor } from '#http/answer-forms.ts';
import type { Site } from '../site.ts';

export function assetRoutes(server: FastifyInstance, { assets }: Site): void {
  server.get<{ Params: { version: string; '*': string } }>('/assets/:version/*', async (request, reply) => {
    const [version = '', ...rest] = request.url.slice('/assets/'.length).split('?')[0]?.split('/') ?? [];
    const asset = assets.find(rest.join('/'));
    if (!asset) throw new Problem('not-found', 'There is nothing at this address.');
    // Of an older release the address still answers, but is not to be kept: the content is another.
    const isCurrent = version === assets.version;
    reply
      .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .type(asset.mime);
    const encoding = encodingFor(request, asset.bytes.length);
    if (encoding === 'identity') return reply.send(asset.bytes);
    return reply.header('content-encoding', encoding).send(encoding === 'br' ? asset.brotli() : asset.gzip());
  });

  server.get('/favicon.ico', async (_request, reply) => reply.redirect(assets.url('mark.svg'), 302));
}
