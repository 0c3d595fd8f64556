/**
 * One PostgreSQL server: its connections, and what it told when it was last probed (a health check). A server that hangs is
 * found out by probes that it does not answer; then its connections are cut, and nobody waits for it until a probe is answered.
 */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isLost, isSilence } from './errors.ts';

const maxConnections = 10;
/**
 * A new connection has learned nothing of the tables and planned no statement: by its first writes it costs some 50 ms of CPU.
 * Meanwhile probes of TCP keep what lies between from forgetting it.
 */
const idleMs = 5 * 60_000;
const keepAliveAfterMs = 60_000;
/** Also how long a request waits for a free connection. */
const connectPatienceMs = 30_000;
/** With several servers, a silent one is found out sooner. */
const shortPatienceMs = 5000;
const probePatienceMs = 1000;
/** A server without others is probed when it has kept a connection busy for so long, and may take longer to answer. */
const suspectAfterMs = 2000;
const lonePatienceMs = 3000;
/** A probe may be late because this process was busy: so many in a row say that the server is gone. */
const maxMissedProbes = 2;

/** Then the server ends a statement. */
const statementSeconds = 50;

/**
 * Run once on each connection. The planner's defaults are for spinning disks and for queries that run for seconds: they
 * prefer reading whole tables, compile what is done in a millisecond for a hundred, and take processors from other
 * requests. A process that stands still must not hold rows for ever.
 */
const sessionSettings = `set random_page_cost = 1.1; set jit = off; set max_parallel_workers_per_gather = 0;
  set statement_timeout = '${statementSeconds}s'; set idle_in_transaction_session_timeout = '60s'`;

/** Past 2^53 bytes of log they would not be exact: 9 petabytes. */
const probe = `select pg_is_in_recovery() as standby,
  (select system_identifier from pg_control_system())::text as cluster,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
    - '0/0'::pg_lsn)::double precision as position,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint end as timeline`;

/** Without others to compare it with. Databases that speak PostgreSQL need not know the rest. */
const loneProbe = `select pg_is_in_recovery() as standby, '' as cluster, 0 as position, null as timeline`;

interface Row {
  standby: boolean;
  cluster: string;
  position: number;
  timeline: number | null;
}

/** Result of the last probe. */
interface Seen {
  isStandby: boolean;
  cluster: string;
  position: number;
  /** Timeline of the log that it writes; undefined for a standby. */
  timeline: number | undefined;
  /** When the probe began, and when its answer was there. */
  askedAt: number;
  answeredAt: number;
}

export class Server {
  readonly pool: pg.Pool;
  /** Raised whenever what was learned from it may not hold any more. */
  epoch = 0;
  seen: Seen | undefined;
  isLost = false;
  /** Why the last probe failed. */
  trouble: unknown;
  /** It has replayed what the primary never wrote, or writes on a timeline that was left. */
  isAstray = false;
  freshAsOf = Number.NEGATIVE_INFINITY;
  #address: string;
  #probeClient: pg.Client | undefined;
  #missedProbes = 0;
  readonly #isAlone: boolean;
  readonly #probePatienceMs: number;
  #probing: { since: number; done: Promise<void> } | undefined;
  #connections = new Set<pg.PoolClient>();
  /** Connections in use, and since when; the longest in use comes first. */
  #atWork = new Map<pg.PoolClient, number>();
  /** Refuses those that wait for one. */
  #waiting = new Set<(error: Error) => void>();

