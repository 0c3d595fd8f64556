import { rulesOf } from '@coppice/wikitext/dialect';
import { expect, test } from 'vitest';
import { defaultDialect } from '#core/content/dialect.ts';
import { adaptPage } from './adapt.ts';
import { localWords } from './local-words.ts';
import { WikiTitles } from './titles.ts';

const site = {
  ...{ version: '', name: '', base: '', generator: '', language: 'de' },
  namespaces: new Map([
    [6, 'Datei'],
    [14, 'Kategorie'],
  ]),
};
const titles = new WikiTitles(site);
const adapted = (text: string, language = 'de') =>
  adaptPage({ title: { ns: 0, name: 'Eiche' }, model: 'wikitext' }, text, {
    titles,
    plan: { parent: '', pageOf: () => undefined, pathOfTitle: () => undefined },
    rules: rulesOf(defaultDialect),
    words: localWords({ ...site, language }, defaultDialect),
    fragments: { get: () => undefined },
    isOwn: false,
    pathOfFile: (name) => (name === 'A.png' ? '/file/a/A.png' : undefined),
  });

test.each([
  ['[[Datei:A.png|mini|hochkant=2|Eine [[Eiche]]]]', '[[File:/file/a/A.png|thumb|upright=2|Eine [[Eiche]]]]'],
  ['[[Bild:B.png|links|verweis=Elm]]', '[[File:B.png|left|link=Elm]]'],
  ['[[File:B.png|mini|thumb]]', '[[File:B.png|thumb|thumb]]'],
  ['{{SEITENNAME}} {{#wenn: x | y}}', '{{PAGENAME}} {{#if: x | y}}'],
  ['__KEIN_INHALTSVERZEICHNIS__ __TOC__ __init__', '__NOTOC__ __TOC__ __init__'],
  ['<nowiki>[[Datei:A.png|mini]] {{SEITENNAME}}</nowiki>', undefined],
  [
    '<imagemap>\nDatei:A.png|300px|mini\n# x\nrect 0 0 9 9 [[Elm|Die Elm]]\npoly 1 2 3 4 [https://e.org b]\ndefault [[Wald]]\ndesc none\n</imagemap>',
    '[[File:/file/a/A.png|300px|thumb|link=Wald]]\n\n[[Elm|Die Elm]] · [https://e.org b]',
  ],
])('%s becomes %s', (text, expected) => {
  expect(adapted(text).body).toBe(expected ?? text);
});

test('words of a language are kept in a wiki of that language, or if the source is in another', () => {
  for (const language of ['', 'en', 'xx'])
    expect(adapted('{{SEITENNAME}}', language).body).toBe('{{SEITENNAME}}');
});
