/**
 * Bulk load of an empty wiki with very many pages. Maintaining an index page by page costs several times as much as creating it
 * at the end, so meanwhile indexes that only reading needs are dropped, and wanted links are not counted. Stored data is
 * correct, but slower to find.
 *
 * Missing indexes are recorded in the database: opening a wiki whose bulk load never ended recreates them first.
 */
import type { Database, Engine } from '../engine.ts';
import { recountAll } from '../links/wanted-counts.ts';

/** Engines with a bulk load by this process. */
const bulkLoading = new WeakSet<Engine>();

/** Returns false and changes nothing if there is a page already, or the engine gains nothing. */
export async function beginBulkLoad(engine: Engine): Promise<boolean> {
  const hasBegun = await engine.transact((db) => engine.dropIndexes(db));
  if (hasBegun) bulkLoading.add(engine);
  return hasBegun;
}

/** Whether counting is deferred in this transaction; another process may have ended the bulk load. */
export async function isBulkLoading(engine: Engine, db: Database): Promise<boolean> {
  return bulkLoading.has(engine) && (await engine.isBulkLoading(db));
}

/** Does nothing without a bulk load. Others may read and write between the creation of two indexes. */
export async function endBulkLoad(engine: Engine): Promise<void> {
  // Another process may have ended it, but this process's writes still have to be synced.
  const hasBegun = bulkLoading.delete(engine);
  if (!hasBegun && !(await engine.isBulkLoading(engine.reader))) return;
  const makeNextIndex = (db: Database) => {
    engine.liftTimeLimit(db);
    return engine.makeNextIndex(db);
  };
  while (await engine.transact(makeNextIndex));
  // Counted in one transaction; writers that continue meanwhile count for themselves from then on.
  await engine.transact(async (db: Database) => {
    engine.liftTimeLimit(db);
    engine.invalidate(db, 'all');
    if (await engine.isBulkLoading(db)) await recountAll(engine, db);
    await engine.forgetBulkLoad(db);
  });
}
