/** Every example of the handbook is what it says it becomes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExamples } from '../../wikitext/test/examples.ts';
import { htmlOf } from './html.ts';

const handbook = readFileSync(new URL('../../../docs/markdown.md', import.meta.url), 'utf8');
const examples = readExamples(handbook, 'markdown');

test('the handbook has an example for nearly every construct', () => {
  expect(examples.length).toBeGreaterThan(13);
});

test.each(examples)('$title', ({ source, html }) => {
  expect(htmlOf(source).trim()).toBe(html);
});
