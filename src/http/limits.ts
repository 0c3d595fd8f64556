/**
 * Rate limits: tight on guessing, wide on writing; `costs.ts` limits what is expensive to read. Counted in one place for all workers of a server;
 * several servers each count their own. An address is that of the connection unless proxies are trusted.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#domain/problem.ts';
import type { Server, Siblings } from './service.ts';

const minute = 60_000;
/** Callers that are remembered for each limit. */
export const maxCallers = 20_000;

/** Attempts in the current window, and for how many milliseconds it still runs. */
export interface Counted {
  current: number;
  ttl: number;
}

export interface Limits {
  /** Counts one attempt to sign in as this account. Refuses `too-many-requests`. */
  countSignIn(request: FastifyRequest, account: string): Promise<void>;
  countInvitation(request: FastifyRequest): Promise<void>;
}

/** How often, per window. An IPv6 caller counts by its /64, as one subscriber has all of that. */
export const rates = {
  signInsPerAddress: { max: 60, timeWindow: minute },
  signInsPerAccount: { max: 10, timeWindow: minute },
  signInsPerAccountLong: { max: 100, timeWindow: 60 * minute },
  invitations: { max: 30, timeWindow: minute },
  writes: { max: 6000, timeWindow: minute },
} as const;

/** Which account an attempt is counted for; set by the routes right before counting. */
const accounts = new WeakMap<FastifyRequest, string>();

/** For `countSignIn`: one account under every spelling of its address. */
export function accountOfEmail(email: string): string {
  return `email ${email.normalize('NFC').trim().toLowerCase().slice(0, 320)}`;
}

/** `count`: where attempts are counted if not in this process. */
export async function registerLimits(
  server: Server,
  isOn: boolean,
  count?: Siblings['count'],
): Promise<Limits> {
  if (!isOn) return { countSignIn: async () => {}, countInvitation: async () => {} };
  await server.register(rateLimit, {
    global: false,
    cache: maxCallers,
    ...(count ? { store: storeThatAsks(count) } : {}),
  });
  const byAddress = (kind: keyof typeof rates) => server.createRateLimit({ ...rates[kind], ipv6Subnet: 64 });
  const byAccount = (kind: keyof typeof rates) =>
    server.createRateLimit({ ...rates[kind], keyGenerator: (request) => accounts.get(request) ?? '' });

  const signInsPerAddress = byAddress('signInsPerAddress');
  const signInsPerAccount = byAccount('signInsPerAccount');
  const signInsPerAccountLong = byAccount('signInsPerAccountLong');
  const invitations = byAddress('invitations');
  const writes = byAddress('writes');

  server.addHook('onRequest', async (request) => {
    if (/^(POST|PUT|PATCH|DELETE)$/.test(request.method)) refuseBeyond(await writes(request));
  });
  return {
    async countSignIn(request, account) {
      accounts.set(request, account);
      refuseBeyond(await signInsPerAddress(request));
      refuseBeyond(await signInsPerAccount(request));
      refuseBeyond(await signInsPerAccountLong(request));
    },
    async countInvitation(request) {
      refuseBeyond(await invitations(request));
    },
  };
}

/** Counts for other processes what they ask it to. Fixed windows; whoever has not called for longest is forgotten first. */
export function createCounts(clock: () => number) {
  const windows = new Map<string, { current: number; endsAt: number }>();
  return (key: string, windowMs: number, amount = 1): Counted => {
    const now = clock();
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { current: 0, endsAt: now + windowMs };
    window.current += amount;
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > maxCallers * Object.keys(rates).length)
      windows.delete(windows.keys().next().value ?? '');
    return { current: window.current, ttl: window.endsAt - now };
  };
}

/** In the shape that the plug-in asks for; each limit gets a child of its own, in the same order in every process. */
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

function refuseBeyond(state: { isAllowed: boolean; isExceeded?: boolean; ttlInSeconds?: number }): void {
  if (state.isAllowed || !state.isExceeded) return;
  const retryAfter = Math.max(1, state.ttlInSeconds ?? 60);
  throw new Problem('too-many-requests', `Too many attempts. Try again in ${retryAfter} seconds.`, {
    details: { retryAfter },
  });
}
