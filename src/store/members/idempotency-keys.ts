/** Requests with an idempotency key. The row serializes attempts of the same request in all processes. */
import { sql } from 'kysely';
import type { ClaimedKey, IdempotencyStore } from '#core/ports/idempotency-store.ts';
import { changeUnseen, type Session, writeOneUnseen, writeUnseen } from '../statements.ts';

/** Number of expired rows removed at once; small, so that nobody waits long after a quiet period. */
const sweptAtOnce = 100;

export function idempotencyStore(session: Session): IdempotencyStore {
  return {
    claim: ({ memberId, key, fingerprint, attempt, at, leaseUntil, forgetBefore }) =>
      changeUnseen(session, async (db): Promise<ClaimedKey> => {
        const holder = session.engine.holder();
        await sql`delete from idempotency_keys where id in (select id from idempotency_keys
          where begun_at < ${forgetBefore} order by begun_at limit ${sql.lit(sweptAtOnce)})`.execute(db);
        await sql`delete from idempotency_keys
          where member_id = ${memberId} and key = ${key} and begun_at < ${forgetBefore}`.execute(db);
        // If several attempts run at once, one inserts and the others wait for its commit and find its row.
        const claimed = await sql<{ id: number }>`insert into idempotency_keys
            (member_id, key, fingerprint, attempt, state, begun_at, lease_until, holder)
          values (${memberId}, ${key}, ${fingerprint}, ${attempt}, 'begun', ${at}, ${leaseUntil}, ${holder})
          on conflict (member_id, key) do update
            set attempt = ${attempt}, lease_until = ${leaseUntil}, holder = ${holder}
            where idempotency_keys.state = 'begun' and idempotency_keys.lease_until <= ${at}
              and idempotency_keys.fingerprint = ${fingerprint}
          returning id`.execute(db);
        const [mine] = claimed.rows;
        if (mine) return { state: 'mine', id: mine.id };
        const row = await db
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('member_id', '=', memberId)
          .where('key', '=', key)
          .executeTakeFirstOrThrow();
        const { fingerprint: known, body } = row;
        if (row.state !== 'answered') {
          const isLost = row.state === 'done' && row.lease_until <= at;
          return { state: isLost ? 'lost' : 'under way', fingerprint: known };
        }
        const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>;
        return {
          state: 'answered',
          fingerprint: known,
          answer: { status: row.status ?? 200, headers, body },
        };
      }),
    async usage(memberId, since) {
      const found = await sql<{ count: number; bytes: number }>`select count(*) as count,
        coalesce(sum(bytes), 0) as bytes from idempotency_keys
        where member_id = ${memberId} and begun_at >= ${since}`.execute(session.db);
      return { count: Number(found.rows[0]?.count), bytes: Number(found.rows[0]?.bytes) };
    },
    extendLease: (id, attempt, until) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('idempotency_keys')
          .set({ lease_until: until })
          .where('id', '=', id)
          .where('attempt', '=', attempt),
      ),
    markDone: (id, attempt) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('idempotency_keys')
          // A handler may write something after it has responded: the response is kept.
          .set({ state: sql`case when state = 'answered' then state else 'done' end` })
          .where('id', '=', id)
          .where('attempt', '=', attempt),
      ),
    saveAnswer: (id, attempt, { status, headers, body }) =>
      writeUnseen(session, (db) =>
        db
          .updateTable('idempotency_keys')
          .set({
            state: 'answered',
            status,
            headers: JSON.stringify(headers),
            body,
            bytes: body?.length ?? 0,
            holder: null,
          })
          .where('id', '=', id)
          .where('attempt', '=', attempt),
      ),
    release: (id, attempt) =>
      writeOneUnseen(session, (db) =>
        db
          .deleteFrom('idempotency_keys')
          .where('id', '=', id)
          .where('attempt', '=', attempt)
          .where('state', '=', 'begun'),
      ),
  };
}
