/** Searches texts and names with GIN indexes: terms as `tsvector`, titles and paths by trigrams of `pg_trgm`. */

import { type RawBuilder, sql } from 'kysely';
import { seesNothing } from '#core/model/permission.ts';
import type { Phrase, TextQuery } from '#core/model/terms.ts';
import { type Engine, type IndexedText, maxRanked } from '../engine.ts';
import { allOf } from '../search/criteria.ts';
import { prepare, type Session, send } from '../statements.ts';
import { visible } from '../visibility.ts';
import { rows } from './arrays.ts';
import { tsqueryOf, tsvectorsOf } from './tsvector.ts';

export function saveTexts(session: Session, texts: readonly IndexedText[]): void {
  send(session, savingTexts, { parts: partsOf(texts) });
}

/** All parts of the texts are given together. */
const savingTexts = prepare<{ parts: unknown[][] }, unknown>(
  (p) => sql`with given as materialized (
      select * from ${rows({ page_id: 'integer', part: 'integer', terms: 'text' }, p('parts'))} as t
    ), gone as (
      delete from page_texts p using (select page_id, max(part) as last from given group by page_id) as t
      where p.page_id = t.page_id and p.part > t.last
    )
    insert into page_texts (page_id, part, terms) select page_id, part, terms::tsvector from given
    on conflict (page_id, part) do update set terms = excluded.terms`,
);

function partsOf(texts: readonly IndexedText[]): unknown[][] {
  return texts.flatMap(({ pageId, titleTerms, bodyTerms }) =>
    tsvectorsOf(titleTerms, bodyTerms).map((terms, part) => [pageId, part, terms]),
  );
}

export const textMatches: Engine['textMatches'] = (id, query) => sql`${id} in (${pagesMatching(query)})`;

/** The texts of each page are read by its key, which a subquery in another place would not ensure. */
export const textHolds: Engine['textHolds'] = (id, { phrases, excluded }) => {
  const has = (query: string) =>
    sql<boolean>`(select bool_or(t.terms @@ ${query}::tsquery) from page_texts t where t.page_id = ${id}) is true`;
  return allOf([
    ...phrases.map((phrase) => has(tsqueryOf([phrase]))),
    ...excluded.map((phrase) => sql<boolean>`not ${has(tsqueryOf([phrase]))}`),
  ]);
};

export const countByIndex: Engine['countByIndex'] = {
  texts: (query) => sql`(select page_id as id from (${pagesMatching(query)}) as m)`,
  isSeen: (id, visibility) =>
    seesNothing(visibility)
      ? sql`1 = 0`
      : visibility.maxAudience < 0
        ? sql`exists (select 1 from pages h where h.id = ${id} and ${visible('h', visibility)})`
        : sql`not exists (select 1 from pages h where h.id = ${id} and h.audience > 0 and not ${visible('h', visibility)})`,
};

/** Ranks are read by the key of each page: the planner expects few matches, and would compare each page with the ranks of all others. */
export const textRanking: Engine['textRanking'] = ({ phrases, excluded }) => {
  const latest = (ids: RawBuilder<unknown>) =>
    sql`select m.page_id as id from (${ids}) as m order by m.page_id desc limit ${maxRanked}`;
  const inTitle = sql`select t.page_id from page_texts t where ${has('t', tsqueryOf(phrases, 'A'))}
    and (select count(*) from newest) = ${maxRanked}`;
  // Every match has the first phrase in one of its parts; the title is in part 0.
  return sql`(
    with newest as materialized (${latest(pagesMatching({ phrases, excluded }))}),
      titled as materialized (${latest(without(excluded, inTitle))})
    select n.id, t.title_hit, t.exact_hit, t.rank from newest n cross join lateral (
      select -max(ts_rank(t.terms, ${anyOf(phrases)}::tsquery))::double precision as rank,
        max(case when t.terms @@ ${tsqueryOf(phrases, 'A')}::tsquery then 1 else 0 end) as title_hit,
        max(case when t.terms @@ ${tsqueryOf(asTyped(phrases))}::tsquery then 1 else 0 end) as exact_hit
      from page_texts t where t.page_id = n.id and t.terms @@ ${tsqueryOf(phrases.slice(0, 1))}::tsquery
    ) as t
    union all select id, 1, 0, null from titled where id not in (select id from newest))`;
};

