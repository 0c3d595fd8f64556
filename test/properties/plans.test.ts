/**
 * With many thousands of pages, every read uses an index on both engines and runs no more statements than with none. Checks the
 * plans that the engines actually choose.
 */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortKey, titleKey } from '#core/model/fold.ts';
import { grantedAudience, subjectOf } from '#core/model/grant.ts';
import { type Actor, everything } from '#core/model/permission.ts';
import { readTextQuery } from '#core/model/terms.ts';
import type { SearchCriteria } from '#core/ports/list-reads.ts';
import type { Store } from '#core/ports/store.ts';
import { openStore } from '#run/open-store.ts';
import { maxRanked, type Statement } from '#store/engine.ts';
import { cellOf } from '#store/search/cells.ts';
import { asCompiled } from '#store/sqlite/handle.ts';
import { addTextShare } from '#store/sqlite/text-share.ts';
import type { StoreConfig } from '#store/store.ts';
import { effort } from '../support/effort.ts';
import { databases, type FreshDatabase } from '../support/postgres.ts';
import { meddle } from '../support/rows.ts';
import { administrator, anyone, memberWith, pageWith } from '../support/write-pages.ts';

const pageCount = effort(20_000, 50_000);
const actors = {
  anyone,
  'a member': memberWith(2),
  'a member of groups': { ...memberWith(2), groupIds: [1, 2, 3] },
  'an administrator': administrator,
};
const ten = { limit: 10, offset: 0 };
const search: SearchCriteria = { ...ten, logic: 'and', order: 'alphabetical' };
const textOf = (words: string): Pick<SearchCriteria, 'text'> => {
  const text = readTextQuery(words);
  return text ? { text } : {};
};
const audienceCount = 2000;
const audienceRowOf = (id: number) => (id % 20 === 11 ? (Math.floor(id / 20) % audienceCount) + 1 : null);
const audienceOf = (id: number) => {
  const row = audienceRowOf(id);
  return row === null ? (id % 20 === 0 ? 2 : 0) : grantedAudience(row, true);
};

