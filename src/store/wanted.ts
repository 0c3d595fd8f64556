/**
 * Wanted links: targets that lead nowhere, and how many pages ask for each.
 *
 * For every key that some link carries and that leads nowhere for some audience, a row holds how many pages of that
 * audience ask for it: the pages with a link of the key that reaches no page that the audience can read. A private page
 * so changes nothing for others: links to it stay wanted for them, and links from it do not count.
 *
 * The transaction that changes a link, a title, a path or an audience recounts the keys that it touched, after
 * holding their rows (in order, against deadlocks), so that of two writers the later one counts what both have done.
 *
 * Members also see their own private pages. What these change is counted when asked: the keys that the caller's own
 * private pages link to or answer, and no others.
 */
import { type RawBuilder, sql } from 'kysely';
import type { PageName } from '#domain/page.ts';
import type { Sight } from '#domain/permission.ts';
import type { Database, Engine } from './engine.ts';
import { sortKeyOf } from './rows.ts';
import { type Session, visible } from './session.ts';

/** Who can read the best page that answers: compares above every audience where there is none. */
const nobody = 9;

export async function recountWanted(engine: Engine, db: Database, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = [...new Set(keys)].sort().map((key) => ({ key, sortKey: sortKeyOf(key) }));
  await engine.lockWanted(db, rows);
  const given = (list: typeof rows) =>
    engine.rows(
      { key: 'text', sort_key: 'text' },
      list.map(({ key, sortKey }) => [key, sortKey]),
    );
  await sql`
    insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    select key, sort_key, ${counts} from (${linksWithAnswers(given(rows))}) as asked
    where 1 = 1
    group by key, sort_key
    on conflict (key) do update set world_count = excluded.world_count, members_count = excluded.members_count,
      all_count = excluded.all_count, private_count = excluded.private_count`.execute(db);
  // Keys without any link at all were not counted above.
  await sql`delete from wanted where ${engine.amongTexts(
    sql.ref('key'),
    rows.map((row) => row.key),
  )} and (
    (world_count = 0 and members_count = 0 and all_count = 0 and private_count = 0)
    or not exists (select 1 from links l where l.key = wanted.key and l.kind = 'page'))`.execute(db);
}

/** Of links with the audience of source and answer. */
export const counts = sql`
  count(distinct case when audience <= 0 and answer > 0 then source_id end) as world_count,
  count(distinct case when audience <= 1 and answer > 1 then source_id end) as members_count,
  count(distinct case when answer > 3 then source_id end) as all_count,
  count(distinct case when audience = 2 and answer > 1 then source_id end) as private_count`;

