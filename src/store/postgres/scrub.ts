/**
 * Writes every table of the wiki anew: what was updated or deleted stays in the files of a table until its room is taken again, and
 * samples of it in the statistics.
 */
import { type Kysely, sql } from 'kysely';
import { type Tables, tableNames } from '../tables.ts';

const left =
  'The write-ahead log of PostgreSQL holds what was written until its files are used again, and so do archives of it, and the blocks of the disk that files of tables lay on.';

/** `db`: whose statements may take long. */
export async function scrub(db: Kysely<Tables>): Promise<string[]> {
  return db.connection().execute(async (db) => {
    await sql`set statement_timeout = 0`.execute(db);
    try {
      for (const table of [...tableNames, 'page_texts'])
        await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
      // For administrators of the server alone; without it, its log is used again a little later.
      await sql`checkpoint`.execute(db).catch(() => {});
    } finally {
      await sql`reset statement_timeout`.execute(db);
    }
    return [left];
  });
}
