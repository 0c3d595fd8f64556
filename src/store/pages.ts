/** Pages: found, held, written, moved and loaded whole. */
import { type RawBuilder, sql } from 'kysely';
import { titleKey } from '#domain/fold.ts';
import type { AttachedFile, Content, Page, PageName, WholePage } from '#domain/page.ts';
import type { Sight } from '#domain/permission.ts';
import { Problem } from '#domain/problem.ts';
import { readTextQuery } from '#domain/search.ts';
import type { HistoryWanted, PageState, PageStore } from '#domain/store.ts';
import type { Engine, Placeholder } from './engine.ts';
import { insertPages } from './insert-pages.ts';
import { moveSubtree, previewMove } from './move.ts';
import {
  type AncestorRow,
  ancestorColumns,
  ancestorOf,
  beginsWith,
  type ChangeRow,
  changeOf,
  fileOf,
  type PageRow,
  pageOf,
  pageWith,
  placeColumns,
  readTrail,
  type StateRow,
  selectChange,
  selectPage,
  selectState,
  sortKeyOf,
  stateColumns,
} from './rows.ts';
import {
  change,
  changeSome,
  first,
  prepare,
  prepareTogether,
  type Session,
  together,
  visible,
} from './session.ts';
import { inSlices } from './slices.ts';
import type { Tables } from './tables.ts';

export function pageStore(session: Session): PageStore {
  const { engine, db } = session;
  return {
    findByPath: async (path) => maybePage(await first(session, byPath, { path })),
    findById: async (id) => maybePage(await first(session, byId, { id })),
    async findByAlias(path, sight) {
      const found = await sql<PageRow>`${selectPage} join aliases l on l.page_id = p.id
        where l.path = ${path} and ${visible('p', sight)} order by l.id desc limit 1`.execute(db);
      return maybePage(found.rows[0]);
    },

    async lockByPath(path, mode) {
      // The row is held first and read after: what was joined to it before the wait may be of an older version.
      const held = await sql<{
        id: number;
      }>`select p.id from pages p where p.path = ${path} ${engine.lockRows(mode)}`.execute(db);
      const id = held.rows[0]?.id;
      return id === undefined ? undefined : maybePage(await first(session, byId, { id }));
    },
    async lockById(id, mode) {
      const held = await sql`select p.id from pages p where p.id = ${id} ${engine.lockRows(mode)}`.execute(
        db,
      );
      return held.rows.length === 0 ? undefined : maybePage(await first(session, byId, { id }));
    },

    async lockByPaths(paths, mode) {
      const held = await sql<
        Pick<Tables['pages'], 'path' | 'depth' | 'trail' | 'permissions' | 'owner_id'> & { id: number }
      >`
        select p.id, p.path, p.depth, p.trail, p.permissions, p.owner_id from pages p
        where ${engine.amongTexts(sql.ref('p.path'), paths)} order by p.id ${engine.lockRows(mode)}`.execute(
        db,
      );
      return held.rows.map(({ trail, owner_id, ...place }) => {
        return { ...place, trail: readTrail(trail), ownerId: owner_id };
      });
    },

    update: (id, page, { at, editorId, content }) =>
      changeSome(session, async (db) => {
        const session = { engine, db, isTransaction: true };
        const saved = await first(session, addChange, { id, at, editorId, content: JSON.stringify(content) });
        const before = await first(session, stateOfPage, { id });
        if (!saved || !before) throw new Problem('not-found', 'There is no such page.');
        const { owner_id: _, ...columns } = stateColumns(page);
        // A column that is written has all its indexes written, whether it differs or not.
        const changed = Object.entries(columns).filter(
          ([column, value]) => before[column as keyof typeof before] !== value,
        );
        await db
          .updateTable('pages')
          .set({ ...Object.fromEntries(changed), change_id: saved.id, updated_at: saved.at })
          .where('id', '=', id)
          .execute();
        engine.touch(changed.every(([column]) => shownWithPage.has(column)) ? [id] : 'all');
        if (before.title_key !== columns.title_key) await engine.renewNames(db, [id]);
        return { changeId: saved.id };
      }),

    reserveIds: (count) => engine.reserveIds(db, 'pages', count),
    insertMany: (pages) => change(session, (db) => insertPages(engine, db, pages)),

    move: (id, to) => change(session, (db) => moveSubtree(engine, db, id, to)),
    previewMove: (id, toPath, sight) => previewMove(db, id, toPath, sight),
    async contents(ids) {
      const found = await sql<{ id: number; path: string; content: string }>`select p.id, p.path, c.content
        from pages p join changes c on c.id = p.change_id where ${engine.among(sql.ref('p.id'), ids)}`.execute(
        db,
      );
      return found.rows.map((row) => ({ ...row, content: JSON.parse(row.content) as Content }));
    },
    load: (ids, history) => load(session, ids, history),
    loadByPath: (path, history) => loadByPath(session, path, history),
    complete: (fragment, sight, limit) => complete(session, fragment, sight, limit),
    alike: (wanted, sight, limit) => alike(session, wanted, sight, limit),

    addLike: (pageId, memberId, at) =>
      change(session, async (db) => {
        await db
          .insertInto('likes')
          .values({ page_id: pageId, member_id: memberId, at })
          .onConflict((conflict) => conflict.columns(['page_id', 'member_id']).doNothing())
          .execute();
      }),
    removeLike: (pageId, memberId) =>
      change(session, async (db) => {
        await db
          .deleteFrom('likes')
          .where('page_id', '=', pageId)
          .where('member_id', '=', memberId)
          .execute();
      }),
  };
}

