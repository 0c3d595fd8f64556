/**
 * Makes the wiki private or public in its rows: gives pages that everyone reads because of the world's digit alone the audience
 * that they have now. The audience of all other pages stays.
 */
import { sql } from 'kysely';
import { audienceOf } from '#core/model/permission.ts';
import { yielding } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { followAudience } from './change-access.ts';

/** The condition of `dependsOnPrivacy` (`core/model/permission.ts`). */
const depends = sql`permissions % 10 >= 4 and (group_id is not null or (permissions / 10) % 10 < 4)`;

interface Row {
  id: number;
  permissions: number;
  group_id: number | null;
}

export async function changePrivacy(engine: Engine, db: Database, isPrivate: boolean): Promise<void> {
  const recounted = new Set<string>();
  for (const table of ['pages', 'trashed_pages'] as const) {
    const { rows } =
      await sql<Row>`select id, permissions, group_id from ${sql.table(table)} where ${depends}`.execute(db);
    for await (const part of yielding(rows)) {
      const t = engine.rows(
        { id: 'integer', audience: 'integer' },
        part.map(({ id, permissions, group_id }) => [
          id,
          audienceOf({ permissions, group: group_id === null ? null : { id: group_id } }, { isPrivate }),
        ]),
      );
      await sql`update ${sql.table(table)} set audience = t.audience from ${t} as t
        where ${sql.table(table)}.id = t.id`.execute(db);
      if (table === 'trashed_pages') continue;
      for (const key of await followAudience(
        engine,
        db,
        part.map(({ id }) => id),
      ))
        recounted.add(key);
    }
  }
  await sql`update trash set
      audience = (select p.audience from trashed_pages p where p.id = trash.page_id and p.trash_id = trash.id),
      world_pages = (select count(*) from trashed_pages p where p.trash_id = trash.id and p.audience = 0),
      members_pages = (select count(*) from trashed_pages p where p.trash_id = trash.id and p.audience <= 1)
    where exists (select 1 from trashed_pages where trash_id = trash.id and ${depends})`.execute(db);
  await updateWanted(engine, db, [], recounted);
}
