/** The findings of `coppice check`: damaged changes, and violated invariants of stored rows. */
import { type RawBuilder, sql } from 'kysely';
import { damageInContent } from '#core/model/damage.ts';
import { titleKey } from '#core/model/fold.ts';
import { audienceOf, type Wiki } from '#core/model/permission.ts';
import type { Database, Engine } from '../engine.ts';
import { counting, isWanted, keySlices } from '../links/wanted-counts.ts';
import { keyOf } from '../pages/derived.ts';
import { indexable, pathFoldOf, sortKeyOf } from '../rows.ts';
import { cellOf } from '../search/cells.ts';
import { readPrivate } from '../settings.ts';
import type { RowOf, Tables } from '../tables.ts';
import { grantViolations } from './grant-violations.ts';
import { missingFiles } from './missing-files.ts';
import { readable } from './readable-rows.ts';

/** One sentence for each finding; some may be repeated. `db` is a snapshot. */
export async function* violationsIn(engine: Engine, db: Database): AsyncGenerator<string> {
  const lost: string[] = [];
  const rows = <T extends keyof Tables>(table: T) =>
    readable({ engine, db }, table, (sentence) => lost.push(sentence));
  const wiki = { isPrivate: await readPrivate(db) };
  const parts: [what: string, sentences: AsyncGenerator<string>][] = [
    ['the changes', damagedChanges(engine, db, rows('changes'))],
    ['the tree', treeViolations(engine, db)],
    ['the pages', pageViolations(rows('pages'), wiki)],
    ['the grants', grantViolations(db, wiki)],
    ['the old paths', aliasViolations(rows('aliases'))],
    ['the links', linkViolations(rows('links'))],
    ['the tags', tagViolations(rows('tags'))],
    ['the wanted links', wantedViolations(engine, db)],
    ['the trash', trashViolations(engine, db)],
  ];
  for (const [what, sentences] of parts) {
    yield* skippingDamage(engine, db, what, sentences);
    yield* lost.splice(0);
  }
  yield* skippingDamage(engine, db, 'the database file', complaintsOf(engine, db));
}

/** Reports checks that fail because of damage, and continues with the next one. */
export async function* skippingDamage(
  engine: Engine,
  db: Database,
  what: string,
  sentences: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for (;;) {
      const next = await engine.attempt(db, () => sentences.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    if (!engine.isDamage(error)) throw error;
    yield `Because of damage, the rest of ${what} cannot be checked (${(error as Error).message}).`;
  } finally {
    await sentences.return(undefined);
  }
}

type Slices<T extends keyof Tables> = AsyncIterable<RowOf<T>[]>;

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
      yield `Change ${id} of page ${page_id}${await pathOf(engine, db, page_id)} is damaged: ${damage}.`;
    }
    yield* skippingDamage(engine, db, 'the files that changes name', missingFiles(engine, db, sound));
  }
}

/** For messages; empty if the page does not exist or is unreadable. */
async function pathOf(engine: Engine, db: Database, pageId: number): Promise<string> {
  const path = sql<{ path: string }>`select path from pages where id = ${pageId}`;
  try {
    const { rows } = await engine.attempt(db, () => path.execute(db));
    return rows[0] ? ` at ${rows[0].path}` : '';
  } catch (error) {
    if (!engine.isDamage(error)) throw error;
    return '';
  }
}

