/**
 * Keeps the paths of pages unique with the index from which their lists are read. A separate unique index would store the same
 * texts again, two more pages of the file for each new page of the wiki.
 */
import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { pagesByPath } from './search-indexes.ts';

const refused = `begin select raise(abort, 'UNIQUE constraint failed: pages.path'); end`;
const isTaken = 'exists (select 1 from pages where path = new.path)';

/** Statements that create the index and the triggers that keep paths unique. */
export const uniquePaths = [
  `create index ${pagesByPath} on pages (path, sort_key, id, audience, owner_id)`,
  `create trigger pages_unique_path before insert on pages when ${isTaken} ${refused}`,
  `create trigger pages_unique_new_path before update of path on pages
    when new.path <> old.path and ${isTaken} ${refused}`,
];

/** Up to nine paths that more than one page has. There are none, unless another program wrote to the file. */
export async function pathsOfSeveral(db: Database): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`select path from pages group by path having count(*) > 1
    limit 9`.execute(db);
  return rows.map(({ path }) => path);
}
