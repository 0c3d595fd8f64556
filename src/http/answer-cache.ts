/**
 * Answers that were given before and are still true. Only what anyone at all may see is kept: requests with a token or a
 * cookie pass by. An answer counts while the store's stamp is the one from before it was made, so a reader sees every
 * committed write, whichever process made it; entity tag and compressed forms are made once for each answer.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedCache } from '#domain/bounded-cache.ts';
import { isFresh } from './etag.ts';
import type { Server, Service } from './service.ts';

/** Bytes of answers in memory, all encodings together. */
const maxCachedBytes = 16_000_000;
/** Less is not worth the reader's work of unpacking it. */
const minCompressedBytes = 1024;
/** Good for text, and quick enough to be done while the first reader waits. */
const brotliQuality = 5;

type Encoding = 'br' | 'gzip' | 'identity';

interface Answer {
  stamp: string;
  /** Milliseconds since the epoch; from then on it is made anew though nothing was written. */
  until: number;
  headers: Record<string, string | string[] | number>;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

/** Own to each request: never part of an answer that another one gets. */
const perRequest = new Set([
  'x-request-id',
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
]);

export function registerAnswerCache(
  server: Server,
  { store, clock }: Pick<Service, 'store' | 'clock'>,
): void {
  const cache = new BoundedCache<Answer>(maxCachedBytes);
  server.decorateRequest('stamp', undefined);

  server.addHook('onRequest', async (request, reply) => {
    const { method, headers, routeOptions, url } = request;
    // HEAD has the headers of GET: it is made, kept and answered alike, and loses its content last.
    if (!(method === 'GET' || method === 'HEAD') || !routeOptions.config.isShared) return;
    if (headers.authorization !== undefined || headers.cookie !== undefined) return;
    const stamp = await store.stamp();
    const answer = cache.get(url);
    if (answer?.stamp !== stamp || answer.until <= clock()) {
      // Before anything is read: what is written meanwhile makes the answer old at once.
      request.stamp = stamp;
      return;
    }
    return send(request, reply, answer);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    const { stamp, url } = request;
    if (stamp === undefined || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const identity = Buffer.from(payload);
    if (!reply.hasHeader('etag')) {
      reply.header('etag', `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`);
    }
    reply.header('vary', varying(reply.getHeader('vary')));
    const kept = Object.entries(reply.getHeaders()).filter(([name]) => !perRequest.has(name));
    const seconds = request.routeOptions.config.sharedForSeconds ?? Number.POSITIVE_INFINITY;
    const answer: Answer = {
      stamp,
      until: clock() + seconds * 1000,
      headers: Object.fromEntries(kept) as Answer['headers'],
      bodies: { identity },
    };
    // Compressed forms come on top and are smaller.
    if (!request.isMomentary) cache.set(url, answer, identity.length * 1.5 + 1000);
    return finish(request, reply, answer);
  });
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
  reply.headers(answer.headers);
  const encoding = encodingFor(request, answer);
  const body = answer.bodies[encoding];
  // The usual case takes no detour: nothing to compare, nothing to compress.
  if (body && request.headers['if-none-match'] === undefined) {
    if (encoding !== 'identity') {
      reply
        .header('content-encoding', encoding)
        .header('etag', tagFor(String(answer.headers.etag), encoding));
    }
    return reply.send(body);
  }
  return finish(request, reply, answer).then((body) => reply.send(body));
}

/** RFC 9110 §8.8.1: a strong tag is of the bytes as they are sent, so each encoding has its own. */
function tagFor(tag: string, encoding: Encoding): string {
  return encoding === 'identity' ? tag : `${tag.slice(0, -1)}-${encoding}"`;
}

/** The body to send: empty for a reader who has it already. */
async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<Buffer | string> {
  const tag = String(answer.headers.etag);
  const encoding = encodingFor(request, answer);
  reply.header('etag', tagFor(tag, encoding));
  if (isFresh(request.headers['if-none-match'], tagFor(tag, encoding))) {
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  }
  answer.bodies[encoding] ??= await compress(answer.bodies.identity, encoding);
  const body = answer.bodies[encoding] ?? answer.bodies.identity;
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.header('content-length', body.length);
  return body;
}

/** RFC 9110 §12.5.3. What is refused by `q=0` is not sent; preferences among the rest are ours. */
function encodingFor(request: FastifyRequest, answer: Answer): Encoding {
  const accepted = request.headers['accept-encoding'];
  if (typeof accepted !== 'string' || answer.bodies.identity.length < minCompressedBytes) return 'identity';
  for (const encoding of ['br', 'gzip'] as const) {
    const isAccepted = accepted.split(',').some((item) => {
      const [name, ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
    if (isAccepted) return encoding;
  }
  return 'identity';
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> | Buffer {
  if (encoding === 'br')
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  return encoding === 'gzip' ? zip(bytes) : bytes;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

function varying(vary: unknown): string {
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without token and cookie, everybody gets the same answer to the same URL until something is written. */
    isShared?: boolean;
    /** For answers that say how long ago something was: as long as that may be off. */
    sharedForSeconds?: number;
  }
  interface FastifyRequest {
    /** The store's, from before the answer is made; set where the answer may be kept. */
    stamp: string | undefined;
    /** What the answer shows is true now and not in a moment: it must not be kept. */
    isMomentary?: boolean;
  }
}