/**
 * IDs of matching pages. The index finds pages with all phrases in one part at once; only for long texts may different parts
 * contain different phrases.
 */
function pagesMatching({ phrases, excluded }: TextQuery): RawBuilder<unknown> {
  return without(excluded, pagesWithAll(phrases));
}

/** Any part of a long text may contain an excluded phrase, not only the part that contains the others. */
function without(excluded: Phrase[], found: RawBuilder<unknown>): RawBuilder<unknown> {
  if (excluded.length === 0) return found;
  return sql`select f.page_id from (${found}) as f where not exists (select 1 from page_texts x
    where x.page_id = f.page_id and x.terms @@ ${anyOf(excluded)}::tsquery)`;
}

/** Words as they are typed, without stems and longer words. */
function asTyped(phrases: Phrase[]): Phrase[] {
  return phrases.map(({ terms }) => ({ terms, prefix: false }));
}

function anyOf(phrases: Phrase[]): string {
  return phrases.map((phrase) => tsqueryOf([phrase])).join(' | ');
}

function pagesWithAll(phrases: Phrase[]): RawBuilder<unknown> {
  const inOnePart = sql`select t.page_id from page_texts t where ${has('t', tsqueryOf(phrases))}`;
  if (phrases.length === 1) return sql`${inOnePart} group by t.page_id`;
  const each = phrases.map(
    (phrase) => sql`exists (select 1 from page_texts t
      where t.page_id = l.page_id and t.terms @@ ${tsqueryOf([phrase])}::tsquery)`,
  );
  return sql`${inOnePart} union select l.page_id from page_texts l where l.part = 1 and ${sql.join(each, sql` and `)}`;
}

/**
 * Found by the index. Where many texts match, the planner would rather test all of them one after the other, because it does not
 * know that most are stored apart and compressed; so it is not shown the query.
 */
function has(alias: string, query: string): RawBuilder<boolean> {
  return sql`${sql.ref(`${alias}.terms`)} @@ (select ${query}::tsquery)`;
}

export const fromTitlesMatching: Engine['fromTitlesMatching'] = (phrases) => sql`from pages p
  where p.id in (select t.page_id from page_texts t where ${has('t', tsqueryOf(phrases, 'A'))})`;

export const titleMatches: Engine['titleMatches'] = (id, phrases) =>
  sql`${id} in (select t.page_id from page_texts t where ${has('t', tsqueryOf(phrases, 'A'))})`;

export const fromKeysContaining: Engine['fromKeysContaining'] = (name, fragment) =>
  sql`from pages p where ${keyContains(name, fragment)}`;

export const keyContains: Engine['keyContains'] = (name, fragment) => {
  const pattern = `%${fragment.replace(/[\\%_]/g, '\\$&')}%`;
  return name === 'title'
    ? sql`p.sort_key like ${pattern}`
    : sql`(p.path_key like ${pattern} or p.path_fold like ${pattern})`;
};

/** Indexes on columns are maintained automatically, so only the texts can be wrong. */
export const checkIndexes: Engine['checkIndexes'] = async (db) => ({
  async wrong(pages) {
    const due = rows({ page_id: 'integer', part: 'integer', terms: 'text' }, partsOf(pages));
    const ids = pages.map(({ pageId }) => pageId);
    const differing = await sql<{ id: number }>`
      select distinct coalesce(h.page_id, d.page_id) as id
      from (select * from page_texts where page_id = any (${ids}::bigint[])) as h
      full join ${due} as d on d.page_id = h.page_id and d.part = h.part
      where h.terms is null or d.terms is null or h.terms <> d.terms::tsvector`.execute(db);
    return { texts: new Set(differing.rows.map((row) => row.id)), names: new Set<number>() };
  },
  rest: () => [],
  [Symbol.asyncDispose]: async () => {},
});
