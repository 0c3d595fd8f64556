/**
 * Sender of the current request, for the audit log, which all parts of the wiki write to without knowing about requests
 * (`AsyncLocalStorage`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '#core/model/audit-entry.ts';
import type { AuditKind } from '#core/model/audit-kinds.ts';

export interface Origins {
  current(): Origin;
  /** Runs `work` as part of the request. */
  run<T>(request: FastifyRequest, work: () => T): T;
}

/** Origin of actions outside requests. */
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
    /** Kinds of audit entries that the route may write; empty for a route without any. */
    audit?: readonly AuditKind[];
  }
}
