/** The invalidation table covers every column, and treats unknown ones as invalidating everything. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childrenOf, factsOf } from '#cache/dependency.ts';
import { dependenciesOf, invalidation } from './invalidation.ts';
import { type Tables, tables } from './tables.ts';

const page = { title_key: 'oak', path: '/oak', path_key: '/oak', type: null, lat: null, ancestors: [] };

test('every table, and every column where columns differ, has a rule', () => {
  for (const [table, { columns }] of Object.entries(tables)) {
    const rules = invalidation[table as keyof Tables];
    expect(rules, table).toBeDefined();
    if (typeof rules === 'object')
      expect(Object.keys(rules).sort(), table).toEqual(Object.keys(columns).sort());
  }
});

test('an unknown column or table invalidates everything', () => {
  expect(dependenciesOf('pages', ['colour'] as never, [])).toBe('all');
  expect(dependenciesOf('paints' as never, 'all', [] as never)).toBe('all');
});

test('each written column adds its own dependencies', () => {
  const written = [{ id: 7, versions: [page], shownBy: [] }];
  expect(dependenciesOf('pages', ['history_bytes'], written)).toEqual([]);
  expect(dependenciesOf('pages', ['description'], written)).toEqual([7, factsOf(7)]);
  expect(dependenciesOf('pages', ['description', 'title'], written)).toContain(childrenOf(null));
  expect(dependenciesOf('members', ['name'], [])).toBe('all');
});

/** These run only while a backup is restored or a database is migrated, when nothing is cached. */
const restoring = ['members/skeletons.ts', 'pages/file-keys.ts'];

test('files that write rows with dependencies name them', () => {
  const told = /\binvalidate\(|\bchange\(session/;
  const writing =
    /insertInto\('(\w+)'|updateTable\('(\w+)'|deleteFrom\('(\w+)'|`\s*(?:insert into|update|delete from) (\w+)\b/g;
  const silent = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!migrations|sqlite|postgres).*(?<!\.test)\.ts$/.test(name))
    .flatMap((name) => {
      const source = readFileSync(join(import.meta.dirname, name), 'utf8');
      const tables = [...source.matchAll(writing)].map((found) => found.slice(1).find(Boolean) ?? '');
      const shown = tables.filter(
        (table) => (invalidation[table as keyof Tables] ?? 'nothing') !== 'nothing',
      );
      return shown.length > 0 && !restoring.includes(name) && !told.test(source) ? [`${name}: ${shown}`] : [];
    });
  expect(silent).toEqual([]);
});
