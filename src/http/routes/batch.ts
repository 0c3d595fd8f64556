/**
 * Several operations in one request, each processed like a separate request: with all hooks, the caller's rights and scopes,
 * and all limits. An atomic batch is one transaction.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify';
import { type Static, Type } from 'typebox';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, flag, integer, oneOf, text } from '#core/operations/fields.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import { problemOf } from '../problems.ts';
import { registerBodies } from '../request-body/body.ts';
import { maxPageValues, maxTextBytes } from '../request-body/page.ts';
import type { Server, Service } from '../service.ts';

const maxOperations = 100;
/** Maximum total size of the responses, after which no further operation runs. */
const maxAnswerBytes = 32 * 1024 * 1024;
const tooLong =
  'The responses before this one are larger than 32 MB together, so the operation was not carried out. Send it by itself, or leave histories out.';

/** Atomic batches that wait for their turn, each with its body in memory. */
const maxWaiting = 100;

/** Request headers that an operation may set itself. */
const ownHeaders = ['if-match', 'if-none-match', 'idempotency-key'];
/** Headers of the batch that identify the caller. */
const sharedHeaders = ['authorization', 'cookie', 'origin', 'sec-fetch-site', 'user-agent'];
/** Response headers that are returned with each body. */
const returnedHeaders = [
  'etag',
  'location',
  'link',
  'x-did-you-mean',
  'x-total-count',
  'retry-after',
  'idempotency-replayed',
  'coppice-ignored-parameters',
];

const headersField = (description: string, example: Record<string, string>) =>
  Type.Record(Type.String(), Type.String(), { description, examples: [example] });

const BatchOperation = component('BatchOperation', 'One operation of a batch.', {
  method: oneOf(['GET', 'POST', 'PUT', 'DELETE'], 'Method.', 'POST'),
  path: text(
    'URL path on this server with its query, percent-encoded.',
    '/v1/pages/garden/roses?history=none',
  ),
  body: Type.Optional(
    Type.Unknown({ description: 'Body of the operation as JSON.', examples: [{ body: 'Red roses.' }] }),
  ),
  headers: Type.Optional(
    headersField('`If-Match`, `If-None-Match`, `Idempotency-Key`; others are ignored.', {
      'If-Match': '"41"',
    }),
  ),
});

const Batch = component('Batch', 'Operations to be carried out.', {
  atomic: Type.Optional(
    flag(
      'All operations are one transaction. If one is refused, the operations before it are undone and those after it are not carried out. An atomic batch can contain only operations that write pages.',
      true,
    ),
  ),
  operations: Type.Array(BatchOperation, {
    description: `One to ${maxOperations} operations, carried out in this order.`,
  }),
});

const BatchResult = component('BatchResult', 'Response to one operation.', {
  status: integer('Status of the operation’s response.', 200),
  headers: headersField('Headers of the response, such as `etag` and `location`.', { etag: '"42"' }),
  body: Type.Unknown({
    description: 'Body of the response: JSON as a value, other types as a string. Null if there is none.',
    examples: [{ page: { id: 7 }, markup: '<p>Red roses.</p>' }],
  }),
});

type Operation = Static<typeof BatchOperation>;
/** A result, with its body as JSON text: parsing and writing megabytes again would delay others. */
type Result = Pick<Static<typeof BatchResult>, 'status' | 'headers'> & { json: string | Buffer };

/** The batch that a request is an operation of. */
export type CurrentBatch = AsyncLocalStorage<{
  isAtomic: boolean;
  /** The request of an atomic batch. Its caller is that of all operations. */
  caller?: FastifyRequest;
}>;

/** Registered before all other routes, because its hooks run for every request of a batch. */
export async function registerBatches(
  server: Server,
  service: Service,
  current: CurrentBatch,
): Promise<void> {
  server.addHook('onRequest', async ({ routeOptions }) => {
    const batch = current.getStore();
    if (batch) refuseUnfit(routeOptions.config, batch.isAtomic);
  });
  await server.register(async (scope) => batchRoute(scope as Server, service, current));
}

