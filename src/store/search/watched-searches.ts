/** Watched searches that find a page, for matching events, and for deletions, which note them while the page can still be found. */
import { type RawBuilder, sql } from 'kysely';
import type { Criteria } from '#core/model/criteria.ts';
import { everything } from '#core/model/permission.ts';
import { rowsOf, type Session } from '../statements.ts';
import { predicatesOf, scanInOrder } from './criteria.ts';

const searchesAtOnce = 50;

export type Found = { page_id: number; target: string };

/** The watched searches that find these pages now. One statement, and one for each 50 different searches. */
export async function searchesFinding(session: Session, pageIds: readonly number[]): Promise<Found[]> {
  const searches = await rowsOf(
    session,
    sql<{ target: string; criteria: string }>`select target, min(criteria) as criteria from watches
      where criteria is not null group by target order by target`,
  );
  const all: Found[] = [];
  for (let first = 0; first < searches.length; first += searchesAtOnce) {
    const some = searches.slice(first, first + searchesAtOnce);
    const queries: RawBuilder<unknown>[] = [];
    for (const [n, { criteria }] of some.entries()) {
      const finds = await condition(session, JSON.parse(criteria) as Criteria);
      queries.push(
        sql`select ${sql.lit(n)} as n, p.id as page_id from pages p where ${session.engine.among(sql.ref('p.id'), pageIds)} and ${finds}`,
      );
    }
    const found = await rowsOf(
      session,
      sql<{ n: number; page_id: number }>`${sql.join(
        queries.map((query, n) => sql`select * from (${query}) as ${sql.raw(`q${n}`)}`),
        sql` union all `,
      )}`,
    );
    for (const { n, page_id } of found) all.push({ page_id, target: some[n]?.target ?? '' });
  }
  return all;
}

/** Whether page p meets the criteria. Ancestors are compared by ID, because they may have moved. */
async function condition(
  session: Session,
  { ancestorId, ...criteria }: Criteria,
): Promise<RawBuilder<boolean>> {
  const wanted = { ...criteria, order: 'alphabetical', limit: 1, offset: 0 } as const;
  const predicates = await predicatesOf(session, wanted, everything);
  const beneath =
    ancestorId === undefined ? sql<boolean>`1 = 1` : sql<boolean>`p.trail like ${`%/${ancestorId}/%`}`;
  return predicates ? sql<boolean>`${scanInOrder(predicates)} and ${beneath}` : beneath;
}
