/**
 * Which PostgreSQL server is asked. One takes the writes; streaming replicas of it take reads, each as long as it is known
 * to hold what the reader must see.
 *
 * Every server is looked at several times a second: the writable one tells up to where its log is written, a replica up
 * to where it has replayed. A replica that has replayed up to where the log was at a time T shows everything that was
 * acknowledged before T, whatever the clocks of the machines say: that is its `freshAsOf`. Whoever may have written before
 * (any caller with a token or cookie) needs a T not before the request, for which both are looked at once more; everyone
 * else, a T of at most a second ago. Where no replica qualifies, the writable server is read, and while there is none,
 * the replica that has come furthest.
 *
 * A server that fails is left out until it answers again. After a failover the writable server on the latest timeline is
 * the one to write to: a former primary that comes back as if nothing had happened is neither written to nor read.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Problem } from '#domain/problem.ts';
import type { Wanted } from '#domain/store.ts';
import { addressesOf } from './postgres-address.ts';
import { isConflict, isLost, isSilence } from './postgres-errors.ts';

const maxConnections = 10;
/** Also how long a request waits for a free connection. */
const connectPatienceMs = 30_000;
/** With several servers, a silent one is found out sooner. */
const shortPatienceMs = 5000;
const lookEveryMs = 250;
const lookPatienceMs = 1000;
/** A look may be late because this process was busy: so many in a row say that the server is gone. */
const maxMissedLooks = 2;
const maxLagMs = 1000;
const maxReadAttempts = 4;

/** Past 2^53 bytes of log they would not be exact: 9 petabytes. */
const look = `select pg_is_in_recovery() as standby,
  (select system_identifier from pg_control_system())::text as cluster,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
    - '0/0'::pg_lsn)::double precision as position,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint end as timeline`;

/**
 * The defaults are for spinning disks and for queries that run for seconds: they prefer reading whole tables, and
 * compile what is done in a millisecond for a hundred.
 */
const planning = 'set random_page_cost = 1.1; set jit = off';

interface Row {
  standby: boolean;
  cluster: string;
  position: number;
  timeline: number | null;
}

/** What the last look told. */
interface Seen {
  isStandby: boolean;
  cluster: string;
  position: number;
  /** Of the log that it writes; undefined for a standby. */
  timeline: number | undefined;
  /** When the look began, and when its answer was there. */
  askedAt: number;
  answeredAt: number;
}

export class Server {
  readonly pool: pg.Pool;
  /** Raised whenever what was learned from it may not hold any more. */
  epoch = 0;
  seen: Seen | undefined;
  isLost = false;
  /** Why the last look failed. */
  trouble: unknown;
  /** It has replayed what the primary never wrote, or writes on a timeline that was left. */
  isAstray = false;
  freshAsOf = Number.NEGATIVE_INFINITY;
  #address: string;
  #eyes: pg.Client | undefined;
  #missedLooks = 0;
  #looking: { since: number; done: Promise<void> } | undefined;
  #atWork = new Set<pg.PoolClient>();

  constructor(address: string, patienceMs: number) {
    this.#address = address;
    this.pool = new pg.Pool({
      connectionString: address,
      max: maxConnections,
      connectionTimeoutMillis: patienceMs,
      application_name: 'coppice',
      // Statements that do not wait for each other, as a batch within a snapshot, share a round trip.
      pipeline: true,
      types,
    });
    // A connection that breaks fails the statement that runs on it, and an idle one is replaced: neither may end the
    // process, which an error event without a listener does.
    this.pool.on('error', () => void this.epoch++);
    this.pool.on('connect', (client) => {
      client.on('error', () => {});
      // Runs before anything else on this connection; if it fails, so does what comes next.
      client.query(planning).catch(() => {});
    });
    this.pool.on('acquire', (client) => this.#atWork.add(client));
    this.pool.on('release', (_error, client) => this.#atWork.delete(client));
  }

  get isPrimary(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === false;
  }

  get isStandby(): boolean {
    return !this.isLost && !this.isAstray && this.seen?.isStandby === true;
  }

  /** Looks at it, unless somebody has begun to since then. Never throws: what cannot be seen is lost. */
  lookSince(since: number): Promise<void> {
    const running = this.#looking;
    if (running)
      return running.since >= since ? running.done : running.done.then(() => this.lookSince(since));
    const now = performance.now();
    const done = this.#look(now).finally(() => {
      this.#looking = undefined;
    });
    this.#looking = { since: now, done };
    return done;
  }

