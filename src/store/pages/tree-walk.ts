/**
 * Walks through a subtree depth first, siblings in their order, and reads no more of it than it passes.
 *
 * A step is the ID of a page, negative once everything beneath the page is behind: 5 leads to the first page beneath 5, or else to
 * −5; −5 leads to the next sibling of 5, or else to −3, its parent. Backwards the last and the previous one are taken instead, and a
 * page is met after what lies beneath it. Hidden pages are passed only if they lead to visible ones.
 */
import { type RawBuilder, sql } from 'kysely';
import type { PageName } from '#core/model/page.ts';
import type { Visibility } from '#core/model/permission.ts';
import type { Neighbours } from '#core/ports/list-reads.ts';
import { all, allOfMany, prepareByVisibility, type Session, visibilityParameters } from '../statements.ts';
import { type VisibilityShape, visible } from '../visibility.ts';
import { amongSiblings, unranked } from './siblings.ts';

type Direction = 'forwards' | 'backwards';

/** Steps of one statement that looks for the next page: most find it in two. */
const fewSteps = 16;

/** IDs of the visible pages beneath `topId`, after this one or from the beginning, at most `limit`. */
export async function walkTree(
  { session, visibility }: { session: Session; visibility: Visibility },
  topId: number,
  afterId: number | undefined,
  limit: number,
): Promise<number[]> {
  const found: number[] = [];
  for (let step = afterId ?? topId; step !== -topId && found.length < limit; ) {
    // Each page takes two steps, one down and one on.
    const steps = 2 * (limit - found.length) + fewSteps;
    const rows = await allOfMany(session, walks.forwards(visibility), {
      topId,
      step,
      steps,
      ...visibilityParameters(visibility),
    });
    step = rows.at(-1)?.step ?? -topId;
    for (const { id } of rows) if (id !== null) found.push(id);
  }
  return found.slice(0, limit);
}

/** See the port. `topId`: the page whose children are arranged by hand; undefined if there is none. */
export async function findNeighbours(
  session: Session,
  visibility: Visibility,
  { id, trail }: { id: number; trail: readonly number[] },
): Promise<Neighbours & { topId: number | undefined }> {
  const above = [...trail, id];
  const found = await all(session, arranged(visibility), { ids: above, ...visibilityParameters(visibility) });
  const arrangedIds = new Set(found.map((row) => row.id));
  const topId = above.find((one) => arrangedIds.has(one));
  if (topId === undefined) return { topId };
  const [previous, next] = await Promise.all([
    id === topId ? undefined : nearest({ session, visibility }, 'backwards', topId, -id),
    nearest({ session, visibility }, 'forwards', topId, id),
  ]);
  return { topId, ...(previous && { previous }), ...(next && { next }) };
}

async function nearest(
  { session, visibility }: { session: Session; visibility: Visibility },
  direction: Direction,
  topId: number,
  from: number,
): Promise<PageName | undefined> {
  for (let step = from; ; ) {
    const rows = await all(session, walks[direction](visibility), {
      topId,
      step,
      steps: fewSteps,
      ...visibilityParameters(visibility),
    });
    for (const { id, title, path, type } of rows)
      if (id !== null && type !== 'Template' && type !== 'Module') return { id, title, path };
    step = rows.at(-1)?.step ?? -topId;
    if (step === -topId) return undefined;
  }
}

interface Step {
  step: number;
  /** The visible page that was met; null if none was. */
  id: number | null;
  title: string;
  path: string;
  type: string | null;
}

const walks = { forwards: walk('forwards'), backwards: walk('backwards') };

function walk(direction: Direction) {
  const isForwards = direction === 'forwards';
  const descending = sql.raw(isForwards ? '' : 'desc');
  return prepareByVisibility<{ topId: number; step: number; steps: number }, Step>((p, visibility) => {
    const first = (condition: RawBuilder<unknown>) => sql`(select k.id from pages k
      where ${condition} and ${leadsToVisible(visibility)}
      order by k.sibling_rank ${descending}, k.sort_key ${descending}, k.id ${descending} limit 1)`;
    const beyond = sql`(${amongSiblings('k')}) ${sql.raw(isForwards ? '>' : '<')} (${amongSiblings('p')})`;
    const pageId = isForwards ? sql`walk.step` : sql`-walk.step`;
    return sql`with recursive walk (n, step) as (
        select 0, cast(${p('step')} as bigint)
        union all
        select walk.n + 1, case when walk.step > 0 then coalesce(${first(sql`k.parent_id = p.id`)}, -p.id)
          else coalesce(${first(sql`k.parent_id = p.parent_id and ${beyond}`)}, -p.parent_id) end
        from walk join pages p on p.id = abs(walk.step)
        where walk.n < ${p('steps')} and walk.step + ${p('topId')} <> 0
      )
      select walk.step, m.id, m.title, m.path, m.type from walk
      left join pages m on m.id = ${pageId} and ${visible('m', visibility)} where walk.n > 0 order by walk.n`;
  });
}

/** Whether the page k, or any page beneath it, is visible. */
function leadsToVisible(visibility: VisibilityShape): RawBuilder<boolean> {
  return sql`(${visible('k', visibility)} or exists (select 1 from pages d
    where d.trail >= k.trail || k.id || '/' and d.trail < k.trail || k.id || '0' and d.trail <> '/'
      and ${visible('d', visibility)}))`;
}

/** The pages among these that have visible children with a place of their own. */
const arranged = prepareByVisibility<{ ids: readonly number[] }, { id: number }>(
  (p, visibility, engine) => sql`select p.id from pages p where ${engine.among(sql.ref('p.id'), p('ids'))}
    and exists (select 1 from pages k where k.parent_id = p.id and k.sibling_rank < ${sql.lit(unranked)}
      and ${visible('k', visibility)})`,
);
