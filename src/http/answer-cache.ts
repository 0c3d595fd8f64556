/**
 * Answers that were given before and are still true. Only what anyone at all may see is kept: requests with a token or a
 * cookie pass by. An answer counts while the store's stamp is the one from before it was made, so a reader sees every
 * committed write, whichever process made it; entity tag and compressed forms are made once for each answer.
 *
 * A kept answer is given on the bare connection, before routes and hooks: it has passed them all when it was made.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedCache } from '#domain/bounded-cache.ts';
import { isFresh } from './etag.ts';
import { isAnonymous, surrogateKeys } from './headers.ts';
import type { Server, Service } from './service.ts';

/** Bytes of answers in memory, without their compressed forms. */
const maxCachedBytes = 64_000_000;
/** Less is not worth the reader's work of unpacking it. */
const minCompressedBytes = 1024;
/** Good for text, and quick enough to be done while the first reader waits. */
const brotliQuality = 5;

type Encoding = 'br' | 'gzip' | 'identity';

interface Answer {
  stamp: string;
  /** The pages whose contents it was made from; undefined: any. */
  madeFrom: readonly number[] | undefined;
  /** Milliseconds since the epoch; from then on it is made anew though nothing was written. */
  until: number;
  route: string;
  /** Names and values in turn, all but those that say how the body is encoded. */
  headers: string[];
  /** Of the body as it is. */
  tag: string;
  type: string;
  forms: Partial<Record<Encoding, Form>> & { identity: Form };
}

interface Form {
  body: Buffer;
  tag: string;
  /** With a body, and without one (304). */
  headers: string[];
  headersOfSame: string[];
}

/** What was given without Fastify, for those who count and log. */
export interface Given {
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
  ...['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding'],
  ...['content-length', 'content-encoding', 'content-type', 'etag'],
]);

export interface AnswerCacheOptions {
  /** All of a request that its answer depends on. */
  keyOf(request: IncomingMessage): string;
  /** What the answer calls it. */
  idOf(request: IncomingMessage): string;
  onGiven(given: Given): void;
}

export function createAnswerCache(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  { keyOf, idOf, onGiven }: AnswerCacheOptions,
): AnswerCache {
  const cache = new BoundedCache<Answer>(maxCachedBytes);
  let isClosing = false;

  async function give(request: IncomingMessage, response: ServerResponse, answer: Answer, since: number) {
    const encoding = encodingFor(request, answer);
    const form = answer.forms[encoding] ?? (await addForm(answer, encoding));
    const id = idOf(request);
    const isSame = isFresh(request.headers['if-none-match'], form.tag);
    const status = isSame ? 304 : 200;
    response.writeHead(status, (isSame ? form.headersOfSame : form.headers).concat('x-request-id', id));
    response.end(isSame ? undefined : form.body);
    const { method = 'GET' } = request;
    onGiven({ request, id, method, route: answer.route, status, ms: performance.now() - since });
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
      const answer = !isClosing && isAnybodys(request) && cache.get(keyOf(request));
      if (!answer) return handler(request, response);
      const since = performance.now();
      store.stamp().then(
        (stamp) => {
          if (!isTrue(answer, stamp)) handler(request, response);
          else give(request, response, answer, since).catch(() => response.destroy());
        },
        // It fails again where failures are answered.
        () => handler(request, response),
      );
    },

    register(server) {
      server.decorateRequest('stamp', undefined);
      server.addHook('preClose', async () => {
        isClosing = true;
      });
      server.addHook('onRequest', async (request) => {
        // Before anything is read: what is written meanwhile makes the answer old at once.
        if (request.routeOptions.config.isShared && isAnybodys(request.raw))
          request.stamp = await store.stamp();
      });
      server.addHook('onSend', async (request, reply, payload) => {
        const { stamp, routeOptions, method } = request;
        if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
        if (stamp === undefined) {
          const tag = /^(GET|HEAD)$/.test(method) && reply.getHeader('etag');
          return tag && isFresh(request.headers['if-none-match'], String(tag)) ? withoutBody(reply) : payload;
        }
        reply.header('vary', varying(reply.getHeader('vary'))).headers(surrogateKeys(request.shows ?? []));
        const identity = ownBuffer(payload);
        const seconds = routeOptions.config.sharedForSeconds ?? Number.POSITIVE_INFINITY;
        const answer: Answer = {
          ...answerOf(reply, identity),
          ...{
            stamp,
            madeFrom: request.madeFrom,
            until: clock() + seconds * 1000,
            route: routeOptions.url ?? 'none',
          },
        };
        if (!request.isMomentary && !reply.hasHeader('set-cookie'))
          cache.set(keyOf(request.raw), answer, identity.length + 1000);
        return finish(request, reply, answer);
      });
    },
  };
}

/** Asked by nobody in particular, and without a body that nobody would read. HEAD has the headers of GET, and loses its content last. */
function isAnybodys({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    isAnonymous(headers) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

function answerOf(reply: FastifyReply, identity: Buffer): Pick<Answer, 'headers' | 'tag' | 'type' | 'forms'> {
  const all = Object.entries(reply.getHeaders());
  const headers = all
    .filter(([name]) => !notKept.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
  const given = reply.getHeader('etag');
  const tag =
    given === undefined
      ? `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
      : String(given);
  const type = String(reply.getHeader('content-type'));
  return { headers, tag, type, forms: { identity: formOf({ headers, tag, type }, identity, 'identity') } };
}

function formOf(
  { headers, tag, type }: Pick<Answer, 'headers' | 'tag' | 'type'>,
  body: Buffer,
  encoding: Encoding,
): Form {
  // RFC 9110 §8.8.1: a strong tag is of the bytes as they are sent, so each encoding has its own.
  const own = encoding === 'identity' ? tag : `${tag.slice(0, -1)}-${encoding}"`;
  const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding];
  const headersOfSame = [...headers, 'etag', own];
  return {
    ...{ body, tag: own, headersOfSame },
    headers: [...headersOfSame, 'content-type', type, 'content-length', String(body.length), ...encoded],
  };
}

async function addForm(answer: Answer, encoding: Encoding): Promise<Form> {
  const form = formOf(answer, await compress(answer.forms.identity.body, encoding), encoding);
  answer.forms[encoding] = form;
  return form;
}

/** The body to send the first time: empty for a reader who has it already. */
async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<Buffer | string> {
  const encoding = encodingFor(request, answer);
  const form = answer.forms[encoding] ?? (await addForm(answer, encoding));
  reply.header('etag', form.tag);
  if (isFresh(request.headers['if-none-match'], form.tag)) return withoutBody(reply);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply.header('content-length', form.body.length);
  return form.body;
}

/** RFC 9110 §15.4.5: the headers that the whole answer would have had, but for those of its content. */
function withoutBody(reply: FastifyReply): '' {
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return '';
}

/** RFC 9110 §12.5.3. What is refused by `q=0` is not sent; preferences among the rest are ours. */
function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>, answer: Answer): Encoding {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string' || answer.forms.identity.body.length < minCompressedBytes)
    return 'identity';
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

/** Not a slice of a block that is shared with others: a small answer that is kept would keep all of that. */
function ownBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

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
    /** IDs of the pages that the answer names. */
    shows?: readonly number[];
    /** Set where the answer was made from the contents of these pages alone: it outlives writes to others. */
    madeFrom?: readonly number[] | undefined;
  }
}
