/**
 * Caches responses and serves them while they are fresh. Only responses that anyone, or any member, may see are cached; other
 * requests with credentials are not. Readers see every committed write of any process; tag and compressed forms are made once
 * for each response.
 *
 * Public responses are served by `fast-path.ts` before Fastify, those for members here, after identification.
 */
import { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asNotModified, isFresh, tagOf } from '../etag.ts';
import { dependencyKeys, edgeControl, saidOfContent, surrogateKeys } from '../headers.ts';
import { ignoredParameters } from '../ignored-parameters.ts';
import { encoded } from '../long-text.ts';
import type { Pressure } from '../pressure.ts';
import type { Server, Service } from '../service.ts';
import { CachedBodyStream, ownBuffer } from './bodies.ts';
import { encodingFor, type Representation, representationOf } from './encodings.ts';
import type { Body, CachedResponse, CachedResponses } from './entries.ts';
import { isAnybodys, isBareRead } from './fast-path.ts';

/** Headers that depend on the request or on the encoding and are never cached. */
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

/** Headers that few responses share. */
const ownNames = new Set(['surrogate-key', 'cache-tag', 'link', 'x-did-you-mean', 'x-total-count']);

/**
 * `keyOf`: cache key with everything in a request on which its response depends. `isPurged`: whether a cache before the server is
 * told what becomes stale, so that it may keep responses for long.
 */
export function registerResponseCache(
  server: Server,
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  {
    cache,
    keyOf,
    isPurged,
    pressure,
  }: {
    cache: CachedResponses;
    keyOf: (request: FastifyRequest['raw']) => string;
    isPurged: boolean;
    pressure: Pressure;
  },
): void {
  server.decorateRequest('revision', undefined);
  server.addHook('onRequest', async (request, reply) => {
    // A transaction that is rolled back must leave nothing behind.
    if (store.isTransaction) return;
    const { isShared, isSharedByMembers } = request.routeOptions.config;
    // Limited tokens and guests see less than other members.
    const { actor } = request;
    const isMember = actor !== null && actor.within === undefined && actor.role !== 'guest';
    const isMembers = isSharedByMembers && isMember && isBareRead(request.raw);
    if (!isMembers && !(isShared && isAnybodys(request.raw))) return;
    // Parts of a batch come with it, and are not requests of Node.
    if (!isMembers && request.raw instanceof IncomingMessage) pressure.admit(request.ip, reply.raw);
    // Read before anything else: a concurrent write then makes the response stale at once.
    const revision = await store.revision();
    const answer = isMembers ? cache.getForMembers(keyOf(request.raw), revision) : undefined;
    const body = answer && cache.bodyOf(answer.representations.identity);
    if (!body) {
      request.revision = revision;
      return;
    }
    request.isCacheHit = true;
    // Uses the route's header, because a difference would reveal whether the list contains hidden pages. Members get no
    // compressed bodies.
    const vary = answer.headers[answer.headers.indexOf('vary') + 1];
    if (vary) reply.header('vary', vary.replace(/, Accept-Encoding$/, ''));
    return reply.type(answer.type).send(finish(request, reply, answer.representations.identity, body));
  });
  server.addHook('onSend', async (request, reply, sent) => {
    const payload = await encoded(sent);
    const { revision } = request;
    if (request.reader?.trace.isUncacheable) reply.header('cache-control', 'no-store');
    if (payload instanceof CachedBodyStream) reply.header('content-length', payload.length);
    if (reply.statusCode !== 200 || !isWhole(payload)) return payload;
    const isMembers = request.actor !== null;
    if (revision === undefined || (isMembers && request.reader.trace.sharedWith === undefined)) {
      // Lists use the common tag; pages of the site are never cached by members' browsers.
      const isList = request.routeOptions.config.isShared && !reply.hasHeader('etag');
      const isKept = reply.getHeader('cache-control') !== 'no-store';
      if (isList && isKept && !(payload instanceof CachedBodyStream) && isJson(reply))
        reply.header('etag', tagOf([payload]));
      return isKnown(request, reply) ? withoutBody(reply) : payload;
    }
    const { trace } = request.reader;
    const isTrueLonger = !trace.isTimeDependent && !trace.isUncacheable;
    const isKept = isPurged && !isMembers && isTrueLonger && !reply.hasHeader('set-cookie');
    const { sharedForSeconds = Number.POSITIVE_INFINITY } = request.routeOptions.config;
    if (!isMembers)
      reply
        .header('vary', varying(reply.getHeader('vary')))
        .headers(surrogateKeys(trace.shows, isKept ? dependencyKeys(trace.dependencies) : []))
        .headers(isKept ? edgeControl(trace.maxAgeMs ?? sharedForSeconds * 1000) : {});
    const body = typeof payload === 'string' ? ownBuffer(payload) : payload;
    const answer = answerOf({ request, reply, now: clock() }, body, revision);
    const isCacheable = !trace.isTimeDependent && !trace.isUncacheable && !reply.hasHeader('set-cookie');
    // The bytes of a stream are on disk already.
    const own = Buffer.isBuffer(body) ? body : undefined;
    if (isCacheable) cache.set(keyOf(request.raw), isMembers, answer, own);
    // Compression is worthwhile only if many clients get the result.
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

/** Whether the client has this representation, by the tag of the route. */
function isKnown(request: FastifyRequest, reply: FastifyReply): boolean {
  const tag = /^(GET|HEAD)$/.test(request.method) && reply.getHeader('etag');
  return Boolean(tag) && isFresh(request.headers['if-none-match'], String(tag));
}

function answerOf(
  { request, reply, now }: { request: FastifyRequest; reply: FastifyReply; now: number },
  body: Body,
  revision: string,
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
    freshAt: performance.now(),
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

/** The body to send first; empty if the client has it already. */
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

/** Null, because an empty body would be sent with its own length instead of the full one (RFC 9110 §8.6). */
function withoutBody(reply: FastifyReply): null {
  asNotModified(reply);
  return null;
}

function varying(vary: unknown): string {
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether callers without credentials get the same response for the same URL until something is written. */
    isShared?: boolean;
    /** Whether members who may read it share it as well, if the trace permits (`sharedWith`). */
    isSharedByMembers?: boolean;
    /** Maximum age of responses with relative times, which may be wrong by this much. */
    sharedForSeconds?: number;
  }
  interface FastifyRequest {
    isCacheHit?: boolean;
    /** The store's revision before the response is made; set if it may be cached. */
    revision: string | undefined;
  }
}
