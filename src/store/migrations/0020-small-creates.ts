/**
 * Fewer indexes that a new page alters: what nearly every path says of itself is not kept again, pages at the root lie beneath none, and
 * on SQLite what keeps paths unique is the index of their lists.
 */
import type { Database, Engine, SchemaWords } from '../engine.ts';

export const name = '0020-small-creates';

export function statements(_words: SchemaWords): string[] {
  return [
    'drop index if exists pages_by_path_key',
    // Paths that are made of titles are their own keys, and are looked for as paths.
    'create index pages_by_path_key on pages (path_key, id, audience, owner_id) where path_key <> path',
    'drop index if exists pages_by_trail',
    "create index pages_by_trail on pages (trail, id, audience, owner_id) where trail <> '/'",
  ];
}

export const finish = (engine: Engine, db: Database) => engine.mergePathIndexes(db);
