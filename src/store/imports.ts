/** Imports started over HTTP. A unique index lets only one run at a time, in any process. */
import { sql } from 'kysely';
import type { ImportJob, ImportStore } from '#core/ports/import-store.ts';
import { changeUnseen, type Session, writeOneUnseen, writeUnseen } from './statements.ts';
import type { RowOf } from './tables.ts';

/** Number of imports kept. */
const kept = 100;

export function importStore(session: Session): ImportStore {
  const { db } = session;
  const bury = (dead: { before: number; error: string }) =>
    writeUnseen(session, (db) =>
      db
        .updateTable('imports')
        .set({ state: 'failed', error: dead.error, holder: null })
        .where('state', '=', 'running')
        .where('seen_at', '<', dead.before),
    );
  const columns = ['id', 'state', 'member_id', 'done', 'total', 'begun_at', 'seen_at', 'error'] as const;
  return {
    async begin(memberId, at, dead) {
      await bury(dead);
      return changeUnseen(session, async (db) => {
        const begun = await sql<{ id: number }>`insert into imports
            (state, member_id, begun_at, seen_at, holder)
          values ('running', ${memberId}, ${at}, ${at}, ${session.engine.holder()}) on conflict do nothing returning id`.execute(
          db,
        );
        const id = begun.rows[0]?.id;
        if (id !== undefined)
          await db
            .deleteFrom('imports')
            .where('id', '<=', id - kept)
            .execute();
        return id;
      });
    },
    async find(id, dead): Promise<ImportJob | undefined> {
      const load = () => db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
      let row = await load();
      if (row?.state === 'running' && row.seen_at < dead.before) {
        await bury(dead);
        row = await load();
      }
      return row && { ...jobOf(row), certificate: row.certificate };
    },
    async list(limit, dead) {
      const load = () =>
        db.selectFrom('imports').select(columns).orderBy('id', 'desc').limit(limit).execute();
      let rows = await load();
      if (rows.some((row) => row.state === 'running' && row.seen_at < dead.before)) {
        await bury(dead);
        rows = await load();
      }
      return rows.map(jobOf);
    },
    renew: (id, { done, total }, at) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('imports')
          .set({ done, total, seen_at: at })
          .where('id', '=', id)
          .where('state', '=', 'running'),
      ),
    end: (id, end) =>
      writeOneUnseen(session, (db) =>
        db
          .updateTable('imports')
          .set({ ...end, holder: null })
          .where('id', '=', id)
          .where('state', '=', 'running'),
      ),
  };
}

function jobOf(
  row: Pick<RowOf<'imports'>, 'id' | 'state' | 'member_id' | 'done' | 'total' | 'begun_at' | 'error'>,
) {
  const { id, state, member_id: memberId, done, total, begun_at: begunAt, error } = row;
  return { id, state, memberId, done, total, begunAt, error };
}
