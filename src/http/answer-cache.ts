/**
 * Answers that were given before and are still true. Only what anyone at all may see is kept, or any member: other requests with
 * a token or a cookie pass by. An answer counts while the store's stamp is the one from before it was made, so a reader sees every
 * committed write, whichever process made it; entity tag and compressed forms are made once for each answer.
 *
 * A kept answer is given on the bare connection, before routes and hooks: it has passed them all when it was made. To members
 * it is given once it is known who asks.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedCache } from '#domain/bounded-cache.ts';
import type { SameFor } from '#domain/permission.ts';
import type { Subject } from '#domain/subjects.ts';
import { compress, type Encoding, encodingFor, type Form, formOf } from './answer-forms.ts';
import type { BufferPool } from './buffer-pool.ts';
import { isFresh } from './etag.ts';
import { isAnonymous, surrogateKeys } from './headers.ts';
import { type KeptBytes, type KeptEntry, KeptStream, longestInMemory, ownBuffer } from './kept-bytes.ts';
import type { Server, Service } from './service.ts';

/** Bytes that all there is to say of answers, but for their bodies, takes in memory. */
const maxKnownBytes = 28_000_000;
/** A few of each route. */
const maxCommonHeaders = 1000;
/** Bodies up to this are sent in one piece with their headers. */
const maxSmallBytes = 16_384;

/** Of an answer that is new: what is too long for memory has a tag already. */
type Body = Buffer | KeptStream;

interface Answer {
  stamp: string;
  /** What it was made from; undefined: it may be anything. */
  madeFrom: readonly Subject[] | undefined;
  /** Milliseconds since the epoch; from then on it is made anew though nothing was written. */
  until: number;
  route: string;
  sameFor: SameFor;
  /** Names and values in turn, all but those that say how the body is encoded; many answers have the same list. */
  headers: readonly string[];
  /** Those that are its own. */
  ownHeaders: readonly string[];
  /** Of the body as it is. */
  tag: string;
  type: string;
  forms: Partial<Record<Encoding, Form>> & { identity: Form };
}

