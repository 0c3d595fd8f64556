/** Originals and their translations (`pages.original_id`). */
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import type { ListReads } from '#core/ports/list-reads.ts';
import type { Database } from '../engine.ts';
import { invalidate } from '../invalidation.ts';
import type { PageRows } from '../parts.ts';
import { type StateRow, selectState, stateOf } from '../rows.ts';
import { all, changeSome, prepare, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';
import { shownBy } from './shown-by.ts';

/** More than a set may have. */
const mostInSet = 1001;
/** Number of visible translations that one statement looks at; most of them may be up to date. */
const mostLookedAt = 5000;

export function translations(session: Session): Pick<PageRows, 'inSet' | 'translate' | 'render'> {
  const { engine } = session;
  /** Pages of a set show the others, and depend on facts of the original. */
  const invalidateShown = async (
    db: Database,
    columns: ('original_id' | 'rendered_id')[],
    given: (number | null)[],
  ) => {
    const ids = given.filter((id) => id !== null);
    const shown = columns.includes('original_id') ? await shownBy(engine, db, ids) : [];
    invalidate(
      { engine, db },
      'pages',
      columns,
      ids.map((id, index) => ({ id, versions: [], shownBy: index === 0 ? shown : [] })),
    );
  };
  return {
    inSet: async (originalId) => (await all(session, inSet, { originalId })).map(stateOf),
    translate: ({ id, originalId: before }, originalId) =>
      changeSome(session, async (db) => {
        await invalidateShown(db, ['original_id', 'rendered_id'], [id, before, originalId]);
        if (originalId === null)
          await sql`update pages set original_id = null, rendered_id = null, rendered_paragraphs = null
            where id = ${id}`.execute(db);
        else
          await sql`update pages set original_id = ${originalId},
              rendered_id = (select o.change_id from pages o where o.id = ${originalId}), rendered_paragraphs = null
            where id = ${id} or original_id = ${id}`.execute(db);
      }),
    render: ({ id, originalId }, changeId, paragraphs) =>
      changeSome(session, async (db) => {
        await invalidateShown(db, ['rendered_id'], [id, originalId]);
        const keys = paragraphs.length === 0 ? null : JSON.stringify(paragraphs);
        await sql`update pages set rendered_id = ${changeId}, rendered_paragraphs = ${keys} where id = ${id}`.execute(
          db,
        );
      }),
  };
}

const inSet = prepare<{ originalId: number }, StateRow>(
  (p) => sql`${selectState} where p.id in (select q.id from pages q where q.id = ${p('originalId')}
      union all select q.id from pages q where q.original_id = ${p('originalId')})
    order by p.id limit ${sql.lit(mostInSet)}`,
);

/** Hidden pages do not count among those that a statement looks at, because the end of a part would tell of them. */
function seenWithOriginal(visibility: Visibility): RawBuilder<boolean> {
  return sql<boolean>`${visible('q', visibility)} and exists (select 1 from pages o
    where o.id = q.original_id and ${visible('o', visibility)})`;
}

export async function translationsBehind(
  db: Database,
  visibility: Visibility,
  ...[language, isOfWiki, after, limit]: Parameters<ListReads['behind']>
): ReturnType<ListReads['behind']> {
  const lookedAt = (isIn: RawBuilder<boolean>) => sql`select id from (select q.id from pages q
    where ${isIn} and q.original_id is not null and q.id > ${after} and ${seenWithOriginal(visibility)}
    order by q.id limit ${mostLookedAt}) as part`;
  const inLanguage = lookedAt(sql`q.language = ${language}`);
  // Two parts, because each is in the order of the index.
  const all = isOfWiki ? sql`${inLanguage} union all ${lookedAt(sql`q.language is null`)}` : inLanguage;
  const { rows } = await sql<{ id: number; original_id: number | null; last: number; looked: number }>`
    with looked as (select id from (${all}) as ids order by id limit ${mostLookedAt}),
      behind as (select p.id, p.original_id from looked join pages p on p.id = looked.id
        join pages o on o.id = p.original_id
        where p.rendered_id < o.change_id order by p.id limit ${limit + 1})
    select behind.id, behind.original_id, ends.last, ends.looked
    from (select max(id) as last, count(*) as looked from looked) as ends left join behind on 1 = 1
    order by behind.id`.execute(db);
  const found = rows.flatMap(({ id, original_id }) =>
    original_id === null ? [] : [{ id, originalId: original_id }],
  );
  const pages = found.slice(0, limit);
  if (found.length > limit) return { pages, last: (pages.at(-1) as { id: number }).id };
  const [end] = rows;
  return end && Number(end.looked) === mostLookedAt ? { pages, last: end.last } : { pages };
}

export async function translatedPages(
  db: Database,
  visibility: Visibility,
  ...[after, limit]: Parameters<ListReads['translated']>
): ReturnType<ListReads['translated']> {
  const { rows } = await sql<{ id: number; original_id: number | null; last: number; looked: number }>`
    with seen as (select q.id, q.original_id from pages q
      where q.original_id is not null and q.original_id > ${after} and ${seenWithOriginal(visibility)}
      order by q.original_id, q.id limit ${mostLookedAt})
    select seen.id, seen.original_id, ends.last, ends.looked
    from (select max(original_id) as last, count(*) as looked from seen) as ends left join seen on 1 = 1
    order by seen.original_id, seen.id`.execute(db);
  const [end] = rows;
  // The translations of the last original may not have been looked at completely.
  const cut = end && Number(end.looked) === mostLookedAt ? Number(end.last) : undefined;
  const sets = new Map<number, number[]>();
  for (const { id, original_id: original } of rows)
    if (original !== null && original !== cut) sets.set(original, [...(sets.get(original) ?? []), id]);
  const all = [...sets].map(([id, translations]) => ({ id, translations }));
  const originals = all.slice(0, limit);
  if (all.length > limit) return { originals, last: originals.at(-1)?.id ?? after };
  return cut === undefined ? { originals } : { originals, last: cut - 1 };
}
