/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a POST or DELETE that is repeated with the same key and the same
 * credential, because its response was lost, is carried out once; for a day the first response is returned again. Another
 * credential of the same member has keys of its own, because it may have fewer rights than the answer shows.
 *
 * 1. The key is claimed in a transaction of its own, which only one of several attempts in any process wins.
 * 2. Every transaction of the request also marks the key as done, and is rolled back if another attempt has taken over, which
 *    may happen once the lease, put off while the request runs, is over and nothing was committed.
 * 3. The response is stored before it is sent.
 *
 * So nothing is done twice, whenever a process dies. If it dies before step 2, a later attempt carries out the request; between
 * steps 2 and 3 the response is lost, and later attempts are told that the request was carried out.
 */
import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid, Problem, tooManyRequests } from '#core/model/problem.ts';
import type { ClaimedKey, StoredResponse } from '#core/ports/idempotency-store.ts';
import type { Store } from '#core/ports/store.ts';
import type { Server, Service } from './service.ts';

const rememberedMs = 24 * 60 * 60 * 1000;
const leaseMs = 60_000;

/** Limits for one member per day. Beyond the first, new keys are refused; beyond the second, long responses are not stored. */
const maxKeys = 10_000;
const maxKeptBytes = 64 * 1024 * 1024;
/** Maximum size of a stored response, compressed and in base64. */
const maxAnswerBytes = 1024 * 1024;
const packedFrom = 1024;

/** Headers that belong to the response itself and not to the connection or the time. */
const keptHeaders = [
  'content-type',
  'etag',
  'location',
  'www-authenticate',
  'allow',
  'deprecation',
  'sunset',
];

const pack = promisify(gzip);
const unpack = promisify(gunzip);

interface Running {
  id: number;
  attempt: string;
  renewal: NodeJS.Timeout;
  keepsBody: boolean;
}

type Needs = Pick<Service, 'store' | 'operations' | 'clock' | 'sealedAnswers'>;

export function registerIdempotency(server: Server, service: Needs): void {
  const { store, operations } = service;
  server.decorateRequest('idempotent', undefined);

  server.addHook('preHandler', (request, reply, done) => {
    const key = keyOf(request);
    if (key === undefined || !request.actor) return done();
    begin(request, `${credentialOf(request)} ${key}`, request.actor.memberId).then((found) => {
      if ('answer' in found && found.answer) return replay(reply, found.answer);
      request.idempotent = found;
      const step = async (store: Store) => {
        if (!(await store.idempotency.markDone(found.id, found.attempt))) throw inProgress();
      };
      operations.alongside(step, done);
    }, done);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    const { idempotent } = request;
    if (!idempotent) return payload;
    request.idempotent = undefined;
    clearInterval(idempotent.renewal);
    const { id, attempt } = idempotent;
    const { statusCode } = reply;
    // A temporary refusal may be retried, unless something was committed nevertheless.
    const mayChange = statusCode >= 500 || statusCode === 429 || statusCode === 409;
    if (mayChange && (await store.idempotency.release(id, attempt))) return payload;
    const body = await written(payload, idempotent.keepsBody, request);
    await store.idempotency.saveAnswer(id, attempt, { status: statusCode, headers: headersOf(reply), body });
    return payload;
  });
  server.addHook('onResponse', async ({ idempotent }) => clearInterval(idempotent?.renewal));

  async function begin(request: FastifyRequest, key: string, memberId: number) {
    const now = service.clock();
    const attempt = randomUUID();
    const fingerprint = fingerprintOf(request);
    const forgetBefore = now - rememberedMs;
    const usage = await store.idempotency.usage(memberId, forgetBefore);
    if (usage.count >= maxKeys)
      throw tooManyRequests(`At most ${maxKeys} requests a day can have an Idempotency-Key.`, 3600);
    const leaseUntil = now + leaseMs;
    const claim = { memberId, key, fingerprint, attempt, at: now, leaseUntil, forgetBefore };
    const found = await store.idempotency.claim(claim);
    if (found.state !== 'mine') return { answer: answerIn(found, fingerprint) };
    const { id } = found;
    const renew = () =>
      store.idempotency.extendLease(id, attempt, service.clock() + leaseMs).catch((error: unknown) => {
        request.log.warn({ err: error }, 'lease of an idempotency key not extended');
      });
    const renewal = setInterval(renew, leaseMs / 3).unref();
    return { id, attempt, renewal, keepsBody: usage.bytes < maxKeptBytes } satisfies Running;
  }

  async function replay(reply: FastifyReply, { status, headers, body }: StoredResponse): Promise<void> {
    const text = body === null ? undefined : await textIn(body);
    if (text === undefined) {
      reply.send(answerLost());
      return;
    }
    reply.code(status).headers(headers).header('idempotency-replayed', 'true');
    reply.send(text === '' ? undefined : text);
  }

  /** Secrets are stored sealed. */
  async function written(
    payload: unknown,
    keepsBody: boolean,
    request: FastifyRequest,
  ): Promise<string | null> {
    const text = payload === null || payload === undefined ? '' : payload;
    if (typeof text !== 'string' && !Buffer.isBuffer(text)) return null;
    if (request.routeOptions.config.answersSecret)
      return `s${await service.sealedAnswers.seal({ body: String(text) }, service.clock())}`;
    if (text.length < packedFrom) return `t${String(text)}`;
    if (!keepsBody) return null;
    const packed = (await pack(text)).toString('base64');
    return packed.length > maxAnswerBytes ? null : `z${packed}`;
  }

  async function textIn(body: string): Promise<string | undefined> {
    const rest = body.slice(1);
    if (body.startsWith('t')) return rest;
    if (body.startsWith('z')) return String(await unpack(Buffer.from(rest, 'base64')));
    // Undefined after the wiki's key has been changed.
    return (await service.sealedAnswers.open(rest))?.body as string | undefined;
  }
}

