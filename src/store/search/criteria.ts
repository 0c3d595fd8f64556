/** Search criteria as SQL: predicates on pages, and counting. */
import { type RawBuilder, sql } from 'kysely';
import {
  anyContent,
  type Dependency,
  descendantsOf,
  namesOfPages,
  newPages,
  pathsBeneath,
  placesBetween,
  tagged,
  tagNamed,
  typed,
} from '#cache/dependency.ts';
import type { Criteria } from '#core/model/criteria.ts';
import { fold } from '#core/model/fold.ts';
import type { Visibility } from '#core/model/permission.ts';
import { isUnspacedText, readTextQuery } from '#core/model/terms.ts';
import type { Box } from '#core/model/written-criteria.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import { type Engine, type ReadQueue, storable } from '../engine.ts';
import { beginsWith, indexable, liesBeneath } from '../rows.ts';
import { all, prepare, type Session } from '../statements.ts';
import { visibleAmongMany, visibleInRange } from '../visibility.ts';
import { cellsIn } from './cells.ts';

/** A search criterion as a predicate on pages p, in several equivalent forms. */
interface Predicate {
  /** Form for finding pages by an index. */
  byIndex: RawBuilder<boolean>;
  /** Form for testing pages found in another way: written so that no index is used, and never null. */
  byRow: RawBuilder<boolean>;
  /** Form for testing few pages whose rows are already read, if `byRow` would first collect all matches of the criterion. */
  byFetchedRow?: RawBuilder<boolean>;
  /** A table (id) of its distinct matches, found by an index alone. */
  countByIndex?: RawBuilder<unknown> | undefined;
  /** Whether querying its index takes longer than testing the found pages, if these are few. */
  isSearched?: true;
  /** Whether its index yields matches in title order. */
  isInOrder?: true;
  /** Whether `pagesById` is enough to test it: by ID, which an index finds, or by a column. */
  isNarrow?: 'byId' | 'byColumn';
}

export interface Predicates {
  visible: RawBuilder<boolean>;
  /** Predicates that must all hold. */
  limits: Predicate[];
  /** Predicates of which one must hold, if there are any. */
  united: Predicate[];
  queue: ReadQueue;
}

/** Returns undefined if no criterion was given or nothing can match. */
export async function predicatesOf(
  session: Session,
  criteria: SearchCriteria,
  visibility: Visibility,
): Promise<Predicates | undefined> {
  const ofAll = (some: ReturnType<typeof given>) =>
    some.flatMap(({ value, criterion }) => criterion.predicates(value, session.engine));
  const { true: always = [], false: others = [] } = Object.groupBy(
    given(criteria),
    ({ limits }) => `${limits}`,
  );
  const predicates = ofAll(others);
  const limits = ofAll(always);
  if (criteria.ancestorId !== undefined) {
    const trail = await trailOf(session, criteria.ancestorId);
    if (trail === undefined) return undefined;
    limits.push({ ...prefixed('p.trail', trail), byIndex: liesBeneath(sql.ref('p.trail'), trail) });
  } else if (predicates.length + limits.length === 0) return undefined;
  const isUnion = criteria.logic === 'or' && predicates.length > 1;
  if (!isUnion) limits.push(...predicates);
  const queue = criteria.text === undefined && criteria.titleFragment === undefined ? 'lists' : 'words';
  return {
    visible: visibleInRange('p', visibility, criteria),
    limits,
    united: isUnion ? predicates : [],
    queue,
  };
}

export function matching({ visible, limits, united }: Predicates): RawBuilder<boolean> {
  // Each predicate has its own index, which a union uses and a disjunction might not.
  const ids = united.map(({ byIndex }) => sql`select p.id from pages p where ${byIndex}`);
  const union = ids.length > 0 ? [sql<boolean>`p.id in (${sql.join(ids, sql` union `)})`] : [];
  return allOf([visible, ...limits.map(({ byIndex }) => byIndex), ...union]);
}

export function scanInOrder({ visible, limits, united }: Predicates): RawBuilder<boolean> {
  const any = sql.join(united.map(testOf), sql` or `);
  const union = united.length > 0 ? [sql<boolean>`(${any})`] : [];
  return allOf([visible, ...limits.map(testOf), ...union]);
}

/** Test of a predicate on pages that are visited one by one. */
export function testOf({ byRow, byFetchedRow = byRow }: Predicate): RawBuilder<boolean> {
  return byFetchedRow;
}

/** Everything that determines the matches and their order. */
export function dependenciesOf(criteria: SearchCriteria): Dependency[] {
  const { ancestorId, order } = criteria;
  return [
    namesOfPages,
    ...(/alphabetical|created|tree/.test(order) ? [] : [anyContent]),
    ...given(criteria).flatMap(({ value, criterion }) => criterion.dependencies(value)),
    ...(ancestorId === undefined ? [] : [descendantsOf(ancestorId)]),
  ];
}

function pathsWith(prefix: string): Dependency {
  return pathsBeneath(prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))));
}

