/** Likes of pages. */
import { sql } from 'kysely';
import type { PageWrites } from '#core/ports/store.ts';
import { insertRows } from '../insert-rows.ts';
import { invalidate } from '../invalidation.ts';
import { changeSome, type Session } from '../statements.ts';

export function likes(session: Session): Pick<PageWrites, 'addLike' | 'addLikes' | 'removeLike'> {
  const { engine } = session;
  return {
    addLike: (pageId, memberId, at) =>
      changeSome(session, async (db) => {
        invalidate({ engine, db }, 'likes', 'all', [{ page_id: pageId }]);
        await sql`insert into likes (page_id, member_id, at)
          select id, ${memberId}, ${at} from pages where id = ${pageId}
          on conflict (page_id, member_id) do nothing`.execute(db);
      }),
    addLikes: (pageId, memberIds, at) =>
      changeSome(session, async (db) => {
        invalidate({ engine, db }, 'likes', 'all', [{ page_id: pageId }]);
        const rows = memberIds.map((memberId, index) => ({
          page_id: pageId,
          member_id: memberId,
          at: at + index,
        }));
        insertRows({ engine, db }, 'likes', rows);
      }),
    removeLike: (pageId, memberId) =>
      changeSome(session, async (db) => {
        invalidate({ engine, db }, 'likes', 'all', [{ page_id: pageId }]);
        await db
          .deleteFrom('likes')
          .where('page_id', '=', pageId)
          .where('member_id', '=', memberId)
          .execute();
      }),
  };
}
