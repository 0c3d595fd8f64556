/**
 * Rewrites every table of the wiki: updated and deleted rows remain in a table's files until the space is reused, and samples
 * of them in the statistics.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Tables, tableNames } from '../tables.ts';

const left =
  'The write-ahead log of PostgreSQL holds what was written until its files are used again, and so do archives of it, and the blocks of the disk that files of tables lay on.';

const sampled =
  'The statistics of PostgreSQL may hold samples of it: let a superuser run `delete from pg_statistic; vacuum full pg_statistic; analyze`.';

const stillRead =
  'Something that has been reading the database since before the erasure keeps the rows of then in their tables: end it, and erase again.';

/** Time allowed for earlier reads to end. */
const patienceMs = 30_000;
const lookEveryMs = 50;

/** `db` must not limit the time of statements. */
export async function scrub(db: Kysely<Tables>): Promise<string[]> {
  return db.connection().execute(async (db) => {
    await sql`set statement_timeout = 0`.execute(db);
    try {
      const isUnseen = await untilUnseen(db);
      // `analyze` keeps the samples of a table that has become empty. Only superusers may delete them.
      const isCleared = await sql`delete from pg_statistic where starelid in
        (select oid from pg_class where relnamespace = current_schema()::text::regnamespace)`
        .execute(db)
        .then(
          () => true,
          () => false,
        );
      for (const table of [...tableNames, 'page_texts'])
        await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
      await sql`vacuum (full) pg_statistic`.execute(db);
      // Needs administrator rights on the server; without them the log is reused a little later.
      await sql`checkpoint`.execute(db).catch(() => {});
      return [left, ...(isCleared ? [] : [sampled]), ...(isUnseen ? [] : [stillRead])];
    } finally {
      await sql`reset statement_timeout`.execute(db);
    }
  });
}

/**
 * Waits until no snapshot is older than now, because `vacuum` keeps what somebody may still see. Returns false if that takes
 * too long. Replicas that report their reads (`hot_standby_feedback`) count as well.
 */
async function untilUnseen(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::xid::text as xid`.execute(db);
  const now = rows[0]?.xid ?? '';
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows: older } = await sql`select 1 from pg_stat_activity
      where pid <> pg_backend_pid() and (datname = current_database() or backend_type = 'walsender')
        and age(backend_xmin) > age(${now}::xid) limit 1`.execute(db);
    if (older.length === 0) return true;
    if (performance.now() > until) return false;
    await sleep(lookEveryMs);
  }
}
