/**
 * Wanted links: targets that lead nowhere, and how many pages ask for each.
 *
 * For every key that some link carries and that leads nowhere for some audience, a row holds how many pages of that
 * audience ask for it: the pages with a link of the key that reaches no page that the audience can read. A private page
 * so changes nothing for others: links to it stay wanted for them, and links from it do not count.
 *
 * The transaction that changes a title, a path or an audience recounts the keys that it touched; one that changes links
 * alone adds and takes off what these counted for. It holds the keys' rows first (in order, against deadlocks), so that
 * of two writers the later one counts what both have done.
 *
 * Members also see their own private pages. What these change is counted when asked: the keys that the caller's own
 * private pages link to or answer, and no others.
 */
import { type RawBuilder, sql } from 'kysely';
import type { PageName } from '#domain/page.ts';
import type { Sight } from '#domain/permission.ts';
import { leadsTo, linksTo } from '#domain/subjects.ts';
import type { Database, Engine } from './engine.ts';
import type { KeptLists, List } from './kept-lists.ts';
import { sortKeyOf } from './rows.ts';
import { all, prepare, type Session, visible } from './session.ts';
import { inSlices } from './slices.ts';
import type { Tables } from './tables.ts';

/** Keys that take some milliseconds to count: a move has two for every page. */
const keysAtOnce = 250;
const sliceSize = 1000;

/** Who can read the best page that answers: compares above every audience where there is none. */
const nobody = 9;

/** A link from a page of this audience that has appeared or vanished. */
export interface LinkChange {
  source_id: number;
  key: string;
  target: string;
  audience: number;
  by: 1 | -1;
}

/**
 * After a change of pages: counts anew what is wanted by the keys in `recounted`, which pages have begun or ceased to
 * answer, and for the links of `changes` adds and takes off, however many other pages link there. All links of a page
 * that share a key with one that changed must be given, before and after.
 */
export async function updateWanted(
  engine: Engine,
  db: Database,
  changes: LinkChange[],
  recounted: Set<string>,
): Promise<void> {
  const session = { engine, db, isTransaction: true };
  const counted = Map.groupBy(
    changes.filter(({ key }) => !recounted.has(key)),
    ({ key }) => key,
  );
  // In order, against deadlocks.
  const keys = [...new Set([...recounted, ...counted.keys()])].sort();
  await inSlices(
    keys,
    async (keys) => {
      const held = keys.map((key) => ({ key, sortKey: sortKeyOf(key) }));
      const hasMade = await engine.lockWanted(db, held);
      const due = held.filter(({ key }) => recounted.has(key));
      // Where that made no rows, most new titles and paths are soon known to be nobody's concern.
      const unasked = await recount(session, hasMade ? due : await askedFor(session, due));
      const emptied = await addUp(session, held, counted);
      await removeUnasked(session, unasked, hasMade ? keys : emptied);
    },
    keysAtOnce,
  );
}

export async function recountAll(engine: Engine, db: Database): Promise<void> {
  for await (const keys of keySlices(db)) await updateWanted(engine, db, [], new Set(keys));
}

/** Keys of all links, and of all counts that may have lost theirs. */
export async function* keySlices(db: Database): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const { rows } = await sql<{ key: string }>`
      select key from (
        select key from (select distinct key from links where key > ${after} order by key limit ${sliceSize}) as a
        union select key from (select key from wanted where key > ${after} order by key limit ${sliceSize}) as b
      ) as keys order by key limit ${sliceSize}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => row.key);
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return;
    after = last.key;
  }
}

/** Returns the keys that nobody asks for any more, whose rows are still there. */
async function recount(session: Session, keys: { key: string; sortKey: string }[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const counted = await all(session, recounting, { keys: keys.map(({ key, sortKey }) => [key, sortKey]) });
  const wanted = new Set(counted.filter(isWanted).map((row) => row.key));
  return keys.flatMap(({ key }) => (wanted.has(key) ? [] : [key]));
}

const recounting = prepare<{ keys: string[][] }, Tables['wanted']>(
  (p, engine) => sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    ${counting(engine.rows({ key: 'text', sort_key: 'text' }, p('keys')))}
    on conflict (key) do update set world_count = excluded.world_count, members_count = excluded.members_count,
      all_count = excluded.all_count, private_count = excluded.private_count
    returning *`,
);

