import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { show } from './world.ts';

const folder = new URL('../../../src/web/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const names = new Set(
  sources.flatMap((text) => [
    ...Array.from(text.matchAll(/(?<![\w-])data-([a-z][a-z-]*[a-z])/g), ([, name = '']) => name),
    ...Array.from(text.matchAll(/dataset\.(\w+)/g), ([, name = '']) => dashed(name)),
  ]),
);

it('no page writes a data attribute that scripts of the wiki read, except those made for sorting', () => {
  expect(names.size).toBeGreaterThan(20);
  const written = [...names].map((name) => `data-${name}="x"`).join(' ');
  const { html } = show(`<div ${written}>a</div>`);
  expect(html.match(/data-[\w-]+/g)?.sort()).toEqual(['data-sort-type', 'data-sort-value']);
});
