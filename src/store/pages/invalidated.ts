/**
 * Dependencies that writing pages invalidates, as numbered by `cache/dependency.ts`. `derived.ts` knows which links
 * changed.
 */

import { sql } from 'kysely';
import {
  anyContent,
  childrenBeneath,
  childrenOf,
  type Dependency,
  descendantsOf,
  factsOf,
  leadsTo,
  linksTo,
  namesOfPages,
  newPages,
  pathsAbove,
  placesAt,
  requestedLinks,
  tagged,
  tagNamed,
  typed,
} from '#cache/dependency.ts';
import type { PageState } from '#domain/pages/page.ts';
import type { NewPage } from '#domain/ports/store.ts';
import { titleKey } from '#domain/search/fold.ts';
import type { Database, Engine } from '../engine.ts';
import { readTrail } from '../rows.ts';
import { prepareTogether, together } from '../statements.ts';
import type { Tables } from '../tables.ts';

/** More pages at once invalidate everything: to name each would cost more than it saves. */
const maxInvalidatedPages = 100;

export function invalidatedByInsert(
  pages: readonly Pick<NewPage, 'state'>[],
  links: Tables['links'][],
  tags: Tables['tags'][],
): Dependency[] | 'all' {
  if (pages.length > maxInvalidatedPages) return 'all';
  return [
    requestedLinks,
    newPages,
    anyContent,
    ...invalidatedByTags(tags),
    ...links.map(({ key }) => linksTo(key)),
    ...pages.flatMap(({ state }) => [
      leadsTo(titleKey(state.title)),
      leadsTo(titleKey(state.path)),
      ...childrenBeneath(state.trail),
      ...state.trail.map(descendantsOf),
      ...pathsAbove(state.path),
      ...(state.type === null ? [] : [typed(state.type)]),
      ...(state.location ? [placesAt(state.location)] : []),
    ]),
  ];
}

export function invalidatedByTags(tags: readonly Tables['tags'][]): Dependency[] {
  return [...new Set(tags.flatMap(({ key, value_key }) => [tagged(value_key), tagNamed(key)]))];
}

/**
 * Before the update, but where the page lies by now; `changed` names the columns that it changes. One statement if other pages
 * show this one otherwise.
 */
export async function invalidatedByUpdate(
  engine: Engine,
  db: Database,
  { parentId, trail }: Pick<PageState, 'parentId' | 'trail'>,
  { id, ...before }: { id: number } & Pick<Tables['pages'], 'title_key' | 'type' | 'lat'>,
  after: Pick<Tables['pages'], 'title_key' | 'type' | 'lat'>,
  changed: ReadonlySet<string>,
): Promise<Dependency[]> {
  const dependencies = [id, anyContent, ...(changed.size > 0 ? [factsOf(id)] : [])];
  const isNamed = changed.has('title') || changed.has('audience');
  if (isNamed)
    dependencies.push(
      namesOfPages,
      leadsTo(after.title_key),
      ...(await invalidatedByNames(engine, db, [id])),
    );
  if (isNamed || changed.has('type')) dependencies.push(childrenOf(parentId));
  if (changed.has('type'))
    for (const type of [before.type, after.type]) if (type !== null) dependencies.push(typed(type));
  // Among pages with the same title, one of the type `Template` or `Module` is called.
  if (
    changed.has('type') &&
    [before.type, after.type].some((type) => type === 'Template' || type === 'Module')
  )
    dependencies.push(leadsTo(before.title_key));
  if (changed.has('audience')) dependencies.push(...childrenBeneath(trail));
  if (changed.has('lat') || changed.has('lon')) {
    for (const { lat } of [before, after]) if (lat !== null) dependencies.push(placesAt({ lat }));
  }
  return dependencies;
}

/** After the move: the pages as they were, with their trails as they are, and those whose paths changed. */
export async function invalidatedByMove(
  engine: Engine,
  db: Database,
  moved: readonly { node: { id: number; trail: string }; trail: readonly number[] }[],
  moves: readonly { from: string; to: string }[],
): Promise<Dependency[] | 'all'> {
  if (moved.length > maxInvalidatedPages) return 'all';
  const ids = moved.map(({ node }) => node.id);
  const trails = moved.flatMap(({ node, trail }) => [readTrail(node.trail), trail]);
  const paths = moves.flatMap(({ from, to }) => [from, to]);
  return [
    ...ids,
    ...ids.map(factsOf),
    ...trails.flatMap(childrenBeneath),
    ...new Set(trails.flat().map(descendantsOf)),
    ...new Set(paths.flatMap(pathsAbove)),
    ...(await invalidatedByNames(engine, db, ids)),
  ];
}

/** Dependencies of whatever shows titles or paths of these pages, except lists of children. */
async function invalidatedByNames(
  engine: Engine,
  db: Database,
  ids: readonly number[],
): Promise<Dependency[]> {
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
  sql`select title_key, path_key, lat from pages where ${engine.among(sql.ref('id'), p('ids'))}`,
  sql`select path_key from aliases where ${engine.among(sql.ref('page_id'), p('ids'))}`,
  sql`select distinct key from links where ${engine.among(sql.ref('source_id'), p('ids'))}`,
]);
