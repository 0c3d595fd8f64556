/**
 * One PostgreSQL server: its connections, and the result of the last probe (health check). A server that hangs is detected by
 * unanswered probes; then its connections are closed, and nobody waits for it until a probe is answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, type Asked, connectionOf, sendAlone } from './batch.ts';
import { isCrowded, isLost, isNotYet, isSilence, NoConnection } from './errors.ts';

const usualConnections = 10;
/**
 * Idle time before a connection is closed. Long, because a new connection has no cached plans and costs about 50 ms of CPU in
 * its first writes. Meanwhile TCP keep-alive prevents middleboxes from dropping it.
 */
const idleMs = 5 * 60_000;
const keepAliveAfterMs = 60_000;
/** Also the maximum time that a request waits for a free connection. */
const connectPatienceMs = 30_000;
/** Pause before a connection is asked for again, at least, and time for which a crowded server is asked for no more of them. */
const crowdedPauseMs = 100;
const crowdedMs = 2000;
/** Shorter with several servers, so that a silent one is detected sooner. */
const shortPatienceMs = 5000;
const probePatienceMs = 1000;
/** A single server is probed when a connection has been busy for this long, and may take longer to answer. */
const suspectAfterMs = 2000;
const lonePatienceMs = 3000;
/** A probe may be late because this process was busy; this many missed probes in a row mean that the server is gone. */
const maxMissedProbes = 2;

/** Statement timeout on the server. */
const statementSeconds = 50;

/**
 * Run once on each connection. The planner's defaults suit spinning disks and queries of several seconds: they prefer
 * sequential scans, use JIT compilation for millisecond queries, and take cores from other requests. A stalled process must not
 * hold locks for ever. Locks and retries are made for the usual isolation: where all transactions are serializable by default, many
 * simultaneous edits of one page fail again and again.
 */
const sessionSettings = `set default_transaction_isolation = 'read committed'; set random_page_cost = 1.1; set jit = off; set max_parallel_workers_per_gather = 0;
  set statement_timeout = '${statementSeconds}s'; set idle_in_transaction_session_timeout = '60s'`;

/** Exact up to 2^53 bytes of log, 9 petabytes. */
const probe = `select pg_is_in_recovery() as standby,
  (select system_identifier from pg_control_system())::text as cluster,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
    - '0/0'::pg_lsn)::double precision as position,
  (greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn)::double precision as received,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint end as timeline`;

/**
 * Without other servers to compare with, nothing else is queried; databases compatible with PostgreSQL need not support the
 * rest.
 */
const loneProbe = `select pg_is_in_recovery() as standby, '' as cluster, 0 as position, null as received, null as timeline`;

interface Row {
  standby: boolean;
  cluster: string;
  position: number;
  received: number | null;
  timeline: number | null;
}

/** Result of the last probe. */
interface Seen {
  isStandby: boolean;
  cluster: string;
  position: number;
  /** Up to where a standby has the log on disk, which it may not have replayed yet. */
  received: number;
  /** Timeline of the log that it writes; undefined for a standby. */
  timeline: number | undefined;
  /** Start of the probe and arrival of its answer. */
  askedAt: number;
  answeredAt: number;
}

export class Server {
  readonly pool: pg.Pool;
  #maxConnections: number;
  /** Incremented whenever earlier knowledge about the server may be outdated. */
  epoch = 0;
  seen: Seen | undefined;
  isLost = false;
  /** Error of the last probe. */
  trouble: unknown;
  /** It has replayed what the primary never wrote, or writes on an abandoned timeline. */
  isAstray = false;
  freshAsOf = Number.NEGATIVE_INFINITY;
  #address: string;
  /** A connection besides the pool, so that checks of health wait for no request. */
  #probeClient: Promise<pg.Client> | undefined;
  #missedProbes = 0;
  readonly #isAlone: boolean;
  readonly #probePatienceMs: number;
  readonly #patienceMs: number;
  #crowded: NodeJS.Timeout | undefined;
  #isClosed = false;
  #probing: { since: number; done: Promise<void> } | undefined;
  #connections = new Set<pg.PoolClient>();
  /** Connections in use, with the start time; the longest in use comes first. */
  #atWork = new Map<pg.PoolClient, number>();
  /** Rejects callers that wait for a connection. */
  #waiting = new Set<(error: Error) => void>();