/** What was given without Fastify, for those who count and log. */
interface Given {
  request: IncomingMessage;
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

export interface AnswerCache {
  /** Gives what is kept; lets `handler` answer everything else. */
  before(handler: RequestListener): RequestListener;
  /** Keeps what the server's routes answer. */
  register(server: Server): void;
}

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

/** Of those that are kept, the ones that few answers have alike. */
const ownNames = new Set(['surrogate-key', 'cache-tag', 'link', 'x-total-count']);

export interface AnswerCacheOptions {
  /** All of a request that its answer depends on. */
  keyOf(request: IncomingMessage): string;
  /** What the answer calls it. */
  idOf(request: IncomingMessage): string;
  onGiven(given: Given): void;
}

export function createAnswerCache(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  bodies: KeptBytes,
  pool: BufferPool,
  { keyOf, idOf, onGiven }: AnswerCacheOptions,
): AnswerCache {
  const answers = new BoundedCache<Answer>(maxKnownBytes, forget);
  const commonHeaders = new BoundedCache<readonly string[]>(maxCommonHeaders);
  const smallBody = Buffer.allocUnsafeSlow(maxSmallBytes);
  let isClosing = false;
  let stampOfTurn: string | undefined;

  /**
   * Requests that lay ready when the event loop looked for some ask once, if asking waits for nobody: none of them was sent after
   * a commit since then was acknowledged.
   */
  function currentStamp(): string | Promise<string> {
    if (stampOfTurn !== undefined) return stampOfTurn;
    const stamp = store.stamp();
    if (typeof stamp === 'string') {
      stampOfTurn = stamp;
      // After all that lay ready, and before it looks again.
      setImmediate(() => {
        stampOfTurn = undefined;
      });
    }
    return stamp;
  }

  /** `body`: undefined if the answer says where it lies. */
  function keep(key: string, answer: Answer, body: Buffer | undefined): void {
    const known = answers.get(key);
    if (known) forget(known);
    const { ownHeaders, madeFrom = [] } = answer;
    answer.headers = onceFor(answer.headers);
    const characters = ownHeaders.reduce((sum, part) => sum + part.length, key.length);
    answers.set(key, answer, characters + 8 * madeFrom.length + 1000);
    if (body) bodies.set(answer.forms.identity, body);
  }

  /** What every member gets at this address, if one of them or anyone at all did. */
  function answerForMembers(request: IncomingMessage, stamp: string): Answer | undefined {
    const key = keyOf(request);
    const everybodys = answers.get(key);
    const answer = everybodys?.sameFor === 0 ? everybodys : answers.get(membersKey(key));
    return answer && isTrue(answer, stamp) ? answer : undefined;
  }

  function bodyOf(form: Form, allocate?: (length: number) => Buffer): Body | undefined {
    return form.length > longestInMemory ? bodies.open(form) : bodies.get(form, allocate);
  }

  function onceFor(headers: readonly string[]): readonly string[] {
    const text = headers.join('\n');
    const known = commonHeaders.get(text);
    if (!known) commonHeaders.set(text, headers, 1);
    return known ?? headers;
  }

  function forget({ forms }: Answer): void {
    for (const form of Object.values(forms)) bodies.delete(form);
  }

  function addForm(answer: Answer, encoding: Encoding, form: Form, body: Buffer): Form {
    const known = answer.forms[encoding];
    if (known) bodies.delete(known);
    answer.forms[encoding] = form;
    bodies.set(form, body);
    return form;
  }

  /** False if its body is gone. */
  function give(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    form: Form,
    since: number,
  ) {
    const { method = 'GET' } = request;
    const isSame = isFresh(request.headers['if-none-match'], form.tag);
    const isSmall = form.length <= maxSmallBytes;
    let buffer: Buffer | undefined;
    const allocate = (length: number) => {
      if (isSmall) return smallBody;
      buffer = pool.take(length);
      return buffer;
    };
    const isBare = isSame || method === 'HEAD';
    const body = isBare ? '' : bodyOf(form, allocate);
    if (body === undefined) return false;
    const id = idOf(request);
    const status = isSame ? 304 : 200;
    const own = ['x-request-id', id, 'etag', form.tag];
    response.writeHead(status, answer.headers.concat(answer.ownHeaders, own, isSame ? [] : form.headers));
    // Whoever has gone, or was left with half of it, knows by the length.
    if (body instanceof KeptStream) pipeline(body, response, () => {});
    // A string goes out together with the headers, a buffer in a piece of its own; latin1: each byte a character.
    else if (isSmall) response.end(body.toString('latin1'), 'latin1');
    else response.end(body, () => buffer && pool.release(buffer));
    onGiven({ request, id, method, route: answer.route, status, ms: performance.now() - since });
    return true;
  }

  /** The form to give, made if need be; undefined if there is nothing left to make it of. */
  function formFor(request: IncomingMessage, answer: Answer): Form | undefined | Promise<Form> {
    const encoding = encodingFor(request, answer.forms.identity.length);
    const known = answer.forms[encoding];
    if (known || encoding === 'identity') return known;
    const body = bodies.get(answer.forms.identity);
    return body && pack(answer, encoding, body);
  }

  async function pack(answer: Answer, encoding: 'br' | 'gzip', body: Buffer): Promise<Form> {
    const packed = await compress(body, encoding);
    return addForm(answer, encoding, formOf(answer, packed.length, encoding), packed);
  }

  function isTrue(answer: Answer, stamp: string): boolean {
    if (answer.until <= clock()) return false;
    if (answer.stamp === stamp) return true;
    if (!answer.madeFrom || !store.isUnchanged(answer.stamp, answer.madeFrom)) return false;
    answer.stamp = stamp;
    return true;
  }

  return {
    before: (handler) => (request, response) => {
      const answer = !isClosing && isAnybodys(request) && answers.get(keyOf(request));
      if (!answer) return handler(request, response);
      const since = performance.now();
      // What fails here fails again where failures are answered.
      const otherwise = () => (response.headersSent ? response.destroy() : handler(request, response));
      const giveForm = (form: Form | undefined) =>
        (form && give(request, response, answer, form, since)) || otherwise();
      const giveAt = (stamp: string) =>
        isTrue(answer, stamp) ? after(formFor(request, answer), giveForm, otherwise) : otherwise();
      try {
        after(currentStamp(), giveAt, otherwise);
      } catch {
        otherwise();
      }
    },

    register(server) {
      server.decorateRequest('stamp', undefined);
      server.addHook('preClose', async () => {
        isClosing = true;
      });
      server.addHook('onRequest', async (request, reply) => {
        const { isShared, isSharedByMembers } = request.routeOptions.config;
        const isMembers = isSharedByMembers && request.actor !== null && isBareRead(request.raw);
        if (!isMembers && !(isShared && isAnybodys(request.raw))) return;
        // Before anything is read: what is written meanwhile makes the answer old at once.
        const stamp = await store.stamp();
        const answer = isMembers ? answerForMembers(request.raw, stamp) : undefined;
        const body = answer && bodyOf(answer.forms.identity);
        if (!body) {
          request.stamp = stamp;
          return;
        }
        request.isGivenAgain = true;
        return reply.type(answer.type).send(finish(request, reply, answer.forms.identity, body));
      });
      server.addHook('onSend', async (request, reply, payload) => {
        const { stamp, routeOptions, method, keptBody, sameFor } = request;
        const isLong = payload instanceof KeptStream;
        if (isLong) reply.header('content-length', payload.length);
        const isWhole = isLong || typeof payload === 'string' || Buffer.isBuffer(payload);
        if (reply.statusCode !== 200 || !isWhole) return payload;
        const isMembers = request.actor !== null;
        if (stamp === undefined || (isMembers && sameFor === undefined)) {
          const tag = /^(GET|HEAD)$/.test(method) && reply.getHeader('etag');
          return tag && isFresh(request.headers['if-none-match'], String(tag)) ? withoutBody(reply) : payload;
        }
        if (!isMembers)
          reply.header('vary', varying(reply.getHeader('vary'))).headers(surrogateKeys(request.shows ?? []));
        const body = typeof payload === 'string' ? ownBuffer(payload) : payload;
        const { sharedForSeconds = Number.POSITIVE_INFINITY } = routeOptions.config;
        const answer: Answer = {
          ...answerOf(reply, body),
          stamp,
          madeFrom: request.madeFrom,
          until: clock() + (request.isTrueForMs ?? sharedForSeconds * 1000),
          route: routeOptions.url ?? 'none',
          sameFor,
        };
        const isKept = !request.isMomentary && !reply.hasHeader('set-cookie');
        // Packing takes a while: what is sent may be overwritten if the reader leaves meanwhile.
        const own = keptBody ? undefined : (body as Buffer);
        answer.forms.identity.place = keptBody?.place;
        const key = keyOf(request.raw);
        if (isKept) keep(isMembers ? membersKey(key) : key, answer, own);
        // Packing pays where many are given what is packed.
        const encoding = isMembers ? 'identity' : encodingFor(request.raw, answer.forms.identity.length);
        const whole = encoding !== 'identity' && (own ?? bodies.get(answer.forms.identity));
        if (!whole) return finish(request, reply, answer.forms.identity, body);
        const packed = await compress(whole, encoding);
        const form = formOf(answer, packed.length, encoding);
        if (isKept) addForm(answer, encoding, form, packed);
        return finish(request, reply, form, packed);
      });
    },
  };
}

/** Asked by nobody in particular. */
function isAnybodys(request: IncomingMessage): boolean {
  return isAnonymous(request.headers) && isBareRead(request);
}

/** Without a body that nobody would read. HEAD has the headers of GET, and loses its content last. */
function isBareRead({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** No address begins so. */
function membersKey(key: string): string {
  return `members ${key}`;
}

function answerOf(
  reply: FastifyReply,
  body: Body,
): Pick<Answer, 'headers' | 'ownHeaders' | 'tag' | 'type' | 'forms'> {
  const all = Object.entries(reply.getHeaders()).filter(([name]) => !notKept.has(name));
  const written = (isOwn: boolean) =>
    all.filter(([name]) => ownNames.has(name) === isOwn).flatMap(([name, value]) => [name, String(value)]);
  const tag = String(reply.getHeader('etag') ?? tagOf(body as Buffer));
  const type = String(reply.getHeader('content-type'));
  const [headers, ownHeaders] = [written(false), written(true)];
  return {
    headers,
    ownHeaders,
    tag,
    type,
    forms: { identity: formOf({ tag, type }, body.length, 'identity') },
  };
}

function tagOf(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** The body to send the first time: empty for a reader who has it already. */
function finish(request: FastifyRequest, reply: FastifyReply, form: Form, body: Body): Body | string {
  reply.header('etag', form.tag);
  if (isFresh(request.headers['if-none-match'], form.tag)) return withoutBody(reply);
  if (form.encoding !== 'identity') reply.header('content-encoding', form.encoding);
  reply.header('content-length', form.length);
  return body;
}

/** RFC 9110 §15.4.5: the headers that the whole answer would have had, but for those of its content. */
function withoutBody(reply: FastifyReply): '' {
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return '';
}

/** At once if there is nothing to wait for. */
function after<T>(value: T | Promise<T>, next: (value: T) => void, otherwise: () => void): void {
  if (value instanceof Promise) value.then(next).catch(otherwise);
  else next(value);
}

function varying(vary: unknown): string {
  return vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without token and cookie, everybody gets the same answer to the same URL until something is written. */
    isShared?: boolean;
    /** So do members who may read it, where the answer says so (`sameFor`). */
    isSharedByMembers?: boolean;
    /** For answers that say how long ago something was: as long as that may be off. */
    sharedForSeconds?: number;
  }
  interface FastifyRequest {
    /** Who is given the same answer, of those who may read it. */
    sameFor?: SameFor;
    isGivenAgain?: boolean;
    /** The store's, from before the answer is made; set where the answer may be kept. */
    stamp: string | undefined;
    /** What the answer shows is true now and not in a moment: it must not be kept. */
    isMomentary?: boolean;
    /** Where the body lies already. What is sent of it may be overwritten afterwards. */
    keptBody?: KeptEntry | undefined;
    /** For how long what the answer says will be true if nothing is written, where that is known better than of its route. */
    isTrueForMs?: number;
    /** IDs of the pages that the answer names. */
    shows?: readonly number[];
    /** Set where the answer was made from these alone, and from members' names: it outlives writes to others. */
    madeFrom?: readonly Subject[] | undefined;
  }
}
