/** Compares the stored data of pages with their contents, in batches. */

import { sql } from 'kysely';
import { damageInContent } from '#core/model/damage.ts';
import { titleKey } from '#core/model/fold.ts';
import type { Defaults, Page, PageState } from '#core/model/page.ts';
import type { Expected } from '#core/ports/maintenance-store.ts';
import type { Database, Engine, IndexCheck } from '../engine.ts';
import { linkRowsOf, tagRowsOf, textOf } from '../pages/derived.ts';
import { type PageRow, pageOf, pathFoldOf, selectPage, sortKeyOf } from '../rows.ts';
import type { RowOf, Tables } from '../tables.ts';
import { rowsAround, type Source } from './readable-rows.ts';

/** Small, because each page may have 4 MB. */
const batchSize = 50;
/** A fixed order, independent of the order in which a location was given. */
const placeKeys = ['lat', 'lon'];
const fields = [
  'title',
  'slug',
  'description',
  'type',
  'location',
  'language',
  'permissions',
  'audience',
] as const;

/** A sentence for every wrong page, and for rows without a page. `db` is a snapshot. */
export async function* verifySnapshot(
  engine: Engine,
  db: Database,
  expect: (page: Page) => Expected,
): AsyncGenerator<string> {
  await using indexes = await engine.checkIndexes(db);
  // Damage that other checks report.
  const damaged = new Set<number>();
  const lost: [from: number, to: number][] = [];
  const source: Source<PageRow> = {
    size: batchSize,
    rowsAfter: async ([afterId] = [0], size) =>
      (await sql<PageRow>`${selectPage} where p.id > ${afterId} order by p.id limit ${size}`.execute(db))
        .rows,
    keyOf: ({ id }) => [id],
  };
  const around = rowsAround(engine, db, source, (_after, from, to = Number.POSITIVE_INFINITY) => {
    lost.push([from, to]);
  });
  for await (const rows of around) {
    const whole = rows.filter(({ id, content }) => {
      const isWhole = damageInContent(content) === undefined;
      if (!isWhole) damaged.add(id);
      return isWhole;
    });
    const compare = (pages: Page[]) =>
      engine.attempt(db, () => Array.fromAsync(verifyBatch({ engine, db }, indexes, pages, expect)));
    const pages = whole.map(pageOf);
    try {
      yield* await compare(pages);
    } catch (error) {
      if (!engine.isDamage(error)) throw error;
      yield* eachAlone(engine, pages, compare);
    }
  }
  for (const id of indexes.rest()) {
    const isDamaged = damaged.has(id) || lost.some(([from, to]) => id > from && id <= to);
    yield isDamaged
      ? `The search index cannot be compared with page ${id}, which is damaged.`
      : `The search index contains a page ${id} that does not exist.`;
  }
}

async function* eachAlone(
  engine: Engine,
  pages: Page[],
  compare: (pages: Page[]) => Promise<string[]>,
): AsyncGenerator<string> {
  for (const page of pages) {
    try {
      yield* await compare([page]);
    } catch (error) {
      if (!engine.isDamage(error)) throw error;
      yield `Page ${page.id} at ${page.path} cannot be compared with its content (${(error as Error).message}).`;
    }
  }
}

/** Runs four statements plus those of the index, regardless of the number of pages. */
async function* verifyBatch(
  { engine, db }: { engine: Engine; db: Database },
  indexes: IndexCheck,
  pages: Page[],
  expect: (page: Page) => Expected,
): AsyncGenerator<string> {
  const ids = pages.map(({ id }) => id);
  const links = await sql<Tables['links']>`select * from links
    where ${engine.among(sql.ref('source_id'), ids)}`.execute(db);
  const tags = await sql<Tables['tags']>`select * from tags
    where ${engine.among(sql.ref('page_id'), ids)} order by page_id, seq`.execute(db);
  const rows = await sql<Pick<RowOf<'pages'>, 'id' | 'follows_path' | 'grants'>>`
    select p.id, p.follows_path, p.grants from pages p where ${engine.among(sql.ref('p.id'), ids)}`.execute(
    db,
  );
  const files = await sql<{ page_id: number; name: string }>`select page_id, name from files
    where ${engine.among(sql.ref('page_id'), ids)} and until_change_id is null`.execute(db);
  const filesOf = Map.groupBy(files.rows, (file) => file.page_id);
  const linksOf = Map.groupBy(links.rows, (link) => link.source_id);
  const tagsOf = Map.groupBy(tags.rows, (tag) => tag.page_id);
  const stays = new Set(rows.rows.filter((row) => !row.follows_path).map(({ id }) => id));
  const grantsOf = new Map(rows.rows.map(({ id, grants }) => [id, grants]));

  const expected = pages.map((page) => ({ page, ...expect(page) }));
  const wrong = await indexes.wrong(
    expected.map(({ page, derived }) => ({
      ...textOf(page.id, page.title, derived),
      title: sortKeyOf(page.title),
      path: pathFoldOf(page.path) ?? titleKey(page.path),
    })),
  );
  for (const { page, state, derived } of expected) {
    const { id, path, audience } = page;
    const dueLinks = linkRowsOf(id, audience, derived.links);
    const names = [
      ...fields.filter((field) => !isSame(page[field], state[field])),
      ...(page.group?.id === state.group?.id ? [] : ['group']),
      ...(grantsOf.get(id) === (state.grants ? JSON.stringify(state.grants) : null) ? [] : ['grants']),
      ...(sameDefaults(page.defaults, state.defaults) ? [] : ['defaults']),
      ...(areSame(linksOf.get(id), dueLinks, linkText) ? [] : ['links']),
      ...(areSame(tagsOf.get(id), tagRowsOf(id, derived.tags), tagText) ? [] : ['tags']),
      ...(areSame(
        filesOf.get(id)?.map(({ name }) => name),
        page.content.files ?? [],
        String,
      )
        ? []
        : ['files']),
      ...(wrong.texts.has(id) ? ['search text'] : []),
      ...(wrong.names.has(id) ? ['an entry for searching titles'] : []),
    ];
    if (names.length > 0) {
      yield `Page ${id} at ${path} has ${names.join(', ')} that do not follow from its content.`;
    }
    if (state.followsPath && stays.has(id)) {
      yield `Page ${id} at ${path} has relative links, but is not marked as having them.`;
    }
  }
}

function isSame<F extends keyof PageState>(a: PageState[F], b: PageState[F]): boolean {
  return JSON.stringify(a, placeKeys) === JSON.stringify(b, placeKeys);
}

/** A group may have been renamed since the content was written. */
function sameDefaults(a: Defaults | null, b: Defaults | null): boolean {
  return a?.permissions === b?.permissions && a?.group?.id === b?.group?.id && a?.template === b?.template;
}

function areSame<R>(held: R[] = [], due: R[], textOf: (row: R) => string): boolean {
  const texts = new Set(due.map(textOf));
  return held.length === due.length && held.every((row) => texts.has(textOf(row)));
}

function linkText({ kind, target, count }: Tables['links']): string {
  return JSON.stringify([kind, target, count]);
}

function tagText({ seq, key, value }: Tables['tags']): string {
  return JSON.stringify([seq, key, value]);
}
