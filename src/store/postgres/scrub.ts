/**
 * Rewrites every table of the wiki: updated and deleted rows remain in a table's files until the space is reused, and samples
 * of them in the statistics.
 *
 * PostgreSQL keeps a deleted row while any transaction might still see it. That includes transactions of other databases on the
 * same server, because the snapshot by which `vacuum full` itself reads is as old as the oldest transaction of the server.
 * Roles without special rights cannot see all of these transactions, so a probe shows whether rows can be removed: a table whose
 * only row has been deleted, and which is empty after `vacuum full` or is not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Scrubbed } from '#core/ports/maintenance-store.ts';
import { type Tables, tableNames } from '../tables.ts';

const log =
  'The write-ahead log of PostgreSQL contains the erased content until its files are reused, as do archives of the log, and blocks of the disk that files of tables used.';

const sampled =
  'The statistics of PostgreSQL may contain samples of it. Let a superuser run `delete from pg_statistic; vacuum full pg_statistic; analyze`.';

const elsewhere =
  'The tables still contain it, because another process of the wiki is rewriting them. The wiki rewrites them once more by itself.';

const unlocked =
  'The tables contain it until their space is used again, because this database has no advisory locks under which the wiki rewrites them. Let an administrator of the database run `vacuum full`.';

const lookEveryMs = 100;

/** Held by the connection that rewrites the tables, so that one process at a time does. */
const lock = sql`hashtext('coppice scrub ' || current_schema()::text)`;

/** `db` must not limit the time of statements. Without locks of sessions nothing is rewritten: several processes might do it at once. */
export async function scrub(db: Kysely<Tables>, patienceMs: number, hasLocks: boolean): Promise<Scrubbed> {
  if (!hasLocks) return { isWhole: true, left: [log, unlocked] };
  return db.connection().execute(async (db) => {
    const until = performance.now() + patienceMs;
    const isOwn = () => holds(db, sql`pg_try_advisory_lock(${lock})`);
    if (!(await becomesTrue(isOwn, until))) return { isWhole: false, left: [log, elsewhere] };
    await sql`set statement_timeout = 0`.execute(db);
    try {
      // Nothing of the erasure can be removed before, so rewriting the tables would achieve nothing.
      if (!(await areRemovable(db, until))) return { isWhole: false, left: [log, await kept(db)] };
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
      // The rows of the former samples were deleted only now.
      const isWhole = await areRemovable(db, Math.max(until, performance.now() + patienceMs));
      await sql`vacuum (full) pg_statistic`.execute(db);
      // Needs administrator rights on the server; without them the log is reused a little later.
      await sql`checkpoint`.execute(db).catch(() => {});
      return { isWhole, left: [log, ...(isCleared ? [] : [sampled]), ...(isWhole ? [] : [await kept(db)])] };
    } finally {
      await sql`reset statement_timeout`.execute(db);
      await sql`select pg_advisory_unlock(${lock})`.execute(db);
    }
  });
}

/** Waits until rows that were deleted before the call can be removed. Returns false if that takes too long. */
async function areRemovable(db: Kysely<Tables>, until: number): Promise<boolean> {
  const probe = sql.table('erasure_probe');
  // One of a process that was killed.
  await sql`drop table if exists ${probe}`.execute(db);
  // Rows of a user catalog table are also kept for slots of logical replication, as those of `pg_statistic` are.
  await sql`create table ${probe} (id integer) with (user_catalog_table = true)`.execute(db);
  try {
    await sql`insert into ${probe} (id) values (1)`.execute(db);
    await sql`delete from ${probe}`.execute(db);
    return await becomesTrue(async () => {
      await sql`vacuum (full) ${probe}`.execute(db);
      return holds(db, sql`pg_relation_size('erasure_probe') = 0`);
    }, until);
  } finally {
    await sql`drop table ${probe}`.execute(db);
  }
}

/** A sentence that names the oldest holder of deleted rows, as far as the role of the wiki is shown it. */
async function kept(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from (
      select 'a transaction in the database ' || datname || ' (process ' || pid || ')' as name,
        greatest(age(backend_xid), age(backend_xmin)) as age
        from pg_stat_activity where pid <> pg_backend_pid() and datname is not null
          and (backend_xid is not null or (backend_xmin is not null and datname = current_database()))
      union all select 'the prepared transaction ' || gid, age(transaction) from pg_prepared_xacts
      union all select 'the replication slot ' || slot_name, greatest(age(xmin), age(catalog_xmin))
        from pg_replication_slots where xmin is not null or catalog_xmin is not null
      union all select 'the replica ' || application_name || ' (process ' || pid || ')', age(backend_xmin)
        from pg_stat_replication where backend_xmin is not null
    ) as holders order by age desc limit 1`.execute(db);
  const holder = rows[0]?.name ?? 'a transaction that the database role of the wiki cannot see';
  return `The tables still contain it, because PostgreSQL keeps deleted rows for ${holder}, which began before the erasure. The wiki removes them by itself when that has ended.`;
}

async function becomesTrue(claim: () => Promise<boolean>, until: number): Promise<boolean> {
  for (;;) {
    if (await claim()) return true;
    if (performance.now() > until) return false;
    await sleep(lookEveryMs);
  }
}

async function holds(db: Kysely<Tables>, claim: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${claim} as holds`.execute(db);
  return rows[0]?.holds === true;
}
