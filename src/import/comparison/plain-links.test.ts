/** Links that a comparison follows in wikitext and in the syntax of DokuWiki, and code that it counts. */
import { expect, test } from 'vitest';
import { shownInDokuWiki } from './dokuwiki-source.ts';
import { plainLinks } from './plain-links.ts';

test.each<['wikitext' | 'dokuwiki', string, string[]]>([
  ['wikitext', 'A [[Elm]], [[Oak |the oak]] and [[ Fir#Bark|x]].', ['Elm', 'Oak', 'Fir#Bark']],
  ['wikitext', '{{Box|[[Elm]]|{{In|[[Fir]]}}}} [[Oak]] {{{1|[[Yew]]}}}', ['Oak']],
  ['wikitext', '[[File:A.png|20px|see [[Elm]]]] [[Oak]]', ['File:A.png', 'Oak']],
  ['wikitext', '<!-- [[Elm]] --><nowiki>[[Fir]]</nowiki><includeonly>[[Yew]]</includeonly>[[Oak]]', ['Oak']],
  ['wikitext', '[[Elm broken\n\n[[Oak]]', ['Oak']],
  ['wikitext', '#REDIRECT [[Elm]]', []],
  ['dokuwiki', '[[trees:oak|the oak]] <code>[[elm]]</code> %%[[fir]]%%', ['trees:oak']],
])('plain links of %s %j', (language, text, links) => {
  const source = language === 'wikitext' ? { language, text } : { language, text, title: 'T' };
  expect(plainLinks(source).map(({ href }) => href)).toEqual(links);
});

test('the words of a link are its label with what follows it, or its target', () => {
  const text = "[[Elm]]s [[Oak|the ''oak'']]s [[Fir|]] [[a%20b#C|x]]y [[Yew|[[File:a.png]]]]";
  const words = plainLinks({ language: 'wikitext', text }).map(({ text, href }) => [href, text]);
  expect(words).toEqual([
    ['Elm', 'Elms'],
    ['Oak', "the ''oak''s"],
    ['Fir', ''],
    ['a b#C', 'xy'],
    ['Yew', ''],
  ]);
  expect(plainLinks({ language: 'dokuwiki', text: '[[a:b]] [[c|d]]', title: 'T' })).toEqual([
    { href: 'a:b', text: '' },
    { href: 'c', text: 'd' },
  ]);
});

test('blocks of code of a DokuWiki are counted, code within a line is not', () => {
  const text = 'a <code>x</code>\n<code php>\ny\n</code>\n<file>\nz\n</file>\n';
  expect(shownInDokuWiki(text, 'T').parts['blocks of code']).toBe(2);
});