async function* pageViolations(slices: Slices<'pages'>, wiki: Wiki): AsyncGenerator<string> {
  for await (const pages of slices) {
    for (const page of pages) {
      const name = `Page ${page.id} at ${page.path}`;
      if (page.title_key !== titleKey(page.title)) yield `${name} has a wrong title key.`;
      if (page.sort_key !== sortKeyOf(page.title)) yield `${name} has a wrong sort key.`;
      if (page.path_key !== titleKey(page.path) || page.path_fold !== pathFoldOf(page.path))
        yield `${name} has a wrong path key.`;
      const group = page.group_id === null ? null : { id: page.group_id };
      const granted = page.audience_id === null ? {} : { granted: { id: page.audience_id, key: '' } };
      if (page.audience !== audienceOf({ permissions: page.permissions, group, ...granted }, wiki))
        yield `${name} has an audience that does not follow from its permissions.`;
      const cell = page.lat === null || page.lon === null ? null : cellOf({ lat: page.lat, lon: page.lon });
      if (page.cell !== cell) yield `${name} has a cell that does not match its location.`;
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

/** Tables whose rows outlive the row of their page in `pages`. */
const unreferenced = ['changes', 'aliases', 'likes', 'favourites', 'files'] as const;

/** Rows whose page is neither in `pages` nor in the trash, and inconsistent deletions. */
async function* trashViolations(engine: Engine, db: Database): AsyncGenerator<string> {
  for (const table of unreferenced) {
    const { rows } = await sql<{ page: number }>`select distinct t.page_id as page from ${sql.table(table)} t
      where not exists (select 1 from pages p where p.id = t.page_id)
        and not exists (select 1 from trashed_pages p where p.id = t.page_id) order by 1 limit 1000`.execute(
      db,
    );
    for (const { page } of rows) yield `The table ${table} has rows of a page ${page} that does not exist.`;
  }
  const twice = await sql<{ id: number }>`select t.id from trashed_pages t join pages p on p.id = t.id
    order by t.id limit 1000`.execute(db);
  for (const { id } of twice.rows) yield `Page ${id} is in the trash and also outside of it.`;
  for await (const deletions of readable({ engine, db }, 'trash', () => {})) {
    const ids = deletions.map(({ id }) => id);
    const { rows } = await sql<Counts>`select trash_id as id, count(*) as pages,
        count(case when audience = 0 then 1 end) as world_pages,
        count(case when audience <= 1 then 1 end) as members_pages
      from trashed_pages where ${engine.among(sql.ref('trash_id'), ids)} group by trash_id`.execute(db);
    const counted = new Map(rows.map((row) => [row.id, countsOf(row)]));
    for (const deletion of deletions)
      if (counted.get(deletion.id) !== countsOf(deletion))
        yield `Deletion ${deletion.id} of ${deletion.path} has other pages than recorded.`;
  }
}

type Counts = Pick<RowOf<'trash'>, 'id' | 'pages' | 'world_pages' | 'members_pages'>;

function countsOf({ pages, world_pages, members_pages }: Counts): string {
  return [pages, world_pages, members_pages].map(Number).join(' ');
}

async function* complaintsOf(engine: Engine, db: Database): AsyncGenerator<string> {
  yield* await engine.complaints(db);
}

/** Consistency of a page's rows with each other. */
async function* treeViolations(engine: Engine, db: Database): AsyncGenerator<string> {
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
      'has a time of update that differs from its latest change',
      sql`from pages p join changes c on c.id = p.change_id where c.at <> p.updated_at`,
    ],
    [
      'has a history whose length differs from the recorded one',
      sql`from pages p where p.history_bytes <>
        coalesce((select sum(octet_length(c.content)) from changes c
          where c.page_id = p.id and c.id >= p.history_from), 0)`,
    ],
    [
      'shows its history from a change on that belongs to another page',
      sql`from pages p where p.history_from <> 0
        and not exists (select 1 from changes c where c.id = p.history_from and c.page_id = p.id)`,
    ],
    [
      'lost a file to a change that belongs to another page',
      sql`from pages p where exists (select 1 from files f where f.page_id = p.id and f.until_change_id is not null
        and not exists (select 1 from changes c where c.id = f.until_change_id and c.page_id = p.id))`,
    ],
    [
      'has links that are counted for a different audience than its own',
      sql`from pages p where exists (select 1 from links l where l.source_id = p.id and l.audience <> p.audience)`,
    ],
  ] as const;
  for (const [claim, from] of checks)
    yield* skippingDamage(engine, db, 'the tree', pagesThat(db, claim, from));
}

async function* pagesThat(db: Database, claim: string, from: RawBuilder<unknown>): AsyncGenerator<string> {
  const { rows } = await sql<{ id: number; path: string }>`
    select p.id, p.path ${from} order by p.id limit 1000`.execute(db);
  for (const page of rows) yield `Page ${page.id} at ${page.path} ${claim}.`;
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
