/** Changes permissions and group of many pages: a change for each, and everything that depends on its readers. */
import { sql } from 'kysely';
import type { NewEvent } from '#core/model/event.ts';
import { entriesIn } from '#core/model/grant.ts';
import type { Content, GroupName } from '#core/model/page.ts';
import { includesAudience } from '#core/model/permission.ts';
import type { PageWrites } from '#core/ports/store.ts';
import { inTimeSlices } from '#scheduling/time-slices.ts';
import type { Database, Engine } from '../engine.ts';
import { recordEvents } from '../events/record-events.ts';
import { insertRows } from '../insert-rows.ts';
import { updateWanted } from '../links/wanted-counts.ts';
import { contentOf, type GrantedRow, grantedColumns } from '../rows.ts';
import type { RowOf } from '../tables.ts';
import { audiencesOfPages } from './audiences.ts';

type Arguments = Parameters<PageWrites['changeAccess']>;

/** Limits the memory for contents to some MB. */
const maxPagesAtOnce = 50;

export async function changeAccess(
  { engine, db }: { engine: Engine; db: Database },
  ids: Arguments[0],
  access: Arguments[1],
  change: Arguments[2],
): Promise<void> {
  engine.invalidate(db, 'all');
  const recounted = new Set<string>();
  for await (const part of inTimeSlices(ids, { most: maxPagesAtOnce })) {
    for (const key of await changePart({ engine, db }, part, access, change)) recounted.add(key);
  }
  await updateWanted(engine, db, [], recounted);
}

type LockedRow = Pick<RowOf<'pages'>, 'id' | 'path' | 'title' | 'audience' | 'updated_at' | 'change_id'> &
  GrantedRow &
  Pick<RowOf<'changes'>, 'content'>;

/** Returns the keys of links and names whose visibility changes. */
async function changePart(
  { engine, db }: { engine: Engine; db: Database },
  ids: readonly number[],
  { permissions, group, hidesHistory, isPrivate }: Arguments[1],
  { at, editorId, msg }: Arguments[2],
): Promise<string[]> {
  const among = (column: string) => engine.among(sql.ref(column), ids);
  const { rows } =
    await sql<LockedRow>`select p.id, p.path, p.title, p.audience, p.updated_at, p.change_id, c.content,
      ${grantedColumns}
    from pages p join changes c on c.id = p.change_id where ${among('p.id')} order by p.id`.execute(db);
  const changeIds = await engine.reserveIds(db, 'changes', rows.length);
  const events: NewEvent[] = [];
  const contents = rows.map((row) =>
    withAccess(contentOf(row.content, row.change_id, row.id), permissions, group),
  );
  const digits = rows.map(({ granted }, i) => {
    const { permissions, group } = contents[i] as Content;
    return { permissions, group_id: group?.id ?? null, entries: granted ? entriesIn({ key: granted }) : '' };
  });
  const audiences = await audiencesOfPages(engine, db, digits, { isPrivate });
  const changes = rows.map((row, i) => {
    const content = contents[i] as Content;
    const stored = JSON.stringify({ ...content, path: row.path, msg });
    const { audience, audience_id } = audiences[i] as (typeof audiences)[number];
    const id = changeIds[i] as number;
    const event = {
      kind: 'permissions',
      pageId: row.id,
      changeId: id,
      at: Math.max(at, row.updated_at),
      editorId,
      msg,
    } as const;
    events.push(event);
    if (!includesAudience(audience, row.audience))
      events.push({ ...event, lostBy: row, from: { title: row.title } });
    return { id, page: row.id, at: event.at, stored, content, audience, audience_id };
  });
  insertRows(
    { engine, db },
    'changes',
    changes.map(({ id, page, at, stored }) => ({
      id,
      page_id: page,
      at,
      editor_id: editorId,
      content: stored,
    })),
  );
  const t = engine.rows(
    {
      id: 'integer',
      change_id: 'integer',
      at: 'integer',
      bytes: 'integer',
      permissions: 'integer',
      group_id: 'integer',
      audience: 'integer',
      audience_id: 'integer',
    },
    changes.map(({ id, page, at, stored, content, audience, audience_id }) => [
      page,
      id,
      at,
      Buffer.byteLength(stored),
      content.permissions,
      content.group?.id ?? null,
      audience,
      audience_id,
    ]),
  );
  const history = hidesHistory
    ? sql`history_from = t.change_id, history_bytes = t.bytes`
    : sql`history_bytes = history_bytes + t.bytes`;
  await sql`update pages set permissions = t.permissions, group_id = t.group_id, audience = t.audience,
    audience_id = t.audience_id, change_id = t.change_id, updated_at = t.at, ${history} from ${t} as t where pages.id = t.id`.execute(
    db,
  );
  recordEvents(engine, db, events);
  const keys = await followAudience(engine, db, ids);
  if (hidesHistory) await sql`delete from aliases where ${among('page_id')}`.execute(db);
  return keys;
}

/**
 * After the audience of these pages changed: brings its copies in links up to date. Returns the keys of links and names whose
 * visibility changes.
 */
export async function followAudience(
  engine: Engine,
  db: Database,
  ids: readonly number[],
): Promise<string[]> {
  const among = (column: string) => engine.among(sql.ref(column), ids);
  const links = await sql<{ key: string }>`update links set audience = (
    select p.audience from pages p where p.id = links.source_id) where ${among('source_id')} returning key`.execute(
    db,
  );
  const names = await sql<{ key: string }>`select title_key as key from pages where ${among('id')}
    union select path_key from pages where ${among('id')}
    union select path_key from aliases where ${among('page_id')}`.execute(db);
  return [...links.rows, ...names.rows].map(({ key }) => key);
}

function withAccess(content: Content, permissions?: number, group?: GroupName | null): Content {
  const { group: before, ...others } = content;
  const after = group === undefined ? before : group;
  return { ...others, permissions: permissions ?? content.permissions, ...(after ? { group: after } : {}) };
}
