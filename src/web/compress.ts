/** Pages and feeds packed on their way out, off the event loop. Nothing in them is secret and chosen by others at once. */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Below this a packet is sent either way. */
const minBytes = 1400;

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < minBytes || reply.hasHeader('content-encoding'))
    return payload;
  const accepted = request.headers['accept-encoding'] ?? '';
  const kind = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
  if (!kind) return payload;
  reply.header('content-encoding', kind).removeHeader('content-length');
  // Quality 4 packs a page in about a millisecond, to within a tenth of the best.
  return kind === 'br'
    ? packBrotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : packGzip(payload);
}
