/**
 * PostgreSQL 15 or later through `pg`, with `pg_trgm` as its only extension. Transactions are READ COMMITTED with explicit row
 * locks; text compares byte by byte (COLLATE "C"), as on SQLite.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { Database, Engine, EngineOptions } from '../engine.ts';
import { all, prepare } from '../statements.ts';
import { contentTables, tableNames, tables } from '../tables.ts';
import { numberCommitted } from './commit-order.ts';
import {
  CommitLog,
  type CommitReports,
  Invalidations,
  leavingRow,
  sharing,
  sweepCommits,
} from './commits.ts';
import {
  type Connection,
  connectionOf,
  kyselyOver,
  ReadConnections,
  WriteConnections,
} from './connections.ts';
import { attempt, blocks } from './damage.ts';
import { dialect } from './dialect.ts';
import { codeOf, isConflict, isDamage, isLost, isSilence, translate, writeFailureOf } from './errors.ts';
import { SessionHolder } from './holder.ts';
import { advisoryLocks, lockTable, rowLocks } from './locks.ts';
import { leavingNumber, NumberedCommits, numberedTables, sweepNumbers } from './numbered-commits.ts';
import { wordsWithoutTriggers } from './schema.ts';
import { scrub } from './scrub.ts';
import {
  checkIndexes,
  countByIndex,
  fromKeysContaining,
  fromTitlesMatching,
  keyContains,
  saveTexts,
  textHolds,
  textMatches,
  textRanking,
  titleMatches,
} from './search.ts';
import type { Server } from './server.ts';
import { Servers } from './servers.ts';
import { missingFunctions, refuseUnsuitable } from './suitability.ts';

const maxAttempts = 12;
/** Maximum number of retries after a lost connection, which is only noticed when it is used. */
const maxLosses = 3;
const duplicate = '23505';

