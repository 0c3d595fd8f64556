/**
 * Inserts many new pages at once: the same rows as `insert`, `update` and `saveDerived` write for single pages, in multi-row
 * statements.
 */

import { pathTaken } from '#core/model/path-taken.ts';
import { Problem } from '#core/model/problem.ts';
import type { NewPage } from '#core/ports/store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import { say } from '#words/say.ts';
import type { Database, Engine } from '../engine.ts';
import { recordEvents } from '../events/record-events.ts';
import { insertRows } from '../insert-rows.ts';
import { invalidate } from '../invalidation.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { isBulkLoading } from '../maintenance/bulk-load.ts';
import { placeColumns, stateColumns, versionOf } from '../rows.ts';
import type { Tables } from '../tables.ts';
import { keyOf, linkRowsOf, tagRowsOf, textOf } from './derived.ts';

/** See the port. */
export async function insertPages(engine: Engine, db: Database, pages: NewPage[]): Promise<number[]> {
  const unnumbered = pages.flatMap(({ changes }) => changes).filter(({ id }) => id === undefined);
  const changeIds = await engine.reserveIds(db, 'changes', unnumbered.length);
  let used = 0;
  const changes: (Pick<Tables['changes'], 'page_id' | 'at' | 'editor_id' | 'content'> & { id: number })[] =
    [];
  const messages: string[] = [];
  const rows = pages.map(({ id, state, changes: made }) => {
    let updatedAt = 0;
    let historyBytes = 0;
    let changeId = 0;
    for (const { id: given, at, editorId, content } of made) {
      updatedAt = Math.max(updatedAt, at);
      const stored = JSON.stringify(content);
      historyBytes += Buffer.byteLength(stored);
      const row = { page_id: id, at: updatedAt, editor_id: editorId, content: stored };
      changeId = given ?? (changeIds[used++] as number);
      changes.push({ id: changeId, ...row });
      messages.push(content.msg);
    }
    return {
      id,
      ...stateColumns(state),
      ...placeColumns(state),
      change_id: changeId,
      history_bytes: historyBytes,
      created_at: made[0]?.at,
      updated_at: updatedAt,
    };
  });
  insertRows({ engine, db }, 'pages', rows, (error) => {
    if (!engine.isDuplicate(error, 'pages', 'path')) return error;
    const [only, ...others] = pages;
    if (only && others.length === 0) return pathTaken(only.state.path, only.state.path);
    return new Problem('path-taken', say('problem.aPageAtOneOfThesePaths'));
  });
  insertRows({ engine, db }, 'changes', changes);
  recordEvents(
    engine,
    db,
    changes.map((change, i) => ({
      kind: changes[i - 1]?.page_id === change.page_id ? 'edited' : 'created',
      pageId: change.page_id,
      changeId: change.id,
      at: change.at,
      editorId: change.editor_id,
      msg: messages[i] ?? '',
    })),
  );
  await insertDerived(engine, db, pages);
  return rows.map(({ change_id }) => change_id);
}

/** Inserts the derived data of pages whose rows were just inserted. `pathKeys`: keys of their old paths. */
export async function insertDerived(
  engine: Engine,
  db: Database,
  pages: readonly Pick<NewPage, 'id' | 'state' | 'derived'>[],
  pathKeys: readonly string[] = [],
): Promise<void> {
  const links = pages.flatMap(({ id, state, derived }) => linkRowsOf(id, state.audience, derived.links));
  for await (const rows of inTimeSlices(links)) insertRows({ engine, db }, 'links', rows);
  const tags = pages.flatMap(({ id, derived }) => tagRowsOf(id, derived.tags));
  // Other columns invalidate nothing more, because nobody has seen them yet.
  const written = pages.map(({ id, state }) => ({ id, versions: [versionOf(state)], shownBy: [] }));
  invalidate({ engine, db }, 'pages', ['id'], written);
  invalidate({ engine, db }, 'tags', 'all', tags);
  invalidate({ engine, db }, 'links', 'all', links);
  insertRows({ engine, db }, 'tags', tags);
  await engine.saveTexts(
    db,
    pages.map(({ id, state, derived }) => textOf(id, state.title, derived)),
  );

  await engine.renewNames(
    db,
    pages.map(({ id }) => id),
  );
  // During a bulk load everything is counted at its end.
  if (await isBulkLoading(engine, db)) return;
  const asked = links.filter(({ kind }) => kind === 'page').map((link) => ({ ...link, by: 1 as const }));
  const names = pages.flatMap(({ state }) => [keyOf(state.title), keyOf(state.path)]);
  const answering = new Set([...names, ...pathKeys]);
  await updateWanted(engine, db, asked, answering);
}
