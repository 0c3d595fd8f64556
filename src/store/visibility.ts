/** Rows that an actor may read: the rule of `canSee` (`core/model/permission.ts`) in SQL, and which other readers see the same. */
import { type RawBuilder, sql } from 'kysely';
import type { ReadTrace } from '#cache/read-trace.ts';
import { firstGranted } from '#core/model/grant.ts';
import {
  type Actor,
  type Audience,
  everything,
  seesEverything,
  sharedWithReaders,
  type Visibility,
  type Wiki,
} from '#core/model/permission.ts';
import type { Range } from '#core/ports/list-reads.ts';
import type { Placeholder } from './engine.ts';

/** A visibility whose owner, groups and subjects may be given later, as parameters. */
export interface VisibilityShape {
  maxAudience: Visibility['maxAudience'];
  ownerId: number | null | Placeholder;
  groupAudiences: readonly (number | Placeholder)[];
  subjects: readonly (number | Placeholder)[];
}

/**
 * The rule of `canSee` as a condition on a table with the columns `audience` and `owner_id`; `test/store/visibility.test.ts`
 * compares the two. The shape of the visibility is part of the statement, so that there is no condition if everything is
 * visible, and none about groups for members without groups. `column`: name of the audience column, if it is another.
 */
export function visible(
  alias: string,
  visibility: VisibilityShape,
  column = 'audience',
): RawBuilder<boolean> {
  const isOwn = sql`${sql.ref(`${alias}.owner_id`)} = ${visibility.ownerId}`;
  return condition(sql.ref(`${alias}.${column}`), visibility, isOwn);
}

/**
 * The same for a list that passes at least `limit` + `offset` rows. The reader's audiences may be thousands: they are collected
 * only for a list that would otherwise ask for many rows, one by one, whether the reader is among their audience.
 */
export function visibleInRange(
  alias: string,
  visibility: VisibilityShape,
  { limit, offset }: Range,
): RawBuilder<boolean> {
  return limit + offset < manyRows ? visible(alias, visibility) : visibleAmongMany(alias, visibility);
}

const manyRows = 1000;

export function visibleAmongMany(alias: string, visibility: VisibilityShape): RawBuilder<boolean> {
  const isOwn = sql`${sql.ref(`${alias}.owner_id`)} = ${visibility.ownerId}`;
  return condition(sql.ref(`${alias}.audience`), visibility, isOwn, true);
}

/** The same for the page of a link `l`, which has its own copy of the audience. The page is only read if it is private. */
export function visibleLink(visibility: VisibilityShape): RawBuilder<boolean> {
  const isOwn = sql`exists (select 1 from pages s where s.id = l.source_id and s.owner_id = ${visibility.ownerId})`;
  return condition(sql.ref('l.audience'), visibility, isOwn);
}

function condition(
  audience: RawBuilder<unknown>,
  { maxAudience, ownerId, groupAudiences, subjects }: VisibilityShape,
  isOwn: RawBuilder<unknown>,
  isAmongMany = false,
): RawBuilder<boolean> {
  if (seesEverything({ maxAudience })) return sql`1 = 1`;
  if (ownerId === null) return sql`${audience} <= ${maxAudience}`;
  const ofGroups = groupAudiences.length > 0 ? sql`or ${audience} in (${sql.join(groupAudiences)})` : sql``;
  const row = audienceRow(audience);
  const amongReaders = isAmongMany
    ? sql`${row} in (select r.audience_id from audience_readers r where r.subject in (${sql.join(subjects)}))`
    : sql`exists (select 1 from audience_readers r where r.audience_id = ${row} and r.subject in (${sql.join(subjects)}))`;
  const isNamed =
    subjects.length > 0 ? sql`or (${audience} >= ${sql.lit(firstGranted)} and ${amongReaders})` : sql``;
  // Guests do not count among the members, so their own pages for members need asking.
  const isOwners = maxAudience < 1 ? sql`(${audience} % 2 = 0 or ${audience} = 1)` : sql`${audience} % 2 = 0`;
  return sql`(${audience} <= ${maxAudience} ${ofGroups} or (${isOwners} and ${isOwn}) ${isNamed})`;
}

/** ID of the row in `audiences` of an audience from `firstGranted` on. */
export function audienceRow(audience: RawBuilder<unknown>): RawBuilder<number> {
  return sql`((${audience} - ${sql.lit(firstGranted)}) / 2)`;
}

/** The actor, visibility and trace of a reader. */
export interface View {
  actor: Actor;
  wiki: Wiki;
  visibility: Visibility;
  trace: ReadTrace;
}

/**
 * Reads first as if everything were visible: usually nothing is hidden, and the result can be shared with all readers of the
 * same audience. Otherwise reads again with the actor's own visibility.
 */
export async function askAsEveryone<K, P extends { audience: Audience }>(
  { visibility, trace }: View,
  ask: (visibility: Visibility) => Promise<Map<K, P>>,
): Promise<Map<K, P>> {
  const found = await ask(everything);
  const pages = [...found.values()];
  if (pages.every(({ audience }) => audience <= visibility.maxAudience)) {
    trace.record([], sharedWithReaders(visibility, pages));
    return found;
  }
  trace.record([], undefined);
  return ask(visibility);
}
