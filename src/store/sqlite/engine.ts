/**
 * SQLite through `node:sqlite`: one writing connection, used by transactions in order of arrival, and a few reading ones, so
 * that a long write never blocks a read (write-ahead log). Several processes may use one file.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { StatementSync } from 'node:sqlite';
import { CompiledQuery, sql } from 'kysely';
import type { Invalidated } from '#core/ports/store.ts';
import { type Engine, type EngineOptions, observed, type ReadQueue } from '../engine.ts';
import { Checkpoints } from './checkpoints.ts';
import { CommitQueue } from './commit-queue.ts';
import { Handles, kyselyOver } from './connections.ts';
import { dialect } from './dialect.ts';
import {
  isDamage,
  isDuplicate,
  isFull,
  isOnlyReadable,
  OnlyReadable,
  translate,
  writeFailureOf,
} from './errors.ts';
import { Handle, hasContent, mayWrite, openToRead, whereNothingIsWritten } from './handle.ts';
import { FileHolder } from './holder.ts';
import { LongReads } from './long-reads.ts';
import { scrub } from './scrub.ts';
import {
  countByIndex,
  fromKeysContaining,
  fromTitlesMatching,
  keyContains,
  keyHolds,
  pagesById,
  textMatches,
  textRanking,
  titleMatches,
  wordRanking,
} from './search.ts';
import { checkIndexes, dropIndexes, forgetBulkLoad, isBulkLoading, makeNextIndex } from './search-indexes.ts';
import { pathsOfSeveral } from './unique-paths.ts';
import { Writer } from './writer.ts';

/** Page cache of the connection that serves nearly all reads. */
const memoryForMostReading = 'pragma cache_size = -8192';
const readerCount = 4;
/**
 * Number of pages from which each queue has threads of its own. Below, the longest read takes some tens of milliseconds, and
 * most take less than passing them to a thread.
 */
const usualManyPages = { words: 5000, lists: 50_000 };
const threadsEach = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Time between attempts to open for writing what could only be read. */
const retryEveryMs = 1000;
const lastId = 'select seq from sqlite_sequence where name = ?';

