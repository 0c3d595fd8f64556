/**
 * Chooses the PostgreSQL server for each request. One server takes the writes; its streaming replicas serve reads, as long as
 * they are known to have the data that the reader must see.
 *
 * Every server is probed several times a second: the writable one tells up to where its log is written, a replica up
 * to where it has replayed. A replica that has replayed up to where the log was at a time T shows everything that was
 * acknowledged before T, whatever the clocks of the machines say: that is its `freshAsOf`. Whoever may have written before
 * (any caller with a token or cookie) needs a T not before the request, for which all are probed once more; everyone
 * else, a T of at most a second ago. Where no replica qualifies, the writable server is read, and while there is none,
 * the replica that has come furthest.
 *
 * A server that fails is left out until it answers again. After a failover the writable server on the latest timeline is
 * the one to write to: a former primary that comes back as if nothing had happened is neither written to nor read.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#core/model/problem.ts';
import type { DatabaseConnections, ReadPreference } from '#core/ports/store.ts';
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';
import { addressesOf } from './addresses.ts';
import { isConflict, isLost, isSilence } from './errors.ts';
import { Server } from './server.ts';

const probeEveryMs = 250;
const maxLagMs = 1000;
const maxReadAttempts = 4;
const replayPauseMs = 20;
const openPatienceMs = 5000;

export class Servers implements AsyncDisposable {
  readonly all: readonly Server[];
  #primary: Server | undefined;
  /** Positions of the primary's log with their times, newest last, over a little more than the allowed lag. */
  #marks: { at: number; position: number }[] = [];
  #timeline = 0;
  #readSession = new AsyncLocalStorage<ReadSession>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(all: readonly Server[]) {
    this.all = all;
  }

  /** `urls`: each may name several hosts. Refuses servers of different clusters with a sentence. */
  static async open(urls: readonly string[], maxConnections?: number): Promise<Servers> {
    const addresses = [...new Set(urls.flatMap(addressesOf))];
    const isAlone = addresses.length === 1;
    const servers = new Servers(addresses.map((address) => new Server(address, isAlone, maxConnections)));
    if (servers.isAlone) {
      servers.#primary = servers.all[0];
      servers.#watch();
    } else {
      const until = performance.now() + openPatienceMs;
      do {
        clearTimeout(servers.#timer);
        await servers.#probeAll();
        // A check without an answer says nothing on a busy machine.
      } while (!servers.#primary && servers.all.some(isSilent) && performance.now() < until);
    }
    const clusters = new Set(servers.all.flatMap(({ seen }) => seen?.cluster ?? []));
    if (clusters.size < 2) return servers;
    await servers[Symbol.asyncDispose]();
    throw new Error(
      'DATABASE_REPLICA_URLS: expected replicas of the database of DATABASE_URL, got unrelated servers.',
    );
  }

  get isAlone(): boolean {
    return this.all.length === 1;
  }

  get primary(): Server | undefined {
    return this.#primary;
  }

  /** Replicas that may be used now. */
  get replicas(): Server[] {
    return this.all.filter((server) => this.#isFresh(server, performance.now() - maxLagMs));
  }

  /** All servers but those that take writes: two addresses may lead to the same one, a proxy's and its own. */
  get standbys(): Server[] {
    return this.all.filter((server) => server !== this.#primary && !server.isPrimary);
  }

  connections(): DatabaseConnections {
    const sum = (of: (server: Server) => number) => this.all.reduce((all, server) => all + of(server), 0);
    const furthest = Math.min(...this.standbys.map(({ freshAsOf }) => freshAsOf));
    return {
      open: sum(({ pool }) => pool.totalCount),
      idle: sum(({ pool }) => pool.idleCount),
      waiting: sum(({ pool }) => pool.waitingCount),
      replicaLagMs: this.standbys.length === 0 ? undefined : performance.now() - furthest,
    };
  }

  /** Fails with Problem `unavailable` while no server takes writes. */
  writer(): Server {
    return this.#answering(say('problem.nothingCanBeChangedAtTheMoment'));
  }

  #answering(otherwise: Words): Server {
    if (this.#primary && !this.#primary.isLost) return this.#primary;
    throw new Problem('unavailable', otherwise, {
      cause: this.all.find(({ trouble }) => trouble !== undefined)?.trouble,
    });
  }

  /** Runs `work` with all its reads on one server that meets the preference. */
  reading<T>(preference: ReadPreference, work: () => T): T {
    return this.#readSession.run({ ...preference, since: performance.now(), choice: undefined }, work);
  }

  /** Makes the rest of the request read its own writes. */
  hasWritten(): void {
    const session = this.#readSession.getStore();
    if (session) session.choice = undefined;
    if (session) session.hasWritten = true;
  }

  /** Runs `work`, which only reads, on a server for this request, and on another one if the first fails. */
  async read<T>(work: (server: Server) => Promise<T>): Promise<T> {
    const session = this.#readSession.getStore();
    const avoided = new Set<Server>();
    for (let attempt = 1; ; attempt++) {
      const server = await this.#choose(session, avoided);
      try {
        return await work(server);
      } catch (error) {
        // A replica cancels reads that conflict with what it replays.
        const isElsewhere = isConflict(error) || (isLost(error) && !(this.isAlone && isSilence(error)));
        if (!isElsewhere || attempt >= maxReadAttempts) throw error;
        this.failed(server, error);
        avoided.add(server);
        // The response would combine data of two servers, so results cached for the first one are invalidated.
        server.epoch++;
        if (session) session.choice = undefined;
      }
    }
  }

  /** Handles a reported failure: probes whether the server or only that connection failed. */
  failed(server: Server, error: unknown): void {
    if (this.isAlone || !isLost(error)) return;
    void server.probeSince(performance.now()).then(() => this.#judge());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.all.map((server) => server.close()));
  }

  #choose(session: ReadSession | undefined, avoided: ReadonlySet<Server>): Promise<Server> | Server {
    if (this.isAlone) return this.#answering(say('problem.theDatabaseIsUnavailableAtTheMoment'));
    if (!session || session.hasWritten) return this.#primary ?? this.#furthest('', avoided);
    // Concurrent reads of one request use the same server.
    session.choice ??= this.#find(session, avoided);
    return session.choice;
  }

  async #find({ key, isLatest, since }: ReadSession, avoided: ReadonlySet<Server>): Promise<Server> {
    const recent = performance.now() - maxLagMs;
    const replica = pick(
      key,
      this.all.filter((server) => !avoided.has(server) && this.#isFresh(server, recent)),
    );
    const needed = isLatest ? since : recent;
    if (replica && this.#isFresh(replica, needed)) return replica;
    // Another process may have learned before this one which server was promoted, and have written there, while the former primary
    // hangs or goes on. So all are asked, also where this process itself has not run for a while.
    if (isLatest || (this.#primary?.seen?.askedAt ?? recent) < recent) await this.#lookSince(needed);
    if (replica && this.#isFresh(replica, needed)) return replica;
    if (isLatest && !this.#primary) await this.#awaitReplay();
    return this.#primary ?? this.#furthest(key, avoided);
  }

  /** Waits a little while no standby shows yet what one of them has on disk: the former primary may have acknowledged that. */
  async #awaitReplay(): Promise<void> {
    const seen = () => this.all.flatMap((server) => (server.isStandby && server.seen) || []);
    const needed = Math.max(...seen().map(({ received }) => received));
    const until = performance.now() + maxLagMs;
    while (!this.#primary && performance.now() < until && seen().every(({ position }) => position < needed)) {
      await sleep(replayPauseMs);
      await this.#lookSince(performance.now());
    }
  }

  /** Asks all servers until they answer or are lost. */
  async #lookSince(since: number): Promise<void> {
    const isUnknown = ({ isLost, seen }: Server) => !isLost && !(seen && seen.askedAt >= since);
    for (let attempt = 0; attempt < maxReadAttempts && this.all.some(isUnknown); attempt++)
      await Promise.all(this.all.filter(isUnknown).map((server) => server.probeSince(since)));
    this.#judge();
  }

  #isFresh(server: Server, since: number): boolean {
    return server.isStandby && server.freshAsOf >= since;
  }

  /** Used while nothing can be written. */
  #furthest(key: string, avoided: ReadonlySet<Server>): Server {
    const standbys = this.all.filter((server) => server.isStandby && !avoided.has(server));
    const furthest = Math.max(...standbys.map((server) => server.seen?.position ?? 0));
    const chosen = pick(
      key,
      standbys.filter((server) => server.seen?.position === furthest),
    );
    if (chosen) return chosen;
    throw new Problem('unavailable', say('problem.theDatabaseIsUnavailablePleaseTryAgain'));
  }

  /** Starts the timer for probes. */
  #watch(): void {
    this.#timer = setTimeout(async () => {
      if (this.#primary?.isSuspect) await this.#primary.probeSince(performance.now());
      if (!this.#isClosed) this.#watch();
    }, probeEveryMs).unref();
  }

  async #probeAll(): Promise<void> {
    const now = performance.now();
    await Promise.all(
      this.all.map(async (server) => {
        await server.probeSince(now);
        this.#judge();
      }),
    );
    if (this.#isClosed) return;
    // The timer must not keep the process alive.
    this.#timer = setTimeout(() => void this.#probeAll(), probeEveryMs).unref();
  }

  /** Updates the roles of all servers from their last probes. */
  #judge(): void {
    const cluster = this.#primary?.seen?.cluster ?? this.all.find(({ seen }) => seen)?.seen?.cluster;
    for (const server of this.all) {
      const { seen } = server;
      if (seen?.timeline !== undefined && seen.cluster === cluster) {
        this.#timeline = Math.max(this.#timeline, seen.timeline);
      }
    }
    for (const server of this.all) {
      const { seen } = server;
      if (!seen) continue;
      if (seen.cluster !== cluster) server.isAstray = true;
      else if (seen.timeline !== undefined) server.isAstray = seen.timeline < this.#timeline;
    }
    const primaries = this.all.filter((server) => server.isPrimary);
    const primary = this.#primary && primaries.includes(this.#primary) ? this.#primary : primaries[0];
    if (primary !== this.#primary) {
      this.#primary = primary;
      this.#marks = [];
      for (const server of this.all) {
        server.epoch++;
        // Compared with a former primary, which may have gone on after it was replaced.
        server.freshAsOf = Number.NEGATIVE_INFINITY;
      }
    }
    if (!primary?.seen) return;
    const { askedAt, position } = primary.seen;
    if (this.#marks.at(-1)?.at !== askedAt) this.#marks.push({ at: askedAt, position });
    const needed = performance.now() - 2 * maxLagMs;
    while (this.#marks.length > 1 && (this.#marks[0]?.at ?? 0) < needed) this.#marks.shift();
    for (const server of this.all) {
      const { seen } = server;
      if (!seen?.isStandby || seen.cluster !== cluster) continue;
      // A replica cannot have data that the primary had not written before.
      if (seen.answeredAt <= askedAt) server.isAstray = seen.position > position;
      const reached = this.#marks.findLast((mark) => mark.position <= seen.position);
      if (reached && !server.isLost) server.freshAsOf = Math.max(server.freshAsOf, reached.at);
    }
  }
}

function isSilent({ trouble }: Server): boolean {
  return isSilence(trouble);
}

interface ReadSession extends ReadPreference {
  since: number;
  choice: Promise<Server> | undefined;
  hasWritten?: boolean;
}

/** Chooses the same server for the same key, as long as the list is the same. */
function pick(key: string, servers: readonly Server[]): Server | undefined {
  let sum = 0;
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) >>> 0;
  return servers[sum % servers.length];
}
