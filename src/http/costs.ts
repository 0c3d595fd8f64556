/**
 * Costs of anonymous callers, counted by address and by network: CPU time, and bytes as the time that sending them takes. Beyond the share for
 * a minute, expensive requests are refused until the next minute: previews, older versions, comparisons, histories, searches,
 * and pages that render slowly. Cached responses and short pages are always served.
 *
 * Members are not limited. Long texts of all callers wait in fair queues: see `Behalf`.
 */

import type { FastifyRequest } from 'fastify';
import { BoundedCache } from '#cache/bounded-cache.ts';
import type { Renderer } from '#core/content/render.ts';
import type { Actor } from '#core/model/permission.ts';
import { tooManyRequests } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { addressGroup, networkOf } from './address-group.ts';
import { createCounts, maxCallers } from './limits.ts';
import type { Server, Service, Siblings } from './service.ts';

/** CPU time of one address, a third of a core, and of a network of them (a /24, or a /48 of IPv6), a whole one. */
export const strangersCpu = { maxMs: 20_000, maxMsOfNetwork: 60_000, windowMs: 60_000 };

/** Smaller costs are added up before they are reported to the other processes. */
const leastMs = 20;
/** CPU time of making and sending a megabyte of JSON or HTML, or of receiving and parsing one. */
const msPerMegabyte = 20;

/** Maximum number of different links that are looked up in a stranger's preview. */
const maxPreviewLinks = 5000;
/** CPU time of looking up one link. */
const msPerName = 0.01;

export interface Costs {
  /**
   * Counts an expensive request and the bytes of its response. Refuses `too-many-requests`. `ms` defaults to the route's value.
   */
  admit(request: FastifyRequest, actor: Actor, ms?: number): void;
  /** Counts CPU time that was measured. Refuses nothing. */
  spend(request: FastifyRequest, actor: Actor, cpuMs: number): void;
  /** Counts the bytes of a response whose length is not known beforehand. Refuses nothing. */
  spendBytes(request: FastifyRequest, actor: Actor, bytes: number): void;
  /** A renderer that charges this caller and queues for them. `isAside`: as in `Behalf`. */
  rendererFor(request: FastifyRequest, actor: Actor, isAside?: boolean): Renderer;
}

/** `count` counts costs in another process, if there are several. */
export function registerCosts(
  server: Server,
  { renderer, clock }: Pick<Service, 'renderer' | 'clock'>,
  isOn: boolean,
  count: Siblings['count'] = createCountsHere(clock),
): Costs {
  /** Time until which each caller is refused, as far as this process knows. */
  const refusedUntil = new BoundedCache<number>(maxCallers);
  const notYetCounted = new BoundedCache<number>(maxCallers);

  /** Charged at once and not with the response, because callers who disconnect cost as much. */
  const charge = (ip: string, ms: number) => {
    chargeOne(addressGroup(ip), ms, strangersCpu.maxMs);
    chargeOne(networkOf(ip), ms, strangersCpu.maxMsOfNetwork);
  };
  const chargeOne = (caller: string, ms: number, maxMs: number) => {
    const { windowMs } = strangersCpu;
    const sumMs = ms + (notYetCounted.get(caller) ?? 0);
    if (sumMs < leastMs) return notYetCounted.set(caller, sumMs, 1);
    notYetCounted.delete(caller);
    count(`cpu ${caller}`, windowMs, sumMs).then(
      ({ current, ttl }) => {
        if (current > maxMs) refusedUntil.set(caller, clock() + ttl, 1);
      },
      // If the primary does not answer, nothing is counted or refused.
      () => {},
    );
  };
  const refuseBeyond = (ip: string) => {
    const until = [addressGroup(ip), networkOf(ip)].map((caller) => refusedUntil.get(caller) ?? 0);
    const leftMs = Math.max(...until) - clock();
    // Nobody is refused for longer than a window, unless the clock was wrong.
    if (leftMs <= 0 || leftMs > strangersCpu.windowMs) return;
    const retryAfter = Math.ceil(leftMs / 1000);
    throw tooManyRequests(say('problem.yourAddressHasUsedUpItsComputing', { retryAfter }), retryAfter);
  };

  server.decorateRequest('isCharged', false);
  server.addHook('preHandler', async (request) => {
    // The site identifies the caller itself.
    if (request.routeOptions.config.access === 'optional') costs.admit(request, request.actor);
  });
  server.addHook('onResponse', async (request, reply) => {
    if (!request.isCharged) return;
    const bytes =
      Number(reply.getHeader('content-length') ?? 0) + Number(request.headers['content-length'] ?? 0);
    charge(request.ip, (bytes / 1_000_000) * msPerMegabyte);
  });

  const costs: Costs = {
    admit(request, actor, ms = request.routeOptions.config.strangersMs) {
      if (!isOn || actor || ms === undefined) return;
      refuseBeyond(request.ip);
      request.isCharged = true;
      charge(request.ip, ms);
    },
    spend(request, actor, cpuMs) {
      if (isOn && !actor) charge(request.ip, cpuMs);
    },
    spendBytes(request, actor, bytes) {
      if (isOn && !actor) charge(request.ip, (bytes / 1_000_000) * msPerMegabyte);
    },
    rendererFor(request, actor, isAside = false) {
      const address = addressGroup(request.ip);
      const spend = (ms: number) => {
        if (isOn && !actor) charge(request.ip, ms);
      };
      const language = renderer.language.on({
        isAside,
        isAnonymous: actor === null,
        caller: !isOn ? undefined : actor ? `member ${actor.memberId}` : address,
        admit: () => {
          if (isOn && !actor) refuseBeyond(request.ip);
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
     * Marks an expensive route: estimated CPU time of a response to a stranger in milliseconds, including that of the database,
     * besides what is measured (rendering, comparing) and counted by bytes.
     */
    strangersMs?: number;
  }
  interface FastifyRequest {
    /** Whether the response is charged to the caller's address. */
    isCharged: boolean;
  }
}
