/** Ranks of pages among their siblings (`pages.sibling_rank`). */
import { sql } from 'kysely';
import type { OrderStore, Sibling } from '#core/ports/order-store.ts';
import { invalidate } from '#store/invalidation.ts';
import { unranked } from '#store/pages/siblings.ts';
import { changeSome, type Session } from '#store/statements.ts';

export function orderStore(session: Session): OrderStore {
  const { engine, db } = session;
  return {
    async lockSiblings(parentId, paths) {
      const isChild = parentId === null ? sql`p.parent_id is null` : sql`p.parent_id = ${parentId}`;
      // Locked in the order of their IDs, so that two transactions never wait for each other.
      const { rows } = await sql<
        Sibling & { rank: number }
      >`select p.id, p.path, p.sibling_rank as rank from pages p
        where ${isChild} and (p.sibling_rank < ${unranked} or ${engine.amongTexts(sql.ref('p.path'), paths)})
        order by p.id ${engine.lockRows('update')}`.execute(db);
      return rows
        .sort((a, b) => a.rank - b.rank || a.id - b.id)
        .map(({ id, path, rank }) => ({ id, path, rank: rank === unranked ? null : rank }));
    },
    rank: (trail, siblings) =>
      changeSome(session, async (db) => {
        const version = { title_key: '', path: '', path_key: '', type: null, lat: null, ancestors: trail };
        // All have the same parent, so one row stands for them.
        invalidate({ engine, db }, 'pages', ['sibling_rank'], [{ id: 0, versions: [version], shownBy: [] }]);
        const rows = siblings.map(({ id, rank }) => [id, rank ?? unranked]);
        await sql`update pages set sibling_rank = t.sibling_rank
          from ${engine.rows({ id: 'integer', sibling_rank: 'integer' }, rows)} as t where pages.id = t.id`.execute(
          db,
        );
      }),
  };
}
