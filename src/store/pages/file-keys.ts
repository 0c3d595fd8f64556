/** Fills the column for the alphabetical order of files in rows that were written without it. */
import { sql } from 'kysely';
import { sortKey } from '#core/model/fold.ts';
import type { Database, Engine } from '../engine.ts';

const sliceSize = 1000;

export async function fillFileKeys(engine: Engine, db: Database): Promise<void> {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ name: string; filename: string }>`select name, filename from files
      where name > ${after} and sort_key = '' order by name limit ${sql.lit(sliceSize)}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const t = engine.rows(
      { name: 'text', sort_key: 'text' },
      rows.map(({ name, filename }) => [name, sortKey(filename)]),
    );
    await sql`update files set sort_key = t.sort_key from ${t} as t where files.name = t.name`.execute(db);
    after = last.name;
  }
}
