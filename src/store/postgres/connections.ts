/**
 * How statements reach PostgreSQL: connections for transactions to the server that takes writes, connections for reading
 * to whichever the request is to be read from. What is not answered within its time fails, so that nobody waits for ever.
 */
import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { type EngineOptions, storable } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { tellsItself } from './commits.ts';
import { CommitUnknown, isLost } from './errors.ts';
import { type Server, streamOf } from './server.ts';
import type { Servers } from './servers.ts';

/**
 * Past the limit of the server for a statement: if nothing is heard from the server by then, as from one that a broken
 * network does not reach, the connection is given up.
 */
const answerPatienceMs = 60_000;
/**
 * Writing transactions look rows up by keys, for which no parameter makes another plan better. By default each connection
 * would plan a prepared statement five times before it keeps a plan.
 */
const plansOnce = 'set local plan_cache_mode = force_generic_plan';
/** For what may take long, as making an index. */
const withoutTimeLimit = 'set local statement_timeout = 0';
const withoutLimits = `${withoutTimeLimit}; set local idle_in_transaction_session_timeout = 0`;

/** Goes on with a transaction in which a statement has failed: see `attempt`. */
export const returning = 'rollback to savepoint attempt';

/** Connections shared by both drivers. */
class Connections {
  protected readonly servers: Servers;
  protected readonly options: EngineOptions;
  protected readonly mayTakeLong: boolean;

  constructor(servers: Servers, options: EngineOptions, mayTakeLong = false) {
    this.servers = servers;
    this.options = options;
    this.mayTakeLong = mayTakeLong;
  }

  async init(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** Connections for transactions, to the server that takes writes. */
export class WriteConnections extends Connections implements Driver {
  async acquireConnection(): Promise<Connection> {
    const server = this.servers.writer();
    try {
      return new Connection(server, await server.connect(), this.options, this.mayTakeLong);
    } catch (error) {
      this.servers.failed(server, error);
      throw error;
    }
  }

  async releaseConnection({ server, client, brokenBy }: Connection): Promise<void> {
    client.release(brokenBy !== undefined);
    if (brokenBy !== undefined) this.servers.failed(server, brokenBy);
  }

  /** Sent with the first statement. */
  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings, `${tellsItself}; ${plansOnce}`).catch(() => {});
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const wasBroken = connection.brokenBy !== undefined;
    try {
      await connection.commit();
    } catch (error) {
      throw isLost(error) && !wasBroken ? new CommitUnknown(error) : error;
    }
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.rollback();
  }
}

/** For reading outside transactions: each statement, or each snapshot, goes where the request is to be read. */
export class ReadConnections extends Connections implements Driver {
  async acquireConnection(): Promise<ReadConnection> {
    return new ReadConnection(this.servers, this.options);
  }

  async releaseConnection(connection: ReadConnection): Promise<void> {
    connection.held?.client.release(connection.held.brokenBy !== undefined);
    connection.held = undefined;
  }

  async beginTransaction(connection: ReadConnection, settings: TransactionSettings): Promise<void> {
    connection.held = await this.servers.read(async (server) => {
      const held = new Connection(server, await server.connect(), this.options, this.mayTakeLong);
      try {
        await held.begin(settings);
        return held;
      } catch (error) {
        held.client.release(true);
        throw error;
      }
    });
  }

  async commitTransaction(connection: ReadConnection): Promise<void> {
    await connection.held?.commit();
  }

  async rollbackTransaction({ held }: ReadConnection): Promise<void> {
    await held?.rollback();
  }
}

class ReadConnection implements DatabaseConnection {
  /** During a snapshot. */
  held: Connection | undefined;
  #servers: Servers;
  #options: EngineOptions;

  constructor(servers: Servers, options: EngineOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery & { isPrepared?: true }): Promise<QueryResult<R>> {
    if (this.held) return this.held.executeQuery(query);
    this.#options.onQuery?.(query);
    return this.#servers.read(async (server) => resultOf(await server.query(asked(query, answerPatienceMs))));
  }

  streamQuery = neverStreamed;
}

/**
 * Connection of one transaction. All statements of one tick of the event loop reach the server in one write, so
 * statements that do not wait for each other share a round trip. After one has failed, all that follow fail with the same
 * error: the server would only say that there was one.
 */
