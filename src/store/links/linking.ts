/** SQL for the pages that link to a page, or to each of many pages. */
import { type RawBuilder, sql } from 'kysely';
import { titleKey } from '#core/model/fold.ts';
import type { Page, PageName } from '#core/model/page.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { Engine, Placeholder } from '../engine.ts';
import { rowsOf, type Session } from '../statements.ts';
import { type VisibilityShape, visible, visibleLink } from '../visibility.ts';

export interface LinkedPage {
  /** Key of the page's title. */
  key: string;
  id: number;
  path: string;
  pathKey: string;
}

export type ParameterOf<P> = (name: keyof P & string) => Placeholder | RawBuilder<unknown>;

/** A few for each page, found in one statement, so that popular pages do not crowd out the others. */
export async function backlinksOfEach(
  session: Session,
  visibility: Visibility,
  pages: Pick<Page, 'id' | 'title' | 'path'>[],
  limit: number,
): Promise<Map<number, PageName[]>> {
  if (pages.length === 0) return new Map();
  const parts = pages.map(({ id, title, path }) => {
    const asked: LinkedPage = { id, path, key: titleKey(title), pathKey: titleKey(path) };
    const found = linkingTo((name) => sql`${asked[name]}`, visibility, session.engine, false);
    return sql`select * from (select ${sql.lit(id)} as to_id, found.id from (${found}) as found order by found.id limit ${sql.lit(limit)}) as few`;
  });
  const rows = await rowsOf(
    session,
    sql<PageName & { to_id: number }>`select linking.to_id, p.id, p.title, p.path
      from (${sql.join(parts, sql` union all `)}) as linking join pages p on p.id = linking.id
      order by linking.to_id, p.id`,
  );
  const byTarget = Map.groupBy(rows, ({ to_id }) => to_id);
  return new Map([...byTarget].map(([id, found]) => [id, found.map(({ to_id: _, ...page }) => page)]));
}

/**
 * A table of distinct (id): pages visible to this visibility with a link to this page, or a call of it as a template or module,
 * that resolves to it for this visibility.
 */
export function linkingTo(
  p: ParameterOf<LinkedPage>,
  visibility: VisibilityShape,
  engine: Engine,
  isAlone: boolean,
): RawBuilder<unknown> {
  const answering = sql`from pages a where a.title_key = ${p('key')} and ${visible('a', visibility)}`;
  const exactly = sql`and a.title = l.target`;
  const template = sql`and a.type = 'Template'`;
  // `Module:X` is first a page of type Module titled X, as in `links.ts`.
  const module = sql`select min(a.id) from pages a where a.title_key = substr(l.key, 8) and a.type = 'Module' and ${visible('a', visibility)}`;
  const byModule = sql`coalesce((${module} and a.title = substr(l.target, 8)), (${module}))`;
  // A call of `Note` is a call of `Template:Note` before it is one of `Note`, as in `links.ts`.
  const prefixed = sql`select min(a.id) from pages a where a.title_key = 'template:' || l.key and ${visible('a', visibility)}`;
  const byPrefix = sql`(${prefixed} and a.title = 'Template:' || l.target), (${prefixed})`;
  const typedAs = (key: RawBuilder<unknown>) =>
    sql`select min(a.id) from pages a where a.title_key = ${key} and a.type = 'Template' and ${visible('a', visibility)}`;
  const byTitle = isAlone
    ? sql`select l.source_id as id from links l where l.key = ${p('key')} and l.kind in ('page', 'template') and ${visibleLink(visibility)}`
    : sql`select l.source_id as id from links l
    where l.key = ${p('key')} and not ${isPath(engine)} and ${p('id')} = case l.kind
      when 'page' then coalesce((select min(a.id) ${answering} ${exactly}), (select min(a.id) ${answering}))
      when 'template' then coalesce(case when substr(l.target, 1, 7) = 'Module:' then ${byModule} end,
        (select min(a.id) ${answering} ${template} ${exactly}), (select min(a.id) ${answering} ${template}), ${byPrefix},
        (select min(a.id) ${answering} ${exactly}), (select min(a.id) ${answering}))
      else 0 end and ${visibleLink(visibility)}`;
  const ofModule = sql`select l.source_id as id from links l
    where l.key = 'module:' || ${p('key')} and l.kind = 'template' and substr(l.target, 1, 7) = 'Module:' and ${p('id')} = ${byModule} and ${visibleLink(visibility)}`;
  const ofPrefix = sql`select l.source_id as id from links l
    where l.key = substr(${p('key')}, 10) and substr(${p('key')}, 1, 9) = 'template:' and l.kind = 'template' and not ${isPath(engine)}
      and ${p('id')} = coalesce((${typedAs(sql`l.key`)} and a.title = l.target), (${typedAs(sql`l.key`)}), ${byPrefix})
      and ${visibleLink(visibility)}`;
  const byPath = sql`select l.source_id as id from links l
    where l.key = ${p('pathKey')} and l.target = ${p('path')} and ${isPath(engine)} and l.kind in ('page', 'template')
      and ${visibleLink(visibility)}`;
  const byAlias = sql`select l.source_id as id from aliases o cross join links l
    where o.page_id = ${p('id')} and l.key = o.path_key and l.target = o.path and ${isPath(engine)} and l.kind in ('page', 'template')
      and ${visibleLink(visibility)} and not exists (select 1 from pages a where a.path = o.path and ${visible('a', visibility)})
      and o.id = (select max(u.id) from aliases u join pages a on a.id = u.page_id where u.path = o.path and ${visible('a', visibility)})`;
  return sql`${byTitle} union ${ofModule} union ${ofPrefix} union ${byPath} union ${byAlias}`;
}

function isPath(engine: Engine): RawBuilder<boolean> {
  return sql`(l.is_path = ${engine.truth(true)})`;
}
