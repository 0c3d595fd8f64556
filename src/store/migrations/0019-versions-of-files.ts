/**
 * Replaced files stay: each change names the files that the page has after it, and rows of files are never removed. A page may
 * also begin the history that its readers see with a later change than its first. See docs/decisions/0034 and 0035.
 */
import { type Kysely, sql } from 'kysely';
import type { SchemaWords } from '../engine.ts';

export const name = '0019-versions-of-files';

export async function up(db: Kysely<never>, words: SchemaWords): Promise<void> {
  const { integer } = words;
  const statements = [
    ...words.manyFilesOfOneName,
    `alter table files add column until_change_id ${integer}`,
    // Also what keeps a page from having two files of one name.
    'create unique index files_of_pages on files (page_id, filename) where until_change_id is null',
    `alter table pages add column history_from ${integer} not null default 0`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await nameFilesInChanges(db);
}

/**
 * Before this version no change named files and only current ones were kept. A file was attached by the change of the same
 * moment and member; where no change matches, by the last one before it. That change and all later ones then name the file.
 */
export async function nameFilesInChanges(db: Kysely<never>): Promise<void> {
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
  await sql`update pages set history_bytes = h.bytes
    from (select page_id, sum(octet_length(content)) as bytes from changes
      where page_id in (select page_id from files) group by page_id) as h
    where h.page_id = pages.id`.execute(db);
}
