/**
 * Keeps the paths of pages unique by the index that their lists are read from. A unique index would be a second one of the same texts,
 * two pages of the file for each new page of the wiki.
 */
import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { pagesByPath } from './search-indexes.ts';

const refused = `begin select raise(abort, 'UNIQUE constraint failed: pages.path'); end`;
const isTaken = 'exists (select 1 from pages where path = new.path)';

/** Statements that make the index, and keep paths unique by it. */
export const uniquePaths = [
  `create index ${pagesByPath} on pages (path, sort_key, id, audience, owner_id)`,
  `create trigger pages_unique_path before insert on pages when ${isTaken} ${refused}`,
  `create trigger pages_unique_new_path before update of path on pages
    when new.path <> old.path and ${isTaken} ${refused}`,
];

/** Paths that more than one page has, nine at most. There are none, unless somebody wrote into the file. */
export async function pathsOfSeveral(db: Database): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`select path from pages group by path having count(*) > 1
    limit 9`.execute(db);
  return rows.map(({ path }) => path);
}
