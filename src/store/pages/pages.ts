/** Finds, locks, writes and moves pages. `load-pages.ts` loads complete pages. */
import { sql } from 'kysely';
import { kindsOfEdit } from '#core/events/kinds-of-edit.ts';
import type { NewEvent } from '#core/model/event.ts';
import type { Content, Page, PageState } from '#core/model/page.ts';
import { includesAudience } from '#core/model/permission.ts';
import { recordEvents } from '../events/record-events.ts';
import { invalidate } from '../invalidation.ts';
import type { PageRows } from '../parts.ts';
import {
  type AncestorRow,
  accessDefaultsOf,
  ancestorColumns,
  ancestorOf,
  type DefaultsRow,
  defaultColumns,
  liesBeneath,
  type PageRow,
  selectPage,
  stateColumns,
  trailBeneath,
  versionOf,
  writeTrail,
} from '../rows.ts';
import {
  all,
  changeSome,
  changeUnseen,
  first,
  type Prepared,
  prepare,
  type Session,
  send,
} from '../statements.ts';
import { visible } from '../visibility.ts';
import { addAliases, addHistory, forgetAliases } from './add-history.ts';
import { audiencesWith } from './audiences.ts';
import { complete, firstFree, similarNames } from './by-names.ts';
import { changeAccess } from './change-access.ts';
import { insertPages } from './insert-pages.ts';
import { likes } from './likes.ts';
import { pageLoads } from './load-pages.ts';
import { byId, byPath, maybePage, type ProtectedRow, pageLocks, protectedOf } from './locks.ts';
import { moveSubtree, previewMove } from './move-subtree.ts';
import { passGrants } from './pass-grants.ts';
import { publicHistory } from './public-history.ts';
import { runsOf } from './runs-of.ts';
import { shownBy } from './shown-by.ts';
import { translations } from './translations.ts';