/** What shows only where the page itself does, beneath it, or in lists: no link leads elsewhere by it. */
const shownWithPage = new Set(['slug', 'description', 'lat', 'lon', 'cell']);

const byPath = prepare<{ path: string }, PageRow>((p) => sql`${selectPage} where p.path = ${p('path')}`);
const byId = prepare<{ id: number }, PageRow>((p) => sql`${selectPage} where p.id = ${p('id')}`);

/** Time never runs backwards. */
const addChange = prepare<
  { id: number; at: number; editorId: number; content: string },
  { id: number; at: number }
>(
  (p) => sql`insert into changes (page_id, at, editor_id, content)
    select id, case when updated_at > ${p('at')} then updated_at else ${p('at')} end, ${p('editorId')}, ${p('content')}
    from pages where id = ${p('id')} returning id, at`,
);
const stateOfPage = prepare<{ id: number }, Omit<Tables['pages'], 'id'>>(
  (p) => sql`select * from pages where id = ${p('id')}`,
);

/**
 * Of the contents of one page's changes, as they are stored. A longer history is not put into an answer: many edits of
 * long texts would take all memory. The latest change stands for it, and the list of changes has all.
 */
const maxHistoryBytes = 16_000_000;

function maybePage(row: PageRow | undefined): Page | undefined {
  return row && pageOf(row);
}

type Tag = { page_id: number; key: string; value: string };
type Like = { page_id: number; member_id: number };

/** Six queries: pages, tags, likes, files, ancestors, changes. The last one brings the content of the pages as well. */
function loading<P>(
  history: HistoryWanted,
  among: (
    p: (name: keyof P & string) => Placeholder,
    column: RawBuilder<unknown>,
    engine: Engine,
  ) => RawBuilder<boolean>,
) {
  return prepareTogether<P, [StateRow, Tag, Like, Tables['files'], AncestorRow, ChangeRow]>((p, engine) => {
    const ofPages = (column: string) => among(p, sql.ref(column), engine);
    const changes =
      history === 'all'
        ? sql<ChangeRow>`${selectChange} join pages p on p.id = c.page_id
            join (select page_id, sum(octet_length(content)) as bytes from changes where ${ofPages('page_id')}
              group by page_id) h on h.page_id = c.page_id
            where ${ofPages('c.page_id')} and (h.bytes <= ${sql.lit(maxHistoryBytes)} or c.id = p.change_id)
            order by c.id`
        : sql<ChangeRow>`${selectChange} join pages p on p.change_id = c.id where ${ofPages('p.id')}`;
    return [
      sql`${selectState} where ${ofPages('p.id')}`,
      sql`select page_id, key, value from tags where ${ofPages('page_id')} order by page_id, seq`,
      sql`select page_id, member_id from likes where ${ofPages('page_id')} order by page_id, at, member_id`,
      sql`select * from files where ${ofPages('page_id')} order by page_id, filename`,
      // Each ancestor once, however many of the pages it is above.
      sql`with recursive above (id) as (
          select parent_id from pages where ${ofPages('id')}
          union select q.parent_id from above join pages q on q.id = above.id
        )
        select ${ancestorColumns} from above join pages p on p.id = above.id join members o on o.id = p.owner_id`,
      changes,
    ];
  });
}

const byIds = (history: HistoryWanted) =>
  loading<{ ids: number[] }>(history, (p, column, engine) => engine.among(column, p('ids')));
const byOnePath = (history: HistoryWanted) =>
  loading<{ path: string }>(
    history,
    (p, column) => sql`${column} = (select at.id from pages at where at.path = ${p('path')})`,
  );

const loadings = {
  ids: { all: byIds('all'), latest: byIds('latest'), none: byIds('latest') },
  path: { all: byOnePath('all'), latest: byOnePath('latest'), none: byOnePath('latest') },
};

async function load(session: Session, ids: number[], history: HistoryWanted): Promise<WholePage[]> {
  const loaded: WholePage[] = [];
  await inSlices(ids, async (ids) => {
    const whole = wholePages(await together(session, loadings.ids[history], { ids: [...ids] }), history);
    loaded.push(...ids.flatMap((id) => whole.get(id) ?? []));
  });
  return loaded;
}

async function loadByPath(
  session: Session,
  path: string,
  history: HistoryWanted,
): Promise<WholePage | undefined> {
  const [whole] = wholePages(await together(session, loadings.path[history], { path }), history).values();
  return whole;
}

