/**
 * Lists of pages: facets, updates, the tree, words; searches are in `search.ts`, places in `places.ts`. What a caller may not
 * see is left out before counting.
 */
import { type RawBuilder, sql } from 'kysely';
import { childrenOf } from '#cache/dependency.ts';
import type { PageName } from '#core/model/page.ts';
import { seesEverything } from '#core/model/permission.ts';
import type { ChildPage, Range, SearchCriteria } from '#core/ports/list-reads.ts';
import { CachedLists } from '../cached-lists.ts';
import type { Placeholder, ReadQueue } from '../engine.ts';
import type { ListRows } from '../parts.ts';
import { readTrail, textAfter, writeTrail } from '../rows.ts';
import { createCachedTotals } from '../search/cached-totals.ts';
import { allOf, matching, predicatesOf } from '../search/criteria.ts';
import { languagesInUse } from '../search/languages-in-use.ts';
import { likelyPages } from '../search/likely-pages.ts';
import { placeLists } from '../search/places.ts';
import { ReadTexts } from '../search/read-texts.ts';
import { search } from '../search/search.ts';
import {
  all,
  first,
  prepare,
  prepareByVisibility,
  rowsOf,
  type Session,
  visibilityParameters,
} from '../statements.ts';
import { visible, visibleInRange } from '../visibility.ts';
import { amongSiblings } from './siblings.ts';
import { translatedPages, translationsBehind } from './translations.ts';
import { findNeighbours } from './tree-walk.ts';