/** Those of the keys that some link carries or something is counted for. */
async function askedFor<K extends { key: string }>(session: Session, keys: K[]): Promise<K[]> {
  if (keys.length === 0) return [];
  const found = await all(session, asking, { keys: keys.map(({ key }) => [key]) });
  const asked = new Set(found.map(({ key }) => key));
  return keys.filter(({ key }) => asked.has(key));
}

const asking = prepare<{ keys: string[][] }, { key: string }>(
  (p, engine) => sql`select t.key from ${engine.rows({ key: 'text' }, p('keys'))} as t
    where exists (select 1 from links l where l.key = t.key) or exists (select 1 from wanted w where w.key = t.key)`,
);

/** Returns the keys that nothing is counted for any more, whose rows are still there. */
async function addUp(
  session: Session,
  keys: { key: string; sortKey: string }[],
  changes: ReadonlyMap<string, LinkChange[]>,
): Promise<string[]> {
  const [titles, paths]: [unknown[][], unknown[][]] = [[], []];
  for (const { key, sortKey } of keys) {
    const ofKey = changes.get(key) ?? [];
    if (key.startsWith('/')) {
      for (const { source_id, target, audience, by } of ofKey)
        paths.push([source_id, key, sortKey, target, audience, by]);
      continue;
    }
    const sums = ifUnanswered(ofKey);
    if (sums.some((sum) => sum !== 0)) titles.push([key, sortKey, ...sums]);
  }
  const counted = [
    ...(titles.length > 0 ? await all(session, addingTitles, { rows: titles }) : []),
    ...(paths.length > 0 ? await all(session, addingPaths, { rows: paths }) : []),
  ];
  return counted.flatMap((row) => (isWanted(row) ? [] : [row.key]));
}

/** What is to be added to the four counts of a title that no page has. */
function ifUnanswered(changes: LinkChange[]): [number, number, number, number] {
  // However often a page asks for a key, it counts once.
  const sources = new Map(changes.map((change) => [`${change.source_id} ${change.by}`, change]));
  let [world, members, everyone, own] = [0, 0, 0, 0];
  for (const { audience, by } of sources.values()) {
    everyone += by;
    if (audience <= 1) members += by;
    if (audience <= 0) world += by;
    if (audience === 2) own += by;
  }
  return [world, members, everyone, own];
}

const adding = sql`on conflict (key) do update set world_count = wanted.world_count + excluded.world_count,
  members_count = wanted.members_count + excluded.members_count, all_count = wanted.all_count + excluded.all_count,
  private_count = wanted.private_count + excluded.private_count
  returning *`;

/** The conditions are those of `counting`. One page alone decides for all links to a title what answers them. */
const addingTitles = prepare<{ rows: unknown[][] }, Tables['wanted']>((p, engine) => {
  const given = engine.rows(
    {
      ...{ key: 'text', sort_key: 'text', world: 'integer', members: 'integer' },
      ...{ everyone: 'integer', private: 'integer' },
    },
    p('rows'),
  );
  return sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    with answered as materialized (select given.*, ${answerToTitle('given')} as answer from ${given} as given)
    select key, sort_key, case when answer > 0 then world else 0 end, case when answer > 1 then members else 0 end,
      case when answer > 3 then everyone else 0 end, case when answer > 1 then private else 0 end
    from answered where (answer > 0 and world <> 0) or (answer > 1 and (members <> 0 or private <> 0))
      or (answer > 3 and everyone <> 0)
    ${adding}`;
});

/** The same of links to paths, each of whose spellings may be answered by another page. */
const addingPaths = prepare<{ rows: unknown[][] }, Tables['wanted']>((p, engine) => {
  const given = engine.rows(
    {
      ...{ source_id: 'integer', key: 'text', sort_key: 'text', target: 'text' },
      ...{ audience: 'integer', by: 'integer' },
    },
    p('rows'),
  );
  const flag = (condition: RawBuilder<unknown>) => sql`max(case when ${condition} then 1 else 0 end)`;
  return sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    with answered as materialized (select given.*, ${answerToPath('given')} as answer from ${given} as given)
    select key, sort_key, sum("by" * world), sum("by" * members), sum("by" * everyone), sum("by" * private) from (
      select key, sort_key, source_id, "by", ${flag(sql`audience <= 0 and answer > 0`)} as world,
        ${flag(sql`audience <= 1 and answer > 1`)} as members, ${flag(sql`answer > 3`)} as everyone,
        ${flag(sql`audience = 2 and answer > 1`)} as private
      from answered where answer > 0 group by key, sort_key, source_id, "by") as sources
    group by key, sort_key
    having sum("by" * world) <> 0 or sum("by" * members) <> 0 or sum("by" * everyone) <> 0 or sum("by" * private) <> 0
    ${adding}`;
});