/** `urls`: each may name several hosts. The first ones are the candidates for writing. */
export async function openPostgres(urls: readonly string[], options: EngineOptions): Promise<Engine> {
  const servers = await Servers.open(urls, options.maxConnections);
  if (options.serverProcesses !== undefined)
    await refuseUnsuitable(servers, options.serverProcesses, options.maxConnections === undefined);
  const writer = kyselyOver(new WriteConnections(servers, options));
  const db = kyselyOver(new ReadConnections(servers, options));
  const patientWriter = kyselyOver(new WriteConnections(servers, options, true));
  const patientReader = kyselyOver(new ReadConnections(servers, options, true));
  const lacked = await lackingOf(servers, options);
  const isPlain = lacked.length > 0;
  const locks = isPlain ? rowLocks : advisoryLocks;
  const logs = new Map<Server, CommitReports>(
    servers.all.map((server) => [server, isPlain ? new NumberedCommits() : new CommitLog()]),
  );
  const markOf = new Map([...logs].map(([server, log]) => [server, sharing(() => log.ask(server))]));
  const invalidations = new Invalidations(isPlain ? leavingNumber : leavingRow);
  const holder = new SessionHolder(servers);
  /** Connections used by writing transactions. */
  const connections = new WeakMap<Database, Connection>();

  const engine: Engine = {
    ...dialect,
    ...(isPlain ? { words: wordsWithoutTriggers } : {}),
    reader: db,
    planner: 'engine',
    hasOneWriter: false,

    async transact(work) {
      let losses = 0;
      for (let attempt = 1; ; attempt++) {
        try {
          const result = await writer.transaction().execute(async (db) => {
            connections.set(db, await connectionOf(db));
            const result = await work(db);
            invalidations.write(engine, db);
            return result;
          });
          servers.hasWritten();
          if (invalidations.isSweepDue()) (isPlain ? sweepNumbers : sweepCommits)(writer).catch(() => {});
          return result;
        } catch (error) {
          // A transaction whose connection broke before the commit never happened, so it can be repeated.
          const isAgain = isConflict(error) || (isLost(error) && !isSilence(error) && ++losses < maxLosses);
          if (!isAgain || attempt >= maxAttempts) throw translate(error);
        }
        await sleep(Math.random() * Math.min(10 * 2 ** attempt, 1000));
      }
    },
    liftTimeLimit(db) {
      connections.get(db)?.liftTimeLimit();
    },
    ...(servers.isAlone ? {} : { reading: (preference, work) => servers.reading(preference, work) }),
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    async read(statements) {
      if (statements.length === 1) return rowsOf(db, statements);
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((db) => rowsOf(db, statements));
    },
    readLong: (statement) => rowsOf(db, [statement]).then(([rows = []]) => rows),
    // Bypasses Kysely, which would wait for each statement.
    run: (db, statements) => rowsOf(connections.get(db) ?? db, statements),
    send(db, statement, meaning) {
      const connection = connections.get(db);
      if (!connection)
        throw new Error('Only a writing transaction can send statements without waiting for them.');
      connection.send(statement, meaning);
    },
    async openSnapshot() {
      const snapshot = await patientReader
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute();
      return {
        db: snapshot,
        close: async () => {
          await snapshot.rollback().execute();
        },
      };
    },
    translate,
    isDuplicate: (error, table, column) =>
      codeOf(error) === duplicate &&
      (error as pg.DatabaseError).table === table &&
      Boolean((error as pg.DatabaseError).detail?.startsWith(`Key (${column})=`)),

    lockMigrations: (db) => locks.take(db, 'migrations'),
    lockWanted: (db, keys, countedAnew) =>
      locks.lockWanted({ engine, db, isTransaction: true }, keys, countedAnew),

    holder: () => holder.name,
    // Without locks of sessions, leases only expire.
    holdLeases: async () => (isPlain ? undefined : holder.hold()),
    endedHolders: (holders) => holder.ended(holders),

    async reserveIds(db, table, count) {
      const ids = await all({ engine, db, isTransaction: true }, reservingIds, { table, count });
      return ids.map(({ id }) => id);
    },

    async skipIds(db, table, last) {
      // Incrementing the sequence ensures that no ID given to others is given again.
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'),
        greatest(nextval(pg_get_serial_sequence(${table}, 'id')), ${last}))`.execute(db);
    },

    numberCommitted: (table, within) => numberCommitted(engine, locks, table, within),

    saveTexts: async (db, texts) => saveTexts({ engine, db, isTransaction: true }, texts),
    // PostgreSQL chooses a suitable index by its statistics.
    pagesById: sql`pages p`,
    fromKeysContaining,
    fromTitlesMatching,
    keyContains,
    keyHolds: keyContains,
    textHolds,
    textMatches,
    textRanking,
    titleMatches,
    countByIndex,
    checkIndexes,

    // Indexes on columns are maintained automatically, and texts are deleted with their page.
    renewNames: async () => {},
    async forgetTexts(db, pageIds) {
      await sql`delete from page_texts where page_id = any (${pageIds}::bigint[])`.execute(db);
    },
    sweepIndexes: async () => {},
    dropIndexes: async () => false,
    isBulkLoading: async () => false,
    makeNextIndex: async () => false,
    forgetBulkLoad: async () => {},
    complaints: async () => [],
    async resumeIds(db) {
      // Pages in the trash use the sequence of pages.
      const numbered = contentTables.filter(
        (name) => 'id' in tables[name].columns && name !== 'trashed_pages',
      );
      for (const table of numbered) {
        const trashed = sql.raw(table === 'pages' ? '(select max(id) from trashed_pages)' : 'null');
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'),
          greatest((select max(id) from ${sql.table(table)}), ${trashed}))`.execute(db);
      }
    },
    async commentTables(db) {
      const comments = tableNames.flatMap((table) => {
        const { columns, meaning } = tables[table];
        return [
          sql`comment on table ${sql.table(table)} is ${sql.lit(meaning)}`,
          ...Object.entries(columns).map(
            ([column, { meaning }]) =>
              sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(meaning)}`,
          ),
        ];
      });
      await sql.join(comments, sql`; `).execute(db);
    },
    isUnchanged(revision, dependencies) {
      // With replicas, the response to this request may come from another server.
      const [only, ...others] = servers.all;
      const [index, epoch, mark = ''] = revision.split(' ');
      if (!only || others.length > 0 || Number(index) !== 0 || Number(epoch) !== only.epoch) return false;
      return logs.get(only)?.isUnchangedSince(mark, dependencies) ?? false;
    },
    listen(listener) {
      for (const log of logs.values()) log.changeLog.listener = listener;
    },
    invalidate: (db, dependencies) => invalidations.invalidate(db, dependencies),
    // Equal positions on two servers may differ in content, and so may those on one server that was away.
    async revision() {
      try {
        return await servers.read(async (server) => {
          const { epoch } = server;
          return `${servers.all.indexOf(server)} ${epoch} ${await markOf.get(server)?.()}`;
        });
      } catch (error) {
        throw translate(error);
      }
    },
    async ping() {
      try {
        const { primary, replicas, standbys, isAlone } = servers;
        if (isAlone && primary) {
          const [found] = await primary.aside<{ standby: boolean }>(sampleRead(isPlain));
          return { isWritable: found?.standby === false };
        }
        await sql.raw(sampleRead(isPlain)).execute(db);
        return {
          isWritable: primary !== undefined,
          replicas: { inUse: replicas.length, all: standbys.length },
        };
      } catch (error) {
        throw translate(error);
      }
    },
    async tryWriting(trouble) {
      // Tests whether there is space again by creating a table: a row might fit into existing blocks.
      const name = `room_of_${process.pid}`;
      const space = `create table ${name} as select repeat('x', 1000) from generate_series(1, 100); drop table ${name}; `;
      const row = isPlain
        ? `insert into numbered_commits (number, subjects) values (nextval('commit_numbers'), '{}')`
        : `insert into commits (xid, subjects) values (pg_current_xact_id(), '{}')`;
      await servers.writer().aside(trouble === 'full' ? space + row : row);
    },
    writeFailureOf,
    isDamage,
    attempt,
    blocks,
    // The server queues writers itself.
    writesWaiting: () => 0,
    connections: () => servers.connections(),
    scrub: (patienceMs) => scrub(patientWriter, patienceMs, !isPlain),
    async sizes() {
      const { rows } = await sql<{
        bytes: number;
      }>`select pg_database_size(current_database()) as bytes`.execute(db);
      return { databaseBytes: rows[0]?.bytes ?? 0, logBytes: undefined };
    },
    async [Symbol.asyncDispose]() {
      await holder[Symbol.asyncDispose]();
      await servers[Symbol.asyncDispose]();
    },
  };
  return engine;
}

/** Finds the functions that the database lacks, logs them, and makes the tables that replace them. */
async function lackingOf(servers: Servers, options: EngineOptions): Promise<string[]> {
  try {
    const names = await missingFunctions(servers);
    if (names.length === 0) return names;
    options.lacks?.(names);
    if (options.isReadOnly) return names;
    const make = () => servers.writer().query({ text: `${lockTable}; ${numberedTables}` });
    await make().catch(async (error: unknown) => {
      // Processes that begin at once may meet in spite of `if not exists`. Where nothing can be written, the wiki is only read.
      if (codeOf(error) === duplicate) await make();
      else if (writeFailureOf(error) === undefined) throw error;
    });
    return names;
  } catch (error) {
    await servers[Symbol.asyncDispose]();
    throw translate(error);
  }
}

/** Asks what every read of a page asks, so that health checks fail when reads do. */
const sampleRead = (isPlain: boolean) => `select pg_is_in_recovery() as standby,
  ${isPlain ? '(select max(number) from numbered_commits)' : `case when pg_is_in_recovery() then '' else pg_current_snapshot()::text end`} as mark,
  (select count(*) from (select p.path, c.content from pages p join changes c on c.id = p.change_id limit 1) as page) as pages`;

async function rowsOf(
  asked: Database | Connection,
  statements: readonly CompiledQuery[],
): Promise<unknown[][]> {
  const results = await Promise.all(statements.map((statement) => asked.executeQuery(statement)));
  return results.map(({ rows }) => rows);
}

const reservingIds = prepare<{ table: string; count: number }, { id: number }>(
  (p) => sql`select nextval(pg_get_serial_sequence(${p('table')}, 'id')) as id
    from generate_series(1, (select ${p('count')}::bigint)) order by 1`,
);
