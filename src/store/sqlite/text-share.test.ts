/** Ranks of pages by their own texts. */
import { DatabaseSync } from 'node:sqlite';
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { expect, test } from 'vitest';
import { readTextQuery, type TextQuery } from '#core/model/terms.ts';
import { textRanking, wordRanking } from './search.ts';
import { addTextShare } from './text-share.ts';

const query = `select page_text.rowid as id,
  text_share(bm25(page_text, 5e-9, 1e-9) / bm25(page_text, 1e12, 1e12), d.sz, (select text_average(block) from page_text_data where id = 1)) as share
  from page_text join page_text_docsize d on d.id = page_text.rowid
  where page_text match '"oak"' and page_text.rowid < 10 order by share desc, id`;

function sharesAmong(others: readonly string[]): { id: number; share: number }[] {
  using db = new DatabaseSync(':memory:');
  addTextShare(db);
  db.exec("create virtual table page_text using fts5(title, body, content = '')");
  const insert = db.prepare('insert into page_text (rowid, title, body) values (?, ?, ?)');
  const texts = ['oak', 'oak oak', `oak oak ${'x '.repeat(20_000)}`, `${'oak '.repeat(500)}y`];
  for (const [i, body] of texts.entries()) insert.run(i + 1, 'A page', body);
  insert.run(5, 'An oak', 'x');
  for (const [i, body] of others.entries()) insert.run(i + 10, 'Another', body);
  return db.prepare(query).all() as { id: number; share: number }[];
}

test('a page has the same share whatever other pages say', () => {
  const alone = sharesAmong([]);
  for (const others of [['oak'], Array(200).fill('oak oak'), ['x '.repeat(100_000)], Array(300).fill('y')])
    expect(sharesAmong(others)).toEqual(alone);
});

test('more occurrences, the title and shorter texts give a greater share', () => {
  expect(sharesAmong([]).map(({ id }) => id)).toEqual([4, 5, 2, 1, 3]);
});

const compiler = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Some texts, and as many with the word "many". */
function ranksAmong(many: number): (ranking: RawBuilder<unknown> | undefined) => unknown[] | undefined {
  const db = new DatabaseSync(':memory:');
  addTextShare(db);
  db.exec("create virtual table page_text using fts5(title, body, content = '', tokenize = 'ascii')");
  const insert = db.prepare('insert into page_text (rowid, title, body) values (?, ?, ?)');
  const words = ['prune', 'pruning ·prune', 'prunes ·prune', 'pruned', 'many', '5kg', '5 kg', 'x', 'x y z'];
  const at = (n: number) => words[n % words.length] as string;
  for (let id = 1; id <= 300; id++) {
    const body = Array.from({ length: id % 13 }, (_, i) => at(id * 7 + i * i)).join(' ');
    insert.run(id, id % 5 === 0 ? at(id >> 2) : 'A', `${body} ${'z '.repeat((id * 17) % 400)}`);
  }
  db.exec(`insert into page_text (rowid, title, body) with recursive n(i) as
    (select 1000 union all select i + 1 from n where i < ${999 + many}) select i, '', 'many' from n`);
  return (ranking) => {
    if (!ranking) return undefined;
    const query =
      sql`select id, title_hit, exact_hit, round(rank, 9) as rank from ${ranking} order by id`.compile(
        compiler,
      );
    return db.prepare(query.sql).all(...(query.parameters as string[]));
  };
}

const queryOf = (text: string) => readTextQuery(text, ['en']) as TextQuery;

test('a word has the same ranks by its occurrences as by matches of the index', () => {
  const ranks = ranksAmong(1500);
  for (const text of [
    'prune',
    'pruning',
    'pr',
    'pru',
    'x',
    'many',
    'prune OR x',
    'prune OR x OR many',
    'none',
  ]) {
    const query = queryOf(text);
    const found = ranks(wordRanking(query, 10));
    expect(found, text).toEqual(ranks(textRanking(query)));
    expect(found?.length === 0, text).toBe(text === 'none' || text === 'pr');
  }
});

test('occurrences are not read of phrases, titles and more matches than are ranked', () => {
  const ranks = ranksAmong(2001);
  expect(wordRanking(queryOf('many'), 2001)).toBeUndefined();
  expect(ranks(wordRanking(queryOf('many'), 1))).toEqual([]);
  for (const text of ['"x y"', '5kg', 'x z', 'x -y', 'title:x', 'x OR title:y', 'x OR "y z"'])
    expect(wordRanking(queryOf(text), 1), text).toBeUndefined();
});
