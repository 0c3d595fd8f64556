/** Adds file names to changes of a backup that was made before changes contained them. */
import { sql } from 'kysely';
import type { Database } from '../engine.ts';

/**
 * A file belongs to the change of the same time and member, or else to the last change before it. That change and all later
 * ones then name the file.
 */
export async function nameFilesInChanges(db: Database): Promise<void> {
  await sql`with attached as materialized (
      select f.page_id, f.filename, f.name, coalesce(
        (select min(c.id) from changes c
          where c.page_id = f.page_id and c.at = f.uploaded_at and c.editor_id = f.uploader_id),
        (select max(c.id) from changes c where c.page_id = f.page_id and c.at <= f.uploaded_at),
        (select min(c.id) from changes c where c.page_id = f.page_id)) as since
      from files f
    )
    update changes set content = substr(content, 1, length(content) - 1) || ',"files":[' || named.names || ']}'
    from (select c.id, string_agg('"' || a.name || '"', ',' order by a.filename) as names
      from attached a join changes c on c.page_id = a.page_id and c.id >= a.since group by c.id) as named
    where changes.id = named.id and changes.content like '{%}'`.execute(db);
}
