/** Search criteria as SQL: which pages match, and how many. */
import { type RawBuilder, sql } from 'kysely';
import {
  anyContent,
  type Dependency,
  descendantsOf,
  namesOfPages,
  newPages,
  pathsBeneath,
  tagged,
  tagNamed,
  typed,
} from '#cache/dependency.ts';
import type { Visibility } from '#domain/permission.ts';
import type { SearchCriteria } from '#domain/ports/list-store.ts';
import { type Engine, type ReadQueue, storable } from '../engine.ts';
import { beginsWith, indexable } from '../rows.ts';
import { all, prepare, type Session, visible } from '../statements.ts';

/** A criterion of a search on pages p, in forms that say the same. */
interface Criterion {
  /** Found by an index. */
  found: RawBuilder<boolean>;
  /** Tested on a page that was come by otherwise: written so that no index is tempted, and never null. */
  holds: RawBuilder<boolean>;
  /** The same of few pages, whose rows are at hand, where `holds` would first find all that meet the criterion. */
  holdsOfFew?: RawBuilder<boolean>;
  /** A table (id) of what it finds, each once, by an index alone. */
  alone?: RawBuilder<unknown> | undefined;
  /** Asking that index takes longer than a look at the pages that it finds, where these are few. */
  isSearched?: true;
  /** The index that finds it has it in the order of titles. */
  isInOrder?: true;
  /** Which pages meet it can be told with `pagesById` alone: by their IDs, which an index tells, or by a column. */
  isNarrow?: 'byId' | 'byColumn';
}

export interface Asked {
  visible: RawBuilder<boolean>;
  /** All must hold. */
  limits: Criterion[];
  /** One must hold, if there are any. */
  united: Criterion[];
  queue: ReadQueue;
}

/** Undefined if nothing was asked for or nothing can match. */
export async function askedOf(
  session: Session,
  criteria: SearchCriteria,
  visibility: Visibility,
): Promise<Asked | undefined> {
  const criterions = criteriaOf(session.engine, criteria);
  const limits: Criterion[] = [];
  if (criteria.ancestorId !== undefined) {
    const trail = await trailOf(session, criteria.ancestorId);
    if (trail === undefined) return undefined;
    limits.push(prefixed('p.trail', trail));
  } else if (criterions.length === 0) return undefined;
  const isUnion = criteria.logic === 'or' && criterions.length > 1;
  if (!isUnion) limits.push(...criterions);
  const queue = criteria.text === undefined && criteria.titleFragment === undefined ? 'lists' : 'words';
  return { visible: visible('p', visibility), limits, united: isUnion ? criterions : [], queue };
}

export function matching({ visible, limits, united }: Asked): RawBuilder<boolean> {
  // Each criterion has an index of its own, which a union uses and a disjunction might not.
  const ids = united.map(({ found }) => sql`select p.id from pages p where ${found}`);
  const union = ids.length > 0 ? [sql<boolean>`p.id in (${sql.join(ids, sql` union `)})`] : [];
  return allOf([visible, ...limits.map(({ found }) => found), ...union]);
}

export function walking({ visible, limits, united }: Asked): RawBuilder<boolean> {
  const any = sql.join(united.map(testOf), sql` or `);
  const union = united.length > 0 ? [sql<boolean>`(${any})`] : [];
  return allOf([visible, ...limits.map(testOf), ...union]);
}

/** Test of a criterion for pages that are visited one after the other. */
export function testOf({ holds, holdsOfFew = holds }: Criterion): RawBuilder<boolean> {
  return holdsOfFew;
}

/** All that decides which pages match, and in which order. */
export function dependenciesOf(criteria: SearchCriteria): Dependency[] {
  const { pathPrefix, titleFragment, type, tags = [], text, ancestorId, order } = criteria;
  const isOfContent = text !== undefined || !/alphabetical|created/.test(order);
  return [
    namesOfPages,
    ...(isOfContent ? [anyContent] : []),
    ...(titleFragment === undefined ? [] : [newPages]),
    ...(pathPrefix === undefined ? [] : [pathsWith(String(storable(pathPrefix)))]),
    ...(type === undefined ? [] : [typed(String(storable(type)))]),
    ...tags.map(({ value }) => tagged(indexable(String(storable(value))))),
    ...tags.flatMap(({ key, value }) =>
      key === undefined ? [tagNamed(tagName(String(storable(value))))] : [],
    ),
    ...(ancestorId === undefined ? [] : [descendantsOf(ancestorId)]),
  ];
}

function pathsWith(prefix: string): Dependency {
  return pathsBeneath(prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))));
}

/** Rows of one column, `total`. What several of the united criteria find is counted by the first of them. */
export function counting(
  engine: Engine,
  asked: Asked,
  visibility: Visibility,
): RawBuilder<{ total: number }> {
  const { limits, united } = asked;
  const [only, ...others] = limits;
  if (only?.alone && others.length + united.length === 0)
    return sql`select count(*) as total from ${only.alone} as found
      where ${engine.countedAlone.isSeen(sql.ref('found.id'), visibility)}`;
  if (united.length === 0) return sql`select count(*) as total from pages p where ${matching(asked)}`;
  return sql`select ${sql.join(countingEach(engine, asked), sql` + `)} as total`;
}