  async #look(askedAt: number): Promise<void> {
    try {
      const { standby, cluster, position, timeline } = await this.#peer();
      if (this.isLost || this.seen?.isStandby !== standby) this.epoch++;
      this.seen = {
        ...{ isStandby: standby, cluster, position, timeline: timeline ?? undefined },
        ...{ askedAt, answeredAt: performance.now() },
      };
      this.isLost = false;
      this.#missedLooks = 0;
      this.trouble = undefined;
    } catch (error) {
      this.trouble = error;
      this.#missedLooks++;
      if (this.#missedLooks >= maxMissedLooks || (isLost(error) && !isSilence(error))) this.lose();
    }
  }

  /** A second time by a new connection, as the one that is kept may have been closed. */
  async #peer(): Promise<Row> {
    const kept = this.#eyes;
    try {
      this.#eyes ??= await openEyes(this.#address);
      return (await this.#eyes.query<Row>(look)).rows[0] as Row;
    } catch (error) {
      const eyes = this.#eyes;
      this.#eyes = undefined;
      await eyes?.end().catch(() => {});
      if (!kept || isSilence(error)) throw error;
      return this.#peer();
    }
  }

  /** Leaves it out until a look finds it again, and fails what still waits for it. */
  lose(): void {
    if (this.isLost) return;
    this.epoch++;
    this.isLost = true;
    this.freshAsOf = Number.NEGATIVE_INFINITY;
    // A connection at work is closed at once, so a server that hangs keeps nobody waiting.
    for (const client of this.#atWork) (client as unknown as pg.Client).end().catch(() => {});
  }

  async close(): Promise<void> {
    await this.#looking?.done;
    await this.#eyes?.end().catch(() => {});
    await this.pool.end();
  }
}

export class Servers implements AsyncDisposable {
  readonly all: readonly Server[];
  #primary: Server | undefined;
  /** Up to where the primary's log was written, and when: newest last, over a little more than the lag allowed. */
  #marks: { at: number; position: number }[] = [];
  #timeline = 0;
  #reading = new AsyncLocalStorage<Reading>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(all: readonly Server[]) {
    this.all = all;
  }

  /** `urls`: each may name several hosts. Refuses servers of different clusters in a sentence. */
  static async open(urls: readonly string[]): Promise<Servers> {
    const addresses = [...new Set(urls.flatMap(addressesOf))];
    const patienceMs = addresses.length > 1 ? shortPatienceMs : connectPatienceMs;
    const servers = new Servers(addresses.map((address) => new Server(address, patienceMs)));
    if (servers.isAlone) servers.#primary = servers.all[0];
    else await servers.#lookAround();
    const clusters = new Set(servers.all.flatMap(({ seen }) => seen?.cluster ?? []));
    if (clusters.size < 2) return servers;
    await servers[Symbol.asyncDispose]();
    throw new Error(
      'DATABASE_REPLICA_URLS: expected replicas of the database of DATABASE_URL, got servers that have nothing to do with each other.',
    );
  }

  get isAlone(): boolean {
    return this.all.length === 1;
  }

  get primary(): Server | undefined {
    return this.#primary;
  }

