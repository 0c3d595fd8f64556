/**
 * Numbers for commits, on an engine without IDs of transactions and snapshots as text. Each writing transaction leaves a row as the last
 * thing before it commits, with the next number of a sequence. Transactions end in another order than they draw numbers: a number that is
 * missing below others is asked for until it appears, or cannot any more. Programs that do not know this protocol go unnoticed.
 */
import { sql } from 'kysely';
import { ChangeLog } from '#cache/change-log.ts';
import type { Dependency } from '#cache/dependency.ts';
import type { Database } from '../engine.ts';
import { prepare } from '../statements.ts';
import type { CommitReports } from './commits.ts';
import type { Server } from './server.ts';

/** Beyond so many at once, they are not told apart. */
const maxFinished = 1000;
const keptRows = 20_000;
/** Longer than a transaction can take between its last statement and its end: see the limits of time in `server.ts`. */
const patienceMs = 3 * 60_000;

/** Makes the tables where they are missing, when a process begins that needs them. */
export const numberedTables = `
  create sequence if not exists commit_numbers;
  create table if not exists numbered_commits (number bigint primary key, subjects bigint[])`;

export const leavingNumber = prepare<{ dependencies: Dependency[] | null }, unknown>(
  (p) =>
    sql`insert into numbered_commits (number, subjects) values (nextval('commit_numbers'), ${p('dependencies')}::bigint[])`,
);

const question = `select number, to_json(subjects) as subjects from numbered_commits where number > $1 or number = any ($2::bigint[])
  order by number limit ${maxFinished + 1}`;

const numbers = `select number, null as subjects from numbered_commits order by number desc limit ${keptRows}`;

interface Row {
  number: number;
  /** Null: everything. */
  subjects: Dependency[] | null;
}

export class NumberedCommits implements CommitReports {
  readonly changeLog = new ChangeLog();
  /** The highest number that was seen; undefined before the first question. */
  #last: number | undefined;
  /** Numbers below that were not seen yet, with the time since when they are missing. */
  #missing = new Map<number, number>();

  async ask(server: Server): Promise<string> {
    const now = performance.now();
    const rows = this.#last === undefined ? undefined : await this.#since(server, this.#last);
    if (rows) {
      for (const { number, subjects } of rows) {
        this.changeLog.learn(subjects ?? 'all');
        this.#see(number, now);
      }
    } else {
      const found = await server.query<Row>({ name: 'commit-numbers', text: numbers });
      this.changeLog.learn('all');
      const inOrder = found.rows.reverse();
      this.#last = (inOrder[0]?.number ?? 1) - 1;
      this.#missing.clear();
      for (const { number } of inOrder) this.#see(number, now);
    }
    for (const [number, since] of this.#missing) if (since < now - patienceMs) this.#missing.delete(number);
    return String(this.changeLog.commits);
  }

  /** Undefined if there are too many. */
  async #since(server: Server, last: number): Promise<Row[] | undefined> {
    const values = [last, [...this.#missing.keys()]];
    const { rows } = await server.query<Row>({ name: 'numbered-commits', text: question, values });
    return rows.length > maxFinished ? undefined : rows;
  }

  /** In ascending order. */
  #see(number: number, now: number): void {
    this.#missing.delete(number);
    for (let other = (this.#last ?? 0) + 1; other < number; other++) this.#missing.set(other, now);
    this.#last = Math.max(this.#last ?? 0, number);
  }

  isUnchangedSince(mark: string, dependencies: readonly Dependency[]): boolean {
    return this.changeLog.isUnchangedSince(Number(mark), dependencies);
  }
}

export async function sweepNumbers(db: Database): Promise<void> {
  await sql`delete from numbered_commits where number < (select max(number) from numbered_commits) - ${keptRows}`.execute(
    db,
  );
}