/** Name, number of statements (the same for any size), and the read. */
const reads: [
  name: string,
  statements: { SQLite: number; PostgreSQL: number },
  read: (store: Store, actor: Actor) => Promise<unknown>,
][] = [
  ['findByPath', { SQLite: 1, PostgreSQL: 1 }, (store) => store.readAsSystem().pages.findByPath('/p1/p7')],
  ['findById', { SQLite: 1, PostgreSQL: 1 }, (store) => store.readAsSystem().pages.findById(7)],
  [
    'findByAlias',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).pages.findByAlias('/old/7'),
  ],
  ['load one', { SQLite: 6, PostgreSQL: 1 }, (store) => store.readAsSystem().pages.load([7], 'all')],
  [
    'load ten',
    { SQLite: 6, PostgreSQL: 1 },
    (store) => store.readAsSystem().pages.load([7, 8, 9, 100, 101, 102, 4000, 4001, 4002, 1], 'latest'),
  ],
  [
    'complete',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).pages.complete('title 77', 10),
  ],
  [
    'complete, short',
    { SQLite: 2, PostgreSQL: 2 },
    (store, actor) => store.readAs(actor).pages.complete('77', 10),
  ],
  [
    'alike',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) =>
      store
        .readAs(actor)
        .pages.alike({ beginning: 'ti', fragments: ['titel', '777'], beside: '/p7/', length: 9 }, 200),
  ],
  [
    'changes.find',
    { SQLite: 1, PostgreSQL: 1 },
    (store) => store.readAsSystem().changes.find(pageWith(7), 7),
  ],
  [
    'changes.findBefore',
    { SQLite: 1, PostgreSQL: 1 },
    (store) => store.readAsSystem().changes.findBefore(pageWith(7), 7),
  ],
  [
    'changes.list',
    { SQLite: 2, PostgreSQL: 1 },
    (store) => store.readAsSystem().changes.list(pageWith(7), ten),
  ],
  [
    'resolve',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).links.resolve(['Title 7', '/p1/p7', '/old/7', 'None']),
  ],
  [
    'resolve from a page in another language',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) =>
      store
        .readAs(actor)
        .links.resolve(['Title 7', '/p1/p7', '/old/7', 'None'], { id: 9, language: 'de', wiki: 'en' }),
  ],
  [
    'templates',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).links.templates(['Title 7', '/p1/p7']),
  ],
  [
    'links.files',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).links.files(7, ['f7.txt', '/p1/p8/f8.txt']),
  ],
  [
    'backlinks',
    { SQLite: 2, PostgreSQL: 2 },
    async (store, actor) =>
      store.readAs(actor).links.backlinks((await store.readAsSystem().pages.findById(8)) as never, ten),
  ],
  ['wanted', { SQLite: 2, PostgreSQL: 2 }, (store, actor) => store.readAs(actor).links.wanted(25, 1000)],
  [
    'search by path',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, pathPrefix: '/p7/' }),
  ],
  [
    'search by title',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, titleFragment: 'tle 777' }),
  ],
  [
    'search by IDs',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, ids: [7, 8, 900, 4001] }),
  ],
  [
    'search by owner',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, ownerId: 1 }),
  ],
  [
    'search in a box',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.search({ ...search, box: { south: 10, west: 10, north: 20, east: 30 } }),
  ],
  [
    'search since',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, since: pageCount - 20 }),
  ],
  [
    'search after a page',
    { SQLite: 2, PostgreSQL: 2 },
    (store, actor) =>
      store
        .readAs(actor)
        .lists.search({ ...search, type: 'Type 8', after: { from: { key: sortKey('Title 77'), id: 77 } } }),
  ],
  [
    'search in the order of the tree',
    { SQLite: 3, PostgreSQL: 3 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, order: 'tree', ancestorId: 8 }),
  ],
  [
    'search in the order of the tree, after a page',
    { SQLite: 3, PostgreSQL: 3 },
    (store, actor) =>
      store
        .readAs(actor)
        .lists.search({ ...search, order: 'tree', ancestorId: 1, after: { from: { key: '', id: 4001 } } }),
  ],
  [
    'neighbours, where nothing is arranged',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.neighbours({ id: 4001, trail: [1] }),
  ],
  [
    'states',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).pages.states([7, 8, 9, 4000]),
  ],
  [
    'children of each',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.childrenOfEach([1, 2, 3, 7], 100),
  ],
  [
    'backlinks of each',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).links.backlinksOfEach(
        [7, 8].map((id) => ({ id, title: `Title ${id}`, path: `/p1/p${id}` })),
        100,
      ),
  ],
  [
    'search by type',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, type: 'Type 7' }),
  ],
  [
    'search by tag',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, tags: [{ key: 'kind', value: 'v7' }] }),
  ],
  [
    'search by tag value',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, tags: [{ value: 'v7' }] }),
  ],
  [
    'search by tag name',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, tags: [{ value: 'Rare' }] }),
  ],
  [
    'search by tag name or type',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.search({ ...search, type: 'Type 7', tags: [{ value: 'v7' }], logic: 'or' }),
  ],
  [
    'facets of a tag name',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.facets({ ...search, tags: [{ value: 'Rare' }] }),
  ],
  [
    'search by text',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, ...textOf('heron'), order: 'relevance' }),
  ],
  [
    'search by text without a word',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.search({ ...search, ...textOf('heron -word'), order: 'relevance' }),
  ],
  [
    'search by ancestor',
    { SQLite: 3, PostgreSQL: 2 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, ancestorId: 7 }),
  ],
  [
    'search by two',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.search({ ...search, type: 'Type 7', pathPrefix: '/p7/' }),
  ],
  [
    'search by one of two',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.search({ ...search, type: 'Type 7', pathPrefix: '/p8/', logic: 'or' }),
  ],
  [
    'search of all, last page',
    { SQLite: 2, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.search({ ...search, pathPrefix: '/', offset: pageCount * 0.8 }),
  ],
  [
    'facets',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.facets({ ...search, pathPrefix: '/p7/' }),
  ],
  [
    'placesAround',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.placesAround({ lat: 10, lon: 20 }, 10_000),
  ],
  [
    'countPlacesWithin',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.countPlacesWithin({ lat: 10, lon: 20 }, [400_000, 200_000]),
  ],
  [
    'placesNearest',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.placesNearest({ lat: 10, lon: 20 }, 100_000, 400_000),
  ],
  [
    'placesIn',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.placesIn({ south: 10, west: 20, north: 11, east: 21 }, 10),
  ],
  ['updates', { SQLite: 1, PostgreSQL: 1 }, (store, actor) => store.readAs(actor).lists.updates(ten)],
  [
    'updates beneath',
    { SQLite: 4, PostgreSQL: 3 },
    (store, actor) => store.readAs(actor).lists.updates(ten, 7),
  ],
  ['children', { SQLite: 2, PostgreSQL: 2 }, (store, actor) => store.readAs(actor).lists.children(7, ten)],
  ['roots', { SQLite: 2, PostgreSQL: 2 }, (store, actor) => store.readAs(actor).lists.children(null, ten)],
  ['ownedBy', { SQLite: 2, PostgreSQL: 2 }, (store, actor) => store.readAs(actor).lists.ownedBy(2, ten)],
  ['editedBy', { SQLite: 1, PostgreSQL: 1 }, (store, actor) => store.readAs(actor).lists.editedBy(1, 10)],
  ['vocabulary', { SQLite: 1, PostgreSQL: 1 }, (store, actor) => store.readAs(actor).lists.vocabulary(500)],
  [
    'names of tags',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.words('tag', [''], 10),
  ],
  [
    'values of a tag',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.words({ valueOf: 'kind' }, ['v1', 'V1'], 10),
  ],
  [
    'types',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.words('type', ['Type 1'], 10),
  ],
  [
    'publicPages',
    { SQLite: 1, PostgreSQL: 1 },
    (store) => store.readAsSystem().lists.publicPages(40_000, 10),
  ],
  [
    'inTreeOrder of the whole wiki',
    { SQLite: 2, PostgreSQL: 2 },
    (store, actor) => store.readAs(actor).lists.inTreeOrder(null, null, 1000),
  ],
  [
    'inTreeOrder of the whole wiki, past the roots',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) => store.readAs(actor).lists.inTreeOrder(null, { id: 4001, trail: [1] }, 10),
  ],
  [
    'inTreeOrder',
    { SQLite: 1, PostgreSQL: 1 },
    (store, actor) =>
      store.readAs(actor).lists.inTreeOrder({ id: 1, trail: [] }, { id: 4001, trail: [1] }, 10),
  ],
  [
    'changes.listOfPages',
    { SQLite: 1, PostgreSQL: 1 },
    (store) => store.readAsSystem().changes.listOfPages([pageWith(7), pageWith(8)], { id: 7, pageId: 7 }, 10),
  ],
  ['files.named', { SQLite: 1, PostgreSQL: 1 }, (store) => store.readAsSystem().files.named(['n7', 'n8'])],
  ...(['name', 'size', 'date'] as const).map((order): (typeof reads)[number] => [
    `files.library by ${order}`,
    { SQLite: 2, PostgreSQL: 2 },
    (store, actor) =>
      store.readAs(actor).files.library({
        ...{ order, isUnused: true, namePart: 'f7', mime: 'text', limit: 10 },
        after: { key: order === 'name' ? 'f7' : 1, name: 'n7' },
      }),
  ]),
  [
    'files.library of a page',
    { SQLite: 2, PostgreSQL: 2 },
    (store, actor) =>
      store
        .readAs(actor)
        .files.library({ order: 'name', isUnused: false, page: { id: 7 }, limit: 10, after: undefined }),
  ],
  ['files.find', { SQLite: 1, PostgreSQL: 1 }, (store) => store.readAsSystem().files.find('n7')],
  ['members.findById', { SQLite: 1, PostgreSQL: 1 }, (store) => store.members.findById(1)],
  ['sessions.find', { SQLite: 1, PostgreSQL: 1 }, (store) => store.sessions.find('s7')],
  ['sessions.listOf', { SQLite: 1, PostgreSQL: 1 }, (store) => store.sessions.listOf(1, 10)],
];

