/**
 * Bulk load of an empty wiki with very many pages. Keeping an index up to date page by page costs several times what making
 * it once at the end does, so while a wiki is filled the indexes that only reading needs are not there, and wanted links
 * are not counted. What is stored is right all the same, only slower to find.
 *
 * Which indexes are missing stands in the database: whoever opens one whose bulk load never ended makes them first.
 */
import type { Database, Engine } from '../engine.ts';
import { recountAll } from '../links/wanted-counts.ts';

/** Engines by which this process is bulk-loading a wiki. */
const bulkLoading = new WeakSet<Engine>();

/** False, and nothing changes, if there is a page already, or the engine gains nothing by it. */
export async function beginBulkLoad(engine: Engine): Promise<boolean> {
  const hasBegun = await engine.transact((db) => engine.dropIndexes(db));
  if (hasBegun) bulkLoading.add(engine);
  return hasBegun;
}

/** Whether what this transaction writes will be counted later: another process may have ended the bulk load. */
export async function isBulkLoading(engine: Engine, db: Database): Promise<boolean> {
  return bulkLoading.has(engine) && (await engine.isBulkLoading(db));
}

/** Does nothing where no bulk load began. Others may read and write meanwhile, between one index and the next. */
export async function endBulkLoad(engine: Engine): Promise<void> {
  // Another process may have ended it: what this one wrote has yet to reach the disk.
  const hasBegun = bulkLoading.delete(engine);
  if (!hasBegun && !(await engine.isBulkLoading(engine.reader))) return;
  const makeNextIndex = (db: Database) => {
    engine.liftTimeLimit(db);
    return engine.makeNextIndex(db);
  };
  while (await engine.transact(makeNextIndex));
  // Counted in one go: whoever fills on meanwhile counts as soon as it is no bulk load any more.
  await engine.transact(async (db: Database) => {
    engine.liftTimeLimit(db);
    engine.invalidate(db, 'all');
    if (await engine.isBulkLoading(db)) await recountAll(engine, db);
    await engine.forgetBulkLoad(db);
  });
}
