/**
 * Wanted links: targets that resolve to no page, with the number of pages that link to each.
 *
 * For every key that some link carries and that leads nowhere for some audience, a row holds how many pages of that
 * audience ask for it: the pages with a link of the key that reaches no page that the audience can read. A private page
 * so changes nothing for others: links to it stay wanted for them, and links from it do not count.
 *
 * A transaction that changes a title, a path or an audience recounts its keys; one that only changes links adds and subtracts
 * their contributions. Recounting locks out other transactions that count the same keys, so that the later of two writers sees
 * the effect of both.
 */
import { type RawBuilder, sql } from 'kysely';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { invalidate } from '../invalidation.ts';
import { sortKeyOf } from '../rows.ts';
import { all, prepare, type Session, send } from '../statements.ts';
import type { RowOf } from '../tables.ts';

const sliceSize = 1000;

/** Narrowest audience of a matching page; larger than every audience if there is none. */
const nobody = Number.MAX_SAFE_INTEGER;

/** Only some members can read it: its owner, or the members of its group. */
const isPrivate = sql`audience > 1 and audience <> 3`;

/** An added or removed link from a page of this audience. */
export type LinkChange = Pick<RowOf<'links'>, 'source_id' | 'key' | 'target' | 'audience'> & { by: 1 | -1 };

/**
 * Called after pages changed: recounts the keys in `recounted`, which pages have started or ceased to resolve, and for the
 * links of `changes` adds and subtracts, regardless of how many other pages have them. All links of a page that share a key
 * with a changed one must be given, before and after.
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
  // Sorted, to avoid deadlocks.
  const keys = [...new Set([...recounted, ...counted.keys()])].sort();
  if (keys.length > 0) {
    invalidate({ engine, db }, 'wanted', 'all', [{}]);
    engine.lockWanted(db, keys, recounted);
  }
  for await (const some of inTimeSlices(keys)) {
    const named = some.map((key) => ({ key, sortKey: sortKeyOf(key) }));
    const due = named.filter(({ key }) => recounted.has(key));
    // If a query needs no round trip, most new titles and paths are quickly found to have no links.
    const unasked = await recount(session, engine.hasOneWriter ? await askedFor(session, due) : due);
    const emptied = await addUp(session, named, counted);
    removeUnasked(session, unasked, emptied);
  }
}

export async function recountAll(engine: Engine, db: Database): Promise<void> {
  for await (const keys of keySlices(db)) await updateWanted(engine, db, [], new Set(keys));
}

/** Keys of all links, and of all counts that may have lost their links. */
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

/** Returns keys without remaining links, whose rows still exist. */
async function recount(session: Session, keys: { key: string; sortKey: string }[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const counted = await all(session, recounting, { keys: keys.map(({ key, sortKey }) => [key, sortKey]) });
  const wanted = new Set(counted.filter(isWanted).map((row) => row.key));
  return keys.flatMap(({ key }) => (wanted.has(key) ? [] : [key]));
}

const recounting = prepare<{ keys: string[][] }, RowOf<'wanted'>>(
  (p, engine) => sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    ${counting(engine.rows({ key: 'text', sort_key: 'text' }, p('keys')))}
    on conflict (key) do update set world_count = excluded.world_count, members_count = excluded.members_count,
      all_count = excluded.all_count, private_count = excluded.private_count
    returning *`,
);

/** The given keys that some link has, or that have a count. */
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

/** Returns keys whose counts may be zero now, whose rows still exist. */
async function addUp(
  session: Session,
  keys: { key: string; sortKey: string }[],
  changes: ReadonlyMap<string, LinkChange[]>,
): Promise<string[]> {
  const [titles, paths]: [unknown[][], unknown[][]] = [[], []];
  const lessened: string[] = [];
  for (const { key, sortKey } of keys) {
    const ofKey = changes.get(key) ?? [];
    if (ofKey.some(({ by }) => by < 0)) lessened.push(key);
    if (key.startsWith('/')) {
      for (const { source_id, target, audience, by } of ofKey)
        paths.push([source_id, key, sortKey, target, audience, by]);
      continue;
    }
    const sums = ifUnanswered(ofKey);
    if (sums.some((sum) => sum !== 0)) titles.push([key, sortKey, ...sums]);
  }
  // Returning the rows would cost a round trip.
  if (!session.engine.hasOneWriter) {
    if (titles.length > 0) send(session, addingTitles, { rows: titles });
    if (paths.length > 0) send(session, addingPaths, { rows: paths });
    return lessened;
  }
  const counted = [
    ...(titles.length > 0 ? await all(session, addingTitles, { rows: titles }) : []),
    ...(paths.length > 0 ? await all(session, addingPaths, { rows: paths }) : []),
  ];
  return counted.flatMap((row) => (isWanted(row) ? [] : [row.key]));
}

/** Amounts to add to the four counts of a title without a page. */
function ifUnanswered(changes: LinkChange[]): [number, number, number, number] {
  // A page counts once per key, regardless of its number of links.
  const sources = new Map(changes.map((change) => [`${change.source_id} ${change.by}`, change]));
  let [world, members, everyone, own] = [0, 0, 0, 0];
  for (const { audience, by } of sources.values()) {
    everyone += by;
    if (audience <= 1) members += by;
    if (audience <= 0) world += by;
    if (audience > 1 && audience !== 3) own += by;
  }
  return [world, members, everyone, own];
}

const adding = sql`on conflict (key) do update set world_count = wanted.world_count + excluded.world_count,
  members_count = wanted.members_count + excluded.members_count, all_count = wanted.all_count + excluded.all_count,
  private_count = wanted.private_count + excluded.private_count
  returning *`;

/** The conditions are those of `counting`. For a title, one page determines the result for all links. */
const addingTitles = prepare<{ rows: unknown[][] }, RowOf<'wanted'>>((p, engine) => {
  const given = engine.rows(
    {
      key: 'text',
      sort_key: 'text',
      world: 'integer',
      members: 'integer',
      everyone: 'integer',
      private: 'integer',
    },
    p('rows'),
  );
  return sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    with answered as materialized (select given.*, ${answerToTitle('given')} as answer from ${given} as given)
    select key, sort_key, case when answer > 0 then world else 0 end, case when answer > 1 then members else 0 end,
      case when answer = ${sql.lit(nobody)} then everyone else 0 end, case when answer > 1 then private else 0 end
    from answered where (answer > 0 and world <> 0) or (answer > 1 and (members <> 0 or private <> 0))
      or (answer = ${sql.lit(nobody)} and everyone <> 0)
    ${adding}`;
});

