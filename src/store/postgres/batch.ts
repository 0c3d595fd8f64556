/**
 * Statements that are sent together and answered together. The driver ends each statement by a Sync message, for which the
 * server flushes what it has: a system call on either side for every statement, though all of a batch are awaited at once. A
 * batch has one Sync. Columns of a prepared statement are described once for each connection, because the server refuses to
 * run it when they change.
 *
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import type { Duplex } from 'node:stream';
import pg from 'pg';

export interface Asked {
  text: string;
  values?: unknown[];
  /** Prepared statements are parsed and planned once for each connection. */
  name?: string;
}

export interface Answer<R = unknown> {
  rows: R[];
  rowCount: number | null;
  command: string;
}

/** A statement whose answer somebody awaits. */
export interface Awaited extends Asked {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** The parts of the driver's connection that are not in its published types. */
interface DriverConnection {
  stream: Duplex;
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name?: string; text: string }): void;
  bind(message: { statement?: string; values?: unknown[]; valueMapper(value: unknown): unknown }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

interface Field {
  name: string;
  dataTypeID: number;
  format: 'text' | 'binary';
}

interface Column {
  name: string;
  read(text: string): unknown;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** Columns of the prepared statements of each connection, by name. */
const columnsOf = new WeakMap<DriverConnection, Map<string, readonly Column[]>>();

/** Sends the statements in one write. If one fails, those after it do not run and fail likewise. */
export function sendTogether(client: pg.PoolClient, statements: readonly Awaited[], patienceMs = 0): void {
  const { stream } = connectionOf(client);
  stream.cork();
  let batch: Awaited[] = [];
  const sendBatch = () => {
    if (batch.length > 0) client.query(new Batch(batch, patienceMs));
    batch = [];
  };
  for (const statement of statements) {
    if (statement.name !== undefined || statement.values?.length) {
      batch.push(statement);
      continue;
    }
    // May be several commands in one text, which only the simple protocol takes.
    sendBatch();
    const query: pg.QueryConfig & { query_timeout: number } = {
      text: statement.text,
      query_timeout: patienceMs,
    };
    client.query(query).then(({ rows, rowCount, command }) => {
      statement.resolve({ rows, rowCount, command });
    }, statement.reject);
  }
  sendBatch();
  stream.uncork();
}

/** Sends one statement. */
export function sendAlone<R>(client: pg.PoolClient, asked: Asked, patienceMs?: number): Promise<Answer<R>> {
  return new Promise((resolve, reject) => {
    const statement = { ...asked, resolve: resolve as Awaited['resolve'], reject };
    sendTogether(client, [statement], patienceMs);
  });
}

/**
 * Connection of a client. The driver has no other way to send queued statements together, or to close a connection that waits for
 * a response.
 */
export function connectionOf(client: pg.PoolClient): DriverConnection {
  return (client as unknown as { connection: DriverConnection }).connection;
}

/** The driver sees one query, which passes on what arrives to the statement in turn. */
class Batch extends pg.Query {
  /** Name of the statement in turn, by which the driver notes what the connection has prepared. */
  declare name: string | undefined;
  declare text: string | undefined;
  /** Set by the driver to end its clock. */
  declare callback: (() => void) | undefined;
  /** Set by the driver: how values are read. */
  declare _result: { _types: pg.CustomTypesConfig };
  readonly query_timeout: number;
  readonly #statements: readonly Awaited[];
  #known: Map<string, readonly Column[]> = new Map();
  #turn = 0;
  #answers: Answer[] = [];
  #rows: unknown[] = [];
  #columns: readonly Column[] | undefined;
  #unreadable: unknown;

  constructor(statements: readonly Awaited[], patienceMs: number) {
    super({ text: '' });
    this.query_timeout = patienceMs;
    this.#statements = statements;
  }

  override submit = (client: unknown) => {
    const connection = client as DriverConnection;
    this.#known = columnsOf.get(connection) ?? new Map();
    columnsOf.set(connection, this.#known);
    const { parsedStatements, submittedNamedStatements } = connection;
    for (const { name, text, values } of this.#statements) {
      const isPrepared = name !== undefined && (parsedStatements[name] ?? submittedNamedStatements[name]);
      if (!isPrepared) {
        connection.parse({ text, ...(name === undefined ? {} : { name }) });
        if (name !== undefined) submittedNamedStatements[name] = text;
      }
      connection.bind({
        ...(name === undefined ? {} : { statement: name }),
        ...(values ? { values } : {}),
        valueMapper: prepareValue,
      });
      if (name === undefined || !this.#known.has(name)) connection.describe({ type: 'P' });
      connection.execute();
    }
    connection.sync();
    this.#take(0);
    return null;
  };

  #take(turn: number): void {
    this.#turn = turn;
    const statement = this.#statements[turn];
    this.name = statement?.name;
    this.text = statement?.text;
    this.#columns = statement?.name === undefined ? undefined : this.#known.get(statement.name);
    this.#rows = [];
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID, format }) => ({
      name,
      read: this._result._types.getTypeParser(dataTypeID, format) as Column['read'],
    }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns ?? [];
    const row: Record<string, unknown> = {};
    try {
      for (let i = 0; i < columns.length; i++) {
        const { name, read } = columns[i] as Column;
        const text = fields[i] ?? null;
        row[name] = text === null ? null : read(text);
      }
    } catch (error) {
      this.#unreadable ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...counts] = text.split(' ');
    const count = counts.at(-1);
    const rowCount = count === undefined ? null : Number(count);
    this.#answers.push({ rows: this.#rows, rowCount, command });
    if (this.name !== undefined) this.#known.set(this.name, this.#columns ?? []);
    this.#take(this.#turn + 1);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    if (this.#unreadable !== undefined) {
      this.#answers = [];
      this.handleError(this.#unreadable);
      return;
    }
    this.callback?.();
    for (const [i, statement] of this.#statements.entries()) statement.resolve(this.#answers[i] as Answer);
  }

  /** The statements before the one in turn have been carried out. */
  handleError(error: unknown, connection?: DriverConnection): void {
    this.callback?.();
    for (const [i, statement] of this.#statements.entries()) {
      const answer = this.#answers[i];
      if (answer) {
        statement.resolve(answer);
        continue;
      }
      // The server has skipped what was to be prepared.
      if (connection && statement.name !== undefined)
        delete connection.submittedNamedStatements[statement.name];
      statement.reject(error);
    }
  }
}
