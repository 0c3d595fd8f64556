/** Lists of pages: search, facets, updates, the tree; places in `places.ts`. What a caller may not see is left out before counting. */
import { type RawBuilder, sql } from 'kysely';
import type { ListStore, Range, SearchCriteria, SearchOrder } from '#domain/list-store.ts';
import type { PageName } from '#domain/page.ts';
import { childrenOf } from '#domain/subjects.ts';
import {
  type Asked,
  allOf,
  askedOf,
  counting,
  madeFromOf,
  matching,
  pagesFor,
  trailOf,
  walking,
} from './criteria.ts';
import type { Database, Engine, Placeholder } from './engine.ts';
import { KeptLists } from './kept-lists.ts';
import { placeLists } from './places.ts';
import { beginsWith, textAfter } from './rows.ts';
import { all, first, prepare, prepareBySight, rowsOf, type Session, visible } from './session.ts';
import { fewMatches, keptTotals, knownTotal, totalOf } from './totals.ts';

export function listStore(session: Session): ListStore {
  const { engine, db } = session;
  const totals = keptTotals();
  const children = new KeptLists<Child>();
  return {
    async search(criteria, sight) {
      const madeFrom = madeFromOf(criteria);
      const asked = await askedOf(session, criteria, sight);
      if (!asked) return { ids: [], total: 0, madeFrom };
      const known = await knownTotal(session, totals, criteria, sight);
      if (engine.plansByStatistics && !known.found) {
        const { limit, offset } = criteria;
        const way = wayTo(engine, criteria, asked, { limit, offset }, false, (one) =>
          collecting(engine, one, criteria),
        );
        const page = pageOf(criteria, way, limit, offset, false);
        const { statements, unpack } = engine.bundle([page, counting(engine, asked, sight)]);
        const results = await Promise.all(statements.map(async (one) => (await one.execute(db)).rows));
        const [found, counted] = unpack(results) as [{ id: number }[], { total: number }[]];
        const { total } = known.keep({ total: counted[0]?.total ?? 0, each: [], pages: 0 });
        return { ids: found.map((row) => row.id), total, madeFrom };
      }
      const few = known.found ? undefined : await fewMatches(session, criteria, asked, sight);
      if (few) {
        known.keep(few.total);
        const { limit, offset } = criteria;
        if (offset >= few.ids.length) return { ids: [], total: few.ids.length, madeFrom };
        const from = criteria.order.endsWith('alphabetical') ? engine.pagesById : sql`pages p`;
        const way = { from, where: engine.among(sql.ref('p.id'), few.ids) };
        const found = await rowsOf(session, pageOf(criteria, way, limit, offset, false));
        return { ids: found.map((row) => row.id), total: few.ids.length, madeFrom };
      }
      const { total, each, pages } =
        known.found ?? known.keep(await totalOf(session, totals, criteria, asked, sight));
      const limit = Math.min(criteria.limit, total - criteria.offset);
      if (limit <= 0) return { ids: [], total, madeFrom };
      if (engine.ranksSome && criteria.order === 'relevance' && criteria.text && asked.united.length === 0) {
        const ranked = sql`${engine.textRanking(criteria.text)} as r cross join pages p`;
        // The text's own criterion is the last one.
        const others = asked.limits.slice(0, -1).map(({ holds }) => holds);
        const where = allOf([sql`p.id = r.id`, asked.visible, ...others]);
        const way = { from: ranked, where };
        const found = await rowsOf(session, pageOf(criteria, way, limit, criteria.offset, false));
        if (found.length === limit) return { ids: found.map((row) => row.id), total, madeFrom };
      }
      // What lies near the end is near the beginning of the reversed order.
      const fromEnd = total - criteria.offset - limit;
      const isReversed = criteria.order !== 'relevance' && fromEnd < criteria.offset;
      const offset = isReversed ? fromEnd : criteria.offset;
      const wayOf = (asked: Asked, i?: number): Way => {
        const matches = i === undefined ? total : (each[i] ?? 0);
        // Either all matches are collected and put in order, or all pages are gone through in order until enough match:
        // on average every (pages / total)th does.
        const isWalk =
          !engine.plansByStatistics &&
          !isInOrder(asked, criteria) &&
          (offset + limit) * pages < matches * matches;
        if (isWalk) return { from: sql`pages p`, where: walking(asked) };
        return collecting(engine, asked, criteria);
      };
      const way = wayTo(engine, criteria, asked, { limit, offset }, isReversed, wayOf);
      const found = await rowsOf(session, pageOf(criteria, way, limit, offset, isReversed));
      const ids = found.map((row) => row.id);
      return { ids: isReversed ? ids.reverse() : ids, total, madeFrom };
    },

    async facets(criteria, sight) {
      const asked = await askedOf(session, criteria, sight);
      if (!asked) return { types: [], tags: [], isWhole: true };
      const { types, tags, pages } = await typesAndTags(
        db,
        // The newest: an index may have them in the order of their types, and then the first would be of one.
        sql`select p.id, p.type from pages p where ${matching(asked)} order by p.id desc limit ${mostFaceted}`,
      );
      return { types, tags, isWhole: pages < mostFaceted };
    },

    ...placeLists(session),

    async updates(sight, { limit, offset }, belowId) {
      const trail = belowId === undefined ? undefined : await trailOf(session, belowId);
      if (belowId !== undefined && trail === undefined) return [];
      const below = trail === undefined ? sql`1 = 1` : beginsWith(sql.ref('p.trail'), trail);
      // The page is picked before its change and editor are looked up, so that skipping costs no look-ups.
      const found = await sql<PageName & { at: number; editor_id: number; editor_name: string }>`
        select latest.id, latest.title, latest.path, latest.updated_at as at, c.editor_id, e.name as editor_name
        from (select p.id, p.title, p.path, p.updated_at, p.change_id from pages p where ${visible('p', sight)} and ${below}
          order by p.updated_at desc, p.id desc limit ${limit} offset ${offset}) as latest
        join changes c on c.id = latest.change_id join members e on e.id = c.editor_id
        order by latest.updated_at desc, latest.id desc`.execute(db);
      return found.rows.map(({ editor_id, editor_name, ...update }) => ({
        ...update,
        editor: { id: editor_id, name: editor_name },
      }));
    },

    children: (parentId, sight, range) =>
      children.get(session, [parentId, sight, range], async () => {
        const { ownerId } = sight;
        const { listed, counted } = parentId === null ? roots : beneath;
        const found = await all(session, listed(sight), { parentId, ...range, ownerId });
        const total = await first(session, counted(sight), { parentId, ownerId });
        return {
          pages: found.map(({ has_children, ...page }) => ({ ...page, hasChildren: Boolean(has_children) })),
          total: total?.total ?? 0,
          madeFrom: [childrenOf(parentId)],
        };
      }),

    async ownedBy(memberId, sight, { limit, offset }) {
      const owned = sql`p.owner_id = ${memberId} and ${visible('p', sight)}`;
      const found = await sql<PageName & { at: number }>`
        select p.id, p.title, p.path, p.updated_at as at from pages p where ${owned}
        order by p.updated_at desc, p.id desc limit ${limit} offset ${offset}`.execute(db);
      const counted = await sql<{
        total: number;
      }>`select count(*) as total from pages p where ${owned}`.execute(db);
      return { pages: found.rows, total: counted.rows[0]?.total ?? 0 };
    },

    async editedBy(memberId, sight, limit) {
      const found = await sql<PageName & { at: number }>`
        select p.id, p.title, p.path, max(own.at) as at from (
          select id, page_id, at from changes where editor_id = ${memberId} order by id desc limit ${lookedAtChanges}
        ) as own join pages p on p.id = own.page_id where ${visible('p', sight)}
        group by p.id, p.title, p.path order by max(own.id) desc limit ${limit}`.execute(db);
      return found.rows;
    },

    async vocabulary(sight, pages) {
      const { types, tags } = await typesAndTags(
        db,
        sql`select p.id, p.type from pages p where ${visible('p', sight)}
          order by p.updated_at desc, p.id desc limit ${pages}`,
      );
      return { types, tags };
    },

    async words(of, prefixes, sight, limit) {
      const [word, from] =
        of === 'type'
          ? [sql.ref('p.type'), sql`pages p where 1 = 1`]
          : of === 'tag'
            ? [sql.ref('t.key'), sql`tags t join pages p on p.id = t.page_id where 1 = 1`]
            : [
                sql.ref('t.value_key'),
                // What stands for a value too long for the index is no value.
                sql`tags t join pages p on p.id = t.page_id where t.key = ${of.valueOf} and t.value = t.value_key`,
              ];
      const next = (after: RawBuilder<unknown>) => sql`(select ${word} from ${from} and ${visible('p', sight)}
        and ${word} ${after} and ${word} < beyond order by ${word} limit 1)`;
      const ranges = engine.rows(
        { seq: 'integer', first: 'text', beyond: 'text' },
        prefixes.map((prefix, seq) => [seq, prefix, textAfter(prefix) ?? beyondAll]),
      );
      // From each word straight to the next, so that it costs as many steps as words, however many pages have them.
      const found = await sql<{ word: string }>`with recursive found (seq, beyond, n, word) as (
          select seq, beyond, 1, ${next(sql`>= first`)} from ${ranges} as asked
          union all
          select seq, beyond, n + 1, ${next(sql`> word`)} from found where word is not null and n < ${limit}
        ) select word from found where word is not null order by seq, n`.execute(db);
      return [...new Set(found.rows.map((row) => row.word))];
    },

    async publicPages(afterId, limit) {
      const rows = await all(session, publicPages, { afterId, limit });
      return rows.map(({ updated_at, ...page }) => ({ ...page, updatedAt: updated_at }));
    },
  };
}

