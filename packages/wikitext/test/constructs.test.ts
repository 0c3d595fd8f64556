/** Function names in the comments of `constructs.ts`'s table match the functions. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { functions } from '../src/constructs.ts';

it('every function is listed in the documentation of the language', () => {
  const source = readFileSync(new URL('../src/constructs.ts', import.meta.url), 'utf8');
  const [, table = ''] = /const functions: Functions = \{(.*?)\n\}/s.exec(source) ?? [];
  const listed = [...table.matchAll(/\/\/(.*)/g)].flatMap(([, names = '']) => names.trim().split(/\s+/));
  expect(listed.sort()).toEqual(Object.keys(functions).sort());
});
