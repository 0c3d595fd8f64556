/** GitHub's additions to CommonMark: tables, task lists, strikethrough, bare addresses. */
import { expect, test } from 'vitest';
import { htmlOf, normalised } from './html.ts';

const cases: [markdown: string, html: string][] = [
  [
    '| foo | bar |\n| --- | --- |\n| baz | bim |',
    '<table><tr><th>foo</th><th>bar</th></tr><tr><td>baz</td><td>bim</td></tr></table>',
  ],
  [
    '| abc | defghi |\n:-: | -----------:\nbar | baz',
    '<table><tr><th style="text-align:center">abc</th><th style="text-align:right">defghi</th></tr><tr><td style="text-align:center">bar</td><td style="text-align:right">baz</td></tr></table>',
  ],
  [
    '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
    '<table><tr><th>f|oo</th></tr><tr><td>b <code>|</code> az</td></tr><tr><td>b <strong>|</strong> im</td></tr></table>',
  ],
  [
    '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
    '<table><tr><th>abc</th><th>def</th></tr><tr><td>bar</td><td>baz</td></tr></table><blockquote><p>bar</p></blockquote>',
  ],
  [
    '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar',
    '<table><tr><th>abc</th><th>def</th></tr><tr><td>bar</td><td>baz</td></tr><tr><td>bar</td><td></td></tr></table><p>bar</p>',
  ],
  ['| abc | def |\n| --- |\n| bar |', '<p>| abc | def |\n| --- |\n| bar |</p>'],
  [
    '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
    '<table><tr><th>abc</th><th>def</th></tr><tr><td>bar</td><td></td></tr><tr><td>bar</td><td>baz</td></tr></table>',
  ],
  ['| abc | def |\n| --- | --- |', '<table><tr><th>abc</th><th>def</th></tr></table>'],
  [
    '- [ ] foo\n- [x] bar',
    '<ul><li><input type="checkbox" disabled> foo</li><li><input type="checkbox" disabled checked> bar</li></ul>',
  ],
  [
    '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim',
    '<ul><li><input type="checkbox" disabled checked> foo<ul><li><input type="checkbox" disabled> bar</li><li><input type="checkbox" disabled checked> baz</li></ul></li><li><input type="checkbox" disabled> bim</li></ul>',
  ],
  ['~~Hi~~ Hello, ~there~ world!', '<p><del>Hi</del> Hello, <del>there</del> world!</p>'],
  ['This ~~has a\n\nnew paragraph~~.', '<p>This ~~has a</p><p>new paragraph~~.</p>'],
  ['This will ~~~not~~~ strike.', '<p>This will ~~~not~~~ strike.</p>'],
  ['www.commonmark.org', '<p><a href="http://www.commonmark.org">www.commonmark.org</a></p>'],
  [
    'Visit www.commonmark.org/help for more information.',
    '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more information.</p>',
  ],
  [
    'Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.',
    '<p>Visit <a href="http://www.commonmark.org">www.commonmark.org</a>.</p><p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>',
  ],
  [
    'www.google.com/search?q=Markup+(business)\n\nwww.google.com/search?q=Markup+(business)))\n\n(www.google.com/search?q=Markup+(business))\n\n(www.google.com/search?q=Markup+(business)',
    '<p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p><p><a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>))</p><p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p><p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a></p>',
  ],
  [
    'www.google.com/search?q=(business))+ok',
    '<p><a href="http://www.google.com/search?q=(business))+ok">www.google.com/search?q=(business))+ok</a></p>',
  ],
  [
    'www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;',
    '<p><a href="http://www.google.com/search?q=commonmark&amp;hl=en">www.google.com/search?q=commonmark&amp;hl=en</a></p><p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
  ],
  [
    'www.commonmark.org/he<lp',
    '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>',
  ],
  [
    'http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))',
    '<p><a href="http://commonmark.org">http://commonmark.org</a></p><p>(Visit <a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>',
  ],
  ['foo@bar.baz', '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>'],
  [
    "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
    '<p>hello@mail+xyz.example isn\'t valid, but <a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>',
  ],
  [
    'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
    '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p><p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p><p>a.b-c_d@a.b-</p><p>a.b-c_d@a.b_</p>',
  ],
  [
    'https://example.org/_a_b_c_ x',
    '<p><a href="https://example.org/_a_b_c">https://example.org/_a_b_c</a>_ x</p>',
  ],
];

const withoutClasses = (html: string) =>
  normalised(html.replace(/ class="external text"| rel="nofollow noopener"/g, ''));

test.each(cases)('%j', (markdown, html) => {
  expect(withoutClasses(htmlOf(markdown))).toBe(normalised(html));
});