/** All members have the same number of sessions. */
const memberCount = 400;

/**
 * 100 roots; each missing title is linked from 20 pages, a page in twenty is private and another one shared by grants, one in ten a
 * place.
 */
async function* rows(count: number) {
  for (let id = 1; id <= memberCount; id++) {
    const member = {
      id,
      email: `${id}@x`,
      email_key: `${id}@x`,
      name: `M${id}`,
      is_active: true,
      epoch: 0,
    };
    yield { table: 'members', row: { ...member, passphrase_hash: null, created_at: 1 } };
  }
  const audiences = Array.from({ length: audienceCount }, (_, i) => i + 1);
  for (const id of audiences) yield { table: 'audiences', row: { id, key: `/${id}`, key_entry: `/${id}` } };
  for (const audience_id of audiences)
    for (const subject of [{ group: (audience_id % 300) + 3 }, { member: (audience_id % memberCount) + 1 }])
      yield { table: 'audience_readers', row: { audience_id, subject: subjectOf(subject) } };
  const ids = Array.from({ length: count }, (_, i) => i + 1);
  const pathOf = (id: number) => (id <= 100 ? `/p${id}` : `/p${((id - 1) % 100) + 1}/p${id}`);
  for (const id of ids) {
    const title = `Title ${id}`;
    const parent = id <= 100 ? null : ((id - 1) % 100) + 1;
    const location =
      id % 10 === 0 ? { lat: ((id * 7) % 1700) / 10 - 85, lon: ((id * 13) % 3600) / 10 - 180 } : null;
    const row = {
      id,
      path: pathOf(id),
      path_key: pathOf(id),
      slug: `p${id}`,
      title,
      title_key: titleKey(title),
      sort_key: sortKey(title),
      description: '',
      type: id % 3 === 0 ? `Type ${id % 200}` : null,
      lat: location?.lat ?? null,
      lon: location?.lon ?? null,
      cell: location ? cellOf(location) : null,
      parent_id: parent,
      depth: parent ? 1 : 0,
      trail: parent ? `/${parent}/` : '/',
      permissions: audienceOf(id) === 0 ? 774 : 700,
      audience: audienceOf(id),
      audience_id: audienceRowOf(id),
      owner_id: id % 1000 === 0 ? 2 : 1,
      change_id: id,
      created_at: 1000 + id,
      updated_at: 1000 + ((id * 7919) % count),
    };
    yield { table: 'pages', row };
  }
  for (const id of ids) {
    yield { table: 'changes', row: { id, page_id: id, at: 1000 + id, editor_id: 1, content: '{"body":""}' } };
  }
  for (const id of ids.filter((id) => id % 5 === 2)) {
    yield { table: 'aliases', row: { id, path: `/old/${id}`, path_key: `/old/${id}`, page_id: id } };
  }
  for (const id of ids) {
    const value = `v${id % 300}`;
    yield {
      table: 'tags',
      row: {
        page_id: id,
        seq: 0,
        key: id % 500 === 1 ? 'rare' : id % 2 ? 'kind' : 'mood',
        value,
        value_key: value,
      },
    };
  }
  for (const page_id of ids.filter((id) => id % 4 === 3)) {
    const file = {
      name: `n${page_id}`,
      page_id,
      filename: `f${page_id}.txt`,
      hash: `h${page_id}`,
      mime: 'text/plain',
    };
    const image = { width: null, height: null, thumbnail: null, thumbnail_hash: null, thumbnail_mime: null };
    yield {
      table: 'files',
      row: { ...file, ...image, size_bytes: 1, uploaded_at: 1, uploader_id: 1, until_change_id: null },
    };
  }
  for (const page_id of ids.filter((id) => id % 2 === 1)) {
    yield { table: 'likes', row: { page_id, member_id: 1, at: 1 } };
  }
  const missing = Math.ceil(count / 20);
  for (const source_id of ids) {
    const targets = [
      `Title ${source_id + 1}`,
      `Title ${(source_id % 100) + 1}`,
      `Missing ${source_id % missing}`,
    ];
    for (const target of new Set(targets)) {
      const link = { source_id, kind: 'page', target, key: titleKey(target), is_path: false };
      yield { table: 'links', row: { ...link, count: 1, audience: audienceOf(source_id) } };
    }
  }
}

