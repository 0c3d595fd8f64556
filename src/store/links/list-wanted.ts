/**
 * The most wanted links, by the counts of `wanted-counts.ts`, with their spellings and linking pages.
 *
 * Members also see their own private pages and those of their groups. The effect of these on the counts is computed on request,
 * only for the keys that such pages link to or resolve.
 */
import { type RawBuilder, sql } from 'kysely';
import { leadsTo, linksTo } from '#cache/dependency.ts';
import { firstGranted } from '#core/model/grant.ts';
import type { PageName } from '#core/model/page.ts';
import { seesEverything, seesNothing, type Visibility } from '#core/model/permission.ts';
import type { CachedLists, List } from '../cached-lists.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible, visibleLink } from '../visibility.ts';
import { isPath } from './wanted-counts.ts';

/** Spelling of a wanted key, and the first pages that link to it. */
export interface AskingPages extends List<PageName> {
  title: string;
}

/** `cachedLists`: a list for each key, so that a write recomputes only the lists of its keys. */
export async function listWanted(
  {
    session,
    cachedLists,
    visibility,
  }: { session: Session; cachedLists: CachedLists<PageName, AskingPages>; visibility: Visibility },
  limit: number,
  linksLimit: number,
): Promise<{ title: string; count: number; links: PageName[] }[]> {
  const top = await rowsOf(
    session,
    sql<{ key: string; count: number }>`with ${topKeys(visibility, limit)}
      select key, count from top order by count desc, sort_key, key`,
  );
  const asking = await cachedLists.getEach(
    session,
    top.map(({ key }) => [key, visibility, linksLimit]),
    (missing) => {
      const keys = missing.map((i) => (top[i] as { key: string }).key);
      return listAsking(session, keys, visibility, linksLimit);
    },
  );
  return top.map(({ key, count }, i) => ({
    title: asking[i]?.title ?? key,
    count,
    links: asking[i]?.pages ?? [],
  }));
}

async function listAsking(
  session: Session,
  keys: string[],
  visibility: Visibility,
  linksLimit: number,
): Promise<AskingPages[]> {
  const given = session.engine.rows(
    { key: 'text' },
    keys.map((key) => [key]),
  );
  // A title is wanted in all spellings; a path may exist in one spelling and not in another.
  const rows = await rowsOf(
    session,
    sql<AskingRow>`with asked as materialized (
      select t.key, l.target, l.count, l.source_id from ${given} as t cross join links l
      where l.key = t.key and l.kind = 'page' and ${visibleLink(visibility)}
        and (not ${isPath('l')} or ${pathLeadsNowhere(visibility)})
    ), numbered as (
      select key, id, row_number() over (partition by key order by sort_key, id) as place
      from (select distinct asked.key, p.id, p.sort_key from asked join pages p on p.id = asked.source_id) as sources
    )
    select 'spelling' as part, 0 as place, key, cast(sum(count) as bigint) as count, 0 as id, target as title, '' as path
      from asked group by key, target
    union all select 'link', place, key, 0, p.id, p.title, p.path from numbered join pages p on p.id = numbered.id
      where place <= ${linksLimit}
    order by place`,
  );

  const spellings = new Map<string, { title: string; count: number }>();
  const links = new Map<string, PageName[]>();
  for (const { part, key, count, id, title, path } of rows) {
    if (part === 'spelling') {
      const best = spellings.get(key);
      const isBetter =
        !best || count > best.count || (count === best.count && bytesBefore(title, best.title));
      if (isBetter) spellings.set(key, { title, count });
    } else {
      const list = links.get(key);
      if (list) list.push({ id, title, path });
      else links.set(key, [{ id, title, path }]);
    }
  }
  return keys.map((key) => {
    const pages = links.get(key) ?? [];
    const title = spellings.get(key)?.title ?? key;
    return { title, pages, total: pages.length, dependencies: [linksTo(key), leadsTo(key)] };
  });
}

/** A spelling (`title`) of a wanted key, or a page that links to it, ordered by `place`. */
interface AskingRow extends PageName {
  part: 'spelling' | 'link';
  key: string;
  count: number;
}

