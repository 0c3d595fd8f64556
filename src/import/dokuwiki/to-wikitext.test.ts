import { expect, test } from 'vitest';
import { resolveId } from './ids.ts';
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
  'names of files stand above their code': [
    '<code java [n="1"] A b.java>\nx\n</code>\n  * <file - a.txt>\ny\n</file>',
    "'''A b.java''' <syntaxhighlight lang=\"java\">\nx\n</syntaxhighlight>\n* '''a.txt''' <pre>\ny\n</pre>",
  ],
  'what plugins draw is code': [
    '<ditaa>\n+--+\n</ditaa>\n\na <latex>x^2</latex>',
    '<syntaxhighlight lang="ditaa">\n+--+\n</syntaxhighlight>\n\na\n<math>x^2</math>',
  ],
  'a link without words shows the name of its page': [
    '[[..start]] [[.:a_b]]',
    '[[/..start|start]] [[/.:a_b|a_b]]',
  ],
  'a picture keeps its size and side': ['{{:a.png?100&right|A}}', '[[File:a.png|100px|right|A]]'],
  'spaces for the side win': ['{{ :a.png?100&right|A}}', '[[File:a.png|100px|right|A]]'],
  'a percent sign in a link': ['[[b|100%% of %% it]]', '[[/b|100 of  it]]'],
  'signs are those that are shown there': [
    'a -> b -- c --- d... x=>y <-> e---- %%--%% https://a.b/--c',
    'a → b – c — d… x⇒y ↔ e---- <nowiki>--</nowiki> https://a.b/--c',
  ],
  'text as it stands in a heading': ['===== The %%**%% =====', '== The ** =='],
  'indented text keeps percent signs': ['x\n\n  a %%b%%', 'x\n\n<pre>\na %%b%%\n</pre>'],
  'quotes keep their lines and depth': [
    '> a\n> b\n>> c\n> d',
    '<blockquote>\na<br>\nb\n<blockquote>\nc\n</blockquote>\nd\n</blockquote>',
  ],
  'boxes of Wrap hold blocks, and spans text': [
    '<WRAP center round important 60%>\n  * a\n\n**b** <wrap hi>c</wrap>\n</WRAP>\n<WRAP half column>\nx\n</WRAP><WRAP clear/>',
    "<div class=\"callout callout-important\">\n* a\n\n'''b''' <mark>c</mark>\n</div>\n<div>\nx\n</div>",
  ],
  'folded text has its title': [
    '++++ A [title] |\n  * a\n++++\n\nx ++more|**y**++ z',
    "<details>\n<summary>A [title]</summary>\n* a\n\n</details>\n\nx <details><summary>more</summary>'''y'''</details> z",
  ],
  'notes, hidden text, tasks and colours': [
    '<note warning>Stop</note>\n<hidden Click>\nx\n</hidden>\n  * <todo #ada>a</todo>\n  * <todo>b</todo> <color red>c</color> <fs large>d</fs>',
    '<div class="callout callout-warning">\nStop\n</div>\n<details>\n<summary>Click</summary>\nx\n</details>\n* ☑ a\n* ☐ b <span style="color:red">c</span> <span>d</span>',
  ],
  'tags that are not paired, and those in code, are text': [
    '<WRAP box>\na\n\n%%<wrap>x</wrap>%% </note>\n\n  <note>y</note>',
    '<nowiki>&lt;WRAP box&gt;</nowiki>\na\n\n<nowiki>&lt;wrap&gt;x&lt;/wrap&gt;</nowiki> <nowiki>&lt;/note&gt;</nowiki>\n\n<pre>\n&lt;note&gt;y&lt;/note&gt;\n</pre>',
  ],
  'content from elsewhere is a link': [
    '{{page>a#b&noheader}} {{indexmenu>:c#1|x}} {{youtube>Ab-1?medium}} {{rss>https://example.org/f 5}} {{chart>x}}',
    '[[/a#b|a]] [[/:c:|c]] https://www.youtube.com/watch?v=Ab-1 [https://example.org/f https://example.org/f] <nowiki>{{chart&gt;x}}</nowiki>',
  ],
  'a program that is not closed is text': ['<code>x', '<nowiki>&lt;code&gt;</nowiki>x'],
};

test.each(Object.entries(cases))('%s', (_, [dokuwiki, wikitext]) => {
  expect(converted(dokuwiki)).toBe(wikitext);
});

test('an ID of many dots and a line end is resolved at once', () => {
  expect(resolveId('a:b:c', '..:..:d')).toBe('a:d');
  expect(resolveId('a:b', `${'..:'.repeat(1000)}d\ne`)).toBe('d_e');
});