  constructor(address: string, isAlone: boolean, maxConnections = usualConnections) {
    this.#address = address;
    this.#isAlone = isAlone;
    this.#probePatienceMs = isAlone ? lonePatienceMs : probePatienceMs;
    this.#patienceMs = isAlone ? connectPatienceMs : shortPatienceMs;
    this.#maxConnections = maxConnections;
    this.pool = new pg.Pool({
      connectionString: address,
      max: maxConnections,
      connectionTimeoutMillis: this.#patienceMs,
      application_name: 'coppice',
      idleTimeoutMillis: idleMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      // Independent statements, such as a batch within a snapshot, share a round trip.
      pipeline: true,
      types,
    });
    // A broken connection fails its running statement, and idle ones are replaced; without a listener the error event would end
    // the process.
    this.pool.on('error', () => void this.epoch++);
    this.pool.on('remove', (client) => this.#connections.delete(client));
    this.pool.on('connect', (client) => {
      this.#connections.add(client);
      client.on('error', () => {});
      // Runs before any other statement on this connection; if it fails, so do the following ones.
      client.query(sessionSettings).catch(() => {});
    });
    this.pool.on('acquire', (client) => this.#atWork.set(client, performance.now()));
    this.pool.on('release', (_error, client) => this.#atWork.delete(client));
  }

  get maxConnections(): number {
    return this.#maxConnections;
  }

  set maxConnections(count: number) {
    this.#maxConnections = count;
    this.pool.options.max = count;
  }

  get isPrimary(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === false;
  }

  get isStandby(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === true;
  }

  /**
   * Returns a free connection. While the server takes no more of them, waits for one that this process has, or for the server.
   * Fails at once when the server is found to be lost.
   */
  async connect(): Promise<pg.PoolClient> {
    const startedAt = performance.now();
    for (;;) {
      try {
        return await this.#connectOnce();
      } catch (error) {
        const isFull = isCrowded(error);
        const mayWait = isFull || (this.#isAlone && isNotYet(error));
        if (!mayWait) throw error;
        if (performance.now() - startedAt > this.#patienceMs) throw isFull ? new NoConnection(error) : error;
        this.#useThoseThatAreThere();
      }
      await sleep(crowdedPauseMs * (1 + Math.random()));
    }
  }

  /** Makes requests wait for existing connections instead of asking for new ones, for a while. */
  #useThoseThatAreThere(): void {
    this.pool.options.max = Math.max(1, this.pool.totalCount);
    clearTimeout(this.#crowded);
    this.#crowded = setTimeout(() => {
      this.pool.options.max = this.#maxConnections;
    }, crowdedMs).unref();
  }

  #connectOnce(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      if (this.isLost) return reject(serverIsLost());
      this.#waiting.add(reject);
      this.pool.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** Runs one statement on any connection. */
  async query<R>(asked: Asked, patienceMs?: number): Promise<Answer<R>> {
    const client = await this.connect();
    try {
      const result = await sendAlone<R>(client, asked, patienceMs);
      client.release();
      return result;
    } catch (error) {
      client.release(isLost(error));
      throw error;
    }
  }

  /** Whether the server is lost, or a query has waited for it for long. */
  get isSuspect(): boolean {
    const [since = Number.POSITIVE_INFINITY] = this.#atWork.values();
    return this.isLost || since < performance.now() - suspectAfterMs;
  }

  /** Probes the server, unless a probe has started since then. Never throws: an unreachable server is marked as lost. */
  probeSince(since: number): Promise<void> {
    const running = this.#probing;
    if (running)
      return running.since >= since ? running.done : running.done.then(() => this.probeSince(since));
    const now = performance.now();
    const done = this.#probe(now).finally(() => {
      this.#probing = undefined;
    });
    this.#probing = { since: now, done };
    return done;
  }

  async #probe(askedAt: number): Promise<void> {
    try {
      const [row] = await this.aside<Row>(this.#isAlone ? loneProbe : probe);
      const { standby, cluster, position, received, timeline } = row as Row;
      if (this.isLost || this.seen?.isStandby !== standby) this.epoch++;
      this.seen = {
        isStandby: standby,
        cluster,
        position,
        received: received ?? position,
        timeline: timeline ?? undefined,
        askedAt,
        answeredAt: performance.now(),
      };
      this.isLost = false;
      this.#missedProbes = 0;
      this.trouble = undefined;
    } catch (error) {
      this.trouble = error;
      // If this process was busy, the answer may have arrived in time.
      const isLate = isSilence(error) && performance.now() - askedAt > this.#probePatienceMs + 500;
      if (!isLate) this.#missedProbes++;
      if (this.#missedProbes >= maxMissedProbes || (isLost(error) && !isSilence(error))) this.lose();
    }
  }

  /**
   * Runs statements on the connection for checks, as one transaction. Repeats them with a new connection, because the existing
   * one may have been closed.
   */
  async aside<R extends pg.QueryResultRow>(statements: string): Promise<R[]> {
    // A check that was still waiting would leave a connection open.
    if (this.#isClosed) throw serverIsLost();
    const kept = this.#probeClient;
    const opened = kept ?? openClient(this.#address, 'coppice-probe', this.#probePatienceMs);
    this.#probeClient = opened;
    try {
      return (await (await opened).query<R>(statements)).rows;
    } catch (error) {
      // The database refused the statements, and the connection is as good as before.
      if (error instanceof pg.DatabaseError && !isLost(error) && (await isOpen(opened))) throw error;
      if (this.#probeClient === opened) this.#probeClient = undefined;
      await opened.then((client) => client.end()).catch(() => {});
      // Better late by a connection of the pool than not at all.
      if (isCrowded(error)) return (await this.query<R>({ text: statements })).rows;
      if (!kept || isSilence(error)) throw error;
      return this.aside(statements);
    }
  }

  /** Opens a session besides the pool. The caller ends it. */
  openSession(name: string): Promise<pg.Client> {
    return openClient(this.#address, name, shortPatienceMs);
  }

  /** Marks the server as lost until a probe finds it again, and fails everything that waits for it. */
  lose(): void {
    if (this.isLost) return;
    this.epoch++;
    this.isLost = true;
    this.freshAsOf = Number.NEGATIVE_INFINITY;
    // Destroyed, because `end` would wait for an answer from a server that hangs.
    for (const client of this.#connections) connectionOf(client).stream.destroy();
    for (const refuse of this.#waiting) refuse(serverIsLost());
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#crowded);
    await this.#probing?.done;
    await this.#probeClient?.then((client) => client.end()).catch(() => {});
    await this.pool.end();
  }
}

function serverIsLost(): Error {
  return new Error('Connection terminated: the server is lost.');
}

function isOpen(opened: Promise<pg.Client>): Promise<boolean> {
  return opened.then(
    () => true,
    () => false,
  );
}

async function openClient(address: string, name: string, patienceMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

// All numbers that Coppice stores or counts are exact in JavaScript.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isWide = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC;
    return isWide ? Number : pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;
