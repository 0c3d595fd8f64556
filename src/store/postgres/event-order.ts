/**
 * The order of events. Concurrent transactions commit in another order than they write, so a place that is given while
 * writing could appear behind a reader who has passed it. Here committed events get their places afterwards, by one
 * transaction at a time: whoever sees a place sees all before it, and what commits later comes later.
 *
 * Events of one page are written while its row is held, so the order of their IDs is that of its changes.
 */
import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

/** Any number, the same in every process. */
const orderLock = 7_277_114;
const numberedAtOnce = 10_000;

export async function numberEvents(engine: Engine): Promise<void> {
  const waiting = await sql`select 1 from events where position is null limit 1`.execute(engine.reader);
  if (waiting.rows.length === 0) return;
  await engine.transact(async (db) => {
    engine.invalidate(db, []);
    // A statement of its own: the next one sees what whoever held the lock has committed.
    await sql`select pg_advisory_xact_lock(${orderLock})`.execute(db);
    await sql`update events set position = t.position
      from (select w.id, (select coalesce(max(n.position), 0) from events n) + row_number() over (order by w.id) as position
        from (select id from events where position is null order by id limit ${numberedAtOnce}) as w) as t
      where events.id = t.id`.execute(db);
  });
}
