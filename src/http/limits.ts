/**
 * Rate limits: strict for guessing, generous for writing; `costs.ts` limits expensive reads. Counted once for all workers of a
 * server, but separately by several servers. The address is that of the connection unless proxies are trusted.
 */

import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { Problem, tooManyRequests } from '#core/model/problem.ts';
import type { Counted } from '#core/ports/credentials.ts';
import { say } from '#words/say.ts';
import type { Server, Siblings } from './service.ts';

const minute = 60_000;
/** Maximum number of callers remembered for each limit. */
export const maxCallers = 20_000;

export interface Limits {
  /** Counts a sign-in attempt from an address. Refuses `too-many-requests`. */
  countSignIn(request: FastifyRequest): Promise<void>;
  countInvitation(request: FastifyRequest): Promise<void>;
  countDataExport(request: FastifyRequest): Promise<void>;
  countSignUp(request: FastifyRequest): Promise<void>;
  /** Counts a secret address that does not exist. */
  countGuess(request: FastifyRequest): Promise<void>;
}

/** Maximum number of requests per window. IPv6 callers are counted by /64, because a subscriber has all of it. */
export const rates = {
  signInsPerAddress: { name: 'sign-ins', max: 60, timeWindow: minute },
  invitations: { name: 'invitations', max: 30, timeWindow: minute },
  writes: { name: 'writes', max: 6000, timeWindow: minute },
  dataExports: { name: 'data exports', max: 5, timeWindow: 10 * minute },
  signUps: { name: 'sign-ups', max: 30, timeWindow: 60 * minute },
  guesses: { name: 'guesses', max: 60, timeWindow: minute },
} as const;

interface CountedLimit {
  kind: keyof typeof rates;
  remaining: number;
  ttlInSeconds: number;
}

export const rateLimitHeadersOut = {
  'RateLimit-Policy': {
    description:
      'Limits that apply to the request: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers). Absent if there are no limits.',
    example: '"writes";q=6000;w=60',
  },
  RateLimit: {
    description: 'Remaining requests `r` of each limit, and seconds `t` until it is reset.',
    example: '"writes";r=5999;t=60',
  },
} as const;

/** `count` counts attempts in another process, if there are several. */
export async function registerLimits(
  server: Server,
  isOn: boolean,
  count?: Siblings['count'],
): Promise<Limits> {
  if (!isOn) {
    const nothing = async () => {};
    return {
      countSignIn: nothing,
      countInvitation: nothing,
      countDataExport: nothing,
      countSignUp: nothing,
      countGuess: nothing,
    };
  }
  await server.register(rateLimit, {
    global: false,
    cache: maxCallers,
    ...(count ? { store: storeThatAsks(count) } : {}),
  });
  const byAddress = (kind: keyof typeof rates) => {
    const { max, timeWindow } = rates[kind];
    const count = server.createRateLimit({ max, timeWindow, ipv6Subnet: 64 });
    return async (request: FastifyRequest) => {
      const state = await count(request);
      if (!state.isAllowed) request.rateLimits = [...(request.rateLimits ?? []), { kind, ...state }];
      refuseBeyond(state);
    };
  };

  // The order of these calls gives each limit its number in the store shared by all processes.
  const countSignIn = byAddress('signInsPerAddress');
  const countInvitation = byAddress('invitations');
  const countWrite = byAddress('writes');
  const countDataExport = byAddress('dataExports');
  const countSignUp = byAddress('signUps');
  const countGuess = byAddress('guesses');

  server.addHook('onRequest', async (request) => {
    if (/^(POST|PUT|PATCH|DELETE)$/.test(request.method)) await countWrite(request);
  });
  server.decorateRequest('rateLimits', undefined);
  server.addHook('onSend', async ({ rateLimits }, reply) => {
    if (rateLimits) reply.headers(rateLimitHeaders(rateLimits));
  });
  return { countSignIn, countInvitation, countDataExport, countSignUp, countGuess };
}

/** Counts the request if what it asks for by a secret does not exist. Existing secrets work whatever was counted before. */
export async function countingGuesses<T>(
  { countGuess }: Pick<Limits, 'countGuess'>,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') await countGuess(request);
    throw error;
  }
}

/** Quota and remainder (draft-ietf-httpapi-ratelimit-headers) for each limit by which the request was counted. */
function rateLimitHeaders(limits: readonly CountedLimit[]): Record<string, string> {
  const each = (parameters: (limit: CountedLimit) => string) =>
    limits.map((limit) => `"${rates[limit.kind].name}";${parameters(limit)}`).join(', ');
  return {
    'ratelimit-policy': each(({ kind }) => `q=${rates[kind].max};w=${rates[kind].timeWindow / 1000}`),
    ratelimit: each(({ remaining, ttlInSeconds }) => `r=${remaining};t=${ttlInSeconds}`),
  };
}

/**
 * Counts on behalf of other processes. Fixed windows; the caller that has been idle longest is dropped first. A window that ends
 * later than it could was begun by a clock that was wrong.
 */
export function createCounts(clock: () => number) {
  const windows = new Map<string, { current: number; endsAt: number }>();
  return (key: string, windowMs: number, amount = 1): Counted => {
    const now = clock();
    const known = windows.get(key);
    const isOpen = known !== undefined && known.endsAt > now && known.endsAt <= now + windowMs;
    const window = isOpen ? known : { current: 0, endsAt: now + windowMs };
    // Taking back an attempt after its window has ended must not affect the next window.
    window.current = Math.max(0, window.current + amount);
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > maxCallers * Object.keys(rates).length)
      windows.delete(windows.keys().next().value ?? '');
    return { current: window.current, ttl: window.endsAt - now };
  };
}

/** Store in the form that the plug-in expects; each limit gets its own child, in the same order in every process. */
function storeThatAsks(count: Siblings['count']) {
  let children = 0;
  return class AskingStore {
    readonly limit = children++;
    child() {
      return new AskingStore();
    }
    incr(key: string, done: (error: Error | null, counted?: Counted) => void, windowMs: number) {
      count(`${this.limit} ${key}`, windowMs).then((counted) => done(null, counted), done);
    }
  };
}

export function refuseBeyond(state: {
  isAllowed: boolean;
  isExceeded?: boolean;
  ttlInSeconds?: number;
}): void {
  if (state.isAllowed || !state.isExceeded) return;
  const retryAfter = Math.max(1, state.ttlInSeconds ?? 60);
  throw tooManyRequests(say('problem.tooManyAttemptsTryAgainInSeconds', { retryAfter }), retryAfter);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Limits by which this request was counted. */
    rateLimits: readonly CountedLimit[] | undefined;
  }
}
