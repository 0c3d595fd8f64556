/** Rebuild, check and backup: functions that process all rows in slices. */
import { sql } from 'kysely';
import { Damage } from '#core/model/damage.ts';
import { titleKey } from '#core/model/fold.ts';
import { invalid } from '#core/model/problem.ts';
import type { MaintenanceStore } from '#core/ports/maintenance-store.ts';
import type { Database, Engine } from '../engine.ts';
import { mentionsOf } from '../erasure/mentions.ts';
import { keySlices, updateWanted } from '../links/wanted-counts.ts';
import { fillSkeletons } from '../members/skeletons.ts';
import { fillFileKeys } from '../pages/file-keys.ts';
import { type PageRow, pageOf, pathColumns, selectPage, stateColumns } from '../rows.ts';
import { all, change, changeSome, prepare, type Session } from '../statements.ts';
import { contentTables, type Tables, tables } from '../tables.ts';
import { beginBulkLoad, endBulkLoad } from './bulk-load.ts';
import { nameFilesInChanges } from './name-files.ts';
import { readable, slices } from './readable-rows.ts';
import { searchRenewal } from './search-renewal.ts';
import { verifySnapshot } from './verify-pages.ts';
import { skippingDamage, violationsIn } from './violations.ts';

const maxBatchBytes = 8_000_000;

/** Boolean columns, which a backup stores as true or false for both engines. */
const truths: ReadonlySet<string> = new Set(
  Object.values(tables).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([name, column]) => (column.isTruth ? [name] : [])),
  ),
);

export function maintenanceStore(session: Session): MaintenanceStore {
  const { engine, db } = session;
  return {
    pagesAfter: async (afterId, limit) => (await all(session, pagesAfter, { afterId, limit })).map(pageOf),

    async namesAfter(afterId, limit, onDamage) {
      try {
        return await all(session, namesAfter, { afterId, limit });
      } catch (error) {
        if (!onDamage || !engine.isDamage(error)) throw error;
        return readableNames(engine, afterId, limit, onDamage);
      }
    },

    rewriteDerivedColumns: (id, page) =>
      change(session, async (db) => {
        const { owner_id: _, ...columns } = stateColumns(page);
        await db
          .updateTable('pages')
          .set({ ...columns, ...pathColumns(page.path) })
          .where('id', '=', id)
          .execute();
        await engine.renewNames(db, [id]);
      }),

    beginBulkLoad: () => beginBulkLoad(engine),
    endBulkLoad: () => endBulkLoad(engine),

    ...searchRenewal(session),

    async recount() {
      // One transaction for each slice, because counting everything at once would block all writers.
      for await (const keys of keySlices(db))
        await change(session, (db) => updateWanted(engine, db, [], new Set(keys)));
    },

    async repair() {
      await changeSome(session, (db) => {
        engine.liftTimeLimit(db);
        return repair(engine, db);
      });
    },

    scrub: (patienceMs) => engine.scrub(patienceMs),
    mentions: (words) => mentionsOf(session, words),

    async *verify(expect) {
      const snapshot = await engine.openSnapshot();
      try {
        yield* skippingDamage(
          engine,
          snapshot.db,
          'derived data',
          verifySnapshot(engine, snapshot.db, expect),
        );
      } finally {
        await snapshot.close();
      }
    },

    async violations(limit) {
      // The same damage may be found by several checks.
      const found = new Set<string>();
      const snapshot = await engine.openSnapshot();
      try {
        for await (const violation of violationsIn(engine, snapshot.db)) {
          found.add(violation);
          if (found.size >= limit) break;
        }
      } finally {
        await snapshot.close();
      }
      return [...found];
    },

    async *fileHashes(onDamage = refuse) {
      const snapshot = await engine.openSnapshot();
      try {
        for (const table of ['files', 'proposal_files'] as const)
          for await (const rows of readable({ engine, db: snapshot.db }, table, onDamage)) {
            for (const file of rows) {
              yield file.hash;
              if (file.thumbnail_hash !== null) yield file.thumbnail_hash;
            }
          }
      } finally {
        await snapshot.close();
      }
    },

    async *dump(onDamage = refuse) {
      const snapshot = await engine.openSnapshot();
      try {
        for (const table of contentTables) {
          for await (const rows of readable({ engine, db: snapshot.db }, table, onDamage)) {
            for (const row of rows) yield { table, row: withTruths(row) };
          }
        }
      } finally {
        await snapshot.close();
      }
    },

    restore: (rows) => change(session, (db) => restore(engine, db, rows)),

    async sizes() {
      const files = await sql<{ bytes: number }>`select coalesce(sum(size_bytes), 0) as bytes from
        (select size_bytes from files union all select size_bytes from proposal_files) as f`.execute(db);
      return { ...(await engine.sizes()), fileBytes: Number(files.rows[0]?.bytes) };
    },

    async counts() {
      const counted = await sql<{ pages: number; changes: number; members: number; files: number }>`select
        (select count(*) from pages) as pages, (select count(*) from changes) as changes,
        (select count(*) from members) as members, (select count(*) from files) as files`.execute(db);
      return counted.rows[0] ?? { pages: 0, changes: 0, members: 0, files: 0 };
    },
  };
}

const pagesAfter = prepare<{ afterId: number; limit: number }, PageRow>(
  (p) => sql`${selectPage} where p.id > ${p('afterId')} order by p.id limit ${p('limit')}`,
);

const namesAfter = prepare<{ afterId: number; limit: number }, { id: number; path: string }>(
  (p) => sql`select id, path from pages where id > ${p('afterId')} order by id limit ${p('limit')}`,
);

function refuse(sentence: string): never {
  throw new Damage(sentence);
}