  /** Replicas that anybody may be sent to now. */
  get replicas(): Server[] {
    return this.all.filter((server) => this.#isFresh(server, performance.now() - maxLagMs));
  }

  /** Problem `unavailable` while no server takes writes. */
  writer(): Server {
    if (this.#primary) return this.#primary;
    throw new Problem('unavailable', 'Nothing can be changed at the moment. Please try again in a moment.', {
      cause: this.all.find(({ trouble }) => trouble !== undefined)?.trouble,
    });
  }

  /** Runs `work` so that all its reads come from one server that has what is wanted. */
  reading<T>(wanted: Wanted, work: () => T): T {
    return this.#reading.run({ ...wanted, since: performance.now(), choice: undefined }, work);
  }

  /** What this request reads from now on is what it has written itself. */
  hasWritten(): void {
    const reading = this.#reading.getStore();
    if (reading) reading.choice = undefined;
    if (reading) reading.hasWritten = true;
  }

  /** Runs `work`, which only reads, on a server for this request; on another one if the first fails. */
  async read<T>(work: (server: Server) => Promise<T>): Promise<T> {
    const reading = this.#reading.getStore();
    const avoided = new Set<Server>();
    for (let attempt = 1; ; attempt++) {
      const server = await this.#choose(reading, avoided);
      try {
        return await work(server);
      } catch (error) {
        // A replica ends reads that stand in the way of what it replays.
        const isElsewhere = isConflict(error) || (isLost(error) && !(this.isAlone && isSilence(error)));
        if (!isElsewhere || attempt >= maxReadAttempts) throw error;
        this.failed(server, error);
        avoided.add(server);
        // The answer would come from two servers: whatever was kept of the first one's is not found again.
        server.epoch++;
        if (reading) reading.choice = undefined;
      }
    }
  }

  /** Somebody has seen it fail: is it the server, or was it that connection alone? */
  failed(server: Server, error: unknown): void {
    if (this.isAlone || !isLost(error)) return;
    server.lookSince(performance.now()).then(() => this.#judge());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.all.map((server) => server.close()));
  }

  #choose(reading: Reading | undefined, avoided: ReadonlySet<Server>): Promise<Server> | Server {
    if (this.isAlone) return this.writer();
    if (!reading || reading.hasWritten) return this.#primary ?? this.#furthest('', avoided);
    // Several reads of one request that begin together agree.
    reading.choice ??= this.#find(reading, avoided);
    return reading.choice;
  }

  async #find({ key, isLatest, since }: Reading, avoided: ReadonlySet<Server>): Promise<Server> {
    const recent = performance.now() - maxLagMs;
    const replica = pick(
      key,
      this.all.filter((server) => !avoided.has(server) && this.#isFresh(server, recent)),
    );
    const primary = this.#primary;
    if (replica && isLatest && primary && !this.#isFresh(replica, since)) {
      await Promise.all([primary.lookSince(since), replica.lookSince(since)]);
      this.#judge();
    }
    if (replica && this.#isFresh(replica, isLatest ? since : recent)) return replica;
    return this.#primary ?? this.#furthest(key, avoided);
  }

  #isFresh(server: Server, since: number): boolean {
    return server.isStandby && server.freshAsOf >= since;
  }

  /** For as long as nothing can be written. */
  #furthest(key: string, avoided: ReadonlySet<Server>): Server {
    const standbys = this.all.filter((server) => server.isStandby && !avoided.has(server));
    const furthest = Math.max(...standbys.map((server) => server.seen?.position ?? 0));
    const chosen = pick(
      key,
      standbys.filter((server) => server.seen?.position === furthest),
    );
    if (chosen) return chosen;
    throw new Problem('unavailable', 'The database does not answer. Please try again in a moment.');
  }

  async #lookAround(): Promise<void> {
    const now = performance.now();
    await Promise.all(
      this.all.map(async (server) => {
        await server.lookSince(now);
        this.#judge();
      }),
    );
    if (this.#isClosed) return;
    // A timer by itself keeps no process from ending.
    this.#timer = setTimeout(() => void this.#lookAround(), lookEveryMs).unref();
  }

  /** Draws the conclusions from what was seen of all servers. */
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
      for (const server of this.all) server.epoch++;
    }
    if (!primary?.seen) return;
    const { askedAt, position } = primary.seen;
    if (this.#marks.at(-1)?.at !== askedAt) this.#marks.push({ at: askedAt, position });
    const needed = performance.now() - 2 * maxLagMs;
    while (this.#marks.length > 1 && (this.#marks[0]?.at ?? 0) < needed) this.#marks.shift();
    for (const server of this.all) {
      const { seen } = server;
      if (!seen?.isStandby || seen.cluster !== cluster) continue;
      // Nothing is sent to a replica before the primary has written it.
      if (seen.answeredAt <= askedAt) server.isAstray = seen.position > position;
      const reached = this.#marks.findLast((mark) => mark.position <= seen.position);
      if (reached && !server.isLost) server.freshAsOf = Math.max(server.freshAsOf, reached.at);
    }
  }
}

interface Reading extends Wanted {
  since: number;
  choice: Promise<Server> | undefined;
  hasWritten?: boolean;
}

/** The same for the same key, as long as there are the same to choose from. */
function pick(key: string, servers: readonly Server[]): Server | undefined {
  let sum = 0;
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) >>> 0;
  return servers[sum % servers.length];
}

async function openEyes(address: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: address,
    ...{ connectionTimeoutMillis: lookPatienceMs, query_timeout: lookPatienceMs },
    ...{ application_name: 'coppice-look', types },
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