/** Of very many pages, so many are looked at for their types and tags, whichever are found first. */
const mostFaceted = 5000;

/** Of pages (id, type): at most 50 types and 50 tags, most pages first, and how many pages there are. */
async function typesAndTags(db: Database, pages: RawBuilder<unknown>) {
  const { rows } = await sql<{ part: 'type' | 'tag' | 'all'; key: string; value: string; count: number }>`
    with found as materialized (${pages}), types as (
      select type, count(*) as count from found where type is not null group by type order by count desc, type limit 50
    ), tagged as (
      select t.key, t.value, count(distinct t.page_id) as count from found cross join tags t
      where t.page_id = found.id
      group by t.key, t.value order by count desc, t.key, t.value limit 50
    )
    select 'all' as part, '' as key, '' as value, count(*) as count from found
    union all select 'type', '', type, count from types
    union all select 'tag', key, value, count from tagged
    order by count desc, key, value`.execute(db);
  return {
    types: rows.filter(({ part }) => part === 'type').map(({ value, count }) => ({ type: value, count })),
    tags: rows.filter(({ part }) => part === 'tag').map(({ key, value, count }) => ({ key, value, count })),
    pages: rows.find(({ part }) => part === 'all')?.count ?? 0,
  };
}

/** Of one member, to find what they edited last: a page edited a thousand times in a row is not worth more steps. */
const lookedAtChanges = 1000;

