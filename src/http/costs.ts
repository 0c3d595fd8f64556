/**
 * Costs of callers. For anonymous callers CPU time is counted by address, and bytes as the time that sending them takes.
 * Beyond a minute's share, expensive requests are refused until the next minute: previews, older versions, comparisons,
 * histories, searches, and pages that take long to render. Cached responses and short pages are served all the same.
 *
 * Members are not counted. Everybody's long texts wait in lines that are fair to all callers: see `Behalf`.
 */
import type { FastifyRequest } from 'fastify';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Renderer } from '#domain/content/render.ts';
import type { Actor } from '#domain/permission.ts';
import { Problem } from '#domain/problem.ts';
import { addressGroup } from './address-group.ts';
import { createCounts, maxCallers } from './limits.ts';
import type { Server, Service, Siblings } from './service.ts';

/** CPU time of one address: a third of a processor. */
export const strangersCpu = { maxMs: 20_000, windowMs: 60_000 };

/** Smaller costs are reported to the other processes together with the next. */
const leastMs = 20;
/** To make a megabyte of JSON or HTML and send it, or to receive and read one. */
const msPerMegabyte = 20;

/** Different links of a stranger's preview: those of a long list. */
const maxPreviewLinks = 5000;
/** To find out where one leads. */
const msPerName = 0.01;

export interface Costs {
  /** Counts the time of an expensive request and the bytes of its answer. Refuses `too-many-requests`. `ms`: by default the route's. */
  admit(request: FastifyRequest, actor: Actor, ms?: number): void;
  /** Counts bytes of an answer that tells its length to nobody beforehand, and refuses nothing. */
  spendBytes(request: FastifyRequest, actor: Actor, bytes: number): void;
  /** Renders on this caller's account, in their turn. `isAside`: as in `Behalf`. */
  rendererFor(request: FastifyRequest, actor: Actor, isAside?: boolean): Renderer;
}

/** `count`: where costs are counted if not in this process. */
export function registerCosts(
  server: Server,
  { renderer, clock }: Pick<Service, 'renderer' | 'clock'>,
  isOn: boolean,
  count: Siblings['count'] = createCountsHere(clock),
): Costs {
  /** Until when, in milliseconds since the epoch; as far as this process knows. */
  const refusedUntil = new BoundedCache<number>(maxCallers);
  const notYetCounted = new BoundedCache<number>(maxCallers);

  /** At once and not with the answer, as a caller who leaves before it costs as much. */
  const charge = (caller: string, ms: number) => {
    const { maxMs, windowMs } = strangersCpu;
    const sumMs = ms + (notYetCounted.get(caller) ?? 0);
    if (sumMs < leastMs) return notYetCounted.set(caller, sumMs, 1);
    notYetCounted.delete(caller);
    count(`cpu ${caller}`, windowMs, sumMs).then(
      ({ current, ttl }) => {
        if (current > maxMs) refusedUntil.set(caller, clock() + ttl, 1);
      },
      // The primary is not there: what is not counted is not refused.
      () => {},
    );
  };
  const refuseBeyond = (caller: string) => {
    const leftMs = (refusedUntil.get(caller) ?? 0) - clock();
    if (leftMs <= 0) return;
    const retryAfter = Math.ceil(leftMs / 1000);
    throw new Problem(
      'too-many-requests',
      `Your address has used up the computing time that it may take in a minute. Try again in ${retryAfter} seconds, or sign in.`,
      { details: { retryAfter } },
    );
  };

  server.decorateRequest('isCharged', false);
  server.addHook('preHandler', async (request) => {
    // The site tells by itself who is asking.
    if (request.routeOptions.config.access === 'optional') costs.admit(request, request.actor);
  });
  server.addHook('onResponse', async (request, reply) => {
    if (!request.isCharged) return;
    const bytes =
      Number(reply.getHeader('content-length') ?? 0) + Number(request.headers['content-length'] ?? 0);
    charge(addressGroup(request.ip), (bytes / 1_000_000) * msPerMegabyte);
  });

  const costs: Costs = {
    admit(request, actor, ms = request.routeOptions.config.strangersMs) {
      if (!isOn || actor || ms === undefined) return;
      const caller = addressGroup(request.ip);
      refuseBeyond(caller);
      request.isCharged = true;
      charge(caller, ms);
    },
    spendBytes(request, actor, bytes) {
      if (isOn && !actor) charge(addressGroup(request.ip), (bytes / 1_000_000) * msPerMegabyte);
    },
    rendererFor(request, actor, isAside = false) {
      const address = addressGroup(request.ip);
      const spend = (ms: number) => {
        if (isOn && !actor) charge(address, ms);
      };
      const language = renderer.language.on({
        isAside,
        isAnonymous: actor === null,
        caller: !isOn ? undefined : actor ? `member ${actor.memberId}` : address,
        admit: () => {
          if (isOn && !actor) refuseBeyond(address);
        },
        spend,
      });
      const lookups = { maxLinks: maxPreviewLinks, spend: (names: number) => spend(names * msPerName) };
      return { ...renderer, language, ...(isAside && !actor ? { lookups } : {}) };
    },
  };
  return costs;
}

function createCountsHere(clock: () => number): Siblings['count'] {
  const counts = createCounts(clock);
  return async (key, windowMs, amount) => counts(key, windowMs, amount);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route is expensive: what answering a stranger takes in milliseconds of CPU time, beside what is measured (rendering,
     * comparing) and counted by bytes. So it does for the database, which tells nobody.
     */
    strangersMs?: number;
  }
  interface FastifyRequest {
    /** Its answer is counted to the account of the caller's address. */
    isCharged: boolean;
  }
}
