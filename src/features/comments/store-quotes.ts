/** Places of quotes, and the texts of pages in which they count. */
import { sql } from 'kysely';
import type { CommentStore, Quote } from '#core/ports/comment-store.ts';
import { storable } from '#store/engine.ts';
import { invalidate } from '#store/invalidation.ts';
import { changeSome, type Session } from '#store/statements.ts';
import type { RowOf } from '#store/tables.ts';

type Part = 'countQuotes' | 'textOf' | 'quotesOf' | 'outdatedAmong' | 'lockText' | 'place';

export function quoteStore(session: Session): Pick<CommentStore, Part> {
  const { engine, db } = session;
  return {
    async countQuotes(pageId, limit) {
      const { rows } = await sql<{ total: number }>`select count(*) as total from (
        select 1 from comments where page_id = ${pageId} and quote is not null limit ${limit}) as counted`.execute(
        db,
      );
      return Number(rows[0]?.total);
    },
    async textOf(pageId) {
      const row = await db
        .selectFrom('comment_texts')
        .select(['change_id', 'body'])
        .where('page_id', '=', pageId)
        .executeTakeFirst();
      return row && { changeId: row.change_id, text: row.body };
    },
    async quotesOf(pageId) {
      const rows = await db
        .selectFrom('comments')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('quote', 'is not', null)
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => {
        const quote = quoteOf(row);
        return quote ? [{ ...quote, id: row.id }] : [];
      });
    },
    async outdatedAmong(pageIds) {
      const { rows } = await sql<{
        id: number;
      }>`select p.id from comment_texts x join pages p on p.id = x.page_id
        where ${engine.among(sql.ref('x.page_id'), pageIds)} and p.change_id <> x.change_id`.execute(db);
      return rows.map(({ id }) => id);
    },
    async lockText(pageId) {
      const { rows } = await sql<{ change_id: number; body: string }>`select p.change_id, p.body
        from comment_texts p where p.page_id = ${pageId} ${engine.lockRows('update')}`.execute(db);
      return rows.map((row) => ({ changeId: row.change_id, text: row.body }))[0];
    },
    place: (pageId, { changeId, text }, quotes) =>
      changeSome(session, async (db) => {
        invalidate({ engine, db }, 'comments', 'all', [{ page_id: pageId }]);
        await sql`insert into comment_texts (page_id, change_id, body)
          values (${pageId}, ${changeId}, ${String(storable(text))})
          on conflict (page_id) do update set change_id = excluded.change_id, body = excluded.body`.execute(
          db,
        );
        if (quotes.length === 0) return;
        const t = engine.rows(
          { id: 'integer', first: 'integer', last: 'integer', state: 'text', gone: 'integer' },
          quotes.map(({ id, start, end, state, goneId }) => [id, start, end, state, goneId]),
        );
        await sql`update comments set quote_start = t.first, quote_end = t.last, quote_state = t.state,
          quote_gone_id = t.gone from ${t} as t where comments.id = t.id`.execute(db);
      }),
  };
}

type QuoteRow = Pick<
  RowOf<'comments'>,
  'quote' | 'quote_before' | 'quote_after' | 'quote_start' | 'quote_end' | 'quote_state' | 'quote_gone_id'
>;

export function quoteOf(row: QuoteRow): Quote | null {
  if (row.quote === null) return null;
  return {
    text: row.quote,
    before: row.quote_before ?? '',
    after: row.quote_after ?? '',
    start: row.quote_start ?? 0,
    end: row.quote_end ?? 0,
    state: row.quote_state ?? 'gone',
    goneId: row.quote_gone_id,
  };
}

export function quoteColumns(quote: Quote | null) {
  return {
    quote: quote && String(storable(quote.text)),
    quote_before: quote && String(storable(quote.before)),
    quote_after: quote && String(storable(quote.after)),
    quote_start: quote?.start ?? null,
    quote_end: quote?.end ?? null,
    quote_state: quote?.state ?? null,
    quote_gone_id: quote?.goneId ?? null,
  };
}
