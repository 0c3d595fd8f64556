/** The file library: all current files in one of its orders, with the pages that use each. */
import { type RawBuilder, sql } from 'kysely';
import type { PageName } from '#core/model/page.ts';
import { seesEverything, type Visibility } from '#core/model/permission.ts';
import { type FileCriteria, fileOrders, type LibraryFile, maxUses } from '#core/ports/file-rows.ts';
import {
  beginsWith,
  fileOf,
  type GrantedRow,
  grantedColumns,
  grantedOf,
  readTrail,
  trailBeneath,
  writeTrail,
} from '../rows.ts';
import { rowsOf, type Session } from '../statements.ts';
import type { RowOf } from '../tables.ts';
import { visible, visibleLink } from '../visibility.ts';

type Row = RowOf<'files'> &
  Pick<RowOf<'pages'>, 'path' | 'title' | 'trail' | 'permissions' | 'owner_id' | 'group_id'> &
  GrantedRow & {
    versions: number;
    used_on: string | null;
  };

const columns = { name: 'sort_key', size: 'size_bytes', date: 'uploaded_at' } as const;

export async function library(
  session: Session,
  visibility: Visibility,
  criteria: FileCriteria,
): Promise<LibraryFile[]> {
  const { order, limit } = criteria;
  const column = sql.ref(`f.${columns[order]}`);
  const direction = fileOrders[order].isDescending ? sql`desc` : sql``;
  const seesHistory = seesEverything(visibility) ? sql`1 = 1` : sql`p.owner_id = ${visibility.ownerId ?? 0}`;
  // A cross join, because SQLite then keeps the order of the tables, and so the order of the files.
  const rows = await rowsOf(
    session,
    sql<Row>`select f.*, p.path, p.title, p.trail, p.permissions, p.owner_id, p.group_id, ${grantedColumns},
        (select count(*) from files v where v.page_id = f.page_id and v.filename = f.filename
          and (v.until_change_id is null or v.until_change_id > p.history_from or ${seesHistory})) as versions,
        (select string_agg(cast(found.source_id as text), ' ') from (
          select source_id from (${usedByItself}) as found_here
          union select source_id from (${usedByPath} and ${visibleLink(visibility)}
            order by l.source_id limit ${sql.lit(maxUses + 1)}) as found_by_path) as found) as used_on
      from files f cross join pages p
      where f.until_change_id is null and p.id = f.page_id and ${visible('p', visibility)}
        and ${sql.join(conditions(criteria, visibility), sql` and `)}
      order by ${column} ${direction}, f.name ${direction} limit ${limit}`,
  );
  const using = new Map(rows.map(({ name, used_on }) => [name, idsOf(used_on)]));
  const names = await namesOf(session, [...using.values()].flat(), visibility);
  return rows.map((row) => {
    const { path, title, trail, permissions, owner_id, group_id } = row;
    const uses = using.get(row.name) ?? [];
    return {
      file: fileOf(row),
      versions: Number(row.versions),
      page: {
        id: row.page_id,
        path,
        title,
        trail: readTrail(trail),
        permissions,
        owner: { id: owner_id },
        group: group_id === null ? null : { id: group_id },
        ...grantedOf(row),
      },
      usedOn: uses.slice(0, maxUses).flatMap((id) => names.get(id) ?? []),
      hasMoreUses: uses.length > maxUses,
    };
  });
}

/** Pages refer to their own files by file name, and to files of other pages by path and name. */
const usedByItself = sql`select l.source_id from links l
  where l.source_id = f.page_id and l.kind = 'file' and l.target = f.filename`;
const usedByPath = sql`select l.source_id from links l
  where l.kind = 'file' and l.target = p.path || '/' || f.filename`;

function conditions(
  { namePart, mime, page, ancestor, isUnused, order, after }: FileCriteria,
  visibility: Visibility,
): RawBuilder<unknown>[] {
  const conditions = [sql`1 = 1`];
  if (namePart) conditions.push(sql`f.sort_key like ${`%${asLiteral(namePart)}%`} escape '!'`);
  if (mime?.includes('/')) conditions.push(sql`(f.mime = ${mime} or ${beginsWith(sql`f.mime`, `${mime};`)})`);
  else if (mime) conditions.push(beginsWith(sql`f.mime`, `${mime}/`));
  if (page) conditions.push(sql`f.page_id = ${page.id}`);
  if (ancestor) {
    const { id, trail } = ancestor;
    conditions.push(beginsWith(sql`p.trail`, trailBeneath({ id, trail: writeTrail(trail) })));
  }
  if (isUnused)
    conditions.push(
      sql`not exists (${usedByItself}) and not exists (${usedByPath} and ${visibleLink(visibility)})`,
    );
  if (after) {
    const isAfter = fileOrders[order].isDescending ? sql`<` : sql`>`;
    conditions.push(
      sql`(${sql.ref(`f.${columns[order]}`)}, f.name) ${isAfter} (${after.key}, ${after.name})`,
    );
  }
  return conditions;
}

function asLiteral(part: string): string {
  return part.replace(/[%_!]/g, '!$&');
}

function idsOf(list: string | null): number[] {
  return list === null
    ? []
    : list
        .split(' ')
        .map(Number)
        .sort((a, b) => a - b);
}

async function namesOf(
  session: Session,
  ids: number[],
  visibility: Visibility,
): Promise<Map<number, PageName>> {
  const rows = await rowsOf(
    session,
    sql<PageName>`select p.id, p.title, p.path from pages p
      where ${session.engine.among(sql.ref('p.id'), ids)} and ${visible('p', visibility)}`,
  );
  return new Map(rows.map((page) => [page.id, page]));
}
