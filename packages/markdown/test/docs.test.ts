/** Every example of the handbook renders as documented. */
import { readFileSync } from 'node:fs';
import { expandAll } from '@coppice/wikitext';
import { rulesOf } from '@coppice/wikitext/dialect';
import { localNames, tags } from '@coppice/wikitext/locales';
import { expect, test } from 'vitest';
import { readExamples } from '../../wikitext/test/examples.ts';
import { callsIn } from '../src/index.ts';
import { htmlOf } from './html.ts';

const handbook = readFileSync(new URL('../../../docs/markdown.md', import.meta.url), 'utf8');
const examples = readExamples(handbook, 'markdown');

test('the handbook has an example for nearly every construct', () => {
  expect(examples.length).toBeGreaterThan(13);
});

const context = {
  page: { title: 'Oak', path: '/trees/oak' },
  templates: new Map([
    ['Mill', '<markdown>The *mill* stands at the river.</markdown>'],
    ['Mill#The wheel', '<markdown>## The wheel\n\nIt turns.</markdown>'],
    ['Mill#^turn', '<markdown>It turns.</markdown>'],
  ]),
  exists: new Map(),
  listings: new Map(),
  now: 0,
};

// Hashtags are enabled for all examples, to show that they break none.
const rules = rulesOf({ language: 'en', interwiki: {}, names: localNames('en'), tags, hashtags: true });

test.each(examples)('$title', ({ source, html }) => {
  const { texts } = expandAll(callsIn(source), context);
  expect(htmlOf(source, { calls: texts, rules }).trim()).toBe(html);
});