/** Counts the matches of each united criterion that no criterion before it finds. */
export function countingEach(engine: Engine, { visible, limits, united }: Asked): RawBuilder<number>[] {
  return united.map((one, i) => {
    const before = united.slice(0, i);
    const others = before.map(({ holds }) => sql<boolean>`not ${holds}`);
    const from = pagesFor(engine, [...limits, one], before);
    return sql`(select count(*) from ${from} where ${allOf([visible, ...limits.map(({ found }) => found), one.found, ...others])})`;
  });
}

/** Pages p that must meet the criteria and are tested for the others: as `pagesById` where that tells all. */
export function pagesFor(
  engine: Engine,
  criteria: Criterion[],
  others: Criterion[] = [],
): RawBuilder<unknown> {
  const isNarrow =
    criteria.some((one) => one.isNarrow === 'byId') && [...criteria, ...others].every((one) => one.isNarrow);
  return isNarrow ? engine.pagesById : sql`pages p`;
}

export function allOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`;
}

function criteriaOf(engine: Engine, criteria: SearchCriteria): Criterion[] {
  const asked: Criterion[] = [];
  const id = sql.ref('p.id');
  if (criteria.type !== undefined) {
    const { type } = criteria;
    asked.push({
      found: sql`p.type = ${type}`,
      holds: sql`coalesce(p.type || '' = ${type}, ${engine.truth(false)})`,
      isInOrder: true,
      isNarrow: 'byColumn',
    });
  }
  if (criteria.pathPrefix !== undefined) {
    // Every path begins with a slash.
    const every: Criterion = { found: sql<boolean>`1 = 1`, holds: sql<boolean>`1 = 1` };
    asked.push(criteria.pathPrefix === '/' ? every : prefixed('p.path', criteria.pathPrefix));
  }
  for (const { key, value } of criteria.tags ?? [])
    asked.push(key === undefined ? valueOrName(value) : ofTag(key, value));
  if (criteria.titleFragment !== undefined) {
    const fragment = fragmentKey(criteria.titleFragment);
    const found = engine.keyContains('title_key', fragment);
    // The index knows runs of three characters.
    const isIndexed = [...fragment].length >= 3;
    const alone = isIndexed ? engine.countedAlone.keys?.('title_key', fragment) : undefined;
    const holdsOfFew = engine.keyHolds('title_key', fragment);
    asked.push({
      found,
      holds: found,
      holdsOfFew,
      alone,
      ...(isIndexed ? { isNarrow: 'byId', isSearched: true } : {}),
    });
  }
  if (criteria.text !== undefined) {
    const found = engine.textMatches(id, criteria.text);
    const alone = engine.countedAlone.texts(criteria.text);
    asked.push({ found, holds: found, alone, isNarrow: 'byId', isSearched: true });
  }
  return asked;
}

function ofTag(key: string, value: string): Criterion {
  const tagged = sql`from tags t where t.value_key = ${indexable(value)} and t.key = ${key}`;
  return {
    found: sql`p.id in (select t.page_id ${tagged})`,
    holds: sql`exists (select 1 ${tagged} and t.page_id = p.id)`,
    alone: sql`(select distinct t.page_id as id ${tagged})`,
    isNarrow: 'byId',
  };
}

/** Each has an index of its own. */
function valueOrName(value: string): Criterion {
  const valued = sql`from tags valued where valued.value_key = ${indexable(value)}`;
  const named = sql`from tags named where named.key = ${tagName(value)}`;
  return {
    found: sql`p.id in (select valued.page_id ${valued} union all select named.page_id ${named})`,
    // By the page's few tags: the index of names has all pages of the name.
    holds: sql`(exists (select 1 ${valued} and valued.page_id = p.id)
      or exists (select 1 from tags named where named.page_id = p.id and named.key || '' = ${tagName(value)}))`,
    alone: sql`(select valued.page_id as id ${valued} union select named.page_id as id ${named})`,
    isNarrow: 'byId',
  };
}

/** Names are in lower case. */
function tagName(text: string): string {
  return text.toLowerCase();
}

function prefixed(column: string, prefix: string): Criterion {
  const holds = beginsWith(sql`(${sql.ref(column)} || '')`, prefix);
  return { found: beginsWith(sql.ref(column), prefix), holds: sql`(${holds})` };
}

/** Folds a fragment like a title for its key, but white space at the ends counts: ` wood` is not in `Driftwood`. */
function fragmentKey(fragment: string): string {
  return fragment.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase();
}

const trails = prepare<{ id: number }, { trail: string }>(
  (p) => sql`select trail || id || '/' as trail from pages where id = ${p('id')}`,
);

/** With what the trails of all descendants begin; undefined if there is no such page. */
export async function trailOf(session: Session, id: number): Promise<string | undefined> {
  return (await all(session, trails, { id }))[0]?.trail;
}
