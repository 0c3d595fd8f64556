/** Erasures that are not finished: one row each, from the transaction that erases until the bytes are gone. */
import type { PendingErasures } from '#core/ports/erasure-store.ts';
import { changeUnseen, type Session, writeUnseen } from '../statements.ts';

export function pendingErasures(session: Session): PendingErasures {
  const { db } = session;
  return {
    async list() {
      const rows = await db.selectFrom('erasures').selectAll().orderBy('id').execute();
      return rows.map(({ id, begun_at: at, hashes }) => ({ id, at, hashes: JSON.parse(hashes) as string[] }));
    },
    forgetHashes: (ids) =>
      writeUnseen(session, (db) => db.updateTable('erasures').set({ hashes: '[]' }).where('id', 'in', ids)),
    end: (ids) =>
      changeUnseen(session, async (db) => {
        const rows = await db.deleteFrom('erasures').where('id', 'in', ids).returning('id').execute();
        return rows.map(({ id }) => id);
      }),
  };
}