/** Comes after every word that anybody writes. */
const beyondAll = '\u{10ffff}'.repeat(4);

const publicPages = prepare<
  { afterId: number; limit: number },
  { id: number; path: string; updated_at: number }
>(
  (p) => sql`select id, path, updated_at from pages where id > ${p('afterId')} and audience = 0
    order by id limit ${p('limit')}`,
);

function pagesAndRanks(engine: Engine, { order, text }: SearchCriteria): RawBuilder<unknown> {
  if (order !== 'relevance' || !text) return sql`pages p`;
  return sql`pages p left join ${engine.textRanking(text)} as r on r.id = p.id`;
}

function pageOf(
  criteria: SearchCriteria,
  { from, where }: Way,
  limit: number,
  offset: number,
  isReversed: boolean,
): RawBuilder<{ id: number }> {
  return sql`select p.id from ${from} where ${where}
    order by ${orderBy(criteria, isReversed)} limit ${limit} offset ${offset}`;
}

/** The index that finds them also has them in order. */
function isInOrder({ limits: [only, ...others] }: Asked, { order }: SearchCriteria): boolean {
  return only?.isInOrder === true && others.length === 0 && order.endsWith('alphabetical');
}

/** Each of the united criteria with what limits all. */
function unitedAlone({ visible, limits, united }: Asked): Asked[] {
  return united.map((one) => ({ visible, limits: [...limits, one], united: [] }));
}