/** Those that nobody asks for, and of the others those that nothing is counted for. */
async function removeUnasked(session: Session, unasked: string[], others: readonly string[]): Promise<void> {
  if (unasked.length + others.length > 0) await all(session, removing, { unasked, others });
}

const removing = prepare<{ unasked: string[]; others: readonly string[] }, unknown>(
  (p, engine) => sql`delete from wanted where ${engine.amongTexts(sql.ref('key'), p('unasked'))}
    or (${engine.amongTexts(sql.ref('key'), p('others'))}
      and world_count = 0 and members_count = 0 and all_count = 0 and private_count = 0)`,
);

export function isWanted(row: Tables['wanted']): boolean {
  return row.world_count + row.members_count + row.all_count + row.private_count > 0;
}

/** Rows as in `wanted` for the given keys (key, sort_key), those left out that nothing can be counted for. */
export function counting(given: RawBuilder<unknown>): RawBuilder<Tables['wanted']> {
  // An answer is the widest audience among the pages that answer. It is worked out once for a title, however many links
  // say it: what everyone can read, as most of what is linked to, is not counted at all.
  return sql`with keys as materialized (
      select key, sort_key, ${isPath('k')} as is_path, case when ${isPath('k')} then ${sql.lit(nobody)} else
        ${answerToTitle('k')} end as answer
      from ${given} as k
    ), asked as materialized (
      select keys.key, keys.sort_key, l.source_id, l.audience, keys.answer
      from keys cross join links l where not keys.is_path and keys.answer > 0 and l.key = keys.key and l.kind = 'page'
      union all
      select keys.key, keys.sort_key, l.source_id, l.audience, ${answerToPath('l')}
      from keys cross join links l where keys.is_path and l.key = keys.key and l.kind = 'page'
    )
    select key, sort_key,
      count(distinct case when audience <= 0 and answer > 0 then source_id end) as world_count,
      count(distinct case when audience <= 1 and answer > 1 then source_id end) as members_count,
      count(distinct case when answer > 3 then source_id end) as all_count,
      count(distinct case when audience = 2 and answer > 1 then source_id end) as private_count
    from asked where answer > 0 group by key, sort_key`;
}

function answerToTitle(alias: string): RawBuilder<number> {
  const key = sql.ref(`${alias}.key`);
  return sql`coalesce((select min(a.audience) from pages a where a.title_key = ${key}), ${sql.lit(nobody)})`;
}

function answerToPath(alias: string): RawBuilder<number> {
  const target = sql.ref(`${alias}.target`);
  return sql`coalesce((select min(audience) from (select a.audience from pages a where a.path = ${target}
    union all select a.audience from aliases o join pages a on a.id = o.page_id where o.path = ${target}) as answering), ${sql.lit(nobody)})`;
}

function isPath(alias: string): RawBuilder<boolean> {
  return sql`substr(${sql.ref(`${alias}.key`)}, 1, 1) = '/'`;
}

/** How a wanted key is written, and the first of the pages that ask for it. */
export interface AskingPages extends List<PageName> {
  title: string;
}