/** Rows with one column, `total`. Pages that several united predicates match are counted by the first of them. */
export function counting(
  engine: Engine,
  predicates: Predicates,
  visibility: Visibility,
): RawBuilder<{ total: number }> {
  const { limits, united } = predicates;
  const [only, ...others] = limits;
  if (only?.countByIndex && others.length + united.length === 0)
    return sql`select count(*) as total from ${only.countByIndex} as found
      where ${engine.countByIndex.isSeen(sql.ref('found.id'), visibility)}`;
  if (united.length === 0) {
    const isOfMany = limits.every(({ isNarrow }) => isNarrow !== 'byId');
    const seen = isOfMany ? visibleAmongMany('p', visibility) : predicates.visible;
    return sql`select count(*) as total from pages p where ${matching({ ...predicates, visible: seen })}`;
  }
  return sql`select ${sql.join(countingEach(engine, predicates), sql` + `)} as total`;
}

/** Counts the matches of each united predicate that no earlier predicate matches. */
export function countingEach(engine: Engine, { visible, limits, united }: Predicates): RawBuilder<number>[] {
  return united.map((one, i) => {
    const before = united.slice(0, i);
    const others = before.map(({ byRow }) => sql<boolean>`not ${byRow}`);
    const from = pagesFor(engine, [...limits, one], before);
    return sql`(select count(*) from ${from} where ${allOf([visible, ...limits.map(({ byIndex }) => byIndex), one.byIndex, ...others])})`;
  });
}

/** Pages p that must meet the criteria and are tested for the others, as `pagesById` if that is sufficient. */
export function pagesFor(
  engine: Engine,
  criteria: Predicate[],
  others: Predicate[] = [],
): RawBuilder<unknown> {
  const isNarrow =
    criteria.some((one) => one.isNarrow === 'byId') && [...criteria, ...others].every((one) => one.isNarrow);
  return isNarrow ? engine.pagesById : sql`pages p`;
}

export function allOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** A criterion for the store. */
interface Criterion<V> {
  predicates(value: V, engine: Engine): Predicate[];
  /** Dependencies of a search with this criterion, besides names of pages. */
  dependencies(value: V): Dependency[];
}

type TabledCriteria = Omit<Criteria, 'ancestorId' | 'logic'>;

/** Criteria that restrict a union instead of joining it: place and time. */
const limiting: ReadonlySet<string> = new Set([
  'nearby',
  'box',
  'since',
  'dueBy',
] satisfies (keyof TabledCriteria)[]);

const criteriaTable: { [C in keyof TabledCriteria]-?: Criterion<NonNullable<Criteria[C]>> } = {
  type: {
    predicates: (type, engine) => [
      {
        byIndex: sql`p.type = ${type}`,
        byRow: sql`coalesce(p.type || '' = ${type}, ${engine.truth(false)})`,
        isInOrder: true,
        isNarrow: 'byColumn',
      },
    ],
    dependencies: (type) => [typed(String(storable(type)))],
  },
  pathPrefix: {
    predicates(prefix) {
      // Always true, because every path begins with a slash.
      const every: Predicate = { byIndex: sql<boolean>`1 = 1`, byRow: sql<boolean>`1 = 1` };
      return [prefix === '/' ? every : prefixed('p.path', prefix)];
    },
    dependencies: (prefix) => [pathsWith(String(storable(prefix)))],
  },
  tags: {
    predicates: (tags) =>
      tags.map(({ key, value }) => (key === undefined ? valueOrName(value) : ofTag(key, value))),
    dependencies: (tags) =>
      tags.flatMap(({ key, value }) => {
        const text = String(storable(value));
        return [tagged(indexable(text)), ...(key === undefined ? [tagNamed(tagName(text))] : [])];
      }),
  },
  titleFragment: {
    predicates(title, engine) {
      const fragment = fragmentKey(title);
      const byFetchedRow = engine.keyHolds('title', fragment);
      const phrases = isUnspacedText(fragment) ? readTextQuery(fragment)?.phrases : undefined;
      if (phrases) {
        const byIndex = engine.titleMatches(sql.ref('p.id'), phrases);
        return [{ byIndex, byRow: byIndex, byFetchedRow, isNarrow: 'byId', isSearched: true }];
      }
      const byIndex = engine.keyContains('title', fragment);
      // The trigram index needs three characters.
      if ([...fragment].length < 3) return [{ byIndex, byRow: byIndex, byFetchedRow }];
      const countByIndex = engine.countByIndex.keys?.('title', fragment);
      return [{ byIndex, byRow: byIndex, byFetchedRow, countByIndex, isNarrow: 'byId', isSearched: true }];
    },
    dependencies: () => [newPages],
  },
  ids: { predicates: ofIds, dependencies: () => [newPages] },
  linking: { predicates: ofIds, dependencies: () => [newPages] },
  nearby: { predicates: ofIds, dependencies: () => [newPages] },
  ownerId: {
    predicates: (owner) => [{ byIndex: sql`p.owner_id = ${owner}`, byRow: sql`p.owner_id + 0 = ${owner}` }],
    dependencies: () => [newPages],
  },
  box: {
    predicates(box, engine) {
      const found = placesInBox(engine, box);
      const within = sql<boolean>`p.id in (select found.id from ${found} as found)`;
      return [{ byIndex: within, byRow: within, countByIndex: found, isNarrow: 'byId' }];
    },
    dependencies: ({ south, north }) => placesBetween(south, north),
  },
  since: {
    predicates: (at) => [{ byIndex: sql`p.updated_at >= ${at}`, byRow: sql`p.updated_at + 0 >= ${at}` }],
    dependencies: () => [anyContent],
  },
  dueBy: {
    predicates: (day) => [{ byIndex: sql`p.review_by <= ${day}`, byRow: sql`p.review_by || '' <= ${day}` }],
    dependencies: () => [anyContent],
  },
  // Comes last, because a list by relevance does not test it.
  text: {
    predicates(text, engine) {
      const byIndex = engine.textMatches(sql.ref('p.id'), text);
      const byFetchedRow = engine.textHolds?.(sql.ref('p.id'), text) ?? byIndex;
      const countByIndex = engine.countByIndex.texts(text);
      return [{ byIndex, byRow: byIndex, byFetchedRow, countByIndex, isNarrow: 'byId', isSearched: true }];
    },
    dependencies: () => [anyContent],
  },
};