export function pageStore(session: Session): PageRows {
  const { engine, db } = session;
  return {
    findByPath: async (path) => maybePage(await first(session, byPath, { path })),
    findById: async (id) => maybePage(await first(session, byId, { id })),
    async findByAlias(visibility, path) {
      const found = await sql<PageRow>`${selectPage} join aliases l on l.page_id = p.id
        where l.path = ${path} and ${visible('p', visibility)} order by l.id desc limit 1`.execute(db);
      return maybePage(found.rows[0]);
    },

    async oldPaths(ids) {
      if (ids.length === 0) return [];
      const t = engine.rows(
        { id: 'integer' },
        ids.map((id) => [id]),
      );
      const found = await sql<{ page_id: number; path: string }>`
        select l.page_id, l.path from ${t} as t cross join aliases l where l.page_id = t.id
        order by l.page_id, l.id`.execute(db);
      return found.rows.map(({ page_id, path }) => ({ pageId: page_id, path }));
    },

    ...pageLocks(session),
    async ancestors(trail) {
      const found = await all(session, ancestorsOf, { ids: trail });
      return found.sort((a, b) => a.depth - b.depth).map(ancestorOf);
    },

    audiences: (keys) => changeSome(session, (db) => audiencesWith(engine, db, keys)),
    passGrants: (id, change, wiki) =>
      changeSome(session, (db) => passGrants({ engine, db, wiki }, id, change)),
    changeAccess: (ids, access, change) =>
      changeSome(session, (db) => changeAccess({ engine, db }, ids, access, change)),
    protect: (page, protection) => setColumn(session, page, 'protection', protection),
    setRule: (page, rule) => setColumn(session, page, 'rule', rule),
    protectedAmong: async (ids, paths) =>
      (await all(session, protectedAmong, { ids, paths })).map(protectedOf),
    async protectedBeneath({ id, trail }, refuses) {
      const beneath = liesBeneath(sql.ref('p.trail'), trailBeneath({ id, trail: writeTrail([...trail]) }));
      for (let after = 0; ; ) {
        // Two conditions, so that each finds its pages by its index.
        const among = (
          column: 'protection' | 'rule',
        ) => sql`select p.id, p.path, p.protection, p.rule from pages p
          where ${sql.ref(`p.${column}`)} is not null and ${beneath} and p.id > ${after}`;
        const { rows } =
          await sql<ProtectedRow>`${among('protection')} union ${among('rule')} order by 1 limit ${protectedAtOnce}`.execute(
            db,
          );
        const refusing = rows.map(protectedOf).find(refuses);
        if (refusing) return refusing;
        const last = rows.at(-1);
        if (!last || rows.length < protectedAtOnce) return undefined;
        after = last.id;
      }
    },
    haveDefaults: async () => (await first(session, anyDefaults, {})) !== undefined,
    async defaultsOf(ids) {
      if (ids.length === 0) return new Map();
      const rows = await all(session, defaultsAmong, { ids });
      return new Map(
        rows.flatMap(({ id, ...row }) => {
          const defaults = accessDefaultsOf(row);
          return defaults ? [[id, defaults]] : [];
        }),
      );
    },

    update: (held, state, { id: changeId, at, editorId, content }) =>
      changeSome(session, async (db) => {
        const session = { engine, db, isTransaction: true };
        const { id } = held;
        const stored = JSON.stringify(content);
        // Time never runs backwards.
        const updatedAt = Math.max(at, held.updatedAt);
        const { owner_id: _, follows_path, ...columns } = stateColumns(state);
        const { grants } = held.content;
        const before = stateColumns({
          ...held,
          ...(grants ? { grants } : {}),
          ownerId: held.owner.id,
          followsPath: true,
        });
        // Only changed columns are written, because writing a column updates all its indexes even if the value is the same.
        const changed = Object.entries(columns).filter(
          ([column, value]) => before[column as keyof typeof columns] !== value,
        );
        const names = new Set(changed.map(([column]) => column as keyof typeof columns));
        const isNamedAnew = names.has('title') || names.has('audience') || names.has('language');
        invalidate(
          { engine, db },
          'pages',
          ['change_id', ...names],
          [
            {
              id,
              // Both versions at the current position, because moves invalidate separately.
              versions: [{ ...versionOf(held), ancestors: state.trail }, versionOf(state)],
              shownBy: isNamedAnew ? await shownBy(engine, db, [id]) : [],
            },
          ],
        );
        const added = { id, at: updatedAt, editorId, content: stored };
        if (changeId === undefined) send(session, addChange, added);
        else send(session, addNumberedChange, { ...added, changeId });
        const set = { ...Object.fromEntries(changed), follows_path, updated_at: updatedAt };
        send(session, setting(Object.keys(set)), {
          ...set,
          id,
          bytes: Buffer.byteLength(stored),
          changeId: changeId ?? null,
        });
        recordEvents(
          engine,
          db,
          eventsOfEdit(held, state, { at: updatedAt, editorId, content }, names.size === 0),
        );
        if (names.has('sort_key')) await engine.renewNames(db, [id]);
      }),

    keep: () => engine.invalidate(db, []),

    reserveIds: (count) => engine.reserveIds(db, 'pages', count),
    reserveChangeIds: (count) => engine.reserveIds(db, 'changes', count),
    skipIds: (last) =>
      changeUnseen(session, async (db) => {
        for (const [table, id] of Object.entries(last))
          await engine.skipIds(db, table as keyof typeof last, id);
      }),
    insertMany: (pages) => changeSome(session, (db) => insertPages(engine, db, pages)),
    runsOf: (memberId, since, limit, visibility) => runsOf({ session, visibility }, memberId, since, limit),
    addHistory: (id, changes) => changeSome(session, (db) => addHistory(engine, db, id, changes)),
    addAliases: (aliases) => changeSome(session, (db) => addAliases(engine, db, aliases)),
    removeAliases: (pageId, paths) =>
      changeSome(session, async (db) => {
        await forgetAliases(engine, db, pageId, sql`and ${engine.amongTexts(sql.ref('path'), paths)}`);
      }),

    move: (id, to, change) => changeSome(session, (db) => moveSubtree({ engine, db }, id, to, change)),
    firstFree: (...given) => firstFree(session, ...given),
    previewMove: (...given) => previewMove(db, ...given),
    async contents(ids) {
      const found = await sql<{ id: number; path: string; content: string }>`select p.id, p.path, c.content
        from pages p join changes c on c.id = p.change_id where ${engine.among(sql.ref('p.id'), ids)}`.execute(
        db,
      );
      return found.rows.map((row) => ({ ...row, content: JSON.parse(row.content) as Content }));
    },
    ...pageLoads(session),
    complete: (...given) => complete(session, ...given),
    alike: (...given) => similarNames(session, ...given),

    ...translations(session),
    ...likes(session),
    ...publicHistory(session),
  };
}