/** The same for links to paths, where each spelling may resolve to another page. */
const addingPaths = prepare<{ rows: unknown[][] }, RowOf<'wanted'>>((p, engine) => {
  const given = engine.rows(
    {
      source_id: 'integer',
      key: 'text',
      sort_key: 'text',
      target: 'text',
      audience: 'integer',
      by: 'integer',
    },
    p('rows'),
  );
  const flag = (condition: RawBuilder<unknown>) => sql`max(case when ${condition} then 1 else 0 end)`;
  return sql`insert into wanted (key, sort_key, world_count, members_count, all_count, private_count)
    with answered as materialized (select given.*, ${answerToPath('given')} as answer from ${given} as given)
    select key, sort_key, sum("by" * world), sum("by" * members), sum("by" * everyone), sum("by" * private) from (
      select key, sort_key, source_id, "by", ${flag(sql`audience <= 0 and answer > 0`)} as world,
        ${flag(sql`audience <= 1 and answer > 1`)} as members, ${flag(sql`answer = ${sql.lit(nobody)}`)} as everyone,
        ${flag(sql`${isPrivate} and answer > 1`)} as private
      from answered where answer > 0 group by key, sort_key, source_id, "by") as sources
    group by key, sort_key
    having sum("by" * world) <> 0 or sum("by" * members) <> 0 or sum("by" * everyone) <> 0 or sum("by" * private) <> 0
    order by key ${adding}`;
});

/** Removes the counts of keys without links, and of the others those that are zero. */
function removeUnasked(session: Session, unasked: string[], others: readonly string[]): void {
  if (unasked.length + others.length > 0) send(session, removing, { unasked, others });
}

const removing = prepare<{ unasked: string[]; others: readonly string[] }, unknown>(
  (p, engine) => sql`delete from wanted where ${engine.amongTexts(sql.ref('key'), p('unasked'))}
    or (${engine.amongTexts(sql.ref('key'), p('others'))}
      and world_count = 0 and members_count = 0 and all_count = 0 and private_count = 0)`,
);

export function isWanted(row: RowOf<'wanted'>): boolean {
  return row.world_count + row.members_count + row.all_count + row.private_count > 0;
}

/** Rows of `wanted` for the given keys (key, sort_key), without those whose counts are zero. */
export function counting(given: RawBuilder<unknown>): RawBuilder<RowOf<'wanted'>> {
  // The widest audience among the matching pages counts, computed once for each title. Targets that everyone can read, which
  // are the majority, are not counted at all.
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
      count(distinct case when answer = ${sql.lit(nobody)} then source_id end) as all_count,
      count(distinct case when ${isPrivate} and answer > 1 then source_id end) as private_count
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

export function isPath(alias: string): RawBuilder<boolean> {
  return sql`substr(${sql.ref(`${alias}.key`)}, 1, 1) = '/'`;
}
