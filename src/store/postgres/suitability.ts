/**
 * Checks at the start of a server whether sessions last, whether there are enough of them, and whether the database has the functions that
 * an engine may lack that only speaks PostgreSQL. All of this goes wrong only later otherwise: settings, locks and prepared statements get
 * lost between transactions, requests wait for connections that never come, or some of them fail.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { translate } from './errors.ts';
import type { Server } from './server.ts';
import type { Servers } from './servers.ts';

/** Connections of each process besides the pool: for checks of health, and for its locks. */
const besides = 2;

/** Functions without which nothing works. */
const needed = ['pg_is_in_recovery()', 'pg_get_serial_sequence(text,text)', 'ts_rank(tsvector,tsquery)'];

/** Functions by which processes learn of each other's commits and wait for each other: there is another way without them. */
const replaceable = [
  'pg_current_xact_id()',
  'pg_current_snapshot()',
  'pg_snapshot_xmin(pg_snapshot)',
  'pg_snapshot_xmax(pg_snapshot)',
  'pg_snapshot_xip(pg_snapshot)',
  'pg_advisory_xact_lock(bigint)',
  'pg_advisory_xact_lock_shared(bigint)',
  'pg_try_advisory_lock(integer,integer)',
  'hashtextextended(text,bigint)',
];

const missing = `select f as name from unnest($1::text[]) as f
  where not coalesce(has_function_privilege(to_regprocedure(f), 'execute'), false)`;

/** Replaceable functions that the database lacks or does not let this user call. */
export function missingFunctions(servers: Servers): Promise<string[]> {
  return servers.read(async (server) => {
    // Ended before the pool opens any, as the user may have few connections.
    const session = await server.openSession('coppice-check');
    try {
      return await namesOfMissing(session, replaceable);
    } finally {
      await session.end();
    }
  });
}

async function namesOfMissing(session: pg.Client, functions: readonly string[]): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(missing, [functions]);
  return rows.map(({ name }) => name);
}

const capacity = `select least(
    current_setting('max_connections')::int - case when r.rolsuper then 0 else
      current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true)::int, 0) end,
    case when r.rolconnlimit < 0 or r.rolsuper then null else r.rolconnlimit end,
    case when d.datconnlimit < 0 or r.rolsuper then null else d.datconnlimit end) as connections
  from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`;

/**
 * Closes the servers and refuses with a sentence, or with Problem `unavailable` if the database cannot be reached.
 * With `mayShrink`, the pools become smaller instead where the database has too few connections.
 */
export async function refuseUnsuitable(
  servers: Servers,
  processes: number,
  mayShrink: boolean,
): Promise<void> {
  try {
    const server = servers.writer();
    const most = await check(server, { pool: server.maxConnections, processes, mayShrink });
    for (const each of servers.all) each.maxConnections = Math.min(most, each.maxConnections);
  } catch (error) {
    await servers[Symbol.asyncDispose]();
    throw translate(error);
  }
}

/** The most connections that the pool of a process may have. */
async function check(
  server: Server,
  { pool, processes, mayShrink }: { pool: number; processes: number; mayShrink: boolean },
): Promise<number> {
  const first = await server.openSession('coppice-check');
  try {
    const second = await server.openSession('coppice-check');
    try {
      await refuseTransactionPooling(first, second);
    } finally {
      await second.end();
    }
    await refuseLacking(first);
    const { rows } = await first.query<{ connections: number }>(capacity);
    const available = rows[0]?.connections ?? Number.POSITIVE_INFINITY;
    const each = Math.floor(available / processes) - besides;
    if (each >= pool || (mayShrink && each >= 1)) return each;
    const those = processes === 1 ? 'the server needs' : `the ${processes} workers need`;
    const way =
      each < 1
        ? 'Raise max_connections of PostgreSQL, or the limit of its user or database'
        : `Set DATABASE_CONNECTIONS to ${each} or less, or raise max_connections of PostgreSQL or the limit of its user or database`;
    throw new Error(
      `DATABASE_CONNECTIONS: the database gives this user at most ${available} connections, and ${those} ${processes * (pool + besides)} (${pool} and ${besides} more for each process). ${way}.`,
    );
  } finally {
    await first.end();
  }
}

async function refuseLacking(session: pg.Client): Promise<void> {
  const names = await namesOfMissing(session, needed);
  if (names.length === 0) return;
  throw new Error(
    `DATABASE_URL: this database has no ${names.join(', ')}, or does not let this user call ${names.length === 1 ? 'it' : 'them'}. Coppice needs PostgreSQL 15 or later. If this is PostgreSQL, grant the right to execute; other databases that speak its protocol do not suffice.`,
  );
}

/**
 * A pooler in transaction mode gives each transaction another session: either the second client comes by the session of the
 * first, or the first one by a new session while the second one keeps the old.
 */
async function refuseTransactionPooling(first: pg.Client, second: pg.Client): Promise<void> {
  const mark = randomUUID();
  const markOf = async (client: pg.Client) => {
    const { rows } = await client.query(`select current_setting('coppice.session', true) as mark`);
    return rows[0]?.mark as string | null;
  };
  await first.query(`select set_config('coppice.session', $1, false)`, [mark]);
  await second.query('begin');
  const hasLeaked = (await markOf(second)) === mark;
  const isLost = (await markOf(first)) !== mark;
  await second.query('rollback');
  if (hasLeaked || isLost)
    throw new Error(
      'DATABASE_URL: this is the address of a pooler in transaction mode, such as PgBouncer with pool_mode = transaction, which does not keep sessions. Give the address of PostgreSQL itself, or set the pooler to pool_mode = session for this database. Coppice has its own pool (DATABASE_CONNECTIONS).',
    );
}
