/**
 * The most wanted links, by the counts that `wanted-counts.ts` keeps, with how they are written and who asks for them.
 *
 * Members also see their own private pages and those of their groups. What these change is counted when asked: the keys that
 * such pages link to or answer, and no others.
 */
import { type RawBuilder, sql } from 'kysely';
import { leadsTo, linksTo } from '#cache/dependency.ts';
import type { PageName } from '#domain/pages/page.ts';
import { seesEverything, type Visibility } from '#domain/permission.ts';
import type { CachedLists, List } from '../cached-lists.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible, visibleLink } from '../visibility.ts';
import { isPath } from './wanted-counts.ts';

/** How a wanted key is written, and the first of the pages that ask for it. */
export interface AskingPages extends List<PageName> {
  title: string;
}

/** `cachedLists`: each key's own list, so that a write that asks for something recomputes only what concerns that. */
export async function listWanted(
  session: Session,
  cachedLists: CachedLists<PageName, AskingPages>,
  visibility: Visibility,
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
  // A wanted title leads nowhere in every spelling, a path may in one and not in another.
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

/** A spelling (`title`) of a wanted key, or a page that asks for it, in order of `place`. */
interface AskingRow extends PageName {
  part: 'spelling' | 'link';
  key: string;
  count: number;
}

/** Common table expressions, the last of which is `top` (key, sort_key, count). */
function topKeys(visibility: Visibility, limit: number): RawBuilder<unknown> {
  const { maxAudience, ownerId, groupAudiences } = visibility;
  const counted = seesEverything(visibility)
    ? 'all_count'
    : maxAudience === 0
      ? 'world_count'
      : 'members_count';
  const column = sql.ref(counted);
  if (ownerId === null) return sql`top as materialized (${mostWanted(column, limit)})`;
  const some = (condition: RawBuilder<unknown>) =>
    sql`select id, title_key, path_key from pages where ${condition}`;
  // Each has a partial index, as small as the number of such pages.
  const own = [
    some(sql`owner_id = ${ownerId} and audience = 2`),
    some(sql`owner_id = ${ownerId} and audience > 3 and audience % 2 = 0`),
    ...(groupAudiences.length > 0
      ? [some(sql`audience > 3 and audience in (${sql.join(groupAudiences)})`)]
      : []),
  ];
  // “Own”: pages that this member may read and not every member. A title that one of them answers is not wanted; to one that
  // they ask for, those add up. A path may be answered in one spelling and not in another, so it is counted anew.
  return sql`own as materialized (
      ${sql.join(own, sql` union `)}
    ), said as materialized (
      select l.source_id, l.key from own cross join links l where l.source_id = own.id and l.kind = 'page'
    ), adding as materialized (
      select key, count(distinct source_id) as count from said where not ${isPath('said')}
        and key not in (select title_key from own) group by key
    ), affected as materialized (
      select path_key as key from own
      union select o.path_key from own join aliases o on o.page_id = own.id
      union select key from said where ${isPath('said')}
    ), base as (
      ${mostWanted(
        column,
        limit,
        sql`key not in (select key from affected) and key not in (select key from adding)
          and (${isPath('wanted')} or key not in (select title_key from own))`,
      )}
    ), added as (
      select w.key, w.sort_key, ${column} + adding.count as count
      from adding cross join wanted w where w.key = adding.key and w.private_count > 0
    ), exact as (
      select w.key, w.sort_key, count(distinct l.source_id) as count
      from affected cross join wanted w cross join links l join pages p on p.id = l.source_id
      where w.key = affected.key and l.key = affected.key and l.kind = 'page' and ${visible('p', visibility)}
        and ${pathLeadsNowhere(visibility)}
      group by w.key, w.sort_key
    ), top as materialized (
      select key, sort_key, count from (select key, sort_key, count from base
        union all select key, sort_key, count from added union all select key, sort_key, count from exact) as merged
      order by count desc, sort_key, key limit ${limit}
    )`;
}

/** Ranks by one index if the count is the same for everybody, else by one index for each count: see the migrations. */
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
 * The expression is the same as in the indexes. PostgreSQL would rewrite a plain comparison of columns and not recognise
 * it.
 */
const alike = sql`case when world_count = members_count and world_count = all_count then 1 else 0 end`;

function pathLeadsNowhere(visibility: Visibility): RawBuilder<boolean> {
  return sql`not exists (select 1 from pages a where a.path = l.target and ${visible('a', visibility)})
    and not exists (select 1 from aliases o join pages a on a.id = o.page_id where o.path = l.target and ${visible('a', visibility)})`;
}

function bytesBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
