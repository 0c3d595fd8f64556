/** Pages that members starred. */
import { sql } from 'kysely';
import type { FavouriteStore } from '#core/ports/favourite-store.ts';
import { first, prepare, type Session, writeUnseen } from '#store/statements.ts';

export function favouriteStore(session: Session): FavouriteStore {
  const { db } = session;
  return {
    async listOf(memberId, limit) {
      const { rows } = await sql<{ pageId: number; at: number }>`select page_id as ${sql.ref('pageId')}, at
        from favourites where member_id = ${memberId} order by at desc, page_id desc limit ${limit}`.execute(
        db,
      );
      return rows;
    },
    has: async (memberId, pageId) => (await first(session, one, { memberId, pageId })) !== undefined,
    async count(memberId) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from favourites
        where member_id = ${memberId}`.execute(db);
      return Number(rows[0]?.total);
    },
    add: (memberId, pageId, at) =>
      writeUnseen(session, (db) =>
        db
          .insertInto('favourites')
          .values({ member_id: memberId, page_id: pageId, at })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    remove: (memberId, pageId) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('favourites').where('member_id', '=', memberId).where('page_id', '=', pageId),
      ),
  };
}

const one = prepare<{ memberId: number; pageId: number }, { at: number }>(
  (p) => sql`select at from favourites where member_id = ${p('memberId')} and page_id = ${p('pageId')}`,
);
