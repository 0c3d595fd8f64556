/** Rebuild, check and backup: everything that goes through all rows, in slices. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { Damage, damageInContent } from '#domain/damage.ts';
import { titleKey } from '#domain/fold.ts';
import { audienceOf } from '#domain/permission.ts';
import { invalid } from '#domain/problem.ts';
import type { UpkeepStore } from '#domain/upkeep-store.ts';
import { cellOf } from './cells.ts';
import { keyOf } from './derived.ts';
import type { Database, Engine } from './engine.ts';
import { beginFilling, endFilling } from './filling.ts';
import { nameFilesInChanges } from './migrations/0019-versions-of-files.ts';
import { missingFiles } from './missing-files.ts';
import { readable, slices } from './readable.ts';
import { indexable, type PageRow, pageOf, selectPage, sortKeyOf, stateColumns } from './rows.ts';
import { all, change, prepare, type Session } from './session.ts';
import { fillSkeletons } from './skeletons.ts';
import { staleIn } from './stale.ts';
import { contentTables, meanings, type Tables } from './tables.ts';
import { counting, isWanted, keySlices, updateWanted } from './wanted.ts';

const maxBatchBytes = 8_000_000;

const truths = new Set(['is_admin', 'is_active', 'by_command_line', 'is_path', 'follows_path']);

export function upkeepStore(session: Session): UpkeepStore {
  const { engine, db } = session;
  return {
    pagesAfter: async (afterId, limit) => (await all(session, pagesAfter, { afterId, limit })).map(pageOf),

    namesAfter: (afterId, limit) => all(session, namesAfter, { afterId, limit }),

    rewriteDerivedColumns: (id, page) =>
      change(session, async (db) => {
        const { owner_id: _, ...columns } = stateColumns(page);
        await db
          .updateTable('pages')
          .set({ ...columns, path_key: titleKey(page.path) })
          .where('id', '=', id)
          .execute();
        await engine.renewNames(db, [id]);
      }),

    beginFilling: () => beginFilling(engine),
    endFilling: () => endFilling(engine),

    async recount() {
      // A transaction for each slice: counting all at once would hold up every writer.
      for await (const keys of keySlices(db))
        await change(session, (db) => updateWanted(engine, db, [], new Set(keys)));
    },

    async repair() {
      await (session.isTransaction ? repair(engine, db) : engine.transact((db) => repair(engine, db), true));
    },

    async *stale(expect) {
      const snapshot = await engine.openSnapshot();
      try {
        yield* asFarAsReadable(engine, 'what is derived', staleIn(engine, snapshot.db, expect));
      } finally {
        await snapshot.close();
      }
    },

    async violations(limit) {
      const found: string[] = [];
      const snapshot = await engine.openSnapshot();
      try {
        for await (const violation of violationsIn(engine, snapshot.db)) {
          found.push(violation);
          if (found.length >= limit) break;
        }
      } finally {
        await snapshot.close();
      }
      return found;
    },

    async *fileHashes() {
      for await (const rows of slices(db, 'files')) {
        for (const file of rows) {
          yield file.hash;
          if (file.thumbnail_hash !== null) yield file.thumbnail_hash;
        }
      }
    },

    async *dump(
      onDamage = (sentence) => {
        throw new Damage(sentence);
      },
    ) {
      const snapshot = await engine.openSnapshot();
      try {
        for (const table of contentTables) {
          for await (const rows of readable(engine, snapshot.db, table, onDamage)) {
            for (const row of rows) yield { table, row: withTruths(row) };
          }
        }
      } finally {
        await snapshot.close();
      }
    },

    restore: (rows) => change(session, (db) => restore(engine, db, rows)),

    async sizes() {
      const files = await sql<{ bytes: number }>`select coalesce(sum(size_bytes), 0) as bytes
        from files`.execute(db);
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
  let table: keyof Tables | undefined;
  let batch: Record<string, unknown>[] = [];
  let batchBytes = 0;
  let filesAreNamed = true;
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
    const known = contentTables.find((name) => name === next.table);
    if (!known)
      throw invalid('', `The backup has rows of a table that this version does not know: ${next.table}.`);
    const foreign = Object.keys(next.row).find((column) => !(column in meanings[known].columns));
    if (foreign)
      throw invalid('', `The backup has a column that this version does not know: ${known}.${foreign}.`);
    if (known !== table || batch.length >= 500 || batchBytes > maxBatchBytes) {
      await flush();
      table = known;
    }
    if (known === 'files' && !('until_change_id' in next.row)) filesAreNamed = false;
    batch.push(next.row);
    batchBytes += String(next.row.content ?? '').length;
  }
  await flush();
  await engine.resumeIds(db);
  // An older backup does not tell these.
  await fillSkeletons(db as unknown as Kysely<never>);
  if (!filesAreNamed) await nameFilesInChanges(db as unknown as Kysely<never>);
  await recountHistories(db);
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
  // From the roots down; the first row takes its types and its order of text from the columns.
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

async function* violationsIn(engine: Engine, db: Database): AsyncGenerator<string> {
  const lost: string[] = [];
  const rows = <T extends keyof Tables>(table: T) =>
    readable(engine, db, table, (sentence) => lost.push(sentence));
  const parts: [what: string, sentences: AsyncGenerator<string>][] = [
    ['the changes', damagedChanges(engine, db, rows('changes'))],
    ['the tree', treeViolations(db)],
    ['the pages', pageViolations(rows('pages'))],
    ['the old paths', aliasViolations(rows('aliases'))],
    ['the links', linkViolations(rows('links'))],
    ['the tags', tagViolations(rows('tags'))],
    ['the wanted links', wantedViolations(engine, db)],
  ];
  for (const [what, sentences] of parts) {
    yield* asFarAsReadable(engine, what, sentences);
    yield* lost.splice(0);
  }
  yield* asFarAsReadable(engine, 'the database file', complaintsOf(engine, db));
}

/** What damage keeps from being looked at is said, and whatever comes after it goes on. */
async function* asFarAsReadable(
  engine: Engine,
  what: string,
  sentences: AsyncIterable<string>,
): AsyncGenerator<string> {
  try {
    yield* sentences;
  } catch (error) {
    if (!engine.isDamage(error)) throw error;
    yield `Damage keeps the rest of ${what} from being checked (${(error as Error).message}).`;
  }
}

