/** Texts that members have not saved yet. */
import { sql } from 'kysely';
import type { Draft, DraftOutline, DraftStore } from '#core/ports/draft-store.ts';
import { changeUnseen, type Session } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';

type Row = RowOf<'editor_drafts'>;

const outline = sql`draft_id, key, page_id, title, url, updated_at`;

export function draftStore(session: Session): DraftStore {
  const { db } = session;
  return {
    save: (memberId, { id, key, pageId, title, url, base, fields }, at, { most, mostBytes }) =>
      changeUnseen(session, async (db) => {
        const text = JSON.stringify(fields);
        const values = {
          key,
          page_id: pageId,
          title,
          url,
          base,
          fields: text,
          bytes: Buffer.byteLength(text),
          updated_at: at,
        };
        await db
          .insertInto('editor_drafts')
          .values({ member_id: memberId, draft_id: id, ...values })
          .onConflict((conflict) => conflict.columns(['member_id', 'draft_id']).doUpdateSet(values))
          .execute();
        await sql`delete from editor_drafts where member_id = ${memberId} and draft_id in (
          select draft_id from (select draft_id, row_number() over latest as n, sum(bytes) over latest as total
            from editor_drafts where member_id = ${memberId}
            window latest as (order by updated_at desc, draft_id rows unbounded preceding)) as ranked
          where n > ${most} or (n > 1 and total > ${mostBytes}))`.execute(db);
      }),
    async listOf(memberId, key, limit) {
      const such = key === undefined ? sql`` : sql`and key = ${key}`;
      const { rows } =
        await sql<Row>`select ${outline} from editor_drafts where member_id = ${memberId} ${such}
        order by updated_at desc, draft_id limit ${limit}`.execute(db);
      return rows.map(outlineOf);
    },
    async find(memberId, id) {
      const { rows } = await sql<Row>`select * from editor_drafts
        where member_id = ${memberId} and draft_id = ${id}`.execute(db);
      const [row] = rows;
      return row && { ...outlineOf(row), base: row.base, fields: JSON.parse(row.fields) as Draft['fields'] };
    },
    remove: (memberId, id) =>
      changeUnseen(session, async (db) => {
        await db
          .deleteFrom('editor_drafts')
          .where('member_id', '=', memberId)
          .where('draft_id', '=', id)
          .execute();
      }),
    purge: (before, limit) =>
      changeUnseen(session, async (db) => {
        const { rows } = await sql<{
          draft_id: string;
        }>`delete from editor_drafts where (member_id, draft_id) in (
          select member_id, draft_id from editor_drafts where updated_at < ${before} order by updated_at limit ${limit})
          returning draft_id`.execute(db);
        return rows.length;
      }),
  };
}

function outlineOf({
  draft_id: id,
  key,
  page_id: pageId,
  title,
  url,
  updated_at: updatedAt,
}: Row): DraftOutline {
  return { id, key, pageId, title, url, updatedAt };
}
