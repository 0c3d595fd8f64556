/**
 * Reads with `?proposal=ID`: any read of the API answers as if the proposal were merged. The proposal is applied in a transaction, the
 * request is carried out in it with the rights of its caller, and the transaction is rolled back. Nothing of it is cached.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest, LightMyRequestResponse, RouteOptions } from 'fastify';
import type { Files } from '#core/files/attach-files.ts';
import { parseId } from '#core/model/id.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import type { Store } from '#core/ports/store.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import type { Server, Service } from './service.ts';

/** Whether the route is a read of the API, and its answer not endless. */
export function isReadByProposal({
  method,
  url = '',
  config,
}: Pick<RouteOptions, 'config'> & { method?: string | string[]; url?: string | undefined }): boolean {
  const { scope, isEndless = false } = config ?? {};
  return [method].flat().includes('GET') && url.startsWith('/v1/') && scope === 'read' && !isEndless;
}

/** Parameter of these reads, for the reference. */
export const proposalParameter = {
  name: 'proposal',
  in: 'query',
  required: false,
  description:
    'ID of a proposal that the caller may read. The response is what it would be if the proposal were merged, and is never cached.',
  schema: { type: 'integer', minimum: 1 },
  example: 3,
  problems: ['unauthenticated', 'not-found', 'not-permitted', 'proposal-conflict', 'proposal-closed'],
} as const;

/** Applies a proposal in the transaction of the caller, who may read it. Refuses what cannot be shown. */
export type ApplyProposal = (
  store: Store,
  files: Files,
  by: NonNullable<Actor>,
  id: number,
  now: number,
) => Promise<void>;

/** The requests whose callers are also those of the requests carried out within them. */
export type CurrentViews = AsyncLocalStorage<FastifyRequest>;

/** Answers that were carried out leave the transaction as an error, so that it is rolled back. */
class Answered extends Error {
  readonly answer: LightMyRequestResponse;
  constructor(answer: LightMyRequestResponse) {
    super('The transaction of a view ends without a commit.');
    this.answer = answer;
  }
}

export function registerProposalViews(
  server: Server,
  { operations, store, services, clock }: Service,
  views: CurrentViews,
  apply: ApplyProposal,
): void {
  // Other writes wait on SQLite while a view is made.
  const limited = limitConcurrency(
    1,
    50,
    () => new Problem('unavailable', 'Too many proposals are being shown. Try again in a moment.'),
  );
  server.addHook('onRequest', async (request, reply) => {
    const url = new URL(request.url, 'http://wiki');
    const given = url.searchParams.getAll('proposal');
    if (given.length === 0 || !isReadByProposal(request.routeOptions) || request.method !== 'GET') return;
    const { actor } = request;
    if (!actor) throw new Problem('unauthenticated', 'Sign in to see a proposal.');
    const id = given.length === 1 ? parseId(given[0] ?? '') : undefined;
    if (id === undefined) throw invalid('?proposal', 'Give the ID of one proposal.');
    url.searchParams.delete('proposal');
    const files = await services.files();
    const view = async () => {
      // The store that handlers are given is that transaction meanwhile.
      await operations.together(async () => {
        await store.transact((store) => apply(store, files, actor, id, clock()));
        const answer = await server.inject({
          method: 'GET',
          url: `${url.pathname}${url.search}`,
          remoteAddress: request.ip,
          headers: {
            host: request.host,
            accept: request.headers.accept ?? '*/*',
            'x-request-id': request.id,
          },
        });
        throw new Answered(answer);
      });
    };
    const answer = await limited(() => views.run(request, view)).then(
      () => undefined,
      (error) => {
        if (error instanceof Answered) return error.answer;
        throw error;
      },
    );
    if (!answer) return;
    for (const name of [
      'content-type',
      'link',
      'location',
      'x-total-count',
      'retry-after',
      'coppice-ignored-parameters',
    ]) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(answer.statusCode).header('cache-control', 'no-store').send(answer.rawPayload);
  });
}
