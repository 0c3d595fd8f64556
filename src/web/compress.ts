/**
 * Compresses pages and feeds off the event loop. Safe, because no response combines secrets with text chosen by others
 * (BREACH).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingFor } from '#http/response-cache/encodings.ts';

/** Smaller responses fit into one packet anyway. */
const minBytes = 1400;
/** Quality of Brotli: compresses a page in about a millisecond, to within a tenth of the best. */
const quality = 4;

export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < minBytes || reply.hasHeader('content-encoding'))
    return payload;
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
  const encoding = encodingFor(request, payload.length);
  if (encoding === 'identity') return payload;
  reply.header('content-encoding', encoding).removeHeader('content-length');
  return compress(payload, encoding, quality);
}
