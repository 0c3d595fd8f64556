/**
 * Deletes a page and its subtree. Rows of `pages` are moved to the smaller rows of `trashed_pages`; derived rows are deleted,
 * because they can be derived again; then links to the pages are recounted. Runs a fixed number of statements for each slice.
 */
import { sql } from 'kysely';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { recordEvents } from '../events/record-events.ts';
import { insertRows } from '../insert-rows.ts';
import { type LinkChange, updateWanted } from '../links/wanted-counts.ts';
import { searchesFinding } from '../search/watched-searches.ts';
import type { Tables } from '../tables.ts';

/** Called within the transaction that has locked these pages. Returns the ID of the deletion. */
export async function deleteSubtree(
  { engine, db }: { engine: Engine; db: Database },
  pageId: number,
  subtree: readonly number[],
  { at, by }: { at: number; by: number },
): Promise<number> {
  // Invalidates everything, because naming each list, count, rendering and address would cost more than it saves.
  engine.invalidate(db, 'all');
  const made = await sql<{ id: number }>`
    insert into trash (page_id, path, title, trail, audience, owner_id, pages, world_pages, members_pages, deleted_at, deleted_by)
    select id, path, title, trail, audience, owner_id, ${subtree.length}, 0, 0, ${at}, ${by}
    from pages where id = ${pageId} returning id`.execute(db);
  const trashId = made.rows[0]?.id ?? 0;
  const recounted = new Set<string>();
  const changes: LinkChange[] = [];
  for await (const ids of inTimeSlices(subtree)) {
    const among = (column: string) => engine.among(sql.ref(column), ids);
    const names = await sql<{ key: string }>`select title_key as key from pages where ${among('id')}
        union select path_key from pages where ${among('id')}
        union select path_key from aliases where ${among('page_id')}`.execute(db);
    for (const { key } of names.rows) recounted.add(key);
    const links = await sql<
      Tables['links']
    >`delete from links where ${among('source_id')} returning *`.execute(db);
    for (const link of links.rows) if (link.kind === 'page') changes.push({ ...link, by: -1 });
    await sql`insert into trashed_pages (${columns}, trash_id)
        select ${columns}, ${trashId} from pages where ${among('id')}`.execute(db);
    // Written before the rows are deleted, because events copy data from them.
    recordEvents(
      engine,
      db,
      ids.map((pageId) => ({ kind: 'deleted', pageId, at, editorId: by, msg: '' })),
    );
    await sql`insert into trashed_tags (page_id, seq, key, value, value_key)
        select page_id, seq, key, value, value_key from tags where ${among('page_id')}`.execute(db);
    const watched = await searchesFinding({ engine, db, isTransaction: true }, ids);
    insertRows({ engine, db }, 'trashed_searches', watched);
    await sql`delete from tags where ${among('page_id')}`.execute(db);
    // A restored page is not shown by links that were given away before.
    await sql`delete from secret_links where ${among('page_id')}`.execute(db);
    await engine.forgetTexts(db, ids);
    await sql`delete from pages where ${among('id')}`.execute(db);
  }
  await sql`update trash set
      world_pages = (select count(*) from trashed_pages where trash_id = ${trashId} and audience = 0),
      members_pages = (select count(*) from trashed_pages where trash_id = ${trashId} and audience <= 1)
    where id = ${trashId}`.execute(db);
  await updateWanted(engine, db, changes, recounted);
  return trashId;
}

const columns =
  sql.raw(`id, path, title, parent_id, depth, permissions, audience, audience_id, owner_id, group_id, default_group_id, protection, rule, type, change_id, history_bytes,
  history_from, created_at, updated_at, sibling_rank, original_id, rendered_id`);