const addChange = prepare<{ id: number; at: number; editorId: number; content: string }, unknown>(
  (p) => sql`insert into changes (page_id, at, editor_id, content)
    values (${p('id')}, ${p('at')}, ${p('editorId')}, ${p('content')})`,
);
const addNumberedChange = prepare<
  { id: number; at: number; editorId: number; content: string; changeId: number },
  unknown
>(
  (p) => sql`insert into changes (id, page_id, at, editor_id, content)
    values (${p('changeId')}, ${p('id')}, ${p('at')}, ${p('editorId')}, ${p('content')})`,
);
const ancestorsOf = prepare<{ ids: number[] }, AncestorRow>(
  (p, engine) => sql`select ${ancestorColumns} from pages p join members o on o.id = p.owner_id
    where ${engine.among(sql.ref('p.id'), p('ids'))}`,
);
/** Maximum number of protected pages read by one query. */
const protectedAtOnce = 1000;

const protectedAmong = prepare<{ ids: readonly number[]; paths: readonly string[] }, ProtectedRow>(
  (p, engine) => sql`select p.id, p.path, p.protection, p.rule from pages p
      where ${engine.among(sql.ref('p.id'), p('ids'))} and (p.protection is not null or p.rule is not null)
    union select p.id, p.path, p.protection, p.rule from pages p
      where ${engine.amongTexts(sql.ref('p.path'), p('paths'))} and (p.protection is not null or p.rule is not null)`,
);

/** Writes a column of a locked page, as JSON. */
function setColumn(
  session: Session,
  page: Page,
  column: 'protection' | 'rule',
  value: object | null,
): Promise<void> {
  return changeSome(session, async (db) => {
    const written = [{ id: page.id, versions: [versionOf(page)], shownBy: [] }];
    invalidate({ engine: session.engine, db }, 'pages', [column], written);
    await db
      .updateTable('pages')
      .set({ [column]: value && JSON.stringify(value) })
      .where('id', '=', page.id)
      .execute();
  });
}

const anyDefaults = prepare<object, { id: number }>(
  () => sql`select id from pages where default_permissions is not null limit 1`,
);
const defaultsAmong = prepare<{ ids: readonly number[] }, DefaultsRow & { id: number }>(
  (p, engine) => sql`select p.id, ${defaultColumns} from pages p
    where ${engine.among(sql.ref('p.id'), p('ids'))} and p.default_permissions is not null`,
);
const settings = new Map<string, Prepared<Record<string, unknown>, [unknown]>>();

/**
 * Updates these columns of the page `id`, and makes `changeId`, or the last inserted change if null, with its size in bytes,
 * the page's latest change.
 */
function setting(columns: string[]): Prepared<Record<string, unknown>, [unknown]> {
  const key = columns.join(' ');
  const known = settings.get(key);
  if (known) return known;
  const made = prepare<Record<string, unknown>, unknown>((p, engine) => {
    const set = columns.map((column) => sql`${sql.ref(column)} = ${p(column)}`);
    return sql`update pages set ${sql.join(set)}, history_bytes = history_bytes + ${p('bytes')},
      change_id = coalesce(cast(${p('changeId')} as bigint), ${engine.lastId('changes')}) where id = ${p('id')}`;
  });
  settings.set(key, made);
  return made;
}

/** The move has its own event already. Members who lose access are told only that. */
function eventsOfEdit(
  held: Page,
  state: PageState,
  { at, editorId, content }: { at: number; editorId: number; content: Content },
  keepsFacts: boolean,
): NewEvent[] {
  const isMoved = held.path !== state.path || held.parentId !== state.parentId;
  const { id: pageId } = held;
  const from = held.title === state.title ? {} : { from: { title: held.title } };
  const event = { pageId, at, editorId, msg: content.msg, keepsFacts };
  const events: NewEvent[] = kindsOfEdit({ ...held, isMoved }, content).map((kind) => ({
    kind,
    ...event,
    ...(kind === 'edited' ? from : {}),
  }));
  if (includesAudience(state.audience, held.audience)) return events;
  const lostBy = { audience: held.audience, path: held.path };
  return [...events, { kind: 'permissions', ...event, lostBy, from: { title: held.title } }];
}