function wholePages(
  [pages, tags, likes, files, ancestors, changes]: [
    StateRow[],
    Tag[],
    Like[],
    Tables['files'][],
    AncestorRow[],
    ChangeRow[],
  ],
  history: HistoryWanted,
): Map<number, WholePage> {
  const tagsOf = groupBy(tags, (tag) => tag.page_id);
  const likesOf = groupBy(likes, (like) => like.page_id);
  const filesOf = groupBy(files, (file) => file.page_id);
  const changesOf = groupBy(changes.map(changeOf), (change) => change.pageId);
  const ancestorsById = new Map(ancestors.map((row) => [row.id, ancestorOf(row)]));
  const whole = new Map<number, WholePage>();
  for (const row of pages) {
    const made = changesOf.get(row.id) ?? [];
    const latest = made.findLast(({ id }) => id === row.change_id);
    if (!latest) throw new Error(`Page ${row.id} has no change ${row.change_id}.`);
    const page = pageWith(row, latest.content);
    whole.set(page.id, {
      ...page,
      tags: valuesByKey(tagsOf.get(page.id) ?? []),
      likes: (likesOf.get(page.id) ?? []).map((like) => like.member_id),
      files: (filesOf.get(page.id) ?? []).map((file): AttachedFile => fileOf(file)),
      history: history === 'none' ? [] : made,
      lineage: page.trail.flatMap((id) => ancestorsById.get(id) ?? []),
    });
  }
  return whole;
}

function valuesByKey(tags: Tag[]): Record<string, string[]> {
  // A tag may be called `__proto__`: entries become own properties whatever their name.
  const grouped = groupBy(tags, (tag) => tag.key);
  return Object.fromEntries([...grouped].map(([key, same]) => [key, same.map((tag) => tag.value)]));
}

function groupBy<T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * Best first: the title itself, titles that begin so, paths that begin so, the rest; then by title. A fragment of one or
 * two characters is looked for where a title, a path or a word of a title begins, anything longer anywhere.
 */
async function complete(
  session: Session,
  fragment: string,
  sight: Sight,
  limit: number,
): Promise<(PageName & { type: string | null })[]> {
  const key = titleKey(fragment);
  if (key === '') return [];
  const { engine, db } = session;
  const title = sql.ref('p.title_key');
  const path = sql.ref('p.path_key');
  const id = sql.ref('p.id');
  const word = readTextQuery(fragment)?.map((phrase) => ({ ...phrase, prefix: true }));
  const elsewhere =
    [...key].length >= 3
      ? [engine.keyContains('title_key', key), engine.keyContains('path_key', key)]
      : word
        ? [engine.titleMatches(id, word)]
        : [];
  // Each way to match has an index of its own, which a union of them uses and a disjunction might not.
  const ways = [beginsWith(title, key), beginsWith(path, key), beginsWith(path, `/${key}`), ...elsewhere];
  const candidates = sql.join(
    ways.map((way) => sql`select p.id from pages p where ${way}`),
    sql` union `,
  );
  const found = await sql<PageName & { type: string | null }>`
    select p.id, p.title, p.path, p.type from pages p
    where p.id in (${candidates}) and ${visible('p', sight)}
    order by case when ${title} = ${key} then 0 when ${beginsWith(title, key)} then 1
      when ${beginsWith(path, key)} then 2 else 3 end, p.sort_key, p.id
    limit ${limit}`.execute(db);
  return found.rows;
}

/** Of each way to match: enough for what is worth comparing, and a bound for what everything matches. */
const lookedAtPages = 2000;

async function alike(
  session: Session,
  { beginning, fragments, beside, length }: Parameters<PageStore['alike']>[0],
  sight: Sight,
  limit: number,
): Promise<PageName[]> {
  const { engine, db } = session;
  const sortKey = sql.ref('p.sort_key');
  const pathKey = sql.ref('p.path_key');
  const first = (way: RawBuilder<boolean>, order = sql``) => sql`select * from (
    select p.id, p.title, p.path, abs(length(p.title_key) - ${length}) as by_title, abs(length(p.slug) - ${length}) as by_slug
    from pages p where ${way} and ${visible('p', sight)} ${order} limit ${lookedAtPages}) as f`;
  const ways = [
    first(beginsWith(sortKey, sortKeyOf(beginning)), sql`order by ${sortKey}`),
    // Beside a root page lies every root page, which says nothing.
    ...(beside === '/' ? [] : [first(beginsWith(pathKey, titleKey(beside)), sql`order by ${pathKey}`)]),
    ...fragments.flatMap((fragment) =>
      (['title_key', 'path_key'] as const).map((column) => first(engine.keyContains(column, fragment))),
    ),
  ];
  const found = await sql<PageName>`select id, title, path from (${sql.join(ways, sql` union `)}) as found
    order by case when by_slug < by_title then by_slug else by_title end, id limit ${limit}`.execute(db);
  return found.rows;
}

export type { PageState };
