/** Secret links by the hash of their secret. */
import { sql } from 'kysely';
import type { SecretLink, SecretLinkStore } from '#core/ports/secret-link-store.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import {
  changeUnseen,
  first,
  prepare,
  rowsOf,
  type Session,
  writeOneUnseen,
  writeUnseen,
} from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';

type LinkRow = RowOf<'secret_links'>;

export function secretLinkStore(session: Session): SecretLinkStore {
  const { engine, db } = session;
  return {
    async find(hash) {
      const row = await first(session, byHash, { hash });
      if (!row) return undefined;
      const { link_id, link_created_at, ...rest } = row;
      return { maker: memberOf(rest), link: linkOf({ ...rest, id: link_id, created_at: link_created_at }) };
    },
    async findById(id) {
      const row = await db.selectFrom('secret_links').selectAll().where('id', '=', id).executeTakeFirst();
      return row && linkOf(row);
    },
    insert: ({ secretHash, ...link }) =>
      changeUnseen(session, async (db) => {
        const row = await db
          .insertInto('secret_links')
          .values({
            secret_hash: secretHash,
            page_id: link.pageId,
            beneath: link.beneath,
            made_by: link.madeBy,
            audience: link.audience,
            created_at: link.createdAt,
            expires_at: link.expiresAt,
            last_used_at: null,
            uses: 0,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return linkOf(row);
      }),
    remove: (id) => writeOneUnseen(session, (db) => db.deleteFrom('secret_links').where('id', '=', id)),
    removeExpired: (pageId, now) =>
      writeUnseen(session, (db) =>
        db.deleteFrom('secret_links').where('page_id', '=', pageId).where('expires_at', '<=', now),
      ),
    async countOf(pageId) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from secret_links
        where page_id = ${pageId}`.execute(db);
      return Number(rows[0]?.total);
    },
    async list(of, limit) {
      const among =
        of === 'all'
          ? sql`1 = 1`
          : 'pageId' in of
            ? sql`s.page_id = ${of.pageId}`
            : sql`p.owner_id = ${of.ownerId}`;
      const rows = await rowsOf(
        session,
        sql<
          LinkRow & { path: string; title: string; maker: string }
        >`select s.*, p.path, p.title, m.name as maker
          from secret_links s join pages p on p.id = s.page_id join members m on m.id = s.made_by
          where ${among} order by s.id desc limit ${limit}`,
      );
      return rows.map(({ path, title, maker, ...row }) => ({
        ...linkOf(row),
        page: { id: row.page_id, path, title },
        maker,
      }));
    },
    addUses: (uses) => {
      const given = engine.rows(
        { id: 'integer', uses: 'integer', used_at: 'integer' },
        uses.map(({ id, uses, lastUsedAt }) => [id, uses, lastUsedAt]),
      );
      return writeUnseen(
        session,
        () => sql`update secret_links set uses = secret_links.uses + g.uses, last_used_at = g.used_at
          from ${given} as g where g.id = secret_links.id`,
      );
    },
  };
}

const byHash = prepare<
  { hash: string },
  MemberRow & Omit<LinkRow, 'id' | 'created_at'> & { link_id: number; link_created_at: number }
>(
  (
    p,
  ) => sql`select m.*, s.id as link_id, s.created_at as link_created_at, s.secret_hash, s.page_id, s.beneath,
    s.made_by, s.audience, s.expires_at, s.last_used_at, s.uses
    from secret_links s join members m on m.id = s.made_by where s.secret_hash = ${p('hash')}`,
);

function linkOf(row: Omit<LinkRow, 'secret_hash'>): SecretLink {
  return {
    id: row.id,
    pageId: row.page_id,
    beneath: Boolean(row.beneath),
    madeBy: row.made_by,
    audience: Number(row.audience),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    uses: row.uses,
  };
}
