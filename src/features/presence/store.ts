/** Members who have pages open for editing: rows of a minute, in the database because the next request may reach another process. */
import { sql } from 'kysely';
import type { PresenceStore } from '#core/ports/presence-store.ts';
import { changeUnseen, type Session, writeUnseen } from '#store/statements.ts';

export function presenceStore(session: Session): PresenceStore {
  const { db } = session;
  return {
    note: (pageId, memberId, at, since) =>
      changeUnseen(session, async (db) => {
        await db
          .insertInto('open_editors')
          .values({ page_id: pageId, member_id: memberId, seen_at: at })
          .onConflict((conflict) => conflict.columns(['page_id', 'member_id']).doUpdateSet({ seen_at: at }))
          .execute();
        await db.deleteFrom('open_editors').where('seen_at', '<', since).execute();
      }),
    remove: (pageId, memberId) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('open_editors').where('page_id', '=', pageId).where('member_id', '=', memberId),
      ),
    async othersAt(pageId, memberId, since, limit) {
      const { rows } = await sql<{ id: number; name: string }>`select m.id, m.name
        from open_editors o join members m on m.id = o.member_id
        where o.page_id = ${pageId} and o.member_id <> ${memberId} and o.seen_at >= ${since}
        order by m.name, m.id limit ${limit}`.execute(db);
      return rows;
    },
  };
}
