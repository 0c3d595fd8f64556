/**
 * Who sent the request that is being carried out, and from where: for the audit log, which every part of the wiki writes to
 * while it knows nothing of requests (`AsyncLocalStorage`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '#domain/audit/entry.ts';
import type { AuditKind } from '#domain/audit/kinds.ts';

export interface Origins {
  current(): Origin;
  /** Carries out `work` as part of the request. */
  run<T>(request: FastifyRequest, work: () => T): T;
}

/** Outside of requests the wiki acts by itself. */
const itself: Origin = { via: 'wiki', from: null, actorId: null, tokenId: null };

export function createOrigins(): Origins {
  const requests = new AsyncLocalStorage<FastifyRequest>();
  return {
    current() {
      const request = requests.getStore();
      return request ? originOf(request) : itself;
    },
    run: (request, work) => requests.run(request, work),
  };
}

function originOf(request: FastifyRequest): Origin {
  return {
    via: viaOf(request),
    from: request.ip,
    actorId: request.reader.actor?.memberId ?? null,
    tokenId: request.apiToken?.id ?? null,
  };
}

export function viaOf({ url }: FastifyRequest): 'site' | 'api' {
  return /^\/(v1\/|mcp\b)/.test(url) ? 'api' : 'site';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All kinds of entries that the route writes to the audit log; empty for a route that changes nothing that the log tells of. */
    audit?: readonly AuditKind[];
  }
}
