/** Links in a folder of wikitext lead to the document that they mean: by path, by full title, by the name of a file. */
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import type { LinkPlan } from '../source.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { LinkTargets } from './targets.ts';

/** Titles come from the first heading, so most differ from the name of the file. */
const sources: Record<string, string> = {
  'en/Main Page.mediawiki': 'Welcome',
  'en/Manual/Base_settings.mediawiki': 'Paths',
  'en/Manual/Trains.mediawiki': 'Build trains',
  'en/Manual/Trains/Signals.mediawiki': 'How signals work',
  'de/Manual/Trains.mediawiki': 'Züge bauen',
  'en/Help:Contents.mediawiki': 'Contents of the help',
  'en/Unique name.wiki': 'Unique name',
};
const pathOf = (source: string) =>
  `/${source
    .replace(/\.\w+$/, '')
    .replace(/[ _:]/g, '-')
    .toLowerCase()}`;
const targets = new LinkTargets(Object.entries(sources).map(([key, title]) => ({ key, title })));
const titles = new Map(Object.entries(sources).map(([key, title]) => [title, pathOf(key)]));
const plan: LinkPlan = {
  parent: '',
  pageOf: (key) => ({ path: pathOf(key), title: sources[key] ?? '' }),
  pathOfTitle: (title) => titles.get(title),
};
const rewritten = (text: string, key = 'en/Manual/Trains.mediawiki') =>
  rewriteLinks(text, targets.from({ key, plan, dialect: defaultDialect, anchorsOf: () => undefined })).body;

test.each([
  ['a full title', '[[en/Manual/Base settings]]', '[[/en/manual/base-settings|en/Manual/Base settings]]'],
  ['a full title, labelled', '[[en/Main Page|home]]', '[[/en/main-page|home]]'],
  ['a title of another language', '[[de/Manual/Trains|DE]]', '[[/de/manual/trains|DE]]'],
  ['the name of a file beside it', '[[Base settings]]', '[[/en/manual/base-settings|Base settings]]'],
  ['a name in other capitals, with underscores', '[[base_Settings|x]]', '[[/en/manual/base-settings|x]]'],
  ['the name of a file that only one folder has', '[[Main_Page|x]]', '[[/en/main-page|x]]'],
  ['a subpage', '[[/Signals|x]]', '[[/en/manual/trains/signals|x]]'],
  [
    'a page beside the page above',
    '[[../Base settings|x]]',
    '[[/en/manual/base-settings|x]]',
    'en/Manual/Trains/Signals.mediawiki',
  ],
  ['a namespace', '[[Help:Contents|x]]', '[[/en/help-contents|x]]', 'en/Main Page.mediawiki'],
  ['a namespace after a colon', '[[:Help:Contents|x]]', '[[/en/help-contents|x]]', 'en/Main Page.mediawiki'],
  ['a path to a file', '[[../Main Page.mediawiki]]', '[[/en/main-page|Main Page]]'],
  ['a path from the top', '[[/en/Main Page]]', '[[/en/main-page|/en/Main Page]]'],
  ['a heading on it', '[[en/Main Page#Part|x]]', '[[/en/main-page#Part|x]]'],
])('%s resolves to %s', (_name, text, expected, from?: string) => {
  expect(rewritten(text, from)).toBe(expected);
});

test.each([
  ['a title that resolves by itself', '[[Unique name]]', 'de/Manual/Trains.mediawiki'],
  ['a name that several files have', '[[Trains|x]]', 'en/Main Page.mediawiki'],
  ['the end of a path that is not there', '[[fr/Manual/Base settings|x]]'],
  ['a category', '[[Category:Trains]]'],
  ['a web address', '[[https://example.org/Trains]]'],
  ['nothing', '[[Nowhere]] [[en/Nowhere|x]]'],
])('%s stays: %s', (_name, text, from?: string) => {
  expect(rewritten(text, from)).toBe(text);
});
