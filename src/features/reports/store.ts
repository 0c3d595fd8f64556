/** Counts of reads and searches, and checks of links to other sites. */
import { sql } from 'kysely';
import type { DeadLink, ReportStore } from '#core/ports/report-store.ts';
import { changeUnseen, rowsOf, type Session, writeUnseen } from '#store/statements.ts';

export function reportStore(session: Session): ReportStore {
  const { engine } = session;
  return {
    async orphans(after, among, limit) {
      const some = sql`select id, title_key, path_key, type from pages where id > ${after} order by id limit ${among}`;
      // Links find pages by title or path. Templates and modules are called by other names.
      const isLinked = sql`exists (select 1 from links l where l.key in (s.title_key, s.path_key)
        and l.kind in ('page', 'template') and l.source_id <> s.id)`;
      const rows = await rowsOf(
        session,
        sql<{ id: number; is_last: number }>`select o.id, 0 as is_last from (select s.id from (${some}) s
            where coalesce(s.type, '') not in ('Template', 'Module', 'Page template') and not ${isLinked}
            order by s.id limit ${limit}) o
          union all select coalesce(max(id), 0), 1 from (${some}) e having count(*) = ${among}`,
      );
      const ids = rows.filter(({ is_last }) => Number(is_last) === 0).map(({ id }) => Number(id));
      const last = rows.find(({ is_last }) => Number(is_last) === 1)?.id;
      const isFull = ids.length === limit;
      return { ids, next: isFull ? (ids.at(-1) ?? null) : last === undefined ? null : Number(last) };
    },
    addReads: (month, reads) =>
      changeUnseen(session, async (db) => {
        const t = engine.rows({ path: 'text', times: 'integer' }, [...reads]);
        await sql`insert into page_reads (page_id, month, reads)
          select p.id, ${month}, t.times from ${t} as t join pages p on p.path = t.path where true
          on conflict (page_id, month) do update set reads = page_reads.reads + excluded.reads`.execute(db);
      }),
    async mostRead(since, limit) {
      const rows = await rowsOf(
        session,
        sql<{ page_id: number; reads: number }>`select r.page_id, sum(r.reads) as reads from page_reads r
          join pages p on p.id = r.page_id
          where r.month >= ${since} group by r.page_id order by sum(r.reads) desc, r.page_id limit ${limit}`,
      );
      return rows.map(({ page_id, reads }) => ({ pageId: Number(page_id), reads: Number(reads) }));
    },
    addVainSearches: (times, at) =>
      changeUnseen(session, async (db) => {
        const t = engine.rows({ words: 'text', times: 'integer' }, [...times]);
        await sql`insert into vain_searches (words, times, last_at)
          select t.words, t.times, ${at} from ${t} as t where true
          on conflict (words) do update set times = vain_searches.times + excluded.times, last_at = ${at}`.execute(
          db,
        );
      }),
    async vainSearches(limit) {
      const rows = await rowsOf(
        session,
        sql<{ words: string; times: number; last_at: number }>`select words, times, last_at from vain_searches
          order by times desc, words limit ${limit}`,
      );
      return rows.map(({ words, times, last_at }) => ({
        words,
        times: Number(times),
        lastAt: Number(last_at),
      }));
    },
    forget: (month, before, keptSearches) =>
      changeUnseen(session, async (db) => {
        await sql`delete from page_reads where month < ${month}`.execute(db);
        await sql`delete from vain_searches where last_at < ${before} or words not in
          (select words from vain_searches order by times desc, words limit ${keptSearches})`.execute(db);
      }),

    claimCheck: (now, until) =>
      changeUnseen(session, async (db) => {
        const { rows } = await sql<{
          page_id: number;
          begun_at: number;
        }>`insert into link_rounds (id, page_id, begun_at, lease_until)
          values (1, 0, ${now}, ${until})
          on conflict (id) do update set lease_until = ${until},
            begun_at = case when link_rounds.page_id = 0 then ${now} else link_rounds.begun_at end
          where link_rounds.lease_until <= ${now} returning page_id, begun_at`.execute(db);
        const [row] = rows;
        return row && { afterPage: Number(row.page_id), begunAt: Number(row.begun_at) };
      }),
    endCheck: ({ afterPage, begunAt, nextAt }) =>
      writeUnseen(session, (db) =>
        db.updateTable('link_rounds').set({ page_id: afterPage, begun_at: begunAt, lease_until: nextAt }),
      ),
    async pagesAfter(id, limit) {
      const rows = await rowsOf(
        session,
        sql<{ id: number }>`select id from pages where id > ${id} order by id limit ${limit}`,
      );
      return rows.map((row) => Number(row.id));
    },
    async knownSince(urls, since) {
      if (urls.length === 0) return new Map();
      const rows = await rowsOf(
        session,
        sql<{ url: string; problem: string | null }>`select url, max(problem) as problem from outside_links
          where ${engine.amongTexts(sql.ref('url'), urls)} and checked_at >= ${since} group by url`,
      );
      return new Map(rows.map(({ url, problem }) => [url, problem]));
    },
    noteChecks: (pageId, problems, at) =>
      changeUnseen(session, async (db) => {
        const known = await db
          .selectFrom('outside_links')
          .select(['url', 'dead_since'])
          .where('page_id', '=', pageId)
          .execute();
        const since = new Map(known.map(({ url, dead_since }) => [url, dead_since]));
        await db.deleteFrom('outside_links').where('page_id', '=', pageId).execute();
        if (problems.size === 0) return;
        await db
          .insertInto('outside_links')
          .values(
            Array.from(problems, ([url, problem]) => ({
              page_id: pageId,
              url,
              checked_at: at,
              problem,
              dead_since: problem === null ? null : (since.get(url) ?? at),
            })),
          )
          .execute();
      }),
    async unannouncedReviews(day, limit) {
      const named = sql`cast(${engine.jsonText(sql.ref('c.content'), 'responsible')} as text)`;
      const rows = await rowsOf(
        session,
        sql<{ page_id: number; review_by: string; responsible: number }>`select p.id as page_id, p.review_by,
            coalesce((select m.id from members m where m.is_active and cast(m.id as text) = ${named}), p.owner_id) as responsible
          from pages p join changes c on c.id = p.change_id
          where p.review_by <= ${day}
            and not exists (select 1 from told_reviews t where t.page_id = p.id and t.review_by = p.review_by)
          order by p.review_by, p.id limit ${limit}`,
      );
      return rows.map(({ page_id, review_by, responsible }) => ({
        pageId: Number(page_id),
        reviewBy: review_by,
        responsible: Number(responsible),
      }));
    },
    noteNotified: (reviews) =>
      changeUnseen(session, async (db) => {
        const t = engine.rows(
          { page_id: 'integer', review_by: 'text' },
          reviews.map(({ pageId, reviewBy }) => [pageId, reviewBy]),
        );
        await sql`insert into told_reviews (page_id, review_by) select t.page_id, t.review_by from ${t} as t where true
          on conflict (page_id) do update set review_by = excluded.review_by`.execute(db);
      }),
    async deadLinks(limit) {
      const rows = await rowsOf(
        session,
        sql<{
          pageId: number;
          url: string;
          problem: string;
          since: number;
          checkedAt: number;
        }>`select page_id as ${sql.ref('pageId')}, url, problem, dead_since as since, checked_at as ${sql.ref('checkedAt')}
          from outside_links l where dead_since is not null and exists (select 1 from pages p where p.id = l.page_id)
          order by dead_since, page_id, url limit ${limit}`,
      );
      return rows.map(
        ({ pageId, since, checkedAt, ...link }): DeadLink => ({
          ...link,
          pageId: Number(pageId),
          since: Number(since),
          checkedAt: Number(checkedAt),
        }),
      );
    },
  };
}
