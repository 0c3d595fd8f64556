/**
 * What has been committed since this process last asked, by whatever process: each transaction that writes leaves a row
 * that says what it concerned (table `commits`), and a snapshot of PostgreSQL says which transactions have ended.
 *
 * Two snapshots tell exactly which transactions ended between them. Each of these that has no row, as one of another
 * database, one that was rolled back, or one by a program that keeps no such rows, counts as having concerned everything:
 * what is forgotten costs time and never truth. A process that has not asked for long finds the rows gone, and so does, too.
 */
import { sql } from 'kysely';
import type { Subject } from '#domain/subjects.ts';
import type { Database } from './engine.ts';
import type { Server } from './postgres-server.ts';
import { Touched } from './touched.ts';

/** Beyond so many it is not worth telling them apart. */
const maxFinished = 1000;
/** Rows of older transactions are removed, now and then. */
const keptTransactions = 20_000;
const sweepEvery = 1000;

// On a replica snapshots leave out transactions that are under way, so there it is how far it has come.
const question = `select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text else pg_current_snapshot()::text end as mark,
  case when $1::text <> '' and not pg_is_in_recovery() and $1::text <> pg_current_snapshot()::text then
    (select json_agg(json_build_array(xid::text, subjects)) from (select xid, subjects from commits
      where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
      limit ${maxFinished + 1}) as since) end as commits`;

interface Answer {
  standby: boolean;
  /** A snapshot, or a position in the log. */
  mark: string;
  commits: [xid: string, subjects: Subject[] | null][] | null;
}

/** As one server tells it. */
export class CommitLog {
  #touched = new Touched();
  #snapshot = '';

  /** Equal marks, equal committed contents, as long as it is the same server. One question at a time. */
  async ask(server: Server): Promise<string> {
    const asked = { name: 'commits', text: question, values: [this.#snapshot] };
    const { standby, mark, commits } = (await server.query<Answer>(asked)).rows[0] as Answer;
    if (standby) return mark;
    if (mark !== this.#snapshot) this.#learn(mark, new Map(commits));
    return String(this.#touched.commits);
  }

  /** Whether no commit since that mark concerned any of the subjects, as far as was asked. */
  isUnchangedSince(mark: string, subjects: readonly Subject[]): boolean {
    return /^\d+$/.test(mark) && this.#touched.isUnchangedSince(Number(mark), subjects);
  }

  #learn(snapshot: string, commits: ReadonlyMap<string, Subject[] | null>): void {
    const finished = finishedBetween(this.#snapshot, snapshot);
    this.#snapshot = snapshot;
    // Others have merely begun.
    if (finished?.length === 0) return;
    for (const xid of finished ?? ['']) this.#touched.tell(commits.get(xid) ?? 'all');
    this.#touched.commit();
  }
}

/** Undefined if that cannot be told, or if they are many. */
function finishedBetween(before: string, after: string): string[] | undefined {
  if (before === '') return undefined;
  const [was, is] = [readSnapshot(before), readSnapshot(after)];
  // Another server has taken its place.
  if (is.next < was.next) return undefined;
  const candidates = [...was.running];
  if (is.next - was.next > maxFinished) return undefined;
  for (let xid = was.next; xid < is.next; xid++) candidates.push(xid);
  return candidates.filter((xid) => !is.running.has(xid)).map(String);
}

/** https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT: xmin:xmax:xip_list */
function readSnapshot(text: string): { next: number; running: Set<number> } {
  const [, next, running = ''] = text.split(':');
  return { next: Number(next), running: new Set(running.split(',').filter(Boolean).map(Number)) };
}

/** What the transactions of this process concern. */
export class Telling {
  #told = new WeakMap<Database, Set<Subject> | 'all'>();
  #written = 0;

  tell(db: Database, subjects: readonly Subject[] | 'all'): void {
    const told = this.#told.get(db);
    if (subjects === 'all' || told === 'all') this.#told.set(db, 'all');
    else if (!told) this.#told.set(db, new Set(subjects));
    else for (const subject of subjects) told.add(subject);
  }

  /** Leaves the row of a transaction; nothing told: it may have concerned anything. */
  async write(db: Database): Promise<void> {
    const told = this.#told.get(db) ?? 'all';
    const subjects = told === 'all' || told.size > maxFinished ? null : [...told];
    // A row with that number is left over from before the database was restored from a dump.
    await sql`insert into commits (xid, subjects) values (pg_current_xact_id(), ${subjects}::bigint[])
      on conflict (xid) do update set subjects = excluded.subjects`.execute(db);
  }

  /** After a commit: whether the rows of long ago are due to be removed. */
  isSweepDue(): boolean {
    return ++this.#written % sweepEvery === 0;
  }
}

export async function sweepCommits(db: Database): Promise<void> {
  await sql`delete from commits
    where xid < (greatest(pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${keptTransactions}, 3)::text)::xid8`.execute(
    db,
  );
}