describe.each(databases)('%s', (name, fresh) => {
  let database: FreshDatabase;
  let config: StoreConfig;
  let store: Store;
  let log: Statement[] = [];
  let asking: Asking;

  beforeAll(async () => {
    database = await fresh();
    config = database.config;
    store = await openStore(config, { onQuery: (query) => log.push(query) });
    await store.maintenance.restore(rows(pageCount));
    await meddle(
      config,
      name === 'SQLite'
        ? `insert into page_text (rowid, title, body)
             select id, title_key, case when id % 50 = 0 then 'grey heron' else 'word' end from pages`
        : `insert into page_texts (page_id, part, terms)
             select id, 0, ('title:1A ' || case when id % 50 = 0 then 'grey:3 heron:4' else 'word:3' end)::tsvector from pages`,
    );
    await meddle(
      config,
      `insert into sessions (id, member_id, method, is_browser, created_at, seen_at)
         select 's' || id, id % ${memberCount} + 1, 'passphrase', id % 2 = 0, 1, id from pages`,
    );
    await meddle(
      config,
      `insert into events (position, kind, at, page_id, change_id, path, title, trail, audience, owner_id, editor_id, msg, awaits_review)
         select id, 'edited', 1, id, id, path, title, trail, audience, owner_id, 1, '', case when id % 500 = 0 then 1 else 0 end from pages`,
    );
    await store.maintenance.recount();
    if (name === 'PostgreSQL') await meddle(config, 'vacuum analyze');
    asking = await connect(config);
  }, 300_000);

  afterAll(async () => {
    await asking.end();
    await store[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  test.each(reads)('%s uses an index and a fixed number of statements', async (read, statements, execute) => {
    for (const [who, actor] of Object.entries(actors)) {
      log = [];
      await execute(store, actor);
      const extra = read === 'backlinks' ? 1 : 0;
      expect(log.length - extra, who).toBe(statements[name]);
      for (const query of log) {
        const bad = await (name === 'SQLite' ? scansOfSqlite : scansOfPostgres)(asking, query);
        expect(bad, `for ${who}: ${query.sql}`).toEqual([]);
      }
    }
  });

  test('events that await review are found by their index', async () => {
    log = [];
    const found = await store.events.listBefore(undefined, 10, everything, { isReviewed: false });
    expect(found.length).toBe(10);
    const { sql, parameters } = log.at(-1) as Statement;
    const text = name === 'SQLite' ? `explain query plan ${asCompiled(sql)}` : `explain ${sql}`;
    expect(JSON.stringify(await asking.rows(text, parameters))).toContain('events_awaiting_review');
  });

  test('a later page of those with a word is collected before it is put in order', async () => {
    for (const after of [{}, { after: { from: undefined } }]) {
      log = [];
      const criteria: SearchCriteria = {
        ...search,
        ...textOf('heron'),
        ...after,
        order: 'last created',
        offset: 100,
      };
      expect((await store.readAs(anyone).lists.search(criteria)).ids.length).toBe(10);
      if (name === 'SQLite') continue;
      // Without the choice to sort, the planner reads all pages in order if it can, as it does where it expects many matches.
      const { sql, parameters } = log.at(-1) as Statement;
      await asking.rows('set enable_sort = off', []);
      const plan = JSON.stringify(await asking.rows(`explain ${sql}`, parameters));
      await asking.rows('reset enable_sort', []);
      expect(plan).not.toContain('pages_by_creation');
    }
  });

  test('very many pages with a word are each listed once and counted, at any offset', async () => {
    const criteria: SearchCriteria = { ...search, ...textOf('word'), limit: 1000, order: 'relevance' };
    log = [];
    const parts = await Promise.all(
      [0, 1000, 2000, 3000, 4000].map((offset) => store.readAs(anyone).lists.search({ ...criteria, offset })),
    );
    const matching = Array.from({ length: pageCount }, (_, i) => i + 1).filter(
      (id) => id % 50 !== 0 && audienceOf(id) === 0,
    );
    if (name === 'PostgreSQL') {
      // A join without an index or hash would compare each page with the ranks of all others.
      const { sql, parameters } = log.at(-1) as Statement;
      expect(JSON.stringify(await asking.rows(`explain ${sql}`, parameters))).not.toContain('Join Filter');
      const { sql: first, parameters: given } = log[0] as Statement;
      const done = JSON.stringify(await asking.rows(`explain (analyze, format json) ${first}`, given));
      const loops = [...done.matchAll(/"Relation Name":"page_texts".*?"Actual Loops":(\d+)/g)].map(
        ([, times]) => Number(times),
      );
      expect(Math.max(...loops)).toBeLessThanOrEqual(maxRanked);
    }
    expect(parts.map(({ total }) => total)).toEqual(parts.map(() => matching.length));
    const ids = parts.flatMap((part) => part.ids);
    expect(new Set(ids).size).toBe(5000);
    const wanted = new Set(matching);
    expect(ids.filter((id) => !wanted.has(id))).toEqual([]);
    expect(await store.readAs(anyone).lists.facets(criteria)).toMatchObject({
      isWhole: false,
    });
  });

  test.each<[string, Partial<SearchCriteria>, (id: number) => boolean]>([
    ['a fragment', { titleFragment: 'tle 1' }, (id) => String(id).startsWith('1')],
    ['a word', textOf('word'), (id) => id % 50 !== 0],
    ['a word but not another', textOf('title -grey'), (id) => id % 50 !== 0],
    ['both', { titleFragment: 'tle 1', ...textOf('word') }, (id) => id % 50 !== 0 && /^1/.test(String(id))],
    [
      'either',
      { titleFragment: 'tle 1', ...textOf('word'), logic: 'or' },
      (id) => id % 50 !== 0 || /^1/.test(String(id)),
    ],
  ])(
    'of very many pages with %s, pages are read in order, and titles are tested one by one',
    async (_, criteria, isMatch) => {
      const all = Array.from({ length: pageCount }, (_, i) => i + 1);
      const matching = all.filter((id) => isMatch(id) && audienceOf(id) === 0);
      const key = (id: number) => sortKey(`Title ${id}`);
      const byTitle = matching.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
      for (const [order, expected] of [
        ['alphabetical', byTitle],
        ['last created', matching.toReversed()],
      ] as const) {
        log = [];
        const found = await store.readAs(anyone).lists.search({ ...search, ...criteria, order, offset: 20 });
        expect(found).toMatchObject({ total: matching.length, ids: expected.slice(20, 30) });
        const page = log.at(-1)?.sql;
        expect(page).toContain('order by');
        if (name === 'SQLite') expect(page).not.toContain('from page_names');
        else if (criteria.text && criteria.logic !== 'or')
          expect(
            JSON.stringify(await asking.rows(`explain ${page}`, log.at(-1)?.parameters ?? [])),
          ).not.toContain('Sort');
      }
    },
  );

  test('counts of types and tags over very many pages include pages with several types', async () => {
    const { types, isWhole } = await store.readAs(anyone).lists.facets({ ...search, pathPrefix: '/' });
    expect(isWhole).toBe(false);
    expect(types.length).toBe(50);
  });

  // Reads that find nothing skip sorting. If few matches are found, one more statement looks elsewhere.
  test('the same reads run no more statements on a small wiki', async () => {
    await using empty = await fresh();
    const small = await openStore(empty.config, { onQuery: (query) => log.push(query) });
    await small.maintenance.restore(rows(200));
    for (const [read, statements, execute] of reads) {
      log = [];
      await execute(small, memberWith(2));
      const extra = read === 'backlinks' || read === 'complete' ? 1 : 0;
      expect(log.length - extra, read).toBeLessThanOrEqual(statements[name]);
    }
    await small[Symbol.asyncDispose]();
  });
});

/** A separate connection to the database, used for all queries. */
interface Asking {
  rows(text: string, parameters: readonly unknown[]): Promise<unknown[]>;
  end(): Promise<void>;
}

async function connect(config: StoreConfig): Promise<Asking> {
  if (config.kind === 'sqlite') {
    const db = new DatabaseSync(config.file, { readOnly: true });
    addTextShare(db);
    return {
      rows: async (text, parameters) => db.prepare(text).all(...(parameters as string[])),
      end: async () => db.close(),
    };
  }
  const client = new pg.Client(config.url);
  await client.connect();
  await client.query('set random_page_cost = 1.1; set jit = off');
  return {
    rows: async (text, parameters) => (await client.query(text, [...parameters])).rows,
    end: () => client.end(),
  };
}

/** Steps of the plan that scan a table without an index. */
async function scansOfSqlite(asking: Asking, { sql, parameters }: Statement): Promise<string[]> {
  const plan = (await asking.rows(`explain query plan ${asCompiled(sql)}`, parameters)) as {
    detail: string;
  }[];
  // Derived tables and parameter lists are small and have no index.
  const derived =
    /^SCAN (json_each|t|k|f|r|above|top|own|said|adding|affected|base|exact|merged|sources|latest|numbered|asking|asked|found|newest|counted|n\b|named\b|walk|\(?subquery|CONSTANT|[0-9])/i;
  return plan
    .map(({ detail }) => detail)
    .filter(
      (step) =>
        // A search index that is probed for each page in turn goes through all its matches each time.
        / VIRTUAL TABLE INDEX \d+:=/.test(step) ||
        (/^SCAN /.test(step) && !/ USING | VIRTUAL TABLE INDEX /.test(step) && !derived.test(step)),
    );
}

async function scansOfPostgres(asking: Asking, { sql, parameters }: Statement): Promise<string[]> {
  const [row] = (await asking.rows(`explain (format json) ${sql}`, parameters)) as {
    'QUERY PLAN': [{ Plan: object }];
  }[];
  const found: string[] = [];
  const visit = (node: { [key: string]: unknown; Plans?: never[] }) => {
    // Members and groups are too few for an index to help.
    if (node['Node Type'] === 'Seq Scan' && !['members', 'groups'].includes(node['Relation Name'] as string))
      found.push(`Seq Scan on ${node['Relation Name']}`);
    for (const below of node.Plans ?? []) visit(below);
  };
  visit(row?.['QUERY PLAN'][0].Plan as never);
  return found;
}
