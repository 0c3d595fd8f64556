/**
 * Caches responses and serves them while they are fresh. Only what anyone at all may see is cached, or any member: other
 * requests with a token or a cookie pass by. A reader sees every committed write, whichever process made it; entity tag and
 * compressed forms are made once for each response.
 *
 * What anyone may see is served by `fast-path.ts`, before Fastify; what members may see here, once it is known who asks.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asNotModified, isFresh, tagOf } from '../etag.ts';
import { saidOfContent, surrogateKeys } from '../headers.ts';
import { ignoredParameters } from '../ignored-parameters.ts';
import type { Server, Service } from '../service.ts';
import { CachedBodyStream, ownBuffer } from './bodies.ts';
import { encodingFor, type Representation, representationOf } from './encodings.ts';
import type { Body, CachedResponse, CachedResponses } from './entries.ts';
import { isAnybodys, isBareRead } from './fast-path.ts';

/** Own to each request, or to how the body is encoded: never part of what is cached. */
const uncachedHeaders = new Set([
  'x-request-id',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'content-type',
  'etag',
]);

/** Headers of cached responses that few of them share. */
const ownNames = new Set(['surrogate-key', 'cache-tag', 'link', 'x-total-count']);

/** `keyOf`: all of a request that its answer depends on. */
export function registerResponseCache(
  server: Server,
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  cache: CachedResponses,
  keyOf: (request: FastifyRequest['raw']) => string,
): void {
  server.decorateRequest('revision', undefined);
  server.addHook('onRequest', async (request, reply) => {
    const { isShared, isSharedByMembers } = request.routeOptions.config;
    // A limited token is not shown what every member is.
    const isMember = request.actor !== null && request.actor.within === undefined;
    const isMembers = isSharedByMembers && isMember && isBareRead(request.raw);
    if (!isMembers && !(isShared && isAnybodys(request.raw))) return;
    // Before anything is read: what is written meanwhile makes the response stale at once.
    const revision = await store.revision();
    const answer = isMembers ? cache.getForMembers(keyOf(request.raw), revision) : undefined;
    const body = answer && cache.bodyOf(answer.representations.identity);
    if (!body) {
      request.revision = revision;
      return;
    }
    request.isCacheHit = true;
    // The route's, or a hit would tell that no page in it is hidden. Members get no encoded bodies.
    const vary = answer.headers[answer.headers.indexOf('vary') + 1];
    if (vary) reply.header('vary', vary.replace(/, Accept-Encoding$/, ''));
    return reply.type(answer.type).send(finish(request, reply, answer.representations.identity, body));
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const { revision } = request;
    if (request.reader?.trace.isUncacheable) reply.header('cache-control', 'no-store');
    if (payload instanceof CachedBodyStream) reply.header('content-length', payload.length);
    if (reply.statusCode !== 200 || !isWhole(payload)) return payload;
    const isMembers = request.actor !== null;
    if (revision === undefined || (isMembers && request.reader.trace.sharedWith === undefined)) {
      // Lists have the tag that everybody is given; pages of the site are never cached by browsers of members.
      const isList = request.routeOptions.config.isShared && !reply.hasHeader('etag');
      if (isList && typeof payload === 'string' && isJson(reply)) reply.header('etag', tagOf([payload]));
      return isKnown(request, reply) ? withoutBody(reply) : payload;
    }
    const { trace } = request.reader;
    if (!isMembers)
      reply.header('vary', varying(reply.getHeader('vary'))).headers(surrogateKeys(trace.shows));
    const body = typeof payload === 'string' ? ownBuffer(payload) : payload;
    const answer = answerOf(request, reply, body, revision, clock());
    const isCacheable = !trace.isTimeDependent && !trace.isUncacheable && !reply.hasHeader('set-cookie');
    // A stream's bytes are on disk already.
    const own = Buffer.isBuffer(body) ? body : undefined;
    if (isCacheable) cache.set(keyOf(request.raw), isMembers, answer, own);
    // Packing pays where many are served what is packed.
    const encoding = isMembers
      ? 'identity'
      : encodingFor(request.raw, answer.representations.identity.length);
    const packed = encoding !== 'identity' && (await cache.pack(answer, encoding, own));
    if (!packed) return finish(request, reply, answer.representations.identity, body);
    if (isCacheable) cache.addRepresentation(answer, packed.representation, packed.body);
    return finish(request, reply, packed.representation, packed.body);
  });
}

function isWhole(payload: unknown): payload is string | Body {
  return typeof payload === 'string' || Buffer.isBuffer(payload) || payload instanceof CachedBodyStream;
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('application/json');
}

/** Whether the reader has it already, by the tag that the route gave it. */
function isKnown(request: FastifyRequest, reply: FastifyReply): boolean {
  const tag = /^(GET|HEAD)$/.test(request.method) && reply.getHeader('etag');
  return Boolean(tag) && isFresh(request.headers['if-none-match'], String(tag));
}

function answerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  revision: string,
  now: number,
): CachedResponse {
  const all = Object.entries(reply.getHeaders()).filter(([name]) => !uncachedHeaders.has(name));
  const written = (isMeant: (name: string) => boolean) =>
    all.filter(([name]) => isMeant(name)).flatMap(([name, value]) => [name, String(value)]);
  const tag = String(reply.getHeader('etag') ?? tagOf([body as Buffer]));
  const type = String(reply.getHeader('content-type'));
  const identity = representationOf({ tag, type }, body.length, 'identity');
  if (body instanceof CachedBodyStream) identity.place = body.entry.place;
  const { trace } = request.reader;
  const { config, url = 'none' } = request.routeOptions;
  const { sharedForSeconds = Number.POSITIVE_INFINITY } = config;
  return {
    revision,
    dependencies: trace.dependencies,
    expiresAt: now + (trace.maxAgeMs ?? sharedForSeconds * 1000),
    route: url,
    sharedWith: trace.sharedWith,
    headers: written((name) => !ownNames.has(name) && name !== ignoredParameters),
    ownHeaders: written((name) => ownNames.has(name)),
    ownAlways: written((name) => name === ignoredParameters),
    unchangedHeaders: written((name) => !saidOfContent.has(name) && name !== ignoredParameters),
    tag,
    type,
    representations: { identity },
  };
}

/** The body to send the first time: empty for a reader who has it already. */
function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  body: Body,
): Body | null {
  reply.header('etag', representation.tag);
  if (isFresh(request.headers['if-none-match'], representation.tag)) return withoutBody(reply);
  if (representation.encoding !== 'identity') reply.header('content-encoding', representation.encoding);
  reply.header('content-length', representation.length);
  return body;
}

/** Null: of an empty body the length would be told, which is that of the whole one (RFC 9110 §8.6). */
function withoutBody(reply: FastifyReply): null {
  asNotModified(reply);
  return null;
}

function varying(vary: unknown): string {
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without token and cookie, everybody gets the same answer to the same URL until something is written. */
    isShared?: boolean;
    /** So do members who may read it, where the trace says so (`sharedWith`). */
    isSharedByMembers?: boolean;
    /** For answers that say how long ago something was: as long as that may be off. */
    sharedForSeconds?: number;
  }
  interface FastifyRequest {
    isCacheHit?: boolean;
    /** The store's, from before the answer is made; set where the answer may be cached. */
    revision: string | undefined;
  }
}