/** Returns undefined if no key was sent, or if the method is idempotent by itself. */
function keyOf({ method, headers }: FastifyRequest): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined || (method !== 'POST' && method !== 'DELETE')) return undefined;
  // The draft specifies a quoted string (RFC 9651); most clients send it without quotes.
  const key = /^"(.*)"$/.exec(String(given))?.[1] ?? String(given);
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid('', 'An Idempotency-Key has 1 to 255 visible ASCII characters, such as a UUID.');
  return key;
}

/** Identifies the session or API token. Keys contain no spaces, so no two credentials share one. */
function credentialOf({ apiToken, signedIn }: FastifyRequest): string {
  return apiToken ? `token:${apiToken.id}` : `session:${signedIn?.session.id ?? ''}`;
}

/** Hashes the parsed fields, because multipart boundaries differ between attempts. */
function fingerprintOf({ method, url, headers, body, attachments = [] }: FastifyRequest): string {
  const files = attachments.map(({ file, thumbnail }) =>
    [file, thumbnail].map((upload) => upload && [upload.filename, upload.blob.hash]),
  );
  const parts = [method, url, headers['if-match'] ?? '', body ?? null, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function answerIn(found: Exclude<ClaimedKey, { state: 'mine' }>, fingerprint: string): StoredResponse {
  if (found.fingerprint !== fingerprint)
    throw new Problem(
      'idempotency-mismatch',
      'This Idempotency-Key was sent with a different request. Choose a new key for each request.',
    );
  if (found.state === 'answered') return found.answer;
  throw found.state === 'lost' ? answerLost() : inProgress();
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const present = keptHeaders.filter((name) => reply.hasHeader(name));
  return Object.fromEntries(present.map((name) => [name, String(reply.getHeader(name))]));
}

function inProgress(): Problem {
  return new Problem(
    'idempotency-in-progress',
    'The first request with this Idempotency-Key is still in progress.',
    {
      details: { retryAfter: 1 },
    },
  );
}

function answerLost(): Problem {
  return new Problem(
    'idempotency-answer-lost',
    'The request with this Idempotency-Key was carried out, but its response is no longer stored. Check its effect.',
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the response contains a secret, so that it must be stored sealed. */
    answersSecret?: boolean;
  }
  interface FastifyRequest {
    /** Set while a request with an idempotency key is carried out. */
    idempotent: Running | undefined;
  }
}