function ofIds(ids: readonly number[], engine: Engine): Predicate[] {
  const among = engine.among(sql.ref('p.id'), ids);
  return [{ byIndex: among, byRow: among, isNarrow: 'byId' }];
}

/** A table of distinct (id). */
function placesInBox(engine: Engine, box: Box): RawBuilder<unknown> {
  const t = engine.rows({ first: 'integer', last: 'integer' }, cellsIn(box));
  // −180° and 180° are the same meridian, and all longitudes of a pole are the same place.
  const isAtMeridian = [box.west, box.east].some((lon) => Math.abs(lon) === 180);
  const same = [
    ...(isAtMeridian ? [sql`k.lon in (-180, 180)`] : []),
    ...(box.north === 90 ? [sql`k.lat = 90`] : []),
    ...(box.south === -90 ? [sql`k.lat = -90`] : []),
  ];
  const between =
    box.west > box.east
      ? sql`(k.lon >= ${box.west} or k.lon <= ${box.east})`
      : sql`k.lon between ${box.west} and ${box.east}`;
  return sql`(select distinct k.id from ${t} as t cross join pages k
    where k.cell between t.first and t.last and k.lat between ${box.south} and ${box.north}
      and (${sql.join([between, ...same], sql` or `)}))`;
}

/** The given criteria, in the order of the table. */
function given(
  criteria: SearchCriteria,
): { value: unknown; criterion: Criterion<unknown>; limits: boolean }[] {
  const names = Object.keys(criteriaTable) as (keyof TabledCriteria)[];
  return names.flatMap((name) => {
    const value = criteria[name];
    if (value === undefined) return [];
    return [{ value, criterion: criteriaTable[name] as Criterion<unknown>, limits: limiting.has(name) }];
  });
}

function ofTag(key: string, value: string): Predicate {
  const tagged = sql`from tags t where t.value_key = ${indexable(value)} and t.key = ${key}`;
  return {
    byIndex: sql`p.id in (select t.page_id ${tagged})`,
    byRow: sql`exists (select 1 ${tagged} and t.page_id = p.id)`,
    countByIndex: sql`(select distinct t.page_id as id ${tagged})`,
    isNarrow: 'byId',
  };
}

/** Both alternatives have an index. */
function valueOrName(value: string): Predicate {
  const valued = sql`from tags valued where valued.value_key = ${indexable(value)}`;
  const named = sql`from tags named where named.key = ${tagName(value)}`;
  return {
    byIndex: sql`p.id in (select valued.page_id ${valued} union all select named.page_id ${named})`,
    // By the page's own few tags, because the index of names lists all pages with that name.
    byRow: sql`(exists (select 1 ${valued} and valued.page_id = p.id)
      or exists (select 1 from tags named where named.page_id = p.id and named.key || '' = ${tagName(value)}))`,
    countByIndex: sql`(select valued.page_id as id ${valued} union select named.page_id as id ${named})`,
    isNarrow: 'byId',
  };
}

/** Tag names are in lower case. */
function tagName(text: string): string {
  return text.toLowerCase();
}

function prefixed(column: string, prefix: string): Predicate {
  const holds = beginsWith(sql`(${sql.ref(column)} || '')`, prefix);
  return { byIndex: beginsWith(sql.ref(column), prefix), byRow: sql`(${holds})` };
}

/** Folds a fragment like a title, but keeps white space at its ends: ` wood` does not match `Driftwood`. */
function fragmentKey(fragment: string): string {
  return fold(fragment).replace(/\s+/gu, ' ');
}

const trails = prepare<{ id: number }, { trail: string }>(
  (p) => sql`select trail || id || '/' as trail from pages where id = ${p('id')}`,
);

/** Common beginning of the trails of all descendants; undefined if there is no such page. */
async function trailOf(session: Session, id: number): Promise<string | undefined> {
  return (await all(session, trails, { id }))[0]?.trail;
}