/** Only pages whose own row is readable. */
async function readableNames(
  engine: Engine,
  afterId: number,
  limit: number,
  onDamage: (sentence: string) => void,
): Promise<{ id: number; path: string }[]> {
  const names: { id: number; path: string }[] = [];
  const snapshot = await engine.openSnapshot();
  try {
    for await (const pages of readable({ engine, db: snapshot.db }, 'pages', onDamage, [afterId])) {
      names.push(...pages.map(({ id, path }) => ({ id, path })));
      if (names.length >= limit) break;
    }
    return names;
  } finally {
    await snapshot.close();
  }
}

function withTruths(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, truths.has(column) ? Boolean(value) : value]),
  );
}

async function restore(
  engine: Engine,
  db: Database,
  rows: AsyncIterable<{ table: string; row: Record<string, unknown> }>,
): Promise<void> {
  for (const table of ['members', 'pages', 'invitations'] as const) {
    const any = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (any.rows.length > 0) throw invalid('', 'A backup can only be restored into an empty wiki.');
  }
  await sql`delete from settings`.execute(db);
  let table: keyof Tables | undefined;
  let batch: Record<string, unknown>[] = [];
  let batchBytes = 0;
  let filesAreNamed = true;
  let filesAreSorted = true;
  let hasEvents = false;
  const flush = async () => {
    if (table && batch.length > 0)
      await db
        .insertInto(table)
        .values(batch as never)
        .execute();
    if (table === 'pages')
      await engine.renewNames(
        db,
        batch.map(({ id }) => Number(id)),
      );
    batch = [];
    batchBytes = 0;
  };
  for await (const next of rows) {
    if (next.table === 'members' || next.table === 'invitations') next.row = withRole(next.row);
    const known = contentTables.find((name) => name === next.table);
    if (!known)
      throw invalid('', `The backup has rows of a table that this version does not know: ${next.table}.`);
    const foreign = Object.keys(next.row).find((column) => !(column in tables[known].columns));
    if (foreign)
      throw invalid('', `The backup has a column that this version does not know: ${known}.${foreign}.`);
    if (known !== table || batch.length >= 500 || batchBytes > maxBatchBytes) {
      await flush();
      table = known;
    }
    if (known === 'files' && !('until_change_id' in next.row)) filesAreNamed = false;
    if (known === 'files' && !('sort_key' in next.row)) filesAreSorted = false;
    hasEvents ||= known === 'events';
    batch.push(next.row);
    batchBytes += String(next.row.content ?? '').length;
  }
  await flush();
  await engine.resumeIds(db);
  // Older backups lack these.
  await fillSkeletons(db);
  await sql`insert into settings (name, value, changed_at) values ('private', 'false', 0)
    on conflict do nothing`.execute(db);
  if (!filesAreNamed) await nameFilesInChanges(db);
  if (!filesAreSorted) await fillFileKeys(engine, db);
  if (!hasEvents) await eventsFromChanges(db);
  await recountHistories(db);
}

/** Backups of earlier versions only distinguish administrators from other members, also in invitations. */
function withRole({ is_admin: isAdmin, ...row }: Record<string, unknown>): Record<string, unknown> {
  return isAdmin === undefined ? row : { ...row, role: isAdmin ? 'administrator' : 'writer' };
}

/**
 * Creates events for a backup from before there were any, so that a reader of the whole feed learns of every page: with current
 * names, because earlier ones were not recorded, and without messages.
 */
async function eventsFromChanges(db: Database): Promise<void> {
  await sql`insert into events
      (kind, at, page_id, change_id, path, title, trail, audience, owner_id, editor_id, msg)
    select case when c.id = (select min(f.id) from changes f where f.page_id = c.page_id) then 'created' else 'edited' end,
      c.at, p.id, c.id, p.path, p.title, p.trail, p.audience, p.owner_id, c.editor_id, ''
    from changes c join pages p on p.id = c.page_id order by c.id`.execute(db);
}

async function recountHistories(db: Database): Promise<void> {
  await sql`update pages set history_bytes = h.bytes
    from (select c.page_id, sum(octet_length(c.content)) as bytes from pages p
      join changes c on c.page_id = p.id and c.id >= p.history_from group by c.page_id) as h
    where h.page_id = pages.id and pages.history_bytes <> h.bytes`.execute(db);
}

/** See the port. */
async function repair(engine: Engine, db: Database): Promise<void> {
  await sql`update pages set change_id = c.id, updated_at = c.at
    from changes c where c.id = (select max(l.id) from changes l where l.page_id = pages.id)
      and (pages.change_id <> c.id or pages.updated_at <> c.at)`.execute(db);
  await recountHistories(db);
  // From the roots down; the first row determines column types and collation.
  await sql`with recursive tree (id, depth, trail) as (
      select p.id, p.depth - p.depth, substr(p.trail, 1, 0) || '/' from pages p where p.parent_id is null
      union all
      select p.id, t.depth + 1, t.trail || t.id || '/' from tree t join pages p on p.parent_id = t.id
    )
    update pages set depth = tree.depth, trail = tree.trail from tree
    where pages.id = tree.id and (pages.depth <> tree.depth or pages.trail <> tree.trail)`.execute(db);
  for await (const aliases of slices(db, 'aliases')) {
    const wrong = aliases.filter((alias) => alias.path_key !== titleKey(alias.path));
    const t = engine.rows(
      { id: 'integer', path_key: 'text' },
      wrong.map((alias) => [alias.id, titleKey(alias.path)]),
    );
    await sql`update aliases set path_key = t.path_key from ${t} as t where aliases.id = t.id`.execute(db);
  }
  await sql`delete from links where source_id not in (select id from pages)`.execute(db);
  await sql`delete from tags where page_id not in (select id from pages)`.execute(db);
  await engine.sweepIndexes(db);
}
