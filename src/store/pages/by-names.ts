/** Finds pages by fragments of their names, for completion and for suggestions at missing addresses. */
import { type RawBuilder, sql } from 'kysely';
import { titleKey } from '#core/model/fold.ts';
import type { PageName } from '#core/model/page.ts';
import type { Visibility } from '#core/model/permission.ts';
import { isUnspacedText, readTextQuery } from '#core/model/terms.ts';
import type { PageReads } from '#core/ports/reader.ts';
import { beginsWith, sortKeyOf } from '../rows.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';

/**
 * Best first: the exact title, titles with that beginning, paths with that beginning, the rest; then by title. A fragment of
 * one or two characters only matches beginnings of titles, paths and words of titles; longer ones match anywhere, and so do
 * fragments of scripts that are indexed by pairs of characters.
 */
export async function complete(
  session: Session,
  visibility: Visibility,
  fragment: string,
  limit: number,
): Promise<(PageName & { type: string | null })[]> {
  const key = sortKeyOf(fragment);
  if (key === '') return [];
  const { engine } = session;
  const title = sql.ref('p.sort_key');
  const path = sql`coalesce(p.path_fold, p.path_key)`;
  // Hyphens have no meaning here, unlike in a search.
  const query = readTextQuery(fragment.replaceAll('-', ' '));
  const word = query?.phrases.map((phrase) => ({ ...phrase, prefix: true }));
  // Each kind of match has its own index, which a union uses and a disjunction might not.
  const some = (from: RawBuilder<unknown>, order = sql``) =>
    sql`select * from (select p.id ${from} and ${visible('p', visibility)} ${order} limit ${lookedAtPages}) as f`;
  const beginning = (column: RawBuilder<unknown>, prefix: string) =>
    some(sql`from pages p where ${beginsWith(column, prefix)}`, sql`order by ${column}`);
  const beginningPath = (prefix: string) =>
    pathsBeginning(prefix).map(({ holds, order }) =>
      some(sql`from pages p where ${holds}`, sql`order by ${order}`),
    );
  const best = async (ways: RawBuilder<unknown>[]) =>
    rowsOf(
      session,
      sql<PageName & { type: string | null }>`
      select p.id, p.title, p.path, p.type from pages p where p.id in (${sql.join(ways, sql` union all `)})
      order by case when p.title_key = ${titleKey(fragment)} then 0 when ${title} = ${key} then 1
        when ${beginsWith(title, key)} then 2 when ${beginsWith(path, key)} then 3 else 4 end, p.sort_key, p.id
      limit ${limit}`,
      'words',
    );
  // Paths and their keys begin with a slash.
  const isPath = key.startsWith('/');
  const begin = [beginning(title, key), ...(isPath ? beginningPath(key) : [])];
  const first = await best(begin);
  // All other matches come after these.
  if (first.length >= limit) return first;
  const inTitle = word ? [engine.fromTitlesMatching(word)] : [];
  const elsewhere =
    [...key].length >= 3
      ? [
          ...(isUnspacedText(key) ? inTitle : [engine.fromKeysContaining('title', key)]),
          engine.fromKeysContaining('path', key),
        ]
      : inTitle;
  return best([
    ...begin,
    ...(isPath ? [] : beginningPath(`/${key}`)),
    ...elsewhere.map((from) => some(from)),
  ]);
}

/** One statement: each path is looked up in the indexes of paths, old paths included, until one is free. */
export async function firstFree(
  { engine, db }: Session,
  visibility: Visibility,
  paths: string[],
  withSubtree: boolean,
): Promise<string | undefined> {
  const given = engine.rows(
    { seq: 'integer', path: 'text' },
    paths.map((path, seq) => [seq, path]),
  );
  // “0” follows the slash in the order of characters.
  const beneath = sql`and not exists (select 1 from pages p
    where p.path > g.path || '/' and p.path < g.path || '0' and ${visible('p', visibility)})`;
  const { rows } = await sql<{ path: string }>`select g.path from ${given} as g
    where not exists (select 1 from pages p where p.path = g.path)
      and not exists (select 1 from aliases l join pages p on p.id = l.page_id
        where l.path = g.path and ${visible('p', visibility)})
      ${withSubtree ? beneath : sql``}
    order by g.seq limit 1`.execute(db);
  return rows[0]?.path;
}

/** Conditions with an index each; the others leave out paths that equal their key, and keys that are folded, as most are. */
function pathsBeginning(key: string): { holds: RawBuilder<boolean>; order: RawBuilder<unknown> }[] {
  const [path, pathKey, pathFold] = [sql.ref('p.path'), sql.ref('p.path_key'), sql.ref('p.path_fold')];
  return [
    { holds: beginsWith(path, key), order: path },
    { holds: sql`${pathKey} <> ${path} and ${beginsWith(pathKey, key)}`, order: pathKey },
    { holds: sql`${pathFold} is not null and ${beginsWith(pathFold, key)}`, order: pathFold },
  ];
}

/**
 * Maximum number of candidates for each kind of match: enough for comparing, and a limit for fragments that match everything.
 */
const lookedAtPages = 2000;

export async function similarNames(
  session: Session,
  visibility: Visibility,
  { beginning, fragments, beside, length }: Parameters<PageReads['alike']>[0],
  limit: number,
): Promise<PageName[]> {
  const { engine } = session;
  const sortKey = sql.ref('p.sort_key');
  const first = (from: RawBuilder<unknown>, order = sql``) => sql`select * from (
    select p.id, p.title, p.path, abs(length(p.title_key) - ${length}) as by_title, abs(length(p.slug) - ${length}) as by_slug
    ${from} and ${visible('p', visibility)} ${order} limit ${lookedAtPages}) as f`;
  const beginningWith = (holds: RawBuilder<boolean>, order: RawBuilder<unknown>) =>
    first(sql`from pages p where ${holds}`, sql`order by ${order}`);
  const ways = [
    beginningWith(beginsWith(sortKey, sortKeyOf(beginning)), sortKey),
    // For a root page this would match all root pages, so it is left out.
    ...(beside === '/'
      ? []
      : pathsBeginning(sortKeyOf(beside)).map(({ holds, order }) => beginningWith(holds, order))),
    ...fragments.flatMap((fragment) =>
      (['title', 'path'] as const).map((name) => first(engine.fromKeysContaining(name, fragment))),
    ),
  ];
  return rowsOf(
    session,
    sql<PageName>`select id, title, path from (${sql.join(ways, sql` union `)}) as found
    order by case when by_slug < by_title then by_slug else by_title end, id limit ${limit}`,
    'words',
  );
}