export class Connection implements DatabaseConnection {
  readonly server: Server;
  readonly client: pg.PoolClient;
  /** Why it cannot be used again. */
  brokenBy: unknown;
  #options: EngineOptions;
  #patienceMs: number;
  #mayTakeLong: boolean;
  /** The answer to what was asked last, or the error of what failed first. */
  #last: Promise<unknown> = Promise.resolve();
  #isGathering = false;
  #isOver = false;

  constructor(server: Server, client: pg.PoolClient, options: EngineOptions, mayTakeLong: boolean) {
    this.server = server;
    this.client = client;
    this.#options = options;
    this.#mayTakeLong = mayTakeLong;
    // Nought: as long as it takes.
    this.#patienceMs = mayTakeLong ? 0 : answerPatienceMs;
  }

  begin({ isolationLevel, accessMode }: TransactionSettings, first = ''): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    const limits = this.#mayTakeLong ? withoutLimits : '';
    return this.#command(`begin${level} ${accessMode ?? ''}; ${[first, limits].filter(Boolean).join('; ')}`);
  }

  liftTimeLimit(): void {
    this.#patienceMs = 0;
    this.#command(withoutTimeLimit).catch(() => {});
  }

  async commit(): Promise<void> {
    const committed = this.#command('commit');
    this.#isOver = true;
    await committed;
  }

  /** Never fails: what cannot be rolled back any more is by closing the connection; why the transaction failed counts more. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    try {
      await this.client.query(limited({ text: 'rollback' }, this.#patienceMs));
    } catch (error) {
      this.brokenBy ??= error;
    }
  }

  async executeQuery<R>(query: CompiledQuery & { isPrepared?: true }): Promise<QueryResult<R>> {
    this.#options.onQuery?.(query);
    return resultOf(await this.#ask(asked(query, this.#patienceMs)));
  }

  /** See `Engine`. */
  send(query: CompiledQuery & { isPrepared?: true }, meaning?: (error: unknown) => unknown): void {
    this.#options.onQuery?.(query);
    this.#ask(asked(query, this.#patienceMs), meaning).catch(() => {});
  }

  async #command(text: string): Promise<void> {
    await this.#ask(limited({ text }, this.#patienceMs));
  }

  async #ask(query: pg.QueryConfig, meaning = (error: unknown) => error): Promise<pg.QueryResult> {
    if (this.#isOver) throw new Error('The transaction is over: what this would do, it would do outside.');
    this.#gather();
    // To before whatever failed, which is forgotten then.
    const before = query.text === returning ? this.#last.catch(() => {}) : this.#last;
    const answer = this.client.query(query).catch((error) => {
      throw meaning(error);
    });
    answer.catch(() => {});
    const answered = before.then(() => answer);
    this.#last = answered;
    answered.catch((error) => {
      // Such as one to a standby that took writes before: the next connection may lead elsewhere.
      if (isLost(error)) this.brokenBy ??= error;
    });
    return answered;
  }

  /** Until all have had their say who did not have to wait for anything. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const stream = streamOf(this.client);
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
      this.#options.onTrip?.();
    });
  }

  streamQuery = neverStreamed;
}

export function kyselyOver(driver: Driver): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** That of a transaction for writing. */
export function connectionOf(db: Kysely<Tables>): Promise<Connection> {
  return db.getExecutor().provideConnection(async (connection) => connection as Connection);
}

function asked(
  { sql, parameters, isPrepared }: CompiledQuery & { isPrepared?: true },
  patienceMs: number,
): pg.QueryConfig {
  // A named statement is parsed and planned once for each connection.
  const query = { text: sql, values: parameters.map(storable), ...(isPrepared ? { name: nameOf(sql) } : {}) };
  return limited(query, patienceMs);
}

function limited(query: pg.QueryConfig, patienceMs: number): pg.QueryConfig {
  return { ...query, query_timeout: patienceMs } as pg.QueryConfig;
}

function resultOf<R>({ rows, rowCount, command }: pg.QueryResult): QueryResult<R> {
  const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
  return { rows: rows as R[], ...(isWrite ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
}

function neverStreamed(): never {
  throw new Error('Rows are not streamed: read them in slices.');
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return name;
}