export function openSqlite(file: string, options: EngineOptions): Engine {
  let now = openFiles(file, options);
  const handles = new Handles(readerCount, () => new Handle(openToRead(now.toRead ?? file), options));
  const reader = kyselyOver(handles);
  const { manyPages = usualManyPages } = options;
  const holder = new FileHolder(file);
  let looked = 0;
  let retryAt = 0;
  let heard: Invalidated | undefined;

  /** While the database could only be read: opens it again, to write if that is possible now. */
  const reopen = async () => {
    retryAt = performance.now() + retryEveryMs;
    const before = now;
    const opened = openFiles(file, options, before.writer.commits.count());
    if (opened.unwritable && opened.toRead === before.toRead) return closeFiles(opened);
    now = opened;
    now.writer.commits.changeLog.listener = heard;
    handles.renew();
    await closeFiles(before);
  };
  /** SQLite assumes that nobody changes a file that was opened as immutable. Another process that can write makes a log first. */
  const lookForWriters = () => {
    if (now.isImmutable && existsSync(`${file}-wal`)) void reopen().catch(() => {});
  };

  return {
    ...dialect,
    reader,
    planner: 'store',
    hasOneWriter: true,

    async transact(work, how) {
      // A queued transaction may start in the context of another request.
      const within = options.onStatement ? AsyncLocalStorage.bind(work) : work;
      const once = () =>
        now.commitQueue.transact(async (db) => {
          now.writer.commits.changeLog.begin();
          const result = await within(db);
          now.writer.commits.changeLog.end();
          return result;
        }, how);
      try {
        if (now.unwritable && !options.isReadOnly && performance.now() >= retryAt) await reopen();
        if (now.unwritable) throw now.unwritable;
        const done = await once().catch(async (error: unknown) => {
          if (!isFull(error)) throw error;
          options.makeRoom?.();
          // Checkpointed, because copied frames need not stay in the log.
          await now.checkpoints.copy();
          return once();
        });
        if (looked !== now.writer.commits.changeLog.commits) now.checkpoints.look();
        looked = now.writer.commits.changeLog.commits;
        return done;
      } catch (error) {
        throw translate(error);
      }
    },
    snapshot: (work) => reader.transaction().execute(work),
    // The statements run without interruption, so one connection is enough, and Kysely is bypassed.
    async read(statements) {
      if (statements.length === 1) return statements.map((statement) => now.watcher.rows(statement));
      now.watcher.db.exec('begin');
      try {
        return statements.map((statement) => now.watcher.rows(statement));
      } finally {
        now.watcher.db.exec('commit');
      }
    },
    async readLong(statement, queue) {
      now.lastPage ??= now.watcher.db.prepare(lastId);
      if (Number(now.lastPage.get('pages')?.seq ?? 0) < manyPages[queue]) return now.watcher.rows(statement);
      const commit = String(now.writer.commits.count());
      return observed(options, statement, () => now.longReads[queue].rows(statement, commit));
    },
    // All transactions use the writer, so Kysely is bypassed here, too.
    run: async (_db, statements) => statements.map((statement) => now.writer.rows(statement)),
    send(_db, statement, meaning = (error) => error) {
      try {
        now.writer.rows(statement);
      } catch (error) {
        throw meaning(error);
      }
    },
    async openSnapshot() {
      const db = await reader.startTransaction().execute();
      return {
        db,
        close: async () => {
          await db.rollback().execute();
        },
      };
    },
    translate,
    isDuplicate,

    lockMigrations: async () => {},
    lockWanted: () => {},

    holder: () => holder.name,
    holdLeases: async () => holder.hold(),
    endedHolders: async (holders) => holder.ended(holders),

    async reserveIds(_db, table, count) {
      // The writer is alone, so the next ID is known.
      const [last] = now.writer.rows(CompiledQuery.raw(lastId, [table])) as { seq: number }[];
      const first = (last?.seq ?? 0) + 1;
      return Array.from({ length: count }, (_, i) => first + i);
    },

    async skipIds(db, table, last) {
      await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
        where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db);
      await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db);
    },

    async saveTexts(_db, texts) {
      for (const text of texts) now.writer.texts.set(text.pageId, text);
    },
    async renewNames(_db, pageIds) {
      for (const id of pageIds) now.writer.named.add(id);
    },
    async forgetTexts(db, pageIds) {
      for (const index of ['page_text', 'page_names'])
        await sql`delete from ${sql.table(index)}
          where rowid in (select value from json_each(${JSON.stringify(pageIds)}))`.execute(db);
    },
    async sweepIndexes(db) {
      await sql`delete from page_text where rowid not in (select id from pages)`.execute(db);
      await sql`delete from page_names where rowid not in (select id from pages)`.execute(db);
    },
    textMatches,
    textRanking,
    wordRanking,
    fromTitlesMatching,
    titleMatches,
    fromKeysContaining,
    countByIndex,
    pagesById,
    keyContains,
    keyHolds,

    async dropIndexes(db) {
      const isBulkLoading = await dropIndexes(db);
      if (isBulkLoading) {
        now.writer.fill(true);
        now.writer.isDurable = false;
      }
      return isBulkLoading;
    },
    isBulkLoading,
    async makeNextIndex(db) {
      const hasMade = await makeNextIndex(db);
      // This transaction syncs all earlier ones to disk.
      if (!hasMade) now.writer.isDurable = true;
      return hasMade;
    },
    async forgetBulkLoad(db) {
      await forgetBulkLoad(db);
      now.writer.fill(false);
    },
    checkIndexes,
    async complaints(db) {
      const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(1000)`.execute(db);
      const broken = integrity.rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
      const homeless = await sql<{ table: string; parent: string }>`select distinct "table", parent
        from pragma_foreign_key_check`.execute(db);
      return [
        ...broken.map((line) => `The database file is damaged: ${line}.`),
        ...homeless.rows.map(
          ({ table, parent }) => `The table ${table} has rows whose row in ${parent} does not exist.`,
        ),
        ...(broken.length > 0 ? [] : await pathsOfSeveral(db)).map(
          (path) => `Several pages have the path ${path}.`,
        ),
      ];
    },
    async resumeIds(db) {
      // IDs of pages in the trash are in use, too.
      await sql`insert into sqlite_sequence (name, seq) select 'pages', 0
        where not exists (select 1 from sqlite_sequence where name = 'pages')`.execute(db);
      await sql`update sqlite_sequence set seq = max(seq, coalesce((select max(id) from trashed_pages), 0))
        where name = 'pages'`.execute(db);
    },
    revision() {
      lookForWriters();
      return String(now.writer.commits.count());
    },
    isUnchanged: (revision, dependencies) =>
      now.writer.commits.isUnchangedSince(Number(revision), dependencies),
    listen(listener) {
      heard = listener;
      now.writer.commits.changeLog.listener = listener;
    },
    invalidate: (_db, dependencies) => now.writer.commits.changeLog.invalidate(dependencies),
    async ping() {
      try {
        // Asks what every read of a page asks, so that health checks fail when reads do.
        await sql`select p.path, c.content from pages p join changes c on c.id = p.change_id limit 1`.execute(
          reader,
        );
        now.writer.commits.count();
        return now.writer.isGone ? { isWritable: false, trouble: 'gone' } : { isWritable: true };
      } catch (error) {
        throw translate(error);
      }
    },
    liftTimeLimit() {},
    async tryWriting() {
      await this.transact(async (db) => {
        now.writer.commits.changeLog.invalidate([]);
        await sql`update migrations set name = name
          where name = (select name from migrations limit 1)`.execute(db);
      });
    },
    writeFailureOf,
    isDamage,
    attempt: (_db, read) => read(),
    writesWaiting: () => now.commitQueue.waiting,
    scrub: (patienceMs) => scrub(file, patienceMs),
    async sizes() {
      const bytes = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      return { databaseBytes: bytes(file), logBytes: bytes(`${file}-wal`) };
    },
    async [Symbol.asyncDispose]() {
      holder[Symbol.dispose]();
      await now.commitQueue[Symbol.asyncDispose]();
      await now.checkpoints[Symbol.asyncDispose]();
      for (const reads of Object.values(now.longReads)) await reads[Symbol.asyncDispose]();
      now.watcher.close();
      await reader.destroy();
      now.writer.close();
    },
  };
}

/** Everything that has the file open, besides the connections for reading outside of requests. */
interface OpenFiles {
  writer: Writer;
  commitQueue: CommitQueue;
  watcher: Handle;
  checkpoints: Checkpoints;
  longReads: Record<ReadQueue, LongReads>;
  /** Database to read if nothing can be written, and why nothing can. */
  toRead: string | undefined;
  unwritable: OnlyReadable | undefined;
  isImmutable: boolean;
  /** There is no such table in a new file. */
  lastPage?: StatementSync;
}

/** Opens the file to write if that is possible, otherwise to read. `commits`: see `CommitLog`. */
function openFiles(file: string, options: EngineOptions, commits = 0): OpenFiles {
  const { toRead, unwritable, writer } = openWriter(file, options, commits);
  const watcher = new Handle(openToRead(toRead ?? file), options);
  watcher.db.exec(memoryForMostReading);
  const checkpoints = new Checkpoints(file, watcher.db, { askSpace: options.askSpace });
  const linedUp = () => new LongReads(toRead ?? file, threadsEach, () => checkpoints.makeRoom());
  return {
    writer,
    commitQueue: new CommitQueue(writer, kyselyOver(new Handles(1, () => writer))),
    watcher,
    checkpoints,
    longReads: { words: linedUp(), lists: linedUp() },
    toRead,
    unwritable,
    isImmutable: toRead !== undefined && toRead !== file,
  };
}

function openWriter(file: string, options: EngineOptions, commits: number) {
  let cause: unknown;
  // Opened first, because it creates the file and its write-ahead log, which read-only connections cannot.
  if (!options.isReadOnly)
    try {
      return {
        writer: new Writer(file, options, undefined, commits),
        toRead: undefined,
        unwritable: undefined,
      };
    } catch (error) {
      if (!isOnlyReadable(error) || !hasContent(file)) throw error;
      cause = error;
    }
  const toRead = whereNothingIsWritten(file);
  const unwritable = new OnlyReadable(mayWrite(file) ? 'full' : 'read-only', cause);
  return { writer: new Writer(file, options, toRead, commits), toRead, unwritable };
}

async function closeFiles(
  { commitQueue, checkpoints, longReads, watcher, writer }: OpenFiles,
  closeOthers = async () => {},
): Promise<void> {
  await commitQueue[Symbol.asyncDispose]();
  await checkpoints[Symbol.asyncDispose]();
  for (const reads of Object.values(longReads)) await reads[Symbol.asyncDispose]();
  watcher.close();
  await closeOthers();
  writer.close();
}
