/**
 * Keeps what routes answer, and gives it again while it is true. Only what anyone at all may see is kept, or any member: other
 * requests with a token or a cookie pass by. A reader sees every committed write, whichever process made it; entity tag and
 * compressed forms are made once for each answer.
 *
 * What anyone may see is given again by `fast-path.ts`, before Fastify; what members may see here, once it is known who asks.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependency } from '#cache/dependency.ts';
import type { SharedWith } from '#domain/permission.ts';
import { asNotModified, isFresh, tagOf } from '../etag.ts';
import { saidOfContent, surrogateKeys } from '../headers.ts';
import { ignoredParameters } from '../ignored-parameters.ts';
import type { Server, Service } from '../service.ts';
import { type KeptEntry, KeptStream, ownBuffer } from './bodies.ts';
import { encodingFor, type Form, formOf } from './encodings.ts';
import type { Answer, Body, KeptAnswers } from './entries.ts';
import { isAnybodys, isBareRead } from './fast-path.ts';

/** Own to each request, or to how the body is encoded: never part of what is kept for the next one. */
const notKept = new Set([
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
export function registerAnswerCache(
  server: Server,
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  kept: KeptAnswers,
  keyOf: (request: FastifyRequest['raw']) => string,
): void {
  server.decorateRequest('revision', undefined);
  server.addHook('onRequest', async (request, reply) => {
    const { isShared, isSharedByMembers } = request.routeOptions.config;
    const isMembers = isSharedByMembers && request.actor !== null && isBareRead(request.raw);
    if (!isMembers && !(isShared && isAnybodys(request.raw))) return;
    // Before anything is read: what is written meanwhile makes the answer old at once.
    const revision = await store.revision();
    const answer = isMembers ? kept.getForMembers(keyOf(request.raw), revision) : undefined;
    const body = answer && kept.bodyOf(answer.forms.identity);
    if (!body) {
      request.revision = revision;
      return;
    }
    request.isGivenAgain = true;
    return reply.type(answer.type).send(finish(request, reply, answer.forms.identity, body));
  });
  server.addHook('onSend', async (request, reply, payload) => {
    const { revision, keptBody, sharedWith } = request;
    if (request.isNeverKept) reply.header('cache-control', 'no-store');
    if (payload instanceof KeptStream) {
      payload.releaseAfter(reply.raw);
      reply.header('content-length', payload.length);
    }
    if (reply.statusCode !== 200 || !isWhole(payload)) return payload;
    const isMembers = request.actor !== null;
    if (revision === undefined || (isMembers && sharedWith === undefined)) {
      // Lists have the tag that everybody is given; pages of the site are never kept by whom they are made for.
      const isList = request.routeOptions.config.isShared && !reply.hasHeader('etag');
      if (isList && typeof payload === 'string' && isJson(reply)) reply.header('etag', tagOf([payload]));
      return isKnown(request, reply) ? withoutBody(reply) : payload;
    }
    if (!isMembers)
      reply.header('vary', varying(reply.getHeader('vary'))).headers(surrogateKeys(request.shows ?? []));
    const body = typeof payload === 'string' ? ownBuffer(payload) : payload;
    const answer = answerOf(request, reply, body, revision, clock());
    const isKept = !request.isTimeDependent && !request.isNeverKept && !reply.hasHeader('set-cookie');
    // Packing takes a while: what is sent may be overwritten if the reader leaves meanwhile.
    const own = keptBody ? undefined : (body as Buffer);
    if (isKept) kept.set(keyOf(request.raw), isMembers, answer, own);
    // Packing pays where many are given what is packed.
    const encoding = isMembers ? 'identity' : encodingFor(request.raw, answer.forms.identity.length);
    const packed = encoding !== 'identity' && (await kept.pack(answer, encoding, own));
    if (!packed) return finish(request, reply, answer.forms.identity, body);
    if (isKept) kept.addForm(answer, packed.form, packed.body);
    return finish(request, reply, packed.form, packed.body);
  });
}

function isWhole(payload: unknown): payload is string | Body {
  return typeof payload === 'string' || Buffer.isBuffer(payload) || payload instanceof KeptStream;
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
): Answer {
  const all = Object.entries(reply.getHeaders()).filter(([name]) => !notKept.has(name));
  const written = (isMeant: (name: string) => boolean) =>
    all.filter(([name]) => isMeant(name)).flatMap(([name, value]) => [name, String(value)]);
  const tag = String(reply.getHeader('etag') ?? tagOf([body as Buffer]));
  const type = String(reply.getHeader('content-type'));
  const identity = formOf({ tag, type }, body.length, 'identity');
  identity.place = request.keptBody?.place;
  const { config, url = 'none' } = request.routeOptions;
  const { sharedForSeconds = Number.POSITIVE_INFINITY } = config;
  return {
    revision,
    dependencies: request.dependencies,
    expiresAt: now + (request.maxAgeMs ?? sharedForSeconds * 1000),
    route: url,
    sharedWith: request.sharedWith,
    headers: written((name) => !ownNames.has(name) && name !== ignoredParameters),
    ownHeaders: written((name) => ownNames.has(name)),
    ownAlways: written((name) => name === ignoredParameters),
    unchangedHeaders: written((name) => !saidOfContent.has(name) && name !== ignoredParameters),
    tag,
    type,
    forms: { identity },
  };
}

/** The body to send the first time: empty for a reader who has it already. */
function finish(request: FastifyRequest, reply: FastifyReply, form: Form, body: Body): Body | null {
  reply.header('etag', form.tag);
  if (isFresh(request.headers['if-none-match'], form.tag)) return withoutBody(reply);
  if (form.encoding !== 'identity') reply.header('content-encoding', form.encoding);
  reply.header('content-length', form.length);
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
    /** So do members who may read it, where the answer says so (`sharedWith`). */
    isSharedByMembers?: boolean;
    /** For answers that say how long ago something was: as long as that may be off. */
    sharedForSeconds?: number;
  }
  interface FastifyRequest {
    /** Who is given the same answer, of those who may read it. */
    sharedWith?: SharedWith;
    isGivenAgain?: boolean;
    /** The store's, from before the answer is made; set where the answer may be kept. */
    revision: string | undefined;
    /** The response is valid now but not in a moment: it must not be cached. */
    isTimeDependent?: boolean;
    /** It would have been another answer on another day: no cache may have it, neither ours nor one on the way. */
    isNeverKept?: boolean;
    /** Place where the body lies already. Bytes that were sent may be overwritten afterwards. */
    keptBody?: KeptEntry | undefined;
    /** For how long what the answer says will be true if nothing is written, where that is known better than of its route. */
    maxAgeMs?: number;
    /** IDs of the pages that the answer names. */
    shows?: readonly number[];
    /** Set where the answer was made from these alone, and from members' names: it outlives writes to others. */
    dependencies?: readonly Dependency[] | undefined;
  }
}
