/** Locks pages until the end of the transaction. SQLite has a single writer anyway. */
import { type RawBuilder, sql } from 'kysely';
import type { Page, PagePlace, Protected } from '#core/model/page.ts';
import { pathsAbove } from '#core/model/path.ts';
import type { Engine, Placeholder } from '../engine.ts';
import type { PageRows } from '../parts.ts';
import {
  type BeneathRow,
  beneathColumns,
  beneathOf,
  type GrantedRow,
  grantedColumns,
  grantedOf,
  type PageRow,
  pageOf,
  protectedBy,
  readTrail,
  selectPage,
} from '../rows.ts';
import {
  all,
  first,
  type Prepared,
  prepare,
  prepareTogether,
  type Session,
  send,
  together,
} from '../statements.ts';
import type { RowOf, Tables } from '../tables.ts';

type Locks = Pick<PageRows, 'lockByPath' | 'lockById' | 'lockByPaths' | 'lockByIds' | 'lockForEdit'>;

export function pageLocks(session: Session): Locks {
  const { engine } = session;
  const locks: Locks = {
    async lockByPath(path, mode) {
      const page = await first(session, lockByPath[mode], { path });
      if ((page && !lacksKeys(page)) || engine.hasOneWriter) return maybePage(page);
      // No row is returned if there is no page, or if another change has become its latest while the statement waited for the
      // lock. A page found at the path afterwards was put there meanwhile.
      const held = all(session, holdingByPaths[mode], { paths: [path] });
      const [[place], later] = await Promise.all([held, first(session, byPath, { path })]);
      return place && maybePage(later);
    },
    async lockById(id, mode) {
      if (!engine.hasOneWriter) send(session, holdingByIds[mode], { ids: [id] });
      return maybePage(await first(session, byId, { id }));
    },
    async lockByPaths(paths, mode) {
      const held = await all(session, holdingByPaths[mode], { paths });
      // Nobody changes a locked row, so it is read again.
      const isStale = held.some(lacksKeys);
      return (isStale ? await all(session, holdingByPaths[mode], { paths }) : held).map(placeOf);
    },
    async lockByIds(ids, mode) {
      const held = await all(session, holdingByIds[mode], { ids });
      return (held.some(lacksKeys) ? await all(session, holdingByIds[mode], { ids }) : held).map(placeOf);
    },
    async lockForEdit(path, { readsProtection }) {
      const [row, places, protectedAbove, [links, tags]] = await Promise.all([
        first(session, lockByPath.update, { path }),
        all(session, holdingParent, { path }),
        readsProtection ? all(session, protectedAbovePath, { path, paths: pathsAbove(path) }) : [],
        together(session, linksAndTagsAt, { path }),
      ]);
      if (!row || [row, ...places].some(lacksKeys)) {
        const page = await locks.lockByPath(path, 'update');
        return page && { page };
      }
      const [parent] = places.map(placeOf);
      const around = { parent: parent ?? null, protectedAbove: protectedAbove.map(protectedOf) };
      return { page: pageOf(row), around: { ...around, stored: { links, tags } } };
    },
  };
  return locks;
}

export function maybePage(row: PageRow | undefined): Page | undefined {
  return row && pageOf(row);
}

export const byPath = prepare<{ path: string }, PageRow>(
  (p) => sql`${selectPage} where p.path = ${p('path')}`,
);
export const byId = prepare<{ id: number }, PageRow>((p) => sql`${selectPage} where p.id = ${p('id')}`);
const lockByPath = { share: holdingPage('share'), update: holdingPage('update') };

const placeColumns = sql`p.id, p.path, p.depth, p.trail, p.language, p.permissions, p.owner_id, p.group_id,
  ${grantedColumns}, ${beneathColumns}`;
type LockMode = 'share' | 'update';
type PlaceRow = Pick<
  RowOf<'pages'>,
  'id' | 'path' | 'depth' | 'trail' | 'language' | 'permissions' | 'owner_id' | 'group_id'
> &
  GrantedRow &
  BeneathRow;

function holdingPage(mode: LockMode) {
  return prepare<{ path: string }, PageRow>(
    (p, engine) => sql`${selectPage} where p.path = ${p('path')} ${engine.lockRows(mode)}`,
  );
}

function holding<P>(
  condition: (p: (name: keyof P & string) => Placeholder, engine: Engine) => RawBuilder<boolean>,
): Record<LockMode, Prepared<P, [PlaceRow]>> {
  const held = (mode: LockMode) =>
    prepare<P, PlaceRow>(
      (p, engine) => sql`select ${placeColumns} from pages p
        where ${condition(p, engine)} order by p.id ${engine.lockRows(mode)}`,
    );
  return { share: held('share'), update: held('update') };
}

const holdingByPaths = holding<{ paths: string[] }>((p, engine) =>
  engine.amongTexts(sql.ref('p.path'), p('paths')),
);
const holdingByIds = holding<{ ids: number[] }>((p, engine) => engine.among(sql.ref('p.id'), p('ids')));
const holdingParent = prepare<{ path: string }, PlaceRow>(
  (p, engine) => sql`select ${placeColumns} from pages p
    where p.id = (select c.parent_id from pages c where c.path = ${p('path')}) ${engine.lockRows('share')}`,
);

export type ProtectedRow = { id: number; path: string; protection: string | null; rule: string | null };

/** Protected pages above the page at `path`, in the tree or by address: at one of `paths`. */
const protectedAbovePath = prepare<{ path: string; paths: string[] }, ProtectedRow>(
  (p, engine) => sql`with recursive above (id) as (
      select c.parent_id from pages c where c.path = ${p('path')}
      union select q.parent_id from above join pages q on q.id = above.id
    )
    select p.id, p.path, p.protection, p.rule from above join pages p on p.id = above.id
      where p.protection is not null or p.rule is not null
    union select p.id, p.path, p.protection, p.rule from pages p
      where ${engine.amongTexts(sql.ref('p.path'), p('paths'))} and (p.protection is not null or p.rule is not null)`,
);

export function protectedOf({ id, path, ...row }: ProtectedRow): Protected & { id: number } {
  return { id, path, ...protectedBy(row) };
}

const linksAndTagsAt = prepareTogether<{ path: string }, [Tables['links'], Tables['tags']]>((p) => {
  const page = sql`(select p.id from pages p where p.path = ${p('path')})`;
  return [
    sql`select * from links where source_id = ${page}`,
    sql`select * from tags where page_id = ${page} order by seq`,
  ];
});

/**
 * Whether a row names an audience whose key it does not have. On PostgreSQL, a statement that waited for a lock sees the new row of
 * the page, but not the rows that the transaction before it inserted.
 */
function lacksKeys({ audience_id, granted, beneath_id, beneath }: GrantedRow & BeneathRow): boolean {
  return (audience_id !== null && granted === null) || (beneath_id !== null && beneath === null);
}

export function placeOf({ trail, owner_id: ownerId, group_id, ...row }: PlaceRow): PagePlace {
  const { id, path, depth, language, permissions } = row;
  const group = group_id === null ? null : { id: group_id };
  const grants = { ...grantedOf(row), ...beneathOf(row) };
  return { id, path, depth, language, permissions, trail: readTrail(trail), ownerId, group, ...grants };
}
