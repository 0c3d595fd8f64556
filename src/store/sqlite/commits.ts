/**
 * Commits by any process: each inserts a row with what it invalidated (table `commits`), so that cached responses survive
 * unrelated writes of other processes.
 *
 * SQLite reports that others have committed, but not how often. Their invalidations are known only if their rows exist,
 * numbered without a gap; otherwise everything counts as invalidated.
 */
import { randomInt } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ChangeLog } from '#cache/change-log.ts';
import type { Dependency } from '#cache/dependency.ts';

/** If there are more, they are not told apart. */
const maxDependencies = 1000;
const maxCommits = 1000;
/** Rows of older commits are deleted from time to time. */
const keptCommits = 20_000;
const sweepEvery = 1000;

type Row = [id: number, writer: number, subjects: string | null];

export class CommitLog {
  readonly changeLog: ChangeLog;
  readonly #db: DatabaseSync;
  readonly #version: StatementSync;
  /** Distinguishes this connection's rows from others'. */
  readonly #writer = randomInt(2 ** 47);
  /** ID of the newest known row. */
  #last: number | undefined;
  #lastVersion: unknown;
  /** Whether others may have committed anything since the last commit here, whose row would have said so. */
  #isUncovered = false;
  #statements: ReturnType<typeof prepare> | undefined;

  /** `db`: the only connection in this process that writes. `commits`: count of an earlier log, which is continued. */
  constructor(db: DatabaseSync, commits = 0) {
    this.changeLog = new ChangeLog(commits);
    this.#db = db;
    // https://sqlite.org/pragma.html#pragma_data_version: changes when another connection commits.
    this.#version = db.prepare('pragma data_version');
  }

  /** Equal counts mean equal committed contents. */
  count(): number {
    this.#look();
    return this.changeLog.commits;
  }

  /** Whether no commit after that count invalidated any of the dependencies. */
  isUnchangedSince(count: number, dependencies: readonly Dependency[]): boolean {
    this.#look();
    return this.changeLog.isUnchangedSince(count, dependencies);
  }

  /** Commits the current transaction, and inserts the row if something was written. */
  commit(hasWritten: boolean): void {
    try {
      if (hasWritten) {
        // The row gets the number after those of others, because nobody else can commit before this transaction does. If a
        // commit without a row came before, this row covers it by invalidating everything.
        if (this.#look() === 'unknown' || this.#isUncovered) this.changeLog.invalidate('all');
        this.#last = this.#write();
        this.#isUncovered = false;
      }
      this.#db.exec('commit');
    } catch (error) {
      // After a failed commit the row may or may not exist.
      this.#last = undefined;
      throw error;
    } finally {
      // In the same turn as the commit, so that nobody sees one without the other.
      this.changeLog.commit();
    }
  }

  #write(): number {
    const { insert, sweep } = this.#prepared();
    const invalidated = this.changeLog.invalidated();
    const dependencies =
      invalidated === 'all' || invalidated.size > maxDependencies ? null : JSON.stringify([...invalidated]);
    const row = Number(insert.run(this.#writer, dependencies).lastInsertRowid);
    if (row % sweepEvery === 0) sweep.run(row - keptCommits);
    return row;
  }

  /** Reads what others have committed. Returns `unknown` if it may have been anything. */
  #look(): 'unknown' | undefined {
    const version = this.#version.get()?.data_version;
    if (version === this.#lastVersion) return undefined;
    this.#lastVersion = version;
    const { since, newest } = this.#prepared();
    const last = this.#last;
    const rows = last === undefined ? [] : (since.all(last, maxCommits) as unknown as Row[]);
    this.#last = (newest.get() as unknown as [number])[0];
    const isComplete = rows.at(-1)?.[0] === this.#last && rows.length === this.#last - (last ?? 0);
    const others = rows.filter(([, writer]) => writer !== this.#writer);
    if (!isComplete || others.length === 0) {
      this.changeLog.learn('all');
      if (last !== undefined) this.#isUncovered = true;
      return 'unknown';
    }
    for (const [, , dependencies] of others)
      this.changeLog.learn(dependencies === null ? 'all' : JSON.parse(dependencies));
    return undefined;
  }

  // Prepared on first use, because an empty database does not have the table yet.
  #prepared() {
    this.#statements ??= prepare(this.#db);
    return this.#statements;
  }
}

function prepare(db: DatabaseSync) {
  const since = db.prepare('select id, writer, subjects from commits where id > ? order by id limit ?');
  const newest = db.prepare('select coalesce(max(id), 0) from commits');
  for (const statement of [since, newest]) statement.setReturnArrays(true);
  return {
    since,
    newest,
    insert: db.prepare('insert into commits (writer, subjects) values (?, ?)'),
    sweep: db.prepare('delete from commits where id <= ?'),
  };
}
