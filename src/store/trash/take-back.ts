/** Bringing pages back from the trash: their rows as they were, and everything that follows from their contents. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ReturningPage } from '#domain/ports/trash-store.ts';
import { Problem } from '#domain/problem.ts';
import { titleKey } from '#domain/search/fold.ts';
import type { Database, Engine } from '../engine.ts';
import { insertRows } from '../insert-rows.ts';
import { insertDerived } from '../pages/insert-pages.ts';
import { placeColumns, stateColumns } from '../rows.ts';
import type { Tables } from '../tables.ts';

type TrashedRow = Pick<
  Tables['trashed_pages'],
  'id' | 'change_id' | 'protection' | 'history_bytes' | 'history_from' | 'created_at' | 'updated_at'
>;

export async function takeBack(engine: Engine, db: Database, pages: ReturningPage[]): Promise<void> {
  // Deriving what they say took its time as well.
  await yieldToEventLoop();
  engine.invalidate(db, 'all');
  const ids = pages.map(({ id }) => id);
  const taken = await sql<TrashedRow>`delete from trashed_pages where ${engine.among(sql.ref('id'), ids)}
    returning id, change_id, protection, history_bytes, history_from, created_at, updated_at`.execute(db);
  const kept = new Map(taken.rows.map((row) => [row.id, row]));
  const rows = pages.map(({ id, state }) => ({
    ...stateColumns(state),
    ...placeColumns(state),
    ...(kept.get(id) as TrashedRow),
  }));
  insertRows(engine, db, 'pages', rows, (error) =>
    engine.isDuplicate(error, 'pages', 'path')
      ? new Problem('path-taken', 'A page at one of these paths already exists.')
      : error,
  );
  await leaveAliases(engine, db, pages);
  const aliases = await sql<{ path_key: string }>`select path_key from aliases
    where ${engine.among(sql.ref('page_id'), ids)}`.execute(db);
  await insertDerived(
    engine,
    db,
    pages,
    aliases.rows.map((row) => row.path_key),
  );
}

/** Aliases from the old paths of pages that come back elsewhere, as after a move. */
async function leaveAliases(engine: Engine, db: Database, pages: ReturningPage[]): Promise<void> {
  const moved = pages.flatMap(({ id, from }) => (from === undefined ? [] : [[from, titleKey(from), id]]));
  if (moved.length === 0) return;
  const left = engine.rows({ path: 'text', path_key: 'text', id: 'integer' }, moved);
  await sql`delete from aliases where (path, page_id) in (select t.path, t.id from ${left} as t)`.execute(db);
  await sql`insert into aliases (path, path_key, page_id) select t.path, t.path_key, t.id from ${left} as t`.execute(
    db,
  );
}