export function listStore(session: Session): ListRows {
  const { engine, db } = session;
  const totals = createCachedTotals();
  const children = new CachedLists<ChildPage>();
  const languages = new CachedLists<string>();
  // Made when used, because each transaction has its own lists and the table of terms takes longer than all of these.
  let likely: Parameters<typeof likelyPages>[0] | undefined;
  return {
    search: (...given) => search(session, totals, ...given),

    languages: (visibility) => languagesInUse(session, languages, visibility),
    likely(...given) {
      likely ??= { session, texts: new ReadTexts(), sizes: new CachedLists() };
      return likelyPages(likely, ...given);
    },

    async facets(visibility, criteria) {
      const predicates = await predicatesOf(session, criteria, visibility);
      if (!predicates) return { types: [], tags: [], isWhole: true };
      const { types, tags, pages } = await typesAndTags(
        session,
        // The newest ones: without an order an index might return them by type, and all would have the same type.
        sql`select p.id, p.type from pages p where ${matching(predicates)} order by p.id desc limit ${mostFaceted}`,
        predicates.queue,
      );
      return { types, tags, isWhole: pages < mostFaceted };
    },

    ...placeLists(session),

    behind: (...given) => translationsBehind(db, ...given),
    translated: (...given) => translatedPages(db, ...given),

    async updates(visibility, { limit, offset }, belowId) {
      // In a subtree the latest updates may be anywhere among all updates, so a search is faster.
      const below =
        belowId === undefined
          ? undefined
          : await search(session, totals, visibility, { ...updatesBeneath(belowId), limit, offset });
      const ofPages = below ? [engine.among(sql.ref('p.id'), below.ids)] : [];
      // Pages are selected before their change and editor are joined, so that skipping is cheap.
      const found = await sql<PageName & { at: number; editor_id: number; editor_name: string }>`
        select latest.id, latest.title, latest.path, latest.updated_at as at, c.editor_id, e.name as editor_name
        from (select p.id, p.title, p.path, p.updated_at, p.change_id from pages p where ${allOf([visibleInRange('p', visibility, { limit, offset }), ...ofPages])}
          order by p.updated_at desc, p.id desc limit ${limit} offset ${below ? 0 : offset}) as latest
        join changes c on c.id = latest.change_id join members e on e.id = c.editor_id
        order by latest.updated_at desc, latest.id desc`.execute(db);
      return found.rows.map(({ editor_id, editor_name, ...update }) => ({
        ...update,
        editor: { id: editor_id, name: editor_name },
      }));
    },

    children: (visibility, parentId, range) =>
      children.get(session, [parentId, visibility, range], async () => {
        const asActor = visibilityParameters(visibility);
        const { listed, counted } = parentId === null ? roots : beneath;
        const found = await all(session, listed(visibility), { parentId, ...range, ...asActor });
        const total = await first(session, counted(visibility), { parentId, ...asActor });
        return {
          pages: found.map(childOf),
          total: total?.total ?? 0,
          dependencies: [childrenOf(parentId)],
        };
      }),

    async childrenOfEach(visibility, parentIds, limit) {
      if (parentIds.length === 0) return new Map();
      const parts = parentIds.map(
        (
          parent,
        ) => sql`select * from (select p.parent_id, p.id, p.title, p.path, p.type, p.sibling_rank, p.sort_key
          from pages p where p.parent_id = ${sql.lit(parent)} and ${visible('p', visibility)}
          order by ${amongSiblings('p')} limit ${sql.lit(limit)}) as few`,
      );
      const rows = await rowsOf(
        session,
        sql<
          ChildRow & { parent_id: number }
        >`select found.parent_id, found.id, found.title, found.path, found.type,
            exists (select 1 from pages k where k.parent_id = found.id and ${visible('k', visibility)}) as has_children
          from (${sql.join(parts, sql` union all `)}) as found order by found.parent_id, ${amongSiblings('found')}`,
      );
      const byParent = Map.groupBy(rows, ({ parent_id }) => parent_id);
      return new Map([...byParent].map(([id, found]) => [id, found.map(childOf)]));
    },

    async childCounts(visibility, ids, most) {
      if (ids.length === 0) return new Map();
      const some = sql`select 1 as one from pages k where k.parent_id = p.id and ${visible('k', visibility)} limit ${most}`;
      const rows = await rowsOf(
        session,
        sql<{ id: number; children: number }>`select p.id, (select count(*) from (${some}) as few) as children
          from pages p where ${session.engine.among(sql.ref('p.id'), ids)}`,
      );
      return new Map(rows.filter(({ children }) => children > 0).map(({ id, children }) => [id, children]));
    },

    async ownedBy(visibility, memberId, { limit, offset }) {
      const owned = sql`p.owner_id = ${memberId} and ${visible('p', visibility)}`;
      const pages = await rowsOf(
        session,
        sql<
          PageName & { at: number }
        >`select p.id, p.title, p.path, p.updated_at as at from pages p where ${owned}
          order by p.updated_at desc, p.id desc limit ${limit} offset ${offset}`,
      );
      const [counted] = await rowsOf(
        session,
        sql<{ total: number }>`select count(*) as total from pages p where ${owned}`,
      );
      return { pages, total: counted?.total ?? 0 };
    },

    async editedBy(visibility, memberId, limit) {
      return rowsOf(
        session,
        sql<PageName & { at: number }>`select p.id, p.title, p.path, max(own.at) as at from (
            select id, page_id, at from changes where editor_id = ${memberId} order by id desc limit ${lookedAtChanges}
          ) as own join pages p on p.id = own.page_id where ${visible('p', visibility)}
          group by p.id, p.title, p.path order by max(own.id) desc limit ${limit}`,
      );
    },

    async contributions(visibility, memberId, { before, limit }, withBody = false) {
      const shownHistory = seesEverything(visibility)
        ? sql`1 = 1`
        : sql`(c.id >= p.history_from or p.owner_id = ${visibility.ownerId})`;
      const field = (key: string) => engine.jsonText(sql.ref('c.content'), key);
      const rows = await rowsOf(
        session,
        sql<ContributionRow>`select c.id, c.at, p.id as page_id, p.title, p.path, ${field('msg')} as msg, ${field('erasedAt')} as erased,
            ${withBody ? field('body') : sql`null`} as body
          from changes c join pages p on p.id = c.page_id
          where c.editor_id = ${memberId} and ${before === undefined ? sql`1 = 1` : sql`c.id < ${before}`}
            and ${visible('p', visibility)} and ${shownHistory}
          order by c.id desc limit ${limit}`,
      );
      return rows.map(({ id, at, page_id, title, path, msg, erased, body }) => ({
        id,
        at,
        msg: msg ?? '',
        page: { id: page_id, title, path },
        isErased: erased !== null,
        ...(body === null ? {} : { body }),
      }));
    },

    async likedBy(visibility, memberId, after, limit) {
      return rowsOf(
        session,
        sql<PageName & { at: number }>`select p.id, p.title, p.path, l.at from likes l cross join pages p
          where l.member_id = ${memberId} and l.page_id > ${after} and p.id = l.page_id and ${visible('p', visibility)}
          order by l.page_id limit ${limit}`,
      );
    },

    async vocabulary(visibility, pages) {
      const { types, tags } = await typesAndTags(
        session,
        sql`select p.id, p.type from pages p where ${visible('p', visibility)}
          order by p.updated_at desc, p.id desc limit ${pages}`,
      );
      return { types, tags };
    },

    async words(visibility, of, prefixes, limit) {
      const [word, from] =
        of === 'type'
          ? [sql.ref('p.type'), sql`pages p where 1 = 1`]
          : of === 'tag'
            ? [sql.ref('t.key'), sql`tags t join pages p on p.id = t.page_id where 1 = 1`]
            : [
                sql.ref('t.value_key'),
                // Placeholders for values that are too long for the index are skipped.
                sql`tags t join pages p on p.id = t.page_id where t.key = ${of.valueOf} and t.value = t.value_key`,
              ];
      const next = (
        after: RawBuilder<unknown>,
      ) => sql`(select ${word} from ${from} and ${visible('p', visibility)}
        and ${word} ${after} and ${word} < beyond order by ${word} limit 1)`;
      const ranges = engine.rows(
        { seq: 'integer', first: 'text', beyond: 'text' },
        prefixes.map((prefix, seq) => [seq, prefix, textAfter(prefix) ?? beyondAll]),
      );
      // Jumps from each word directly to the next, so the cost depends on the number of words and not of pages.
      const found = await rowsOf(
        session,
        sql<{ word: string }>`with recursive found (seq, beyond, n, word) as (
          select seq, beyond, 1, ${next(sql`>= first`)} from ${ranges} as asked
          union all
          select seq, beyond, n + 1, ${next(sql`> word`)} from found where word is not null and n < ${limit}
        ) select word from found where word is not null order by seq, n`,
      );
      return [...new Set(found.map((row) => row.word))];
    },

    async publicPages(afterId, limit) {
      const rows = await all(session, publicPages, { afterId, limit });
      return rows.map(({ updated_at, original_id, ...page }) => ({
        ...page,
        updatedAt: updated_at,
        originalId: original_id,
      }));
    },

    async inTreeOrder(visibility, beneath, after, limit) {
      const lastRoot = after?.trail.length === 0 ? after : null;
      const isPastRoots = beneath !== null || (after !== null && lastRoot === null);
      const tops = isPastRoots
        ? []
        : await all(session, rootsInOrder(visibility), {
            rank: lastRoot?.rank ?? -1,
            sortKey: lastRoot?.sortKey ?? '',
            id: lastRoot?.id ?? 0,
            limit,
            ...visibilityParameters(visibility),
          });
      const found = tops.map(({ id, sibling_rank: rank, sort_key: sortKey }) => ({
        id,
        trail: [],
        rank,
        sortKey,
      }));
      if (found.length === limit) return found;
      const first = beneath ? writeTrail([...beneath.trail, beneath.id]) : '/';
      const last = isPastRoots ? after : null;
      const rows = await all(session, treeOrder(visibility), {
        beyond: textAfter(first) ?? beyondAll,
        trail: last ? writeTrail(last.trail) : first,
        id: last?.id ?? 0,
        limit: limit - found.length,
        ...visibilityParameters(visibility),
      });
      return [...found, ...rows.map(({ id, trail }) => ({ id, trail: readTrail(trail) }))];
    },

    neighbours: (visibility, page) => findNeighbours(session, visibility, page),
  };
}