/** Common table expressions, ending with `top` (key, sort_key, count). */
function topKeys(visibility: Visibility, limit: number): RawBuilder<unknown> {
  const { maxAudience, ownerId, groupAudiences, subjects } = visibility;
  const counted = seesEverything(visibility)
    ? 'all_count'
    : maxAudience <= 0
      ? 'world_count'
      : 'members_count';
  const column = sql.ref(counted);
  const isGuests = ownerId !== null && maxAudience <= 0;
  if (ownerId === null)
    return sql`top as materialized (${mostWanted(column, seesNothing(visibility) ? 0 : limit)})`;
  const some = (condition: RawBuilder<unknown>) =>
    sql`select id, title_key, path_key from pages where ${condition}`;
  // Each has a small partial index.
  const own = [
    some(sql`owner_id = ${ownerId} and audience = 2`),
    some(sql`owner_id = ${ownerId} and audience > 3 and audience % 2 = 0`),
    ...(isGuests ? [some(sql`owner_id = ${ownerId} and audience > ${maxAudience} and audience <= 1`)] : []),
    ...(groupAudiences.length > 0
      ? [some(sql`audience > 3 and audience in (${sql.join(groupAudiences)})`)]
      : []),
    ...(subjects.length > 0 ? [0, 1] : []).map((isNotOwners) =>
      some(sql`audience > 3 and audience in (select ${sql.lit(firstGranted)} + 2 * r.audience_id + ${sql.lit(isNotOwners)}
        from audience_readers r where r.subject in (${sql.join(subjects)}))`),
    ),
  ];
  // “Own”: pages that this member may read but not every member. A title that one of them has is not wanted; links from them
  // are added to the counts. Paths may resolve in one spelling and not in another, so they are recounted.
  return sql`own as materialized (
      ${sql.join(own, sql` union `)}
    ), said as materialized (
      select l.source_id, l.key from own cross join links l where l.source_id = own.id and l.kind = 'page'
    ), adding as materialized (
      select key, count(distinct source_id) as count from said where not ${isPath('said')} ${isGuests ? sql`and 1 = 0` : sql``}
        and key not in (select title_key from own) group by key
    ), affected as materialized (
      select path_key as key from own
      union select o.path_key from own join aliases o on o.page_id = own.id
      union select key from said ${isGuests ? sql`union select title_key from own` : sql`where ${isPath('said')}`}
    ), base as (
      ${mostWanted(
        column,
        limit,
        sql`key not in (select key from affected) and key not in (select key from adding)
          and (${isPath('wanted')} or key not in (select title_key from own))
          ${maxAudience < 0 ? sql`and 1 = 0` : sql``}`,
      )}
    ), added as (
      select w.key, w.sort_key, ${column} + adding.count as count
      from adding cross join wanted w where w.key = adding.key and w.private_count > 0
    ), exact as (
      ${isGuests ? countedForGuests(visibility) : countedForMembers(visibility)}
    ), top as materialized (
      select key, sort_key, count from (select key, sort_key, count from base
        union all select key, sort_key, count from added union all select key, sort_key, count from exact) as merged
      order by count desc, sort_key, key limit ${limit}
    )`;
}

function countedForMembers(visibility: Visibility): RawBuilder<unknown> {
  return sql`select w.key, w.sort_key, count(distinct l.source_id) as count
    from affected cross join wanted w cross join links l join pages p on p.id = l.source_id
    where w.key = affected.key and l.key = affected.key and l.kind = 'page' and ${visible('p', visibility)}
      and ${pathLeadsNowhere(visibility)}
    group by w.key, w.sort_key`;
}

/** No count is kept for guests, to whom titles of members' pages lead nowhere: all links of these keys are looked at. */
function countedForGuests(visibility: Visibility): RawBuilder<unknown> {
  return sql`select affected.key, coalesce(min(w.sort_key), affected.key) as sort_key, count(distinct l.source_id) as count
    from affected join links l on l.key = affected.key and l.kind = 'page'
      join pages p on p.id = l.source_id left join wanted w on w.key = affected.key
    where ${visible('p', visibility)} and ${pathLeadsNowhere(visibility)} and (${isPath('l')}
      or not exists (select 1 from pages a where a.title_key = affected.key and ${visible('a', visibility)}))
    group by affected.key`;
}

/** Uses one index if the count is the same for all readers, else one index for each count: see the migrations. */
function mostWanted(
  column: RawBuilder<unknown>,
  limit: number,
  condition: RawBuilder<unknown> = sql`1 = 1`,
): RawBuilder<unknown> {
  const first = (count: RawBuilder<unknown>, isAlike: 1 | 0) => sql`select * from (
    select key, sort_key, ${count} as count from wanted
    where ${count} > 0 and ${alike} = ${sql.lit(isAlike)} and ${condition}
    order by ${count} desc, sort_key, key limit ${limit}) as merged`;
  return sql`select key, sort_key, count from (${first(sql.ref('world_count'), 1)}
    union all ${first(column, 0)}) as merged order by count desc, sort_key, key limit ${limit}`;
}

/**
 * The same expression as in the indexes; PostgreSQL would rewrite a plain comparison of columns and not recognise it.
 */
const alike = sql`case when world_count = members_count and world_count = all_count then 1 else 0 end`;

function pathLeadsNowhere(visibility: Visibility): RawBuilder<boolean> {
  return sql`not exists (select 1 from pages a where a.path = l.target and ${visible('a', visibility)})
    and not exists (select 1 from aliases o join pages a on a.id = o.page_id where o.path = l.target and ${visible('a', visibility)})`;
}

function bytesBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