type Slices<T extends keyof Tables> = AsyncIterable<Selectable<Tables[T]>[]>;

async function* damagedChanges(
  engine: Engine,
  db: Database,
  slices: Slices<'changes'>,
): AsyncGenerator<string> {
  for await (const changes of slices) {
    const sound: typeof changes = [];
    for (const change of changes) {
      const { id, page_id, content } = change;
      const damage = damageInContent(content);
      if (damage === undefined) {
        sound.push(change);
        continue;
      }
      const { rows } = await sql<{ path: string }>`select path from pages where id = ${page_id}`.execute(db);
      const path = rows[0] ? ` at ${rows[0].path}` : '';
      yield `Change ${id} of page ${page_id}${path} is damaged: ${damage}.`;
    }
    yield* missingFiles(engine, db, sound);
  }
}

async function* pageViolations(slices: Slices<'pages'>): AsyncGenerator<string> {
  for await (const pages of slices) {
    for (const page of pages) {
      const name = `Page ${page.id} at ${page.path}`;
      if (page.title_key !== titleKey(page.title)) yield `${name} has a wrong title key.`;
      if (page.sort_key !== sortKeyOf(page.title)) yield `${name} has a wrong sort key.`;
      if (page.path_key !== titleKey(page.path)) yield `${name} has a wrong path key.`;
      if (page.audience !== audienceOf(page.permissions))
        yield `${name} has an audience that its permissions do not give.`;
      const cell = page.lat === null || page.lon === null ? null : cellOf({ lat: page.lat, lon: page.lon });
      if (page.cell !== cell) yield `${name} has a location and cell that do not agree.`;
    }
  }
}

async function* aliasViolations(slices: Slices<'aliases'>): AsyncGenerator<string> {
  for await (const aliases of slices) {
    for (const alias of aliases) {
      if (alias.path_key !== titleKey(alias.path)) yield `The old path ${alias.path} has a wrong key.`;
    }
  }
}

