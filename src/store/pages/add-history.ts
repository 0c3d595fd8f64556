/** History that an import adds to pages, and aliases: former addresses that lead to them. */
import { type RawBuilder, sql } from 'kysely';
import { titleKey } from '#core/model/fold.ts';
import type { NewPage } from '#core/ports/store.ts';
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
  const unnumbered = changes.filter(({ id }) => id === undefined);
  const ids = await engine.reserveIds(db, 'changes', unnumbered.length);
  let used = 0;
  let bytes = 0;
  const rows = changes.map(({ id: given, at, editorId, content }) => {
    updatedAt = Math.max(updatedAt, at);
    const stored = JSON.stringify(content);
    bytes += Buffer.byteLength(stored);
    return { id: given ?? ids[used++], page_id: id, at: updatedAt, editor_id: editorId, content: stored };
  });
  invalidate(
    { engine, db },
    'pages',
    ['change_id', 'updated_at', 'history_bytes'],
    [{ id, versions: [], shownBy: [] }],
  );
  insertRows({ engine, db }, 'changes', rows);
  await sql`update pages set change_id = ${rows.at(-1)?.id}, updated_at = ${updatedAt},
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
  invalidate({ engine, db }, 'aliases', 'all', rows);
  const given = engine.rows(
    { path: 'text', id: 'integer' },
    rows.map((row) => [row.path, row.page_id]),
  );
  // Deletes and inserts rows again, as in `leaveAliases`.
  await sql`delete from aliases where (path, page_id) in (select t.path, t.id from ${given} as t)`.execute(
    db,
  );
  insertRows({ engine, db }, 'aliases', rows);
  if (await isBulkLoading(engine, db)) return;
  await updateWanted(engine, db, [], new Set(rows.map(({ path }) => keyOf(path))));
}

/** Records aliases for paths that pages leave. Existing rows are deleted and inserted again, so that the order of IDs is the order in which pages left these paths. */
export async function leaveAliases(
  engine: Engine,
  db: Database,
  left: readonly { id: number; from: string }[],
): Promise<void> {
  if (left.length === 0) return;
  const t = engine.rows(
    { path: 'text', path_key: 'text', id: 'integer' },
    left.map(({ id, from }) => [from, titleKey(from), id]),
  );
  await sql`delete from aliases where (path, page_id) in (select t.path, t.id from ${t} as t)`.execute(db);
  await sql`insert into aliases (path, path_key, page_id) select t.path, t.path_key, t.id from ${t} as t`.execute(
    db,
  );
}

/** Deletes the aliases of a page that meet the condition. Links through them now resolve to other pages or to none. */
export async function forgetAliases(
  engine: Engine,
  db: Database,
  pageId: number,
  which: RawBuilder<unknown> = sql``,
): Promise<string[]> {
  const { rows } = await sql<{
    path: string;
    path_key: string;
  }>`delete from aliases where page_id = ${pageId} ${which}
    returning path, path_key`.execute(db);
  const freed = rows.map(({ path_key }) => ({ page_id: pageId, path_key }));
  invalidate({ engine, db }, 'aliases', 'all', freed);
  return rows.map(({ path }) => path);
}
