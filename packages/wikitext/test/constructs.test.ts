/** The names of functions beside `constructs.ts`'s table, held against the functions themselves. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { functions } from '../src/constructs.ts';

it('every function is named where the language is listed', () => {
  const source = readFileSync(new URL('../src/constructs.ts', import.meta.url), 'utf8');
  const [, table = ''] = /const functions: Functions = \{(.*?)\n\}/s.exec(source) ?? [];
  const listed = [...table.matchAll(/\/\/(.*)/g)].flatMap(([, names = '']) => names.trim().split(/\s+/));
  expect(listed.sort()).toEqual(Object.keys(functions).sort());
});
