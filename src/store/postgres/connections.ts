/**
 * Connections to PostgreSQL: transactions use the writable server, reads use the server chosen for the request. Statements
 * without an answer in time fail, so that nobody waits for ever.
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
import { type EngineOptions, observed, storable } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { type Answer, type Asked, type Awaited, sendAlone, sendTogether } from './batch.ts';
import { tellsItself } from './commits.ts';
import { CommitUnknown, isLost, isReadOnly } from './errors.ts';
import type { Server } from './server.ts';
import type { Servers } from './servers.ts';

/**
 * Longer than the server's own statement timeout: if nothing arrives by then, for example because of a broken network, the
 * connection is closed.
 */
const answerPatienceMs = 60_000;
/**
 * Writing transactions look up rows by key, where parameters do not change the best plan. By default each connection would plan
 * a prepared statement five times before it keeps a plan.
 */
const plansOnce = 'set local plan_cache_mode = force_generic_plan';
/** For statements that may take long, such as creating an index. */
const withoutTimeLimit = 'set local statement_timeout = 0';
const withoutLimits = [withoutTimeLimit, 'set local idle_in_transaction_session_timeout = 0'];

/** Returns to the savepoint after a failed statement: see `attempt`. */
export const rollbackToSavepoint = 'rollback to savepoint attempt';

/** Base of both drivers. */
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

/** Connections for transactions, to the writable server. */
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

  /** The begin statement is sent together with the first statement. */
  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings, [tellsItself, plansOnce]).catch(() => {});
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const wasBroken = connection.brokenBy !== undefined;
    try {
      await connection.commit();
    } catch (error) {
      // Statements are sent together with the commit, so a standby or a read-only database refuses them here.
      throw isLost(error) && !isReadOnly(error) && !wasBroken ? new CommitUnknown(error) : error;
    }
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.rollback();
  }
}

/** Connections for reading outside transactions: each statement or snapshot uses the server chosen for the request. */
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
  /** The connection of the current snapshot. */
  held: Connection | undefined;
  #servers: Servers;
  #options: EngineOptions;

  constructor(servers: Servers, options: EngineOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  async executeQuery<R>(query: CompiledQuery & { isPrepared?: true }): Promise<QueryResult<R>> {
    if (this.held) return this.held.executeQuery(query);
    return observed(this.#options, query, () =>
      this.#servers.read(async (server) => resultOf(await server.query(asked(query), answerPatienceMs))),
    );
  }

  streamQuery = neverStreamed;
}

/**
 * Connection of one transaction. All statements of one tick of the event loop are sent in one write, so independent statements
 * share a round trip. After a failure all following statements fail with the same error, because the server would only report
 * that there was one.
 */
export class Connection implements DatabaseConnection {
  readonly server: Server;
  readonly client: pg.PoolClient;
  /** Reason why the connection cannot be reused. */
  brokenBy: unknown;
  #options: EngineOptions;
  #patienceMs: number;
  #mayTakeLong: boolean;
  /** Result of the latest statement, or the error of the first failed one. */
  #last: Promise<unknown> = Promise.resolve();
  /** Statements of this tick. */
  #gathered: Awaited[] = [];
  #isOver = false;

  constructor(server: Server, client: pg.PoolClient, options: EngineOptions, mayTakeLong: boolean) {
    this.server = server;
    this.client = client;
    this.#options = options;
    this.#mayTakeLong = mayTakeLong;
    // Zero disables the timeout.
    this.#patienceMs = mayTakeLong ? 0 : answerPatienceMs;
  }

  begin(
    { isolationLevel, accessMode }: TransactionSettings,
    settings: readonly string[] = [],
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    const begun = this.#command(`begin${level} ${accessMode ?? ''}`.trim());
    for (const setting of [...settings, ...(this.#mayTakeLong ? withoutLimits : [])])
      this.#command(setting).catch(() => {});
    return begun;
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

  /** Never fails: if the rollback fails, closing the connection rolls back; the original error matters more. */
  async rollback(): Promise<void> {
    this.#isOver = true;
    this.#flush();
    try {
      await sendAlone(this.client, { text: 'rollback', name: nameOf('rollback') }, this.#patienceMs);
    } catch (error) {
      this.brokenBy ??= error;
    }
  }

  async executeQuery<R>(query: CompiledQuery & { isPrepared?: true }): Promise<QueryResult<R>> {
    return resultOf(await observed(this.#options, query, () => this.#ask(asked(query))));
  }

  /** See `Engine`. */
  send(query: CompiledQuery & { isPrepared?: true }, meaning?: (error: unknown) => unknown): void {
    observed(this.#options, query, () => this.#ask(asked(query), meaning)).catch(() => {});
  }

  async #command(text: string): Promise<void> {
    await this.#ask({ text, name: nameOf(text) });
  }

  async #ask(query: Asked, meaning = (error: unknown) => error): Promise<Answer> {
    if (this.#isOver) throw new Error('The transaction is over, so this statement would run outside of it.');
    // A return to the savepoint waits for the failed statement but ignores its error.
    const before = query.text === rollbackToSavepoint ? this.#last.catch(() => {}) : this.#last;
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#gather({ ...query, resolve, reject: (error) => reject(meaning(error)) });
    });
    answer.catch(() => {});
    const answered = before.then(() => answer);
    this.#last = answered;
    answered.catch((error) => {
      // Includes a standby that was the primary before: the next connection may lead to another server.
      if (isLost(error)) this.brokenBy ??= error;
    });
    return answered;
  }

  /** Waits until all callers that need not wait for results have sent their statements. */
  #gather(statement: Awaited): void {
    if (this.#gathered.push(statement) === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const statements = this.#gathered;
    this.#gathered = [];
    sendTogether(this.client, statements, this.#patienceMs);
    this.#options.onTrip?.();
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

/** Connection of a writing transaction. */
export function connectionOf(db: Kysely<Tables>): Promise<Connection> {
  return db.getExecutor().provideConnection(async (connection) => connection as Connection);
}

function asked({ sql, parameters, isPrepared }: CompiledQuery & { isPrepared?: true }): Asked {
  return { text: sql, values: parameters.map(storable), ...(isPrepared ? { name: nameOf(sql) } : {}) };
}

function resultOf<R>({ rows, rowCount, command }: Answer): QueryResult<R> {
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
