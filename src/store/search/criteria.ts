/** Search criteria as SQL: which pages match, and how many. */
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
import type { Visibility } from '#domain/permission.ts';
import type { SearchCriteria } from '#domain/ports/list-reads.ts';
import type { Criteria } from '#domain/search/criteria.ts';
import type { Box } from '#domain/search/written-criteria.ts';
import { type Engine, type ReadQueue, storable } from '../engine.ts';
import { beginsWith, indexable, liesBeneath } from '../rows.ts';
import { all, prepare, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';
import { cellsIn } from './cells.ts';

/** A criterion of a search as a predicate on pages p, in forms that say the same. */
interface Predicate {
  /** For pages that are found by an index. */
  byIndex: RawBuilder<boolean>;
  /** For pages that are read for another reason: written so that no index is tempted, and never null. */
  byRow: RawBuilder<boolean>;
  /** The same for few pages, whose rows are at hand, where `byRow` would first find all that meet the criterion. */
  byFetchedRow?: RawBuilder<boolean>;
  /** A table (id) of what it finds, each once, by an index alone. */
  countByIndex?: RawBuilder<unknown> | undefined;
  /** Asking that index takes longer than a look at the pages that it finds, where these are few. */
  isSearched?: true;
  /** The index that finds it has it in the order of titles. */
  isInOrder?: true;
  /** Which pages meet it can be told with `pagesById` alone: by their IDs, which an index tells, or by a column. */
  isNarrow?: 'byId' | 'byColumn';
}

export interface Predicates {
  visible: RawBuilder<boolean>;
  /** All must hold. */
  limits: Predicate[];
  /** One must hold, if there are any. */
  united: Predicate[];
  queue: ReadQueue;
}

/** Undefined if nothing was asked for or nothing can match. */
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
  return { visible: visible('p', visibility), limits, united: isUnion ? predicates : [], queue };
}

export function matching({ visible, limits, united }: Predicates): RawBuilder<boolean> {
  // Each predicate has an index of its own, which a union uses and a disjunction might not.
  const ids = united.map(({ byIndex }) => sql`select p.id from pages p where ${byIndex}`);
  const union = ids.length > 0 ? [sql<boolean>`p.id in (${sql.join(ids, sql` union `)})`] : [];
  return allOf([visible, ...limits.map(({ byIndex }) => byIndex), ...union]);
}

export function scanInOrder({ visible, limits, united }: Predicates): RawBuilder<boolean> {
  const any = sql.join(united.map(testOf), sql` or `);
  const union = united.length > 0 ? [sql<boolean>`(${any})`] : [];
  return allOf([visible, ...limits.map(testOf), ...union]);
}

/** Test of a predicate for pages that are visited one after the other. */
export function testOf({ byRow, byFetchedRow = byRow }: Predicate): RawBuilder<boolean> {
  return byFetchedRow;
}

/** All that decides which pages match, and in which order. */
export function dependenciesOf(criteria: SearchCriteria): Dependency[] {
  const { ancestorId, order } = criteria;
  return [
    namesOfPages,
    ...(/alphabetical|created/.test(order) ? [] : [anyContent]),
    ...given(criteria).flatMap(({ value, criterion }) => criterion.dependencies(value)),
    ...(ancestorId === undefined ? [] : [descendantsOf(ancestorId)]),
  ];
}

function pathsWith(prefix: string): Dependency {
  return pathsBeneath(prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))));
}

/** Rows of one column, `total`. What several of the united predicates find is counted by the first of them. */
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
  if (united.length === 0) return sql`select count(*) as total from pages p where ${matching(predicates)}`;
  return sql`select ${sql.join(countingEach(engine, predicates), sql` + `)} as total`;
}

/** Counts the matches of each united predicate that no predicate before it finds. */
export function countingEach(engine: Engine, { visible, limits, united }: Predicates): RawBuilder<number>[] {
  return united.map((one, i) => {
    const before = united.slice(0, i);
    const others = before.map(({ byRow }) => sql<boolean>`not ${byRow}`);
    const from = pagesFor(engine, [...limits, one], before);
    return sql`(select count(*) from ${from} where ${allOf([visible, ...limits.map(({ byIndex }) => byIndex), one.byIndex, ...others])})`;
  });
}

