/** Restores pages from the trash: their rows, and everything derived from their contents. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { Problem } from '#core/model/problem.ts';
import type { ReturningPage } from '#core/ports/trash-store.ts';
import { say } from '#words/say.ts';
import type { Database, Engine } from '../engine.ts';
import { insertRows } from '../insert-rows.ts';
import { leaveAliases } from '../pages/add-history.ts';
import { insertDerived } from '../pages/insert-pages.ts';
import { unranked } from '../pages/siblings.ts';
import { placeColumns, stateColumns } from '../rows.ts';
import type { Tables } from '../tables.ts';

type TrashedRow = Pick<
  Tables['trashed_pages'],
  | 'id'
  | 'parent_id'
  | 'change_id'
  | 'protection'
  | 'rule'
  | 'history_bytes'
  | 'history_from'
  | 'created_at'
  | 'updated_at'
  | 'sibling_rank'
  | 'original_id'
  | 'rendered_id'
>;

export async function takeBack(engine: Engine, db: Database, pages: ReturningPage[]): Promise<void> {
  // Deriving the data took a while, so others get their turn.
  await yieldToEventLoop();
  engine.invalidate(db, 'all');
  const ids = pages.map(({ id }) => id);
  const taken = await sql<TrashedRow>`delete from trashed_pages where ${engine.among(sql.ref('id'), ids)}
    returning id, parent_id, change_id, protection, rule, history_bytes, history_from, created_at, updated_at, sibling_rank,
      original_id, rendered_id`.execute(db);
  const kept = new Map(taken.rows.map((row) => [row.id, row]));
  const rows = pages.map(({ id, state }) => {
    const { parent_id, sibling_rank, ...row } = kept.get(id) as TrashedRow;
    return {
      ...stateColumns(state),
      ...placeColumns(state),
      ...row,
      // Beneath another page than before it was never placed.
      sibling_rank: parent_id === state.parentId ? sibling_rank : unranked,
    };
  });
  insertRows({ engine, db }, 'pages', rows, (error) =>
    engine.isDuplicate(error, 'pages', 'path')
      ? new Problem('path-taken', say('problem.aPageAtOneOfThesePaths'))
      : error,
  );
  // Pages restored to another path leave aliases, as moved pages do.
  const moved = pages.flatMap(({ id, from }) => (from === undefined ? [] : [{ id, from }]));
  await leaveAliases(engine, db, moved);
  const aliases = await sql<{ path_key: string }>`select path_key from aliases
    where ${engine.among(sql.ref('page_id'), ids)}`.execute(db);
  await insertDerived(
    engine,
    db,
    pages,
    aliases.rows.map((row) => row.path_key),
  );
}