/** Where pages p come from, and what holds of them. */
interface Way {
  from: RawBuilder<unknown>;
  where: RawBuilder<boolean>;
}

/** All matches, for putting them in order. */
function collecting(engine: Engine, asked: Asked, { order }: SearchCriteria): Way {
  const from = order.endsWith('alphabetical') ? pagesFor(engine, asked.limits) : sql`pages p`;
  return { from, where: matching(asked) };
}

/** `wayOf`: to those that meet criteria, of a union the one criterion of this number. The first of all are among the first of each. */
function wayTo(
  engine: Engine,
  criteria: SearchCriteria,
  asked: Asked,
  { limit, offset }: Range,
  isReversed: boolean,
  wayOf: (asked: Asked, i?: number) => Way,
): Way {
  if (criteria.order === 'relevance')
    return { from: pagesAndRanks(engine, criteria), where: matching(asked) };
  if (asked.united.length === 0) return wayOf(asked);
  const firstOfEach = unitedAlone(asked).map(
    (one, i) =>
      sql`select id from (${pageOf(criteria, wayOf(one, i), offset + limit, 0, isReversed)}) as first`,
  );
  return { from: sql`pages p`, where: sql`p.id in (${sql.join(firstOfEach, sql` union `)})` };
}

type Child = Awaited<ReturnType<ListStore['children']>>['pages'][number];
type ChildRow = Omit<Child, 'hasChildren'> & { has_children: unknown };
type Parent = { parentId: number | null };

const roots = childrenAt(() => sql`p.parent_id is null`);
const beneath = childrenAt((parentId) => sql`p.parent_id = ${parentId}`);

function childrenAt(isChild: (parentId: Placeholder) => RawBuilder<boolean>) {
  return {
    listed: prepareBySight<Parent & Range, ChildRow>(
      (p, sight) => sql`select p.id, p.title, p.path, p.type,
          exists (select 1 from pages k where k.parent_id = p.id and ${visible('k', sight)}) as has_children
        from pages p where ${isChild(p('parentId'))} and ${visible('p', sight)}
        order by p.sort_key, p.id limit ${p('limit')} offset ${p('offset')}`,
    ),
    counted: prepareBySight<Parent, { total: number }>(
      (p, sight) =>
        sql`select count(*) as total from pages p where ${isChild(p('parentId'))} and ${visible('p', sight)}`,
    ),
  };
}

/** Total orders: the reversed ones reverse the ties, so that one index serves both directions. */
function orderBy(criteria: SearchCriteria, isReversed: boolean): RawBuilder<unknown> {
  if (criteria.order === 'relevance') {
    // Without words to rank by, what changed last comes first.
    return criteria.text
      ? sql`coalesce(r.title_hit, 0) desc, coalesce(r.rank, 1e9), p.updated_at desc, p.id`
      : orders['most recent update'];
  }
  return orders[isReversed ? reversed[criteria.order] : criteria.order];
}

const orders = {
  alphabetical: sql`p.sort_key, p.id`,
  'reverse alphabetical': sql`p.sort_key desc, p.id desc`,
  'first created': sql`p.created_at, p.id`,
  'last created': sql`p.created_at desc, p.id desc`,
  'oldest update': sql`p.updated_at, p.id`,
  'most recent update': sql`p.updated_at desc, p.id desc`,
} satisfies Record<Exclude<SearchOrder, 'relevance'>, RawBuilder<unknown>>;

const reversed = {
  alphabetical: 'reverse alphabetical',
  'reverse alphabetical': 'alphabetical',
  'first created': 'last created',
  'last created': 'first created',
  'oldest update': 'most recent update',
  'most recent update': 'oldest update',
} satisfies Record<keyof typeof orders, keyof typeof orders>;
