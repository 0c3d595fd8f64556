/**
 * Makes the wiki private or public in its rows: gives pages that everyone reads because of the world's digit alone the audience
 * that they have now. The audience of all other pages stays.
 */
import { sql } from 'kysely';
import { entriesIn } from '#core/model/grant.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { type GrantedRow, grantedColumns } from '../rows.ts';
import { audiencesOfPages, type Digits } from './audiences.ts';
import { followAudience } from './change-access.ts';

/** The condition of `dependsOnPrivacy` (`core/model/permission.ts`). */
const depends = sql`p.permissions % 10 >= 4
  and (p.group_id is not null or (p.permissions / 10) % 10 < 4 or p.audience_id is not null)`;

type Row = Digits & GrantedRow & { id: number };

export async function changePrivacy(engine: Engine, db: Database, isPrivate: boolean): Promise<void> {
  const recounted = new Set<string>();
  for (const table of ['pages', 'trashed_pages'] as const) {
    const { rows } = await sql<Row>`select p.id, p.permissions, p.group_id, ${grantedColumns}
      from ${sql.table(table)} p where ${depends}`.execute(db);
    for await (const part of inTimeSlices(rows)) {
      const digits = part.map(({ granted, ...row }) => ({
        ...row,
        entries: granted === null ? '' : entriesIn({ key: granted }),
      }));
      const audiences = await audiencesOfPages(engine, db, digits, { isPrivate });
      const t = engine.rows(
        { id: 'integer', audience: 'integer', audience_id: 'integer' },
        part.map(({ id }, i) => [id, audiences[i]?.audience, audiences[i]?.audience_id]),
      );
      await sql`update ${sql.table(table)} set audience = t.audience, audience_id = t.audience_id from ${t} as t
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
    where exists (select 1 from trashed_pages p where p.trash_id = trash.id and ${depends})`.execute(db);
  await updateWanted(engine, db, [], recounted);
}
