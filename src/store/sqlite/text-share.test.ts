/** Ranks of pages by their own texts. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
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