async function* linkViolations(slices: Slices<'links'>): AsyncGenerator<string> {
  for await (const links of slices) {
    for (const link of links) {
      const isRight =
        link.key === keyOf(link.target) && Boolean(link.is_path) === link.target.startsWith('/');
      if (!isRight) yield `Page ${link.source_id} has a link to “${link.target}” with a wrong key.`;
    }
  }
}

async function* tagViolations(slices: Slices<'tags'>): AsyncGenerator<string> {
  for await (const tags of slices) {
    for (const tag of tags) {
      if (tag.value_key !== indexable(tag.value))
        yield `Page ${tag.page_id} has a tag ${tag.key} with a wrong key.`;
    }
  }
}

async function* complaintsOf(engine: Engine, db: Database): AsyncGenerator<string> {
  yield* await engine.complaints(db);
}

/** What the rows of a page say about each other. */
async function* treeViolations(db: Database): AsyncGenerator<string> {
  const checks = [
    [
      'lies in the tree at a depth or beneath ancestors that its parent does not have',
      sql`from pages p left join pages q on q.id = p.parent_id where p.parent_id is not null
        and (q.id is null or p.depth <> q.depth + 1 or p.trail <> q.trail || q.id || '/')`,
    ],
    [
      'is a root page with a depth or ancestors',
      sql`from pages p where p.parent_id is null and (p.depth <> 0 or p.trail <> '/')`,
    ],
    [
      'does not show its latest change',
      sql`from pages p where p.change_id <> coalesce((select max(c.id) from changes c where c.page_id = p.id), -1)`,
    ],
    [
      'has a time of update other than its latest change',
      sql`from pages p join changes c on c.id = p.change_id where c.at <> p.updated_at`,
    ],
    [
      'has a history of another length than is written down',
      sql`from pages p where p.history_bytes <>
        coalesce((select sum(octet_length(c.content)) from changes c
          where c.page_id = p.id and c.id >= p.history_from), 0)`,
    ],
    [
      'shows its history from a change on that is none of its own',
      sql`from pages p where p.history_from <> 0
        and not exists (select 1 from changes c where c.id = p.history_from and c.page_id = p.id)`,
    ],
    [
      'lost a file to a change that is none of its own',
      sql`from pages p where exists (select 1 from files f where f.page_id = p.id and f.until_change_id is not null
        and not exists (select 1 from changes c where c.id = f.until_change_id and c.page_id = p.id))`,
    ],
    [
      'has links that are counted for another audience than its own',
      sql`from pages p where exists (select 1 from links l where l.source_id = p.id and l.audience <> p.audience)`,
    ],
  ] as const;
  for (const [claim, from] of checks) {
    const { rows } = await sql<{
      id: number;
      path: string;
    }>`select p.id, p.path ${from} order by p.id limit 1000`.execute(db);
    for (const page of rows) yield `Page ${page.id} at ${page.path} ${claim}.`;
  }
}

async function* wantedViolations(engine: Engine, db: Database): AsyncGenerator<string> {
  for await (const keys of keySlices(db)) {
    const given = engine.rows(
      { key: 'text', sort_key: 'text' },
      keys.map((key) => [key, sortKeyOf(key)]),
    );
    const right = await counting(given).execute(db);
    const kept = await sql<Tables['wanted']>`select * from wanted
      where ${engine.amongTexts(sql.ref('key'), keys)}`.execute(db);
    const expected = new Map(right.rows.filter(isWanted).map((row) => [row.key, row]));
    for (const row of kept.rows) {
      const should = expected.get(row.key);
      expected.delete(row.key);
      const isRight =
        should && row.sort_key === should.sort_key && String(tally(row)) === String(tally(should));
      if (!isRight)
        yield `The wanted link “${row.key}” is counted as ${tally(row)} instead of ${should ? tally(should) : 'not at all'}.`;
    }
    for (const [key, row] of expected)
      yield `The wanted link “${key}” is not counted; it should be ${tally(row)}.`;
  }
}

function tally(row: Tables['wanted']): number[] {
  return [row.world_count, row.members_count, row.all_count, row.private_count];
}
