import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { Handle } from './handle.ts';

test('a statement is compiled once, whatever limit it is given', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('create table pages (id integer primary key) strict; insert into pages values (1), (2), (3)');
  let asked = 0;
  // The authorizer is called for each action of a statement whenever it is compiled.
  db.setAuthorizer(() => {
    asked++;
    return 0;
  });
  const handle = new Handle(db, {});
  const first = (limit: number, offset: number) =>
    handle.rows(CompiledQuery.raw('select id from pages order by id limit ? offset ?', [limit, offset]));
  expect(first(2, 0)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(asked).toBeGreaterThan(0);
  asked = 0;
  expect(first(2, 0)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(first(1, 2)).toEqual([{ id: 3 }]);
  expect(asked).toBe(0);
  handle.close();
});