/** Links of the given keys, each with the widest audience among the pages that answer it. */
export function linksWithAnswers(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select t.key, t.sort_key, l.source_id, l.audience, t.answer
      from (select k.key, k.sort_key,
          coalesce((select min(a.audience) from pages a where a.title_key = k.key), ${sql.lit(nobody)}) as answer
        from ${given} as k where substr(k.key, 1, 1) <> '/') as t
      cross join links l where l.key = t.key and l.kind = 'page'
    union all
    select key, sort_key, source_id, audience, case when there < left_from_there then there else left_from_there end as answer
      from (select k.key, k.sort_key, l.source_id, l.audience,
          coalesce((select a.audience from pages a where a.path = l.target), ${sql.lit(nobody)}) as there,
          coalesce((select min(a.audience) from aliases o join pages a on a.id = o.page_id where o.path = l.target),
            ${sql.lit(nobody)}) as left_from_there
        from ${given} as k cross join links l
        where substr(k.key, 1, 1) = '/' and l.key = k.key and l.kind = 'page') as t`;
}

export async function listWanted(
  session: Session,
  sight: Sight,
  limit: number,
  linksLimit: number,
): Promise<{ title: string; count: number; links: PageName[] }[]> {
  const { engine, db, isTransaction } = session;
  const top = topKeys(sight, limit);
  const unanswered = leadsNowhere(sight);
  const asking = sql`from top t cross join links l join pages p on p.id = l.source_id
    where l.key = t.key and l.kind = 'page' and ${visible('p', sight)} and ${unanswered}`;
  const { statements, unpack } = engine.bundle([
    sql`with ${top} select key, count from top order by count desc, sort_key, key`,
    sql`with ${top} select t.key, l.target, sum(l.count) as times ${asking} group by t.key, l.target`,
    sql`with ${top}, numbered as (
        select key, id, title, path, row_number() over (partition by key order by sort_key, id) as place
        from (select distinct t.key, p.id, p.title, p.path, p.sort_key ${asking}) as asking
      )
      select key, id, title, path from numbered where place <= ${linksLimit} order by key, place`,
  ]);
  const run = async (db: Database): Promise<unknown[][]> => {
    const results: unknown[][] = [];
    for (const statement of statements) results.push((await statement.execute(db)).rows);
    return results;
  };
  const results = unpack(await (isTransaction || statements.length === 1 ? run(db) : engine.snapshot(run)));
  const [keys, spellings, sources] = results as [
    { key: string; count: number }[],
    { key: string; target: string; times: number }[],
    (PageName & { key: string })[],
  ];

  const titles = new Map<string, { target: string; times: number }>();
  for (const { key, target, times } of spellings) {
    const best = titles.get(key);
    const isBetter =
      !best ||
      Number(times) > best.times ||
      (Number(times) === best.times && bytesBefore(target, best.target));
    if (isBetter) titles.set(key, { target, times: Number(times) });
  }
  const links = new Map<string, PageName[]>();
  for (const { key, ...page } of sources) {
    const list = links.get(key);
    if (list) list.push(page);
    else links.set(key, [page]);
  }
  return keys.map(({ key, count }) => ({
    title: titles.get(key)?.target ?? key,
    count,
    links: links.get(key) ?? [],
  }));
}

/** Common table expressions, the last of which is `top` (key, sort_key, count). */
function topKeys(sight: Sight, limit: number): RawBuilder<unknown> {
  const column = sql.ref(
    { 0: 'world_count', 1: 'members_count', 2: 'members_count', 3: 'all_count' }[sight.upTo],
  );
  const order = sql`order by count desc, sort_key, key limit ${limit}`;
  if (sight.ownerId === null || sight.upTo >= 2) {
    return sql`top as (select key, sort_key, ${column} as count from wanted where ${column} > 0
      order by ${column} desc, sort_key, key limit ${limit})`;
  }
  return sql`own as (
      select id, title_key, path_key from pages where owner_id = ${sight.ownerId} and audience = 2
    ), affected as (
      select title_key as key from own
      union select path_key from own
      union select o.path_key from own join aliases o on o.page_id = own.id
      union select l.key from own join links l on l.source_id = own.id where l.kind = 'page'
    ), base as (
      select key, sort_key, ${column} as count from wanted
      where ${column} > 0 and key not in (select key from affected)
      order by ${column} desc, sort_key, key limit ${limit}
    ), exact as (
      select w.key, w.sort_key, count(distinct l.source_id) as count
      from affected cross join wanted w cross join links l join pages p on p.id = l.source_id
      where w.key = affected.key and l.key = affected.key and l.kind = 'page' and ${visible('p', sight)} and ${leadsNowhere(sight)}
      group by w.key, w.sort_key
    ), top as (
      select key, sort_key, count from (select key, sort_key, count from base union all select key, sort_key, count from exact) as merged
      ${order}
    )`;
}

/** Whether a link l reaches no page that this sight sees. A key's path may be one in one spelling and none in another. */
function leadsNowhere(sight: Sight): RawBuilder<boolean> {
  return sql`case when substr(l.key, 1, 1) <> '/'
    then not exists (select 1 from pages a where a.title_key = l.key and ${visible('a', sight)})
    else not exists (select 1 from pages a where a.path = l.target and ${visible('a', sight)})
      and not exists (select 1 from aliases o join pages a on a.id = o.page_id where o.path = l.target and ${visible('a', sight)})
    end`;
}

function bytesBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