function updatesBeneath(ancestorId: number): Omit<SearchCriteria, keyof Range> {
  return { ancestorId, order: 'most recent update', logic: 'and' };
}

/** Maximum number of pages whose types and tags are counted, in the order found. */
const mostFaceted = 5000;

/** Facets of pages (id, type): at most 50 types and 50 tags, most frequent first, and the number of pages. */
async function typesAndTags(session: Session, pages: RawBuilder<unknown>, queue?: ReadQueue) {
  const rows = await rowsOf(
    session,
    sql<{ part: 'type' | 'tag' | 'all'; key: string; value: string; count: number }>`
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
    order by count desc, key, value`,
    queue,
  );
  return {
    types: rows.filter(({ part }) => part === 'type').map(({ value, count }) => ({ type: value, count })),
    tags: rows.filter(({ part }) => part === 'tag').map(({ key, value, count }) => ({ key, value, count })),
    pages: rows.find(({ part }) => part === 'all')?.count ?? 0,
  };
}

/**
 * Maximum number of a member's changes that are searched for their last edited pages; a page edited a thousand times in a row
 * hides others.
 */
const lookedAtChanges = 1000;

/** Greater than every word in use. */
const beyondAll = '\u{10ffff}'.repeat(4);

const publicPages = prepare<
  { afterId: number; limit: number },
  { id: number; path: string; updated_at: number; language: string | null; original_id: number | null }
