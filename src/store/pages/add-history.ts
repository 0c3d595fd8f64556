/** The past of pages that came from elsewhere: changes that they had there, and addresses that led to them. */
import { sql } from 'kysely';
import type { NewPage } from '#domain/ports/store.ts';
import { titleKey } from '#domain/search/fold.ts';
import type { Database, Engine } from '../engine.ts';
import { insertRows } from '../insert-rows.ts';
import { invalidate } from '../invalidation.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { isBulkLoading } from '../maintenance/bulk-load.ts';
import { keyOf } from './derived.ts';

/** See the port. */
export async function addHistory(
  engine: Engine,
  db: Database,
  id: number,
  changes: NewPage['changes'],
): Promise<void> {
  if (changes.length === 0) return;
  const held = await sql<{ updated_at: number }>`select p.updated_at from pages p where p.id = ${id}
    ${engine.lockRows('update')}`.execute(db);
  let updatedAt = held.rows[0]?.updated_at ?? 0;
  const ids = await engine.reserveIds(db, 'changes', changes.length);
  let bytes = 0;
  const rows = changes.map(({ at, editorId, content }, index) => {
    updatedAt = Math.max(updatedAt, at);
    const stored = JSON.stringify(content);
    bytes += Buffer.byteLength(stored);
    return { id: ids[index], page_id: id, at: updatedAt, editor_id: editorId, content: stored };
  });
  invalidate(
    engine,
    db,
    'pages',
    ['change_id', 'updated_at', 'history_bytes'],
    [{ id, versions: [], shownBy: [] }],
  );
  insertRows(engine, db, 'changes', rows);
  await sql`update pages set change_id = ${ids.at(-1)}, updated_at = ${updatedAt},
    history_bytes = history_bytes + ${bytes} where id = ${id}`.execute(db);
}

/** See the port. */
export async function addAliases(
  engine: Engine,
  db: Database,
  aliases: { path: string; pageId: number }[],
): Promise<void> {
  if (aliases.length === 0) return;
  const rows = aliases.map(({ path, pageId }) => ({ path, path_key: titleKey(path), page_id: pageId }));
  invalidate(engine, db, 'aliases', 'all', rows);
  const given = engine.rows(
    { path: 'text', id: 'integer' },
    rows.map((row) => [row.path, row.page_id]),
  );
  // Deleted and made anew: the order of their IDs is the order of leaving.
  await sql`delete from aliases where (path, page_id) in (select t.path, t.id from ${given} as t)`.execute(
    db,
  );
  insertRows(engine, db, 'aliases', rows);
  if (await isBulkLoading(engine, db)) return;
  await updateWanted(engine, db, [], new Set(rows.map(({ path }) => keyOf(path))));
}