  constructor(address: string, isAlone: boolean) {
    this.#address = address;
    this.#isAlone = isAlone;
    this.#probePatienceMs = isAlone ? lonePatienceMs : probePatienceMs;
    this.pool = new pg.Pool({
      connectionString: address,
      max: maxConnections,
      connectionTimeoutMillis: isAlone ? connectPatienceMs : shortPatienceMs,
      application_name: 'coppice',
      idleTimeoutMillis: idleMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      // Statements that do not wait for each other, as a batch within a snapshot, share a round trip.
      pipeline: true,
      types,
    });
    // A connection that breaks fails the statement that runs on it, and an idle one is replaced: neither may end the
    // process, which an error event without a listener does.
    this.pool.on('error', () => void this.epoch++);
    this.pool.on('remove', (client) => this.#connections.delete(client));
    this.pool.on('connect', (client) => {
      this.#connections.add(client);
      client.on('error', () => {});
      // Runs before anything else on this connection; if it fails, so does what comes next.
      client.query(sessionSettings).catch(() => {});
    });
    this.pool.on('acquire', (client) => this.#atWork.set(client, performance.now()));
    this.pool.on('release', (_error, client) => this.#atWork.delete(client));
  }

  get isPrimary(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === false;
  }

  get isStandby(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === true;
  }

  /** A free connection; fails at once when the server is found lost. */
  connect(): Promise<pg.PoolClient> {
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

  /** One statement on any connection. */
  async query<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const client = await this.connect();
    try {
      const result = await client.query<R>(query);
      client.release();
      return result;
    } catch (error) {
      client.release(isLost(error));
      throw error;
    }
  }

  /** It is gone, or has kept somebody waiting for long. */
  get isSuspect(): boolean {
    const [since = Number.POSITIVE_INFINITY] = this.#atWork.values();
    return this.isLost || since < performance.now() - suspectAfterMs;
  }

  /** Probes it, unless somebody has begun to since then. Never throws: a server that cannot be seen is lost. */
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
      const { standby, cluster, position, timeline } = await this.#ask();
      if (this.isLost || this.seen?.isStandby !== standby) this.epoch++;
      this.seen = {
        isStandby: standby,
        cluster,
        position,
        timeline: timeline ?? undefined,
        askedAt,
        answeredAt: performance.now(),
      };
      this.isLost = false;
      this.#missedProbes = 0;
      this.trouble = undefined;
    } catch (error) {
      this.trouble = error;
      // This process was busy: the answer may have been there in time.
      const isLate = isSilence(error) && performance.now() - askedAt > this.#probePatienceMs + 500;
      if (!isLate) this.#missedProbes++;
      if (this.#missedProbes >= maxMissedProbes || (isLost(error) && !isSilence(error))) this.lose();
    }
  }

  /** A second time by a new connection, as the one that is kept may have been closed. */
  async #ask(): Promise<Row> {
    const kept = this.#probeClient;
    try {
      this.#probeClient ??= await openProbeClient(this.#address, this.#probePatienceMs);
      return (await this.#probeClient.query<Row>(this.#isAlone ? loneProbe : probe)).rows[0] as Row;
    } catch (error) {
      const client = this.#probeClient;
      this.#probeClient = undefined;
      await client?.end().catch(() => {});
      if (!kept || isSilence(error)) throw error;
      return this.#ask();
    }
  }

  /** Leaves it out until a probe finds it again, and fails what still waits for it. */
  lose(): void {
    if (this.isLost) return;
    this.epoch++;
    this.isLost = true;
    this.freshAsOf = Number.NEGATIVE_INFINITY;
    // Connections are cut, so that a server that hangs keeps nobody waiting: to `end` them would wait for its answer.
    for (const client of this.#connections) streamOf(client).destroy();
    for (const refuse of this.#waiting) refuse(serverIsLost());
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    await this.#probing?.done;
    await this.#probeClient?.end().catch(() => {});
    await this.pool.end();
  }
}

function serverIsLost(): Error {
  return new Error('Connection terminated: the server is lost.');
}

async function openProbeClient(address: string, patienceMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: 'coppice-probe',
    types,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

// Every number that Coppice keeps or counts is exact in JavaScript.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isWide = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC;
    return isWide ? Number : pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/**
 * Socket of a client. The driver has no other way to send waiting statements together, or to close a connection that
 * waits for a response.
 */
export function streamOf(client: pg.PoolClient): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}