>(
  (
    p,
  ) => sql`select id, path, updated_at, language, original_id from pages where id > ${p('afterId')} and audience = 0
    order by id limit ${p('limit')}`,
);

const rootsInOrder = prepareByVisibility<
  { rank: number; sortKey: string; id: number; limit: number },
  { id: number; sibling_rank: number; sort_key: string }
>(
  (p, visibility) => sql`select p.id, p.sibling_rank, p.sort_key from pages p
    where p.parent_id is null and (p.sibling_rank, p.sort_key, p.id) > (${p('rank')}, ${p('sortKey')}, ${p('id')})
      and ${visible('p', visibility)}
    order by ${amongSiblings('p')} limit ${p('limit')}`,
);

/** Pages in tree order, by trail: a page's trail begins with that of its parent, which comes first. */
const treeOrder = prepareByVisibility<
  { beyond: string; trail: string; id: number; limit: number },
  { id: number; trail: string }
>(
  (p, visibility) => sql`select p.id, p.trail from pages p
    where p.trail <> '/' and (p.trail, p.id) > (${p('trail')}, ${p('id')}) and p.trail < ${p('beyond')} and ${visible('p', visibility)}
    order by p.trail, p.id limit ${p('limit')}`,
);

type ChildRow = Omit<ChildPage, 'hasChildren'> & { has_children: unknown };
type Parent = { parentId: number | null };

function childOf({ id, title, path, type, has_children }: ChildRow): ChildPage {
  return { id, title, path, type, hasChildren: Boolean(has_children) };
}

const roots = childrenAt(() => sql`p.parent_id is null`);
const beneath = childrenAt((parentId) => sql`p.parent_id = ${parentId}`);

function childrenAt(isChild: (parentId: Placeholder) => RawBuilder<boolean>) {
  return {
    listed: prepareByVisibility<Parent & Range, ChildRow>(
      (p, visibility) => sql`select p.id, p.title, p.path, p.type,
          exists (select 1 from pages k where k.parent_id = p.id and ${visible('k', visibility)}) as has_children
        from pages p where ${isChild(p('parentId'))} and ${visible('p', visibility)}
        order by ${amongSiblings('p')} limit ${p('limit')} offset ${p('offset')}`,
    ),
    counted: prepareByVisibility<Parent, { total: number }>(
      (p, visibility) =>
        sql`select count(*) as total from pages p where ${isChild(p('parentId'))} and ${visible('p', visibility)}`,
    ),
  };
}

interface ContributionRow {
  id: number;
  at: number;
  page_id: number;
  title: string;
  path: string;
  msg: string | null;
  erased: string | number | null;
  body: string | null;
}
