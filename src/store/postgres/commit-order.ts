/**
 * Commit order of events and audit entries. Concurrent transactions commit in another order than they write, so a position
 * assigned while writing could appear behind a reader that has already passed it. Therefore positions are assigned to committed
 * rows afterwards, by one transaction at a time: whoever sees a position sees all before it.
 *
 * The row gets a new ID with its position, so that IDs have the same order. Nothing refers to a row before it has a position.
 *
 * Events of one page are written while its row is locked, so their IDs follow the order of its changes.
 */
import { sql } from 'kysely';
import type { Database, Engine, Numbered } from '../engine.ts';
import type { Locks } from './locks.ts';

const numberedAtOnce = 10_000;

/** `within`: the transaction of the caller, which has the only connection that it may use. */
export async function numberCommitted(
  engine: Engine,
  locks: Locks,
  name: Numbered,
  within?: Database,
): Promise<void> {
  const table = sql.table(name);
  const waiting = await sql`select 1 from ${table} where position is null limit 1`.execute(
    within ?? engine.reader,
  );
  if (waiting.rows.length === 0) return;
  const number = async (db: Database) => {
    // A separate statement, so that the next one sees what the previous holder of the lock has committed.
    await locks.take(db, name);
    await sql`update ${table} set position = t.position, id = t.new_id
      from (select w.id, (select coalesce(max(n.position), 0) from ${table} n) + row_number() over (order by w.id) as position,
          nextval(pg_get_serial_sequence(${name}, 'id')) as new_id
        from (select id from ${table} where position is null order by id limit ${numberedAtOnce}) as w) as t
      where ${table}.id = t.id`.execute(db);
  };
  if (within) return number(within);
  const numbering = (engine.transactPaused ?? engine.transact)((db) => {
    engine.invalidate(db, []);
    return number(db);
  });
  await numbering.catch((error: unknown) => {
    // Reading goes on where nothing can be written. The latest rows appear once they can be numbered.
    const trouble = engine.writeFailureOf(error);
    if (trouble !== 'full' && trouble !== 'read-only') throw error;
  });
}
