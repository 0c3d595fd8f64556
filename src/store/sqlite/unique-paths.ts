/**
 * Keeps the paths of pages unique by the index that their lists are read from. A unique index would be a second one of the same texts,
 * two pages of the file for each new page of the wiki.
 */
import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { isBulkLoading, pagesByPath } from './search-indexes.ts';

const refused = `begin select raise(abort, 'UNIQUE constraint failed: pages.path'); end`;
const isTaken = 'exists (select 1 from pages where path = new.path)';

export async function keepPathsUnique(db: Database): Promise<void> {
  // Migrated while it is filled, a wiki would be given its indexes in their earlier form.
  if (await isBulkLoading(db))
    await sql`delete from bulk_load where name in (${pagesByPath}, 'pages_by_path_key', 'pages_by_trail')`.execute(
      db,
    );
  for (const statement of [
    `create index if not exists ${pagesByPath} on pages (path, sort_key, id, audience, owner_id)`,
    `create trigger if not exists pages_unique_path before insert on pages when ${isTaken} ${refused}`,
    `create trigger if not exists pages_unique_new_path before update of path on pages
      when new.path <> old.path and ${isTaken} ${refused}`,
  ])
    await sql.raw(statement).execute(db);
}

/** Paths that more than one page has, nine at most. There are none, unless somebody wrote into the file. */
export async function pathsOfSeveral(db: Database): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`select path from pages group by path having count(*) > 1
    limit 9`.execute(db);
  return rows.map(({ path }) => path);
}
