/** Comments and whom they mention. */
import { type RawBuilder, sql } from 'kysely';
import { nameSkeletons } from '#core/members/skeleton.ts';
import type { MemberName } from '#core/model/page.ts';
import type { Comment, CommentCriteria, CommentStore } from '#core/ports/comment-store.ts';
import { type Database, storable } from '#store/engine.ts';
import { invalidate } from '#store/invalidation.ts';
import { type MemberRow, memberOf } from '#store/members/members.ts';
import { liesBeneath, trailBeneath, writeTrail } from '#store/rows.ts';
import { changeSome, rowsOf, type Session } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';
import { visible } from '#store/visibility.ts';
import { quoteColumns, quoteOf, quoteStore } from './store-quotes.ts';

export function commentStore(session: Session): CommentStore {
  const { engine, db } = session;
  /** Pages show how many open comments they have. */
  const changed = <T>(pageId: number, work: (db: Database) => Promise<T>) =>
    changeSome(session, (db) => {
      invalidate({ engine, db }, 'comments', 'all', [{ page_id: pageId }]);
      return work(db);
    });
  const one = async (id: number) => {
    const { rows } =
      await sql<CommentRow>`${selectComment} where c.id = ${id} and c.deleted_at is null`.execute(db);
    return (await withMentions(rows))[0];
  };
  const withMentions = async (rows: readonly CommentRow[]): Promise<Comment[]> => {
    if (rows.length === 0) return [];
    const found = await sql<{ comment_id: number; id: number; name: string }>`
      select n.comment_id, m.id, m.name from comment_mentions n join members m on m.id = n.member_id
      where ${engine.among(
        sql.ref('n.comment_id'),
        rows.map(({ id }) => id),
      )} order by m.id`.execute(db);
    const mentions = Map.groupBy(found.rows, (row) => row.comment_id);
    return rows.map((row) =>
      commentOf(
        row,
        (mentions.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
      ),
    );
  };
  const saveMentions = async (db: Database, id: number, mentions: readonly MemberName[]) => {
    await sql`delete from comment_mentions where comment_id = ${id}`.execute(db);
    if (mentions.length === 0) return;
    const rows = mentions.map((member) => ({ member_id: member.id, comment_id: id, name: member.name }));
    await db.insertInto('comment_mentions').values(rows).execute();
  };
  return {
    ...quoteStore(session),
    insert: (comment, mentions) =>
      changed(comment.pageId, async (db) => {
        const { pageId, authorId, replyTo, body, at, quote } = comment;
        const { editedAt = null, resolved = null, stranger = null } = comment;
        const { id } = await db
          .insertInto('comments')
          .values({
            page_id: pageId,
            author_id: authorId,
            reply_to: replyTo,
            at,
            edited_at: editedAt,
            body: String(storable(body)),
            deleted_at: null,
            resolved_at: resolved?.at ?? null,
            resolved_by: resolved?.by ?? null,
            ...quoteColumns(quote),
            stranger,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await saveMentions(db, id, mentions);
        return id;
      }),
    find: one,
    async lock(id) {
      await sql`select p.id from comments p where p.id = ${id}
        or p.id = (select c.reply_to from comments c where c.id = ${id}) order by p.id
        ${engine.lockRows('update')}`.execute(db);
      return one(id);
    },
    async list(criteria, after, limit, visibility) {
      const where = sql.join(
        [...conditions(engine, criteria), sql<boolean>`c.deleted_at is null`, visible('p', visibility)],
        sql` and `,
      );
      const rows = await rowsOf(
        session,
        sql<CommentRow>`${selectComment} where c.id > ${after} and ${where} order by c.id limit ${limit}`,
      );
      const [counted] = await rowsOf(
        session,
        sql<{ total: number }>`select count(*) as total from ${commentsOnPages} where ${where}`,
      );
      return { comments: await withMentions(rows), total: Number(counted?.total) };
    },
    async threads(pageId, { limit, offset, isOpen }, maxReplies) {
      const state =
        isOpen === undefined
          ? sql`1 = 1`
          : isOpen
            ? sql`f.resolved_at is null`
            : sql`f.resolved_at is not null`;
      const firsts = sql`comments f where f.page_id = ${pageId} and f.reply_to is null and ${state}`;
      const { rows } = await sql<CommentRow>`${selectComment} where c.id in (
          select s.id from (select f.id from ${firsts} order by f.id limit ${limit} offset ${offset}) s
          union all select r.id from (
            select a.id, row_number() over (partition by a.reply_to order by a.id) as place
            from comments a where a.reply_to in (
              select s.id from (select f.id from ${firsts} order by f.id limit ${limit} offset ${offset}) s)
          ) r where r.place <= ${maxReplies})
        order by coalesce(c.reply_to, c.id), c.id`.execute(db);
      const counted = await sql<{ total: number }>`select count(*) as total from ${firsts}`.execute(db);
      return { comments: await withMentions(rows), total: Number(counted.rows[0]?.total) };
    },
    async countOpen(pageId) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from comments
        where page_id = ${pageId} and resolved_at is null and reply_to is null`.execute(db);
      return Number(rows[0]?.total);
    },
    edit: ({ id, page }, body, mentions, at) =>
      changed(page.id, async (db) => {
        await db
          .updateTable('comments')
          .set({ body: String(storable(body)), edited_at: at })
          .where('id', '=', id)
          .execute();
        await saveMentions(db, id, mentions);
      }),
    resolve: ({ id, page }, resolved) =>
      changed(page.id, async (db) => {
        const set = { resolved_at: resolved?.at ?? null, resolved_by: resolved?.by ?? null };
        await db.updateTable('comments').set(set).where('id', '=', id).execute();
      }),
    remove: ({ id, page, replyTo }, at) =>
      changed(page.id, async (db) => {
        await saveMentions(db, id, []);
        const removed = await sql`delete from comments where id = ${id}
          and not exists (select 1 from comments r where r.reply_to = ${id})`.execute(db);
        if (removed.numAffectedRows === 0n)
          await sql`update comments set body = '', stranger = null, deleted_at = ${at} where id = ${id}`.execute(
            db,
          );
        if (replyTo !== null)
          await sql`delete from comments where id = ${replyTo} and deleted_at is not null
            and not exists (select 1 from comments r where r.reply_to = ${replyTo})`.execute(db);
      }),
    async membersNamed(names) {
      const keys = [...new Set(names.map((name) => nameSkeletons(name).folded))];
      if (keys.length === 0) return [];
      const { rows } = await sql<MemberRow>`select m.* from members m
        where ${engine.amongTexts(sql.ref('m.folded_name_skeleton'), keys)}
          and m.is_active = ${engine.truth(true)} order by m.id limit 100`.execute(db);
      return rows.map(memberOf);
    },
  };
}

type CommentRow = Omit<RowOf<'comments'>, 'resolved_at' | 'resolved_by'> & {
  author_name: string;
  path: string;
  title: string;
  thread_resolved_at: number | null;
  thread_resolved_by: number | null;
  resolver_name: string | null;
};

/** Comments (c) on pages (p) that are not in the trash, with the first comment (t) of their thread. */
const commentsOnPages = sql`comments c join pages p on p.id = c.page_id
  left join comments t on t.id = c.reply_to`;
const selectComment: RawBuilder<CommentRow> = sql`select c.*, a.name as author_name, p.path, p.title,
    coalesce(t.resolved_at, c.resolved_at) as thread_resolved_at,
    coalesce(t.resolved_by, c.resolved_by) as thread_resolved_by, r.name as resolver_name
  from ${commentsOnPages} join members a on a.id = c.author_id
    left join members r on r.id = coalesce(t.resolved_by, c.resolved_by)`;

function conditions(
  engine: Session['engine'],
  { pageIds, pageId, ancestor, authorId, mentionedId, isOpen }: CommentCriteria,
): RawBuilder<boolean>[] {
  const found: RawBuilder<boolean>[] = [];
  if (pageIds) found.push(engine.among(sql.ref('c.page_id'), pageIds));
  if (pageId !== undefined) found.push(sql`c.page_id = ${pageId}`);
  if (ancestor) {
    const beneath = trailBeneath({ id: ancestor.id, trail: writeTrail([...ancestor.trail]) });
    found.push(sql`(c.page_id = ${ancestor.id} or ${liesBeneath(sql.ref('p.trail'), beneath)})`);
  }
  if (authorId !== undefined) found.push(sql`c.author_id = ${authorId}`);
  if (mentionedId !== undefined)
    found.push(sql`c.id in (select n.comment_id from comment_mentions n where n.member_id = ${mentionedId})`);
  const resolvedAt = sql`coalesce(t.resolved_at, c.resolved_at)`;
  if (isOpen !== undefined) found.push(isOpen ? sql`${resolvedAt} is null` : sql`${resolvedAt} is not null`);
  return found;
}

function commentOf(row: CommentRow, mentions: MemberName[]): Comment {
  const { id, page_id, path, title, body, at, thread_resolved_at, thread_resolved_by } = row;
  return {
    id,
    body,
    at,
    mentions,
    page: { id: page_id, path, title },
    author: { id: row.author_id, name: row.author_name },
    stranger: row.stranger,
    editedAt: row.edited_at,
    quote: quoteOf(row),
    replyTo: row.reply_to,
    resolved:
      thread_resolved_at === null
        ? null
        : { at: thread_resolved_at, by: { id: thread_resolved_by ?? 0, name: row.resolver_name ?? '' } },
    isDeleted: row.deleted_at !== null,
  };
}
