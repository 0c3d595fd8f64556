/**
 * Many new pages at once: what `insert`, `update` and `saveDerived` write one by one, in statements of many rows. The
 * rows are the same.
 */
import { type CompiledQuery, sql } from 'kysely';
import { Problem } from '#domain/problem.ts';
import type { NewPage } from '#domain/store.ts';
import { keyOf, linkRowsOf, tagRowsOf, textOf } from './derived.ts';
import type { Database, Engine } from './engine.ts';
import { isFilling } from './filling.ts';
import { pathTaken } from './move.ts';
import { placeColumns, stateColumns } from './rows.ts';
import type { Tables } from './tables.ts';
import { updateWanted } from './wanted.ts';

const rowsAtOnce = 100;

/** See the port. */
export async function insertPages(engine: Engine, db: Database, pages: NewPage[]): Promise<void> {
  const changeCount = pages.reduce((sum, { changes }) => sum + changes.length, 0);
  const changeIds = await engine.reserveIds(db, 'changes', changeCount);
  let used = 0;
  const changes: Record<string, unknown>[] = [];
  const rows = pages.map(({ id, state, changes: made }) => {
    let updatedAt = 0;
    let historyBytes = 0;
    for (const { at, editorId, content } of made) {
      updatedAt = Math.max(updatedAt, at);
      const stored = JSON.stringify(content);
      historyBytes += Buffer.byteLength(stored);
      const row = { page_id: id, at: updatedAt, editor_id: editorId, content: stored };
      changes.push({ id: changeIds[used++], ...row });
    }
    return {
      id,
      ...stateColumns(state),
      ...placeColumns(state),
      change_id: changeIds[used - 1],
      history_bytes: historyBytes,
      created_at: made[0]?.at,
      updated_at: updatedAt,
    };
  });
  try {
    await insertRows(engine, db, 'pages', rows);
  } catch (error) {
    if (!engine.isDuplicate(error, 'pages', 'path')) throw error;
    const [only, ...others] = pages;
    if (only && others.length === 0) throw pathTaken(only.state.path);
    throw new Problem('path-taken', 'A page at one of these paths already exists.');
  }
  await insertRows(engine, db, 'changes', changes);

  const links = pages.flatMap(({ id, state, derived }) => linkRowsOf(id, state.audience, derived.links));
  await insertRows(engine, db, 'links', links);
  const tags = pages.flatMap(({ id, derived }) => tagRowsOf(id, derived.tags));
  await insertRows(engine, db, 'tags', tags);
  await engine.saveTexts(
    db,
    pages.map(({ id, state, derived }) => textOf(id, state.title, derived.terms)),
  );

  await engine.renewNames(
    db,
    pages.map(({ id }) => id),
  );
  // Then all are counted at its end.
  if (await isFilling(engine, db)) return;
  const asked = links.filter(({ kind }) => kind === 'page').map((link) => ({ ...link, by: 1 as const }));
  const answering = new Set(pages.flatMap(({ state }) => [keyOf(state.title), keyOf(state.path)]));
  await updateWanted(engine, db, asked, answering);
}

const inserts = new WeakMap<Engine, Map<string, CompiledQuery>>();

/** All rows have the columns of the first one, in its order. */
async function insertRows(
  engine: Engine,
  db: Database,
  table: keyof Tables,
  rows: Record<string, unknown>[],
): Promise<void> {
  const known = inserts.get(engine) ?? new Map<string, CompiledQuery>();
  inserts.set(engine, known);
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const slice = rows.slice(from, from + rowsAtOnce);
    const key = `${table} ${slice.length}`;
    let statement = known.get(key);
    if (!statement) {
      const columns = Object.keys(slice[0] as object);
      const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
      const names = sql.join(columns.map((column) => sql.ref(column)));
      statement =
        sql`insert into ${sql.table(table)} (${names}) values ${sql.join(slice.map(() => row))}`.compile(db);
      known.set(key, statement);
    }
    await db.executeQuery({ ...statement, parameters: slice.flatMap((row) => Object.values(row)) });
  }
}
