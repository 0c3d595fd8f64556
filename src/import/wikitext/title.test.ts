/** Sources of page titles. */
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import { sectionsOf } from '#core/content/page-sections.ts';
import { nameOf, titleIn, titleOf } from './title.ts';

const preamble =
  '<pre>\n  BIP: 341\n  Title: Taproot: SegWit version 1\n  Status: Deployed\n</pre>\n\n==Design==\n';

test.each([
  [
    'a preamble names the document, after the file name',
    preamble,
    ['Design'],
    'bip-0341 – Taproot: SegWit version 1',
  ],
  [
    'a preamble that says the file name is enough',
    preamble.replace('Taproot', 'BIP-0341'),
    [],
    'BIP-0341: SegWit version 1',
  ],
  ['else the first heading does', '== Oak ==\n== Elm ==', ['Oak', 'Elm'], 'Oak'],
  ['unless every document has it', '== Abstract ==\n== Elm ==', ['Abstract', 'Elm'], 'bip-0341'],
  ['else the file name does', 'No heading', [], 'bip-0341'],
  ['a preamble is only one at the start', `Text\n${preamble}`, ['Design'], 'Design'],
  ['a preamble without an end is none', '<pre>\nTitle: X\n', [], 'bip-0341'],
])('%s', (_claim, text, headings, expected) => {
  const headingsOf = () => headings.map((title) => ({ title }));
  expect(titleOf(titleIn(text, headingsOf), 'bip-0341')).toBe(expected);
});

test.each([
  ['a heading in a comment', '<!--\n== Elm ==\n-->\n== Oak ==\n'],
  ['a heading in what is not markup', '<nowiki>\n== Elm ==\n</nowiki>\n== Oak ==\n'],
  ['a line that is no heading', '= Elm\n\n== Oak ==\n'],
])('%s is not the first', (_claim, text) => {
  expect(
    titleIn(text, (body) => sectionsOf({ body, format: 'wikitext', path: '/' }, defaultDialect)).heading,
  ).toBe('Oak');
});

test('titles are cut to the longest permitted length, and lose control characters', () => {
  expect([...titleOf({ heading: '𝒳'.repeat(300) }, 'x')]).toHaveLength(255);
  expect(titleOf({ heading: ' a \u0007\n b ' }, 'x')).toBe('a b');
});

test('underscores of file names are spaces', () => {
  expect(nameOf('Getting_started')).toBe('Getting started');
  expect(nameOf('_')).toBe('_');
});
