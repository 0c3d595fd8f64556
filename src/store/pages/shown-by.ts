/** Finds responses that show a page's title or path: in links, also to its original, in listings and on maps. */
import { type RawBuilder, sql } from 'kysely';
import { type Dependency, leadsTo, linksTo, placesAt, requestedLinks } from '#cache/dependency.ts';
import type { Database, Engine, Placeholder } from '../engine.ts';
import { prepareTogether, together } from '../statements.ts';
import type { Tables } from '../tables.ts';

/** Dependencies of everything that shows titles or paths of these pages, except lists of children. One statement. */
export async function shownBy(engine: Engine, db: Database, ids: readonly number[]): Promise<Dependency[]> {
  const session = { engine, db, isTransaction: true };
  const [pages, aliases, links] = await together(session, namesOf, { ids });
  return [
    requestedLinks,
    ...pages.flatMap(({ title_key, path_key }) => [leadsTo(title_key), leadsTo(path_key)]),
    ...pages.flatMap(({ lat }) => (lat === null ? [] : [placesAt({ lat })])),
    ...aliases.map(({ path_key }) => leadsTo(path_key)),
    ...links.map(({ key }) => linksTo(key)),
  ];
}

const namesOf = prepareTogether<
  { ids: readonly number[] },
  [Pick<Tables['pages'], 'title_key' | 'path_key' | 'lat'>, { path_key: string }, { key: string }]
>((p, engine) => [
  sql`select title_key, path_key, lat from pages where id in (${andOriginals(p('ids'), engine)})`,
  sql`select path_key from aliases where page_id in (${andOriginals(p('ids'), engine)})`,
  sql`select distinct key from links where ${engine.among(sql.ref('source_id'), p('ids'))}`,
]);

/** The pages and their originals, because links to an original lead to its translations. */
function andOriginals(ids: Placeholder, engine: Engine): RawBuilder<unknown> {
  const given = sql`from pages q where ${engine.among(sql.ref('q.id'), ids)}`;
  return sql`select q.id ${given} union select q.original_id ${given} and q.original_id is not null`;
}
