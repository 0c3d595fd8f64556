/**
 * Commits by any process since the last call. Each writing transaction inserts a row with what it invalidated (table
 * `commits`), and a snapshot tells which of these transactions have ended since.
 *
 * Triggers insert a row for programs that do not know this protocol; it invalidates everything. A transaction without a row,
 * such as one in another database on the server or the server's own maintenance, has written nothing relevant. A process that
 * has not asked for so long that rows may be gone assumes that everything was invalidated.
 */
import { sql } from 'kysely';
import { ChangeLog } from '#cache/change-log.ts';
import type { Dependency } from '#cache/dependency.ts';
import type { Database, Engine } from '../engine.ts';
import { prepare, send } from '../statements.ts';
import type { Server } from './server.ts';

/** If there are more, they are not told apart. */
const maxFinished = 1000;
/** Rows of older transactions are deleted from time to time. */
const keptTransactions = 20_000;
const sweepEvery = 1000;

/** Marks a transaction that records itself what it invalidates. */
export const tellsItself = `set local coppice.tells = 'on'`;

/** All tables from which responses are made. */
const readTables = [
  'members',
  'pages',
  'aliases',
  'changes',
  'links',
  'tags',
  'likes',
  'files',
  'wanted',
  'page_texts',
];

export const triggersForOthers = [
  // The function runs with its owner's rights, so that a program that may write a page needs no right to write here. Its search
  // path is fixed, so that a caller's table cannot take this one's place.
  `create function tell_commit() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      execute format('insert into %I.commits (xid, subjects) values (pg_current_xact_id(), null)
        on conflict (xid) do update set subjects = null', tg_table_schema);
      return null;
    end $$`,
  `comment on function tell_commit() is 'Leaves word that a transaction wrote which does not say what: see commits.'`,
  ...readTables.map(
    (
      table,
    ) => `create trigger tell_commit after insert or update or delete or truncate on ${table} for each statement
      when (current_setting('coppice.tells', true) is distinct from 'on') execute function tell_commit()`,
  ),
];

// On a replica, snapshots do not contain running transactions, so the replay position is used instead.
const question = `select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text else pg_current_snapshot()::text end as mark,
  case when $1::text <> '' and not pg_is_in_recovery() and $1::text <> pg_current_snapshot()::text then
    (select json_agg(subjects) from (
      select subjects from commits where xid >= pg_snapshot_xmax($1::pg_snapshot)
      union all select subjects from commits where xid in (select pg_snapshot_xip($1::pg_snapshot))
      limit ${maxFinished + 1}) as since) end as commits`;

interface Answer {
  standby: boolean;
  /** A snapshot, or a position in the write-ahead log. */
  mark: string;
  /** Dependencies invalidated by each transaction that has ended since; null means everything. */
  commits: (Dependency[] | null)[] | null;
}

/** The commits that one server reports. */
export interface CommitReports {
  readonly changeLog: ChangeLog;
  /** Returns a mark. Equal marks of the same server mean equal committed contents. */
  ask(server: Server): Promise<string>;
  /** Whether no known commit since that mark invalidated any of the dependencies. */
  isUnchangedSince(mark: string, dependencies: readonly Dependency[]): boolean;
}

export class CommitLog implements CommitReports {
  readonly changeLog = new ChangeLog();
  #snapshot = '';

  async ask(server: Server): Promise<string> {
    const asked = { name: 'commits', text: question, values: [this.#snapshot] };
    const { standby, mark, commits } = (await server.query<Answer>(asked)).rows[0] as Answer;
    if (standby) return mark;
    if (mark !== this.#snapshot) this.#learn(mark, commits ?? []);
    return String(this.changeLog.commits);
  }

  isUnchangedSince(mark: string, dependencies: readonly Dependency[]): boolean {
    return /^\d+$/.test(mark) && this.changeLog.isUnchangedSince(Number(mark), dependencies);
  }

  #learn(snapshot: string, commits: readonly (readonly Dependency[] | null)[]): void {
    const mayBeGone =
      this.#snapshot === '' || areRowsGone(readSnapshot(this.#snapshot), readSnapshot(snapshot));
    this.#snapshot = snapshot;
    if (mayBeGone || commits.length > maxFinished) this.changeLog.learn('all');
    else for (const dependencies of commits) this.changeLog.learn(dependencies ?? 'all');
  }
}

/**
 * True if rows of transactions that were still running at the first snapshot may have been deleted since, or if it came from
 * another server.
 */
function areRowsGone(then: Snapshot, now: Snapshot): boolean {
  return now.next < then.next || then.oldest < now.oldest - keptTransactions;
}

interface Snapshot {
  /** The oldest transaction that had not ended. */
  oldest: number;
  /** The next transaction ID to be assigned. */
  next: number;
}

/** https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT: xmin:xmax:xip_list */
function readSnapshot(text: string): Snapshot {
  const [oldest, next] = text.split(':').map(Number);
  return { oldest: oldest as number, next: next as number };
}

/** Invalidations by the transactions of this process. */
export class Invalidations {
  #invalidated = new WeakMap<Database, Set<Dependency> | 'all'>();
  #written = 0;
  readonly #leaving: typeof leavingRow;

  /** `leaving`: the statement that leaves the row of a commit. */
  constructor(leaving: typeof leavingRow) {
    this.#leaving = leaving;
  }

  invalidate(db: Database, dependencies: readonly Dependency[] | 'all'): void {
    const invalidated = this.#invalidated.get(db);
    if (dependencies === 'all' || invalidated === 'all') this.#invalidated.set(db, 'all');
    else if (!invalidated) this.#invalidated.set(db, new Set(dependencies));
    else for (const dependency of dependencies) invalidated.add(dependency);
  }

  /** Inserts the row of a transaction that is about to commit; a missing row would mean that it may have changed anything. */
  write(engine: Engine, db: Database): void {
    const invalidated = this.#invalidated.get(db) ?? 'all';
    const dependencies = invalidated === 'all' || invalidated.size > maxFinished ? null : [...invalidated];
    send({ engine, db, isTransaction: true }, this.#leaving, { dependencies });
  }

  /** Called after a commit: whether old rows should be deleted now. */
  isSweepDue(): boolean {
    return ++this.#written % sweepEvery === 0;
  }
}

// A row with this number may be left from before the database was restored from a dump.
export const leavingRow = prepare<{ dependencies: Dependency[] | null }, unknown>(
  (p) => sql`insert into commits (xid, subjects) values (pg_current_xact_id(), ${p('dependencies')}::bigint[])
    on conflict (xid) do update set subjects = excluded.subjects`,
);

export async function sweepCommits(db: Database): Promise<void> {
  await sql`delete from commits
    where xid < (greatest(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${keptTransactions}, 3)::text)::xid8`.execute(
    db,
  );
}

/**
 * Shares one query among concurrent callers. A caller that arrives during a query gets the result of the next one, because the
 * running one may be older than what the caller has seen.
 */
export function sharing<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = () => {
    const asked = ask().finally(() => {
      if (current === asked) current = undefined;
    });
    current = asked;
    return asked;
  };
  const afterCurrent = () => {
    next = undefined;
    return start();
  };
  return () => {
    if (!current) return start();
    next ??= current.then(afterCurrent, afterCurrent);
    return next;
  };
}
