import { expect, test } from 'vitest';
import { toWikitext } from './to-wikitext.ts';

const targets = {
  page: (written: string) => `/${written}`,
  file: (written: string) => written.replace(/^:/, ''),
};
const converted = (text: string) => toWikitext(text, 'Title', { ...targets, approximated: [] }).trimEnd();

const cases: Record<string, [dokuwiki: string, wikitext: string]> = {
  'text between percent signs wins over a program that begins in it': [
    '%%<code>%% and %%</code>%%',
    '<nowiki>&lt;code&gt;</nowiki> and <nowiki>&lt;/code&gt;</nowiki>',
  ],
  'text that is taken as it stands wins over a program': [
    '<nowiki><code>x</nowiki> **a** </code>',
    "<nowiki>&lt;code&gt;x</nowiki> '''a''' <nowiki>&lt;/code&gt;</nowiki>",
  ],
  'a program wins over percent signs in it': ['<code>a %% b</code> %%', '<pre>\na %% b\n</pre>\n%%'],
  'a program within a paragraph stands between its halves': [
    'one <code>x</code> two',
    'one\n<pre>\nx\n</pre>\ntwo',
  ],
  'a program of several lines stays in its item': [
    '  * one <code php>\nlet a;\n\nlet b;\n</code>\n  * two',
    '* one <syntaxhighlight lang="php">\nlet a;\n\nlet b;\n</syntaxhighlight>\n* two',
  ],
  'a program stays in its cell, with its bars': [
    '^ a ^ b ^\n| <code>x|y\nz</code> | c |',
    '{| class="wikitable"\n|-\n! a\n! b\n|-\n| <pre>\nx|y\nz\n</pre>\n| c\n|}',
  ],
  'a bar in monospaced text does not end the cell': [
    "| ''x|y'' | **a|b** | %%c|d%% |",
    "{| class=\"wikitable\"\n|-\n| <code>x&#124;y</code>\n| '''a&#124;b'''\n| <nowiki>c|d</nowiki>\n|}",
  ],
  'a picture keeps its size and side': ['{{:a.png?100&right|A}}', '[[File:a.png|100px|right|A]]'],
  'spaces for the side win': ['{{ :a.png?100&right|A}}', '[[File:a.png|100px|right|A]]'],
  'a percent sign in a link': ['[[b|100%% of %% it]]', '[[/b|100 of  it]]'],
  'text as it stands in a heading': ['===== The %%**%% =====', '== The ** =='],
  'indented text keeps percent signs': ['x\n\n  a %%b%%', 'x\n\n<pre>\na %%b%%\n</pre>'],
  'a program that is not closed is text': ['<code>x', '<nowiki>&lt;code&gt;</nowiki>x'],
};

test.each(Object.entries(cases))('%s', (_, [dokuwiki, wikitext]) => {
  expect(converted(dokuwiki)).toBe(wikitext);
});