/** `kept`: each key's own list, so that a write that asks for something makes anew only what concerns that. */
export async function listWanted(
  session: Session,
  kept: KeptLists<PageName, AskingPages>,
  sight: Sight,
  limit: number,
  linksLimit: number,
): Promise<{ title: string; count: number; links: PageName[] }[]> {
  const top = await sql<{ key: string; count: number }>`with ${topKeys(sight, limit)}
    select key, count from top order by count desc, sort_key, key`.execute(session.db);
  const asking = await kept.getEach(
    session,
    top.rows.map(({ key }) => [key, sight, linksLimit]),
    (missing) => {
      const keys = missing.map((i) => (top.rows[i] as { key: string }).key);
      return listAsking(session, keys, sight, linksLimit);
    },
  );
  return top.rows.map(({ key, count }, i) => ({
    ...{ title: asking[i]?.title ?? key, count, links: asking[i]?.pages ?? [] },
  }));
}

async function listAsking(
  session: Session,
  keys: string[],
  sight: Sight,
  linksLimit: number,
): Promise<AskingPages[]> {
  const given = session.engine.rows(
    { key: 'text' },
    keys.map((key) => [key]),
  );
  // A wanted title leads nowhere in every spelling, a path may in one and not in another.
  const { rows } = await sql<AskingRow>`with asked as materialized (
      select t.key, l.target, l.count, l.source_id from ${given} as t cross join links l
      where l.key = t.key and l.kind = 'page' and ${isSeen(sight)}
        and (not ${isPath('l')} or ${pathLeadsNowhere(sight)})
    ), numbered as (
      select key, id, row_number() over (partition by key order by sort_key, id) as place
      from (select distinct asked.key, p.id, p.sort_key from asked join pages p on p.id = asked.source_id) as sources
    )
    select 'spelling' as part, 0 as place, key, cast(sum(count) as bigint) as count, 0 as id, target as title, '' as path
      from asked group by key, target
    union all select 'link', place, key, 0, p.id, p.title, p.path from numbered join pages p on p.id = numbered.id
      where place <= ${linksLimit}
    order by place`.execute(session.db);

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
    return { title, pages, total: pages.length, madeFrom: [linksTo(key), leadsTo(key)] };
  });
}

/** A spelling (`title`) of a wanted key, or a page that asks for it, in order of `place`. */
interface AskingRow extends PageName {
  part: 'spelling' | 'link';
  key: string;
  count: number;
}

/** Common table expressions, the last of which is `top` (key, sort_key, count). */
function topKeys(sight: Sight, limit: number): RawBuilder<unknown> {
  const column = sql.ref(
    { 0: 'world_count', 1: 'members_count', 2: 'members_count', 3: 'all_count' }[sight.upTo],
  );
  if (sight.ownerId === null || sight.upTo >= 2) {
    return sql`top as materialized (${mostWanted(column, limit)})`;
  }
  // A title that a page of their own answers is not wanted; to one that their private pages ask for, those add up. A path
  // may be answered in one spelling and not in another, so it is counted anew.
  return sql`own as materialized (
      select id, title_key, path_key from pages where owner_id = ${sight.ownerId} and audience = 2
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
      where w.key = affected.key and l.key = affected.key and l.kind = 'page' and ${visible('p', sight)}
        and ${pathLeadsNowhere(sight)}
      group by w.key, w.sort_key
    ), top as materialized (
      select key, sort_key, count from (select key, sort_key, count from base
        union all select key, sort_key, count from added union all select key, sort_key, count from exact) as merged
      order by count desc, sort_key, key limit ${limit}
    )`;
}

/** What is counted alike for everybody stands in one index, and what is not in one for each count: see the migrations. */
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

/** As it stands in the indexes. A plain comparison of columns PostgreSQL would put into other words, and not know it again. */
const alike = sql`case when world_count = members_count and world_count = all_count then 1 else 0 end`;

/** Whether the sight sees the page of a link l. Only for private ones the page is looked at. */
function isSeen(sight: Sight): RawBuilder<boolean> {
  if (sight.ownerId === null) return visible('l', sight);
  return sql`(l.audience <= ${sight.upTo} or (l.audience = 2
    and exists (select 1 from pages s where s.id = l.source_id and s.owner_id = ${sight.ownerId})))`;
}

function pathLeadsNowhere(sight: Sight): RawBuilder<boolean> {
  return sql`not exists (select 1 from pages a where a.path = l.target and ${visible('a', sight)})
    and not exists (select 1 from aliases o join pages a on a.id = o.page_id where o.path = l.target and ${visible('a', sight)})`;
}

function bytesBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