/** A separate scope, because its bodies are longer than those of other operations. */
async function batchRoute(
  server: Server,
  { operations }: Pick<Service, 'operations'>,
  current: CurrentBatch,
): Promise<void> {
  // They take locks as they come to them: those on the same pages would end in deadlocks again and again.
  const inTurn = limitConcurrency(
    1,
    maxWaiting,
    () => new Problem('unavailable', say('problem.tooManyBatchesAreWaiting')),
  );
  const limits = { bytes: maxTextBytes, textBytes: maxTextBytes, values: maxPageValues };
  await registerBodies(server, () => ({ limits }));

  server.post(
    '/v1/batch',
    {
      bodyLimit: maxTextBytes,
      config: { audit: [], access: 'required', scope: 'any' },
      schema: {
        operationId: 'batch',
        tags: ['Batches'],
        summary: 'Carry out several operations',
        description:
          'Carries out up to 100 operations in order, each with the caller’s rights and limits, as if it were sent by itself. The response has the status and body of each. Without `atomic`, a refused operation does not affect the others. With `atomic`, `failed` says which operation was refused, and the others have the status 424. Operations that API tokens cannot carry out are not allowed in batches, either.',
        body: Batch,
        response: {
          200: Type.Object({
            results: Type.Array(BatchResult, { description: 'Responses in the order of the operations.' }),
            failed: Type.Optional(
              integer('After an atomic batch was rolled back, index of the operation that was refused.', 1),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { atomic: isAtomic = false, operations: wanted } = request.body;
      refuseUnusable(wanted, isAtomic);
      const results: Result[] = [];
      const carryOut = async () => {
        // Restarts if the engine repeats the transaction.
        results.length = 0;
        let bytes = 0;
        for (const [index, operation] of wanted.entries()) {
          // Others have their turn between operations.
          if (index > 0) await yieldToEventLoop();
          if (bytes > maxAnswerBytes) results.push(refusal('too-long', tooLong));
          else {
            const answer = await server.inject(requestOf(request, operation, index));
            bytes += answer.rawPayload.length;
            results.push(resultOf(answer));
          }
          if (isAtomic && (results.at(-1)?.status ?? 500) >= 400) throw new RolledBack(index);
        }
      };
      try {
        const batch = isAtomic ? { isAtomic, caller: request } : { isAtomic };
        await current.run(batch, () => (isAtomic ? inTurn(() => operations.together(carryOut)) : carryOut()));
        return sendResults(reply, results);
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
        const { index: failed } = error;
        const others = refusal(
          'rolled-back',
          `Operation ${failed} of this batch was refused, so the whole batch was undone.`,
        );
        const shown = wanted.map((_, i) => (i === failed ? (results[i] ?? others) : others));
        return sendResults(reply, shown, failed);
      }
    },
  );
}

/** Thrown to end the transaction of an atomic batch. */
class RolledBack extends Error {
  readonly index: number;
  constructor(index: number) {
    super(`Operation ${index} was refused.`);
    this.index = index;
  }
}

function refuseUnusable(wanted: Operation[], isAtomic: boolean): void {
  if (wanted.length < 1 || wanted.length > maxOperations)
    throw invalid('/operations', `A batch has 1 to ${maxOperations} operations.`);
  for (const [index, { method, path, body, headers = {} }] of wanted.entries()) {
    const at = `/operations/${index}`;
    if (!/^\/v1\/[^\s#\\]*$/.test(path)) throw invalid(`${at}/path`, 'The path must begin with /v1/.');
    if (method === 'GET' && body !== undefined) throw invalid(`${at}/body`, 'GET cannot have a body.');
    const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
    if (isAtomic && hasKey)
      throw invalid(
        `${at}/headers`,
        'Send the Idempotency-Key of an atomic batch in the header of the request.',
      );
  }
}

/**
 * Operations of a batch must be available to API tokens; those of an atomic batch must have no effect outside the transaction.
 */
function refuseUnfit({ scope, isEndless }: FastifyContextConfig, isAtomic: boolean): void {
  if (scope === undefined || scope === 'any' || isEndless)
    throw new Problem('invalid', 'This operation cannot be part of a batch.');
  if (isAtomic && scope !== 'write')
    throw new Problem('invalid', 'An atomic batch can contain only operations that write pages.');
}

function requestOf(batch: FastifyRequest, operation: Operation, index: number): InjectOptions {
  const { method, path, body, headers = {} } = operation;
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const shared = sharedHeaders.map((name) => [name, batch.headers[name]] as const);
  return {
    method,
    url: path,
    remoteAddress: batch.ip,
    headers: {
      ...Object.fromEntries(shared.filter(([, value]) => value !== undefined)),
      ...Object.fromEntries(own.filter(([name]) => ownHeaders.includes(name))),
      host: batch.host,
      accept: 'application/json',
      'x-request-id': `${batch.id.slice(0, 58)}.${index}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  };
}

function resultOf({ statusCode: status, headers, rawPayload }: LightMyRequestResponse): Result {
  const names = returnedHeaders.filter((name) => headers[name] !== undefined);
  const isJson = /^application\/(problem\+)?json/.test(String(headers['content-type'] ?? ''));
  return {
    status,
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    json: rawPayload.length === 0 ? 'null' : isJson ? rawPayload : JSON.stringify(String(rawPayload)),
  };
}

function refusal(code: 'rolled-back' | 'too-long', detail: string): Result {
  const { status, body } = problemOf(new Problem(code, detail), '');
  return { status, headers: {}, json: JSON.stringify(body) };
}

function sendResults(reply: FastifyReply, results: readonly Result[], failed?: number): never {
  const parts = results.flatMap(({ status, headers, json }, i) => [
    Buffer.from(`${i === 0 ? '' : ','}{"status":${status},"headers":${JSON.stringify(headers)},"body":`),
    typeof json === 'string' ? Buffer.from(json) : json,
    Buffer.from('}'),
  ]);
  const end = failed === undefined ? ']}' : `],"failed":${failed}}`;
  reply.type('application/json; charset=utf-8');
  return reply.send(Buffer.concat([Buffer.from('{"results":['), ...parts, Buffer.from(end)])) as never;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the response is an endless stream, or too long to be held in memory. */
    isEndless?: boolean;
  }
}