/** Pages p that must meet the criteria and are tested for the others: as `pagesById` where that tells all. */
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

/** A criterion in the store's terms. */
interface Criterion<V> {
  predicates(value: V, engine: Engine): Predicate[];
  /** Dependencies of a search by it, beside names of pages. */
  dependencies(value: V): Dependency[];
}

type TabledCriteria = Omit<Criteria, 'ancestorId' | 'logic'>;

/** Criteria that limit a union instead of joining it: where and when. */
const limiting: ReadonlySet<string> = new Set(['nearby', 'box', 'since'] satisfies (keyof TabledCriteria)[]);

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
      // Every path begins with a slash.
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
      const byIndex = engine.keyContains('title_key', fragment);
      const byFetchedRow = engine.keyHolds('title_key', fragment);
      // The index knows runs of three characters.
      if ([...fragment].length < 3) return [{ byIndex, byRow: byIndex, byFetchedRow }];
      const countByIndex = engine.countByIndex.keys?.('title_key', fragment);
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
  // The last one: a list by relevance leaves it out of what it tests.
  text: {
    predicates(text, engine) {
      const byIndex = engine.textMatches(sql.ref('p.id'), text);
      const countByIndex = engine.countByIndex.texts(text);
      return [{ byIndex, byRow: byIndex, countByIndex, isNarrow: 'byId', isSearched: true }];
    },
    dependencies: () => [anyContent],
  },
};

function ofIds(ids: readonly number[], engine: Engine): Predicate[] {
  const among = engine.among(sql.ref('p.id'), ids);
  return [{ byIndex: among, byRow: among, isNarrow: 'byId' }];
}

/** A table (id), each once. */
function placesInBox(engine: Engine, box: Box): RawBuilder<unknown> {
  const t = engine.rows({ first: 'integer', last: 'integer' }, cellsIn(box));
  const between =
    box.west > box.east
      ? sql`(k.lon >= ${box.west} or k.lon <= ${box.east})`
      : sql`k.lon between ${box.west} and ${box.east}`;
  return sql`(select distinct k.id from ${t} as t cross join pages k
    where k.cell between t.first and t.last and k.lat between ${box.south} and ${box.north} and ${between})`;
}

/** The criteria that a search has, in the order of the table. */
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

/** Each has an index of its own. */
function valueOrName(value: string): Predicate {
  const valued = sql`from tags valued where valued.value_key = ${indexable(value)}`;
  const named = sql`from tags named where named.key = ${tagName(value)}`;
  return {
    byIndex: sql`p.id in (select valued.page_id ${valued} union all select named.page_id ${named})`,
    // By the page's few tags: the index of names has all pages of the name.
    byRow: sql`(exists (select 1 ${valued} and valued.page_id = p.id)
      or exists (select 1 from tags named where named.page_id = p.id and named.key || '' = ${tagName(value)}))`,
    countByIndex: sql`(select valued.page_id as id ${valued} union select named.page_id as id ${named})`,
    isNarrow: 'byId',
  };
}

/** Names are in lower case. */
function tagName(text: string): string {
  return text.toLowerCase();
}

function prefixed(column: string, prefix: string): Predicate {
  const holds = beginsWith(sql`(${sql.ref(column)} || '')`, prefix);
  return { byIndex: beginsWith(sql.ref(column), prefix), byRow: sql`(${holds})` };
}

/** Folds a fragment like a title for its key, but white space at the ends counts: ` wood` is not in `Driftwood`. */
function fragmentKey(fragment: string): string {
  return fragment.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase();
}

const trails = prepare<{ id: number }, { trail: string }>(
  (p) => sql`select trail || id || '/' as trail from pages where id = ${p('id')}`,
);

/** With what the trails of all descendants begin; undefined if there is no such page. */
async function trailOf(session: Session, id: number): Promise<string | undefined> {
  return (await all(session, trails, { id }))[0]?.trail;
}
