/** Changes (versions) of pages. They are inserted with their page, in `pages.ts`, and never altered. */

import { sql } from 'kysely';
import { maxHistoryBytes } from '#core/pages/response-limits.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { ChangeRows } from '../parts.ts';
import { type ChangeRow, changeOf, selectChange } from '../rows.ts';
import { all, first, prepare, prepareTogether, rowsOf, type Session, together } from '../statements.ts';

/** Changes of one page that are counted. */
const maxCounted = 1000;

export function changeStore(session: Session): ChangeRows {
  return {
    async find(pageId, changeId) {
      // PostgreSQL refuses comparisons with numbers outside the range of IDs.
      if (!Number.isSafeInteger(changeId)) return undefined;
      const row = await first(session, one, { pageId, changeId });
      return row && changeOf(row);
    },
    async findBefore(pageId, changeId) {
      const row = await first(session, before, { pageId, changeId });
      return row && changeOf(row);
    },
    async listBefore(marks, maxBytes) {
      if (marks.length === 0) return [];
      const t = session.engine.rows(
        { n: 'integer', page_id: 'integer', change_id: 'integer', first: 'integer' },
        marks.map(({ pageId, changeId, from }, n) => [n, pageId, changeId, from]),
      );
      const rows = await rowsOf(
        session,
        sql<
          ChangeRow & { n: number }
        >`select marked.n, one.* from (select t.n, (select max(h.id) from changes h
            where h.page_id = t.page_id and h.id < t.change_id and h.id >= t.first) as id from ${t} as t) as marked
          join (${selectChange} where octet_length(c.content) <= ${sql.lit(maxBytes)}) as one on one.id = marked.id`,
      );
      const found = new Map(rows.map((row) => [row.n, changeOf(row)]));
      return marks.map((_, n) => found.get(n));
    },
    async countSince(marks) {
      if (marks.length === 0) return [];
      const t = session.engine.rows(
        { n: 'integer', page_id: 'integer', change_id: 'integer', first: 'integer' },
        marks.map(({ pageId, changeId, from }, n) => [n, pageId, changeId, from]),
      );
      const rows = await rowsOf(
        session,
        sql<{ n: number; changes: number }>`select t.n, (select count(*) from (select 1 from changes h
            where h.page_id = t.page_id and h.id > t.change_id and h.id >= t.first limit ${sql.lit(maxCounted)}) as later) as changes
          from ${t} as t`,
      );
      const found = new Map(rows.map(({ n, changes }) => [n, Number(changes)]));
      return marks.map((_, n) => found.get(n) ?? 0);
    },
    async list(pageId, { limit, offset }, from = 0) {
      const [rows, counted] = await together(session, ofShort, { pageId, limit, offset, from });
      const total = counted[0]?.total ?? 0;
      const isLong = rows.length === 0 && offset < total;
      const changes = isLong ? await all(session, ofLong, { pageId, limit, offset, from }) : rows;
      return { changes: changes.map(changeOf), total };
    },
    async listOfPages(pages, after, limit) {
      if (pages.length === 0) return [];
      const asked = session.engine.rows(
        { page_id: 'integer', first: 'integer' },
        pages.map(({ id, from }) => [id, from]),
      );
      const { pageId = 0, id = 0 } = after ?? {};
      const rows = await rowsOf(
        session,
        sql<ChangeRow>`${selectChange} where c.id in (
            select t.id from (
              select r.id, row_number() over (order by r.page_id, r.id) as place,
                sum(r.bytes) over (order by r.page_id, r.id) as bytes
              from (select h.page_id, h.id, octet_length(h.content) as bytes
                from ${asked} as asked join changes h on h.page_id = asked.page_id and h.id >= asked.first
                where (h.page_id, h.id) > (${pageId}, ${id})
                order by h.page_id, h.id limit ${limit}) as r
            ) as t where t.place = 1 or t.bytes <= ${sql.lit(maxHistoryBytes)})
          order by c.page_id, c.id`,
      );
      return rows.map(changeOf);
    },
  };
}

const one = prepare<{ pageId: number; changeId: number }, ChangeRow>(
  (p) => sql`${selectChange} where c.id = ${p('changeId')} and c.page_id = ${p('pageId')}`,
);

const before = prepare<{ pageId: number; changeId: number }, ChangeRow>(
  (p) =>
    sql`${selectChange} where c.page_id = ${p('pageId')} and c.id < ${p('changeId')} order by c.id desc limit 1`,
);

type OfPage = Range & { pageId: number; from: number };

/**
 * Empty for a page whose history may exceed the limit of one response. If the whole history is requested, only a part may have
 * to be counted.
 */
const ofShort = prepareTogether<OfPage, [ChangeRow, { total: number }]>((p) => [
  sql`${selectChange} where c.page_id = ${p('pageId')} and c.id >= ${p('from')}
    and (select p.history_bytes from pages p where p.id = ${p('pageId')} and p.history_from <= ${p('from')})
      <= ${sql.lit(maxHistoryBytes)}
    order by c.id desc limit ${p('limit')} offset ${p('offset')}`,
  sql`select count(*) as total from changes where page_id = ${p('pageId')} and id >= ${p('from')}`,
]);

/** Changes up to the size limit, but at least one. */
const ofLong = prepare<OfPage, ChangeRow>(
  (p) => sql`${selectChange} where c.id in (
      select t.id from (
        select r.id, row_number() over (order by r.id desc) as place, sum(r.bytes) over (order by r.id desc) as bytes
        from (select h.id, octet_length(h.content) as bytes from changes h where h.page_id = ${p('pageId')}
            and h.id >= ${p('from')}
          order by h.id desc limit ${p('limit')} offset ${p('offset')}) as r
      ) as t where t.place = 1 or t.bytes <= ${sql.lit(maxHistoryBytes)})
    order by c.id desc`,
);
