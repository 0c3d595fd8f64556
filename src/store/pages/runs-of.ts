/** A member's changes since a time, by page, grouped into runs without changes by others in between. */
import { sql } from 'kysely';
import type { Visibility } from '#core/model/permission.ts';
import type { ChangedInRuns } from '#core/ports/store.ts';
import { rowsOf, type Session } from '../statements.ts';
import { visible } from '../visibility.ts';

export async function runsOf(
  { session, visibility }: { session: Session; visibility: Visibility },
  memberId: number,
  since: number,
  limit: number,
): Promise<{ pages: ChangedInRuns[]; total: number }> {
  const theirs = sql`changes c join pages p on p.id = c.page_id where c.editor_id = ${memberId} and c.at >= ${since}
    and ${visible('p', visibility)}`;
  const chosen = await rowsOf(
    session,
    sql<{ id: number; depth: number }>`select p.id, p.depth from ${theirs}
      group by p.id, p.depth order by max(c.id) desc limit ${limit}`,
  );
  const [counted] = await rowsOf(
    session,
    sql<{ total: number }>`select count(distinct p.id) as total from ${theirs}`,
  );
  const pages = chosen
    .sort((a, b) => b.depth - a.depth || a.id - b.id)
    .map(({ id }): ChangedInRuns => ({ pageId: id, changes: 0, runs: [] }));
  const byId = new Map(pages.map((page) => [page.pageId, page]));
  const ids = [...byId.keys()];
  const rows =
    ids.length === 0
      ? []
      : await rowsOf(
          session,
          sql<{ id: number; page_id: number; before_id: number | null }>`select c.id, c.page_id,
              (select max(h.id) from changes h where h.page_id = c.page_id and h.id < c.id) as before_id
            from ${theirs} and ${session.engine.among(sql.ref('p.id'), ids)} order by c.id`,
        );
  for (const { id, page_id: pageId, before_id: before } of rows) {
    const page = byId.get(pageId);
    if (!page) continue;
    page.changes++;
    const run = page.runs.at(-1);
    if (run && run.last === before) run.last = id;
    else page.runs.push({ before, last: id });
  }
  return { pages, total: Number(counted?.total ?? 0) };
}
