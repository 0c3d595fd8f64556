/** Lists of pages: search, facets, places, updates, the tree. What a caller may not see is left out before counting. */
import { type RawBuilder, sql } from 'kysely';
import type { PageName } from '#domain/page.ts';
import type { Sight } from '#domain/permission.ts';
import type { ListStore, SearchCriteria, SearchOrder } from '#domain/store.ts';
import { type CellRange, cellsAround, cellsIn } from './cells.ts';
import type { Engine } from './engine.ts';
import { beginsWith, indexable, textAfter } from './rows.ts';
import { all, prepare, type Session, visible } from './session.ts';

export function listStore(session: Session): ListStore {
  const { engine, db } = session;
  return {
    async search(criteria, sight) {
      const matching = await matchesOf(session, criteria, sight);
      if (!matching) return { ids: [], total: 0 };
      const { limit, offset } = criteria;
      const ranking =
        criteria.order === 'relevance' && criteria.text
          ? sql`left join ${engine.textRanking(criteria.text)} as r on r.id = p.id`
          : sql``;
      const found = await sql<{ id: number }>`select p.id from pages p ${ranking} where ${matching}
        order by ${orderBy(criteria)} limit ${limit} offset ${offset}`.execute(db);
      const counted = await sql<{
        total: number;
      }>`select count(*) as total from pages p where ${matching}`.execute(db);
      return { ids: found.rows.map((row) => row.id), total: counted.rows[0]?.total ?? 0 };
    },

    async facets(criteria, sight) {
      const matching = await matchesOf(session, criteria, sight);
      if (!matching) return { types: [], tags: [] };
      const types = await sql<{ type: string; count: number }>`
        select p.type, count(*) as count from pages p where ${matching} and p.type is not null
        group by p.type order by count desc, p.type limit 50`.execute(db);
      const tags = await sql<{ key: string; value: string; count: number }>`
        select t.key, t.value, count(distinct t.page_id) as count from pages p join tags t on t.page_id = p.id
        where ${matching} group by t.key, t.value order by count desc, t.key, t.value limit 50`.execute(db);
      return { types: types.rows, tags: tags.rows };
    },

    async placesAround(centre, radiusMetres, sight) {
      const found = await sql<{ id: number; lat: number; lon: number }>`
        select p.id, p.lat, p.lon ${placesFrom(engine, cellsAround(centre, radiusMetres))} and ${visible('p', sight)}
        order by p.id`.execute(db);
      return found.rows.map(({ id, lat, lon }) => ({ id, location: { lat, lon } }));
    },

    async placesIn(box, sight, limit) {
      const crosses = box.west > box.east;
      const between = crosses
        ? sql`(p.lon >= ${box.west} or p.lon <= ${box.east})`
        : sql`p.lon between ${box.west} and ${box.east}`;
      const found = await sql<PageName & { lat: number; lon: number; type: string | null }>`
        select p.id, p.title, p.path, p.type, p.lat, p.lon ${placesFrom(engine, cellsIn(box))}
          and p.lat between ${box.south} and ${box.north} and ${between} and ${visible('p', sight)}
        order by p.id limit ${limit}`.execute(db);
      return found.rows.map(({ lat, lon, ...page }) => ({ ...page, location: { lat, lon } }));
    },

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

    async children(parentId, sight, { limit, offset }) {
      const beneath = sql`${parentId === null ? sql`p.parent_id is null` : sql`p.parent_id = ${parentId}`} and ${visible('p', sight)}`;
      const found = await sql<PageName & { type: string | null; has_children: unknown }>`
        select p.id, p.title, p.path, p.type,
          exists (select 1 from pages k where k.parent_id = p.id and ${visible('k', sight)}) as has_children
        from pages p where ${beneath} order by p.sort_key, p.id limit ${limit} offset ${offset}`.execute(db);
      const counted = await sql<{
        total: number;
      }>`select count(*) as total from pages p where ${beneath}`.execute(db);
      return {
        pages: found.rows.map(({ has_children, ...page }) => ({
          ...page,
          hasChildren: Boolean(has_children),
        })),
        total: counted.rows[0]?.total ?? 0,
      };
    },

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

const trails = prepare<{ id: number }, { trail: string }>(
  (p) => sql`select trail || id || '/' as trail from pages where id = ${p('id')}`,
);

/** With what the trails of all descendants begin; undefined if there is no such page. */
async function trailOf(session: Session, id: number): Promise<string | undefined> {
  return (await all(session, trails, { id }))[0]?.trail;
}

/** The condition on pages p, or undefined if nothing was asked for or nothing can match. */
async function matchesOf(
  session: Session,
  criteria: SearchCriteria,
  sight: Sight,
): Promise<RawBuilder<boolean> | undefined> {
  const asked = criteriaOf(session.engine, criteria);
  const limits: RawBuilder<boolean>[] = [visible('p', sight)];
  if (criteria.ancestorId !== undefined) {
    const trail = await trailOf(session, criteria.ancestorId);
    if (trail === undefined) return undefined;
    limits.push(beginsWith(sql.ref('p.trail'), trail));
  } else if (asked.length === 0) return undefined;

  if (criteria.logic === 'or' && asked.length > 1) {
    // Each criterion has an index of its own, which a union uses and a disjunction might not.
    const ids = asked.map((criterion) => sql`select p.id from pages p where ${criterion}`);
    limits.push(sql`p.id in (${sql.join(ids, sql` union `)})`);
  } else limits.push(...asked);
  return sql`${sql.join(limits, sql` and `)}`;
}

function criteriaOf(engine: Engine, criteria: SearchCriteria): RawBuilder<boolean>[] {
  const asked: RawBuilder<boolean>[] = [];
  const id = sql.ref('p.id');
  if (criteria.pathPrefix !== undefined) asked.push(beginsWith(sql.ref('p.path'), criteria.pathPrefix));
  if (criteria.titleFragment !== undefined) {
    asked.push(engine.keyContains('title_key', fragmentKey(criteria.titleFragment)));
  }
  if (criteria.type !== undefined) asked.push(sql`p.type = ${criteria.type}`);
  for (const { key, value } of criteria.tags ?? []) {
    const named = key === undefined ? sql`` : sql`and t.key = ${key}`;
    asked.push(sql`p.id in (select t.page_id from tags t where t.value_key = ${indexable(value)} ${named})`);
  }
  if (criteria.text !== undefined) asked.push(engine.textMatches(id, criteria.text));
  return asked;
}

/** As titles are folded for their key, but white space at the ends counts: ` wood` is not in `Driftwood`. */
function fragmentKey(fragment: string): string {
  return fragment.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase();
}

/** Total orders: the reversed ones reverse the ties, so that one index serves both directions. */
function orderBy(criteria: SearchCriteria): RawBuilder<unknown> {
  if (criteria.order === 'relevance') {
    // Without words to rank by, what changed last comes first.
    return criteria.text
      ? sql`coalesce(r.title_hit, 0) desc, coalesce(r.rank, 1e9), p.updated_at desc, p.id`
      : orders['most recent update'];
  }
  return orders[criteria.order];
}

const orders = {
  alphabetical: sql`p.sort_key, p.id`,
  'reverse alphabetical': sql`p.sort_key desc, p.id desc`,
  'first created': sql`p.created_at, p.id`,
  'last created': sql`p.created_at desc, p.id desc`,
  'oldest update': sql`p.updated_at, p.id`,
  'most recent update': sql`p.updated_at desc, p.id desc`,
} satisfies Record<Exclude<SearchOrder, 'relevance'>, RawBuilder<unknown>>;

/** Places in the given ranges of cells, or all places. */
function placesFrom(engine: Engine, ranges: CellRange[] | undefined): RawBuilder<unknown> {
  // Without ranges: everywhere.
  if (!ranges) return sql`from pages p where p.cell is not null`;
  const t = engine.rows({ first: 'integer', last: 'integer' }, ranges);
  return sql`from ${t} as t cross join pages p where p.cell between t.first and t.last`;
}
