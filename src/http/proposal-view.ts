/**
 * Reads with `?proposal=ID`: a read of the API, or a page of the site, as if the proposal were merged. The proposal is applied in a
 * transaction, the request is carried out in it with the rights of its caller, and the transaction is rolled back. Nothing of it is
 * cached.
 *
 * One view is made at a time, and the members who ask take turns, however many views each of them asks for. Where all writes wait for
 * each other, a view takes no longer than `mostMs`, and after each one comes as long a pause as it took, so that writes have at least
 * half of the time. Elsewhere applying the proposal ends after `mostMsBeside`, and each statement by the limit of the engine.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, LightMyRequestResponse, RouteOptions } from 'fastify';
import { parseId } from '#core/model/id.ts';
import type { Actor } from '#core/model/permission.ts';
import { invalid, Problem, tooManyRequests } from '#core/model/problem.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { FairQueue } from '#scheduling/fair-queue.ts';
import { say } from '#words/say.ts';
import type { Server, Service } from './service.ts';

const mostMs = 3000;
const mostMsBeside = 10_000;
/** Views of one member that wait or are made, and of all that wait. */
const bounds = { maxPerCaller: 6, maxWaiting: 50 };
/** Seconds. */
const retryAfter = 2;

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
    'ID of a proposal that the caller may read. The response is what it would be if the proposal were merged, and is never cached. API tokens with the scope `preview` read only with this parameter.',
  schema: { type: 'integer', minimum: 1 },
  example: 3,
  problems: [
    'unauthenticated',
    'not-found',
    'not-permitted',
    'proposal-conflict',
    'proposal-closed',
    'unavailable',
    'timeout',
    'too-many-requests',
  ],
} as const;

/** A proposal that is being shown. */
export interface ShownProposal {
  id: number;
  title: string;
}

/**
 * Applies a proposal in the transaction of the caller, who may read it. Refuses what cannot be shown. `goOn` is called before each
 * change, and fails if it takes too long.
 */
export type ApplyProposal = (
  by: { store: Store; files: Files; by: NonNullable<Actor>; now: number },
  id: number,
  goOn: () => void,
) => Promise<ShownProposal>;

interface View {
  request: FastifyRequest;
  shown: ShownProposal;
}

export interface ProposalViews {
  /** The view within which the current request is carried out, with the request of its caller. */
  current(): View | undefined;
  /** Answers a request that names a proposal. Returns undefined for any other. */
  answer(request: FastifyRequest, reply: FastifyReply, by: Actor): Promise<FastifyReply | undefined>;
}

/** Answers that were carried out leave the transaction as an error, so that it is rolled back. */
class Answered extends Error {
  readonly answer: LightMyRequestResponse;
  constructor(answer: LightMyRequestResponse) {
    super('The transaction of a view ends without a commit.');
    this.answer = answer;
  }
}

const returnedHeaders = [
  'content-type',
  'content-security-policy',
  'link',
  'x-total-count',
  'retry-after',
  'coppice-ignored-parameters',
];

export function createProposalViews(
  server: Server,
  { operations, store, services, clock }: Service,
  apply: ApplyProposal | undefined,
): ProposalViews {
  const views = new AsyncLocalStorage<View>();
  const queue = new FairQueue([bounds], {
    caller: (held) =>
      tooManyRequests(say('problem.proposalsAreBeingShownToYouAlready', { held, retryAfter }), retryAfter),
    all: () => new Problem('unavailable', say('problem.tooManyProposalsAreBeingShownTry')),
  });
  let pausedUntil = 0;

  async function view(
    apply: ApplyProposal,
    request: FastifyRequest,
    { by, id, url }: { by: NonNullable<Actor>; id: number; url: string },
  ) {
    const files = await services.files();
    if (store.hasOneWriter) await sleep(Math.max(0, pausedUntil - performance.now()));
    const carryOut = async () => {
      const began = performance.now();
      const goOn = () => {
        const most = store.hasOneWriter ? mostMs : mostMsBeside;
        if (performance.now() - began > most) throw tooLong();
      };
      try {
        const shown = await store.transact((store) => apply({ store, files, by, now: clock() }, id, goOn));
        const { host, ip, headers } = request;
        const accept = headers.accept ?? '*/*';
        // Awaited within, because the request only starts then.
        const answer = views.run(
          { request, shown },
          async () =>
            await server.inject({
              method: 'GET',
              url,
              remoteAddress: ip,
              headers: { host, accept, 'x-request-id': request.id },
            }),
        );
        // Elsewhere other writes do not wait, and work that goes on would disturb the next user of the connection.
        const isLimited = store.hasOneWriter;
        throw new Answered(await (isLimited ? within(mostMs - (performance.now() - began), answer) : answer));
      } finally {
        pausedUntil = 2 * performance.now() - began;
      }
    };
    // The store that handlers are given is that transaction meanwhile.
    return operations.together(carryOut, { isTrial: true }).then(
      () => undefined,
      (error) => {
        if (error instanceof Answered) return error.answer;
        throw error;
      },
    );
  }

  return {
    current: () => views.getStore(),
    async answer(request, reply, by) {
      // Most addresses have no parameters, and parsing one takes as long as a statement.
      if (!apply || request.method !== 'GET' || !request.url.includes('?')) return undefined;
      const url = new URL(request.url, 'http://wiki');
      const given = url.searchParams.getAll('proposal');
      if (given.length === 0) return undefined;
      if (!by) throw new Problem('unauthenticated', say('problem.signInToSeeAProposal'));
      const id = given.length === 1 ? parseId(given[0] ?? '') : undefined;
      if (id === undefined) throw invalid('?proposal', say('problem.giveTheIdOfOneProposal'));
      if (store.isTransaction) throw invalid('?proposal', say('problem.noProposalCanBeShownWithinAn'));
      url.searchParams.delete('proposal');
      const turn = { rank: 0, caller: `member ${by.memberId}` };
      const target = `${url.pathname}${url.search}`;
      const answer = await queue.run(turn, () => view(apply, request, { by, id, url: target }));
      if (!answer) return undefined;
      for (const name of returnedHeaders) {
        const value = answer.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      const { location } = answer.headers;
      if (typeof location === 'string') reply.header('location', withProposal(location, id));
      const isSite = !url.pathname.startsWith('/v1/');
      reply.header('cache-control', isSite ? 'private, no-store' : 'no-store');
      return reply.code(answer.statusCode).send(answer.rawPayload);
    },
  };
}

/** The address on this server with the parameter, before its fragment. */
function withProposal(address: string, id: number): string {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(address) ?? [];
  return `${before}${before.includes('?') ? '&' : '?'}proposal=${id}${fragment}`;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const aborting = new AbortController();
  const late = sleep(Math.max(0, ms), undefined, { signal: aborting.signal }).then(() => {
    throw tooLong();
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    aborting.abort();
    work.catch(() => {});
  }
}

function tooLong(): Problem {
  return new Problem('timeout', say('problem.theWikiCannotBeShownWithThis'));
}
