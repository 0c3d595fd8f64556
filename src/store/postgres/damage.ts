/** Reads the intact part of a damaged table. */
import { type RawBuilder, sql } from 'kysely';
import type { Database, Engine } from '../engine.ts';
import { rollbackToSavepoint } from './connections.ts';
import { isDamage } from './errors.ts';

/** After a failed statement, a transaction accepts no other until it returns to a savepoint. */
export const attempt: Engine['attempt'] = async (db, read) => {
  if (!db.isTransaction) return read();
  await sql`savepoint attempt`.execute(db);
  try {
    const result = await read();
    await sql`release savepoint attempt`.execute(db);
    return result;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await sql.raw(rollbackToSavepoint).execute(db);
    await sql`release savepoint attempt`.execute(db);
    // An index finds one row without reading others, while a sequential scan fails at the first damaged block.
    for (const plan of ['seqscan', 'bitmapscan', 'sort'])
      await sql`set local ${sql.raw(`enable_${plan}`)} = off`.execute(db);
    throw error;
  }
};

export async function* blocks(
  db: Database,
  table: string,
  condition: RawBuilder<unknown>,
): AsyncGenerator<{ block: number; rows: unknown[] | undefined }> {
  const size = await sql<{ blocks: number }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint as blocks`.execute(
    db,
  );
  for (let block = 0; block < (size.rows[0]?.blocks ?? 0); block++) {
    const rows = await attempt(db, async () => {
      const found = await sql`select * from ${sql.table(table)}
        where ctid >= ${`(${block},0)`}::tid and ctid < ${`(${block + 1},0)`}::tid and ${condition}`.execute(
        db,
      );
      return found.rows;
    }).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      return undefined;
    });
    if (rows?.length !== 0) yield { block, rows };
  }
}
