/** Edits of HTML that was rendered from a source: rows, cells, items, emphasis, links and pictures change only their own bytes. */
import { describe, expect, it, test } from 'vitest';
import { toWikitext } from '../src/to-wikitext/index.ts';
import { edited, shown } from './html-edit.ts';

const source = `Intro &amp; ''more''  {{Word}} and <!-- c -->text, [[Oak tree|the oak]] and [[elm]]s.{{Nothing}}

{{Box}}
{| class="wikitable"
|+ A  caption
! Name !! Note
|-
|  Oak ||{{Word}} tall<!-- c -->
|- style="color: red"
| Elm || <ref name="heat island">[[Heat]]  source</ref> wide
|-
|Ash
|Fir
|}
* one  {{Word}}
*two &nbsp; items
** inner &amp; more
# first
; term : meaning
: other

[[File:a.png|thumb|alt=A|A  ''caption'' &amp; more]]

Again <ref name="heat island"/> the  end.
`;

describe('an edit changes only its own bytes', () => {
  const row = (first: string) => new RegExp(`<tr[^>]*>\\s*<td[^>]*>${first}[\\s\\S]*?</tr>`);
  test.each<[string, string | RegExp, string, [string | RegExp, string]]>([
    [
      'a row more',
      row('Oak'),
      '$&<tr><td>Yew</td><td>low, thin</td></tr>',
      ['|- style', '|-\n| Yew || low, thin\n|- style'],
    ],
    [
      'a row more at the end',
      row('Ash'),
      '$&<tr><td>Yew</td><td>low</td></tr>',
      ['|Fir\n', '|Fir\n|-\n|Yew\n|low\n'],
    ],
    ['a row less', row('Oak'), '', ['|-\n|  Oak ||{{Word}} tall<!-- c -->\n', '']],
    ['the last row less', row('Ash'), '', ['|-\n|Ash\n|Fir\n', '']],
    ['a cell more in a line', 'Oak</td>', 'Oak</td><td>new</td>', ['|  Oak ||', '|  Oak || new ||']],
    ['a cell more on its own line', /Fir\s*<\/td>/, '$&<td>new</td>', ['|Fir\n', '|Fir\n|new\n']],
    ['a cell less', /<td[^>]*>Oak<\/td>/, '', ['|  Oak ||', '|']],
    ['a last cell less', /<td[^>]*>Fir\s*<\/td>/, '', ['|Fir\n', '']],
    ['a column more', /Note\s*<\/th>/, '$&<th>Age</th>', ['! Name !! Note', '! Name !! Note !! Age']],
    ['a word of a cell', ' tall', ' low', [' tall', ' low']],
    ['bold in a cell', ' wide', ' <b>wide</b>', [' wide', " '''wide'''"]],
    ['a list in a cell', /Fir\s*<\/td>/, '<ul><li>Fir</li></ul></td>', ['|Fir', '|\n* Fir']],
    ['an item more', /<li[^>]*>first<\/li>/, '$&<li>second</li>', ['# first\n', '# first\n# second\n']],
    ['an item more, in its style', /<li[^>]*>one/, '<li>none</li>$&', ['* one', '* none\n* one']],
    [
      'an inner item more',
      /<li[^>]*>inner &amp; more<\/li>/,
      '$&<li>x</li>',
      ['** inner &amp; more\n', '** inner &amp; more\n** x\n'],
    ],
    ['an item less', /<li[^>]*>one[\s\S]*?<\/li>/, '', ['* one  {{Word}}\n', '']],
    ['a definition more', /<dd[^>]*>other<\/dd>/, '$&<dd>third</dd>', [': other\n', ': other\n: third\n']],
    ['bold in an item', 'items', '<b>items</b>', ['items', "'''items'''"]],
    ['bold in a paragraph', 'text,', '<b>text</b>,', ['text,', "'''text''',"]],
    [
      'bold over a link',
      /<a[^>]*>the oak<\/a>/,
      '<b>$&</b>',
      ['[[Oak tree|the oak]]', "'''[[Oak tree|the oak]]'''"],
    ],
    [
      'bold over a call',
      /<i[^>]*>word<\/i> and/,
      '<b>$& now</b>',
      ['{{Word}} and', "'''{{Word}} and now'''"],
    ],
    ['emphasis away', /<i[^>]*>more<\/i>/, 'more', ["''more''", 'more']],
    ['a new link', 'end.', '<a href="/new?title=Ash">end</a>.', ['end.', '[[Ash|end]].']],
    [
      'another target',
      /<a([^>]*)href="[^"]*"([^>]*)>the oak/,
      '<a$1href="/new?title=Ash"$2>the oak',
      ['Oak tree|', 'Ash|'],
    ],
    ['a link less', /<a[^>]*>elms<\/a>/, 'elms', ['[[elm]]s', 'elms']],
    ['a picture less', /<figure[\s\S]*?<\/figure>/, '', [/\n\[\[File.*\n/, '']],
    [
      'bold in the caption of a picture',
      / &amp; more<\/figcaption>/,
      ' &amp; <b>more</b></figcaption>',
      ['&amp; more]]', "&amp; '''more''']]"],
    ],
    ['a heading more', /<p[^>]*>Again/, '<h2>Head</h2>$&', ['Again', '== Head ==\n\nAgain']],
    [
      'a paragraph less',
      /<p[^>]*>Again[\s\S]*?<\/p>/,
      '',
      ['\n\nAgain <ref name="heat island"/> the  end.', ''],
    ],
    ['a paragraph more', /<p[^>]*>Again/, '<p>Before.</p>$&', ['Again', 'Before.\n\nAgain']],
  ])('%s', (_, from, to, [old, now]) => {
    expect(edited(source, from, to)).toBe(source.replace(old, now));
  });

  it('several edits at once change only their own bytes', () => {
    const html = shown(source);
    const changed = html
      .replace(row('Oak'), '$&<tr><td>Yew</td><td>low</td></tr>')
      .replace(/<li[^>]*>first<\/li>/, '$&<li>second</li>')
      .replace('items', '<b>items</b>')
      .replace('end.', 'very end.')
      .replace(/<p[^>]*>Again/, '<p>Before.</p>$&');
    expect(toWikitext(changed, { original: { source, html } })).toBe(
      source
        .replace('|- style', '|-\n| Yew || low\n|- style')
        .replace('# first\n', '# first\n# second\n')
        .replace('items', "'''items'''")
        .replace('end.', 'very end.')
        .replace('Again', 'Before.\n\nAgain'),
    );
  });

  it('the first row has no line of its own, and takes over that of the next one', () => {
    const table = '{|\n| a || b\n|-\n| c || d\n|}';
    expect(edited(table, row('a'), '')).toBe('{|\n| c || d\n|}');
    expect(edited(table, row('a'), '<tr><td>n</td></tr>$&')).toBe('{|\n| n\n|-\n| a || b\n|-\n| c || d\n|}');
  });

  it('text typed in a new cell or item stays text', () => {
    const table = '{|\n| a || b\n|}\n\n* c\n';
    for (const [from, to] of [
      [/b\s*<\/td>/, '$&<td>x || y</td>'],
      [/<li[^>]*>c<\/li>/, '$&<li>* [[d]]</li>'],
    ] as const) {
      const written = edited(table, from, to);
      const looks = (html: string) => html.replace(/ data-source="[^"]*"|\s+/g, '');
      expect(looks(shown(written))).toBe(looks(shown(table).replace(from, to)));
    }
  });

  it.each([
    ['a word of a caption in a gallery', 'one', '<b>one</b>', ["File:no.png|'''one'''"]],
    ['a caption less', /<p data-source[^>]*>one[^<]*<\/p>/, '', ['File:no.png\n', 'File:a.png|three']],
    [
      'a box less',
      /<li class="gallerybox"[^>]*>(?:(?!<li)[\s\S])*three[\s\S]*?<\/li>/,
      '',
      ['File:no.png|one'],
    ],
  ] as const)('%s: the other pictures stay, also those that the wiki does not have', (_, from, to, kept) => {
    const gallery = '<gallery perrow=2>\nFile:no.png|one\nFile:a.png|two\nFile:a.png|three\n</gallery>\n';
    const result = edited(gallery, from, to);
    for (const one of [...kept, 'File:a.png|two']) expect(result).toContain(one);
    expect(result).toMatch(/^<gallery perrow=2>\n/);
  });

  it('a picture more in a gallery is a line more', () => {
    const gallery = '<gallery widths=180>\nFile:a.png|  two\n<!-- c -->\nFile:a.png|three\n</gallery>\n';
    const html = shown(gallery);
    const box =
      /<li class="gallerybox"[^>]*>(?:(?!<li)[\s\S])*two(?:(?!<li)[\s\S])*<\/li>/.exec(html)?.[0] ?? '';
    const changed = html.replace(
      box,
      () => box + box.replace('two', 'new').replace(/ data-source="[^"]*"/g, ''),
    );
    expect(toWikitext(changed, { original: { source: gallery, html } })).toBe(
      gallery.replace('two\n', 'two\nFile:a.png|new\n'),
    );
  });

  it.each([
    [
      'the first of two items that show nothing',
      '* {{Nothing}}\n* {{Nothing|2}}\n* b',
      /<li[^>]*>\s*<\/li>/,
      '',
      '* {{Nothing|2}}\n* b',
    ],
    [
      'a paragraph more before blank lines',
      'a\n\n{{Nothing}}\n\nb',
      /a\s*<\/p>/,
      '$&<p>n</p>',
      'a\n\nn\n\n{{Nothing}}\n\nb',
    ],
    [
      'a paragraph more behind blank lines',
      'a\n\n{{Nothing}}\n\nb',
      /<p[^>]*>b/,
      '<p>n</p>$&',
      'a\n\n{{Nothing}}\n\nn\n\nb',
    ],
    [
      'a paragraph less between calls',
      'a\n\n{{Nothing}}\nb\n\nc',
      /<p[^>]*><br>\s*b\s*<\/p>/,
      '',
      'a\n{{Nothing}}\nc',
    ],
    [
      'a picture less at the start',
      '{{Nothing}}\n[[File:a.png|thumb]]\n\nb',
      /<figure[\s\S]*<\/figure>/,
      '',
      '{{Nothing}}\nb',
    ],
    [
      'a blank line less keeps the call in it',
      '#REDIRECT [[B]]\n\n{{Nothing}}\n\n{{Nothing|2}}',
      /<p[^>]*><br>\s*<\/p>/,
      '',
      '#REDIRECT [[B]]\n{{Nothing}}\n{{Nothing|2}}',
    ],
    ['a paragraph less behind a heading', '== A ==\na\n\nb', /<p[^>]*>a\s*<\/p>/, '', '== A ==\nb'],
    [
      'a paragraph less between headings',
      '== A ==\na\n\n== B ==\n',
      /<p[^>]*>a\s*<\/p>/,
      '',
      '== A ==\n\n== B ==\n',
    ],
    ['a paragraph less with a space at its end', 'a\n\nb \n\nc', /<p[^>]*>b\s*<\/p>/, '', 'a\n\nc'],
    [
      'a picture less in the line of a text',
      '[[File:a.png|thumb]][[File:a.png|thumb|x]]a\nb',
      /<figure[^>]*>(?:(?!<figure)[\s\S])*x<\/figcaption><\/figure>/,
      '',
      '[[File:a.png|thumb]]a\nb',
    ],
    [
      'an item more before calls of several lines',
      '* a\n\n{{Nothing\n| b = {{Word}}\n}}\n',
      /a\s*<\/li>/,
      '$&<li>n</li>',
      '* a\n* n\n\n{{Nothing\n| b = {{Word}}\n}}\n',
    ],
    [
      'a heading more behind a call at the end of a paragraph',
      'a word of:\n{{Nothing}}\n\n== B ==\n',
      /of:\s*<\/p>/,
      '$&<h3>n</h3>',
      'a word of:\n\n=== n ===\n{{Nothing}}\n\n== B ==\n',
    ],
    [
      'a heading more in a box, with text behind it',
      'a\n\n<blockquote>b</blockquote> c',
      /<\/blockquote>/,
      '<h3>n</h3></blockquote>',
      'a\n\n<blockquote>\nb\n\n=== n ===\n</blockquote>\nc',
    ],
    [
      'a meaning less behind its term',
      '; T : d\n; U: e\n: f\n',
      /<dd[^>]*>d\s*<\/dd>/,
      '',
      '; T\n; U: e\n: f\n',
    ],
    ['a term less before its meaning', '*; T : d\n*; U: e\n', /<dt[^>]*> T <\/dt>/, '', '*: d\n*; U: e\n'],
    [
      'a term less with its meaning',
      '; T : d\n; U: e\n',
      /<dt[^>]*> T <\/dt>\s*<dd[^>]*>d\s*<\/dd>/,
      '',
      '; U: e\n',
    ],
    [
      'an item more in a list of tags',
      '<ol start=10>\n<li>a\n<li>b\n</ol>\n',
      /<li[^>]*>a\s*<\/li>/,
      '$&<li><b>n</b></li>',
      "<ol start=10>\n<li>a\n<li>'''n'''</li>\n<li>b\n</ol>\n",
    ],
    [
      'an item less in a list of tags',
      '<ul><li>a</li><li>b</li></ul>',
      /<li[^>]*>a<\/li>/,
      '',
      '<ul><li>b</li></ul>',
    ],
    [
      'a list in an item of tags',
      '<ul>\n<li>a</li>\n<li id=x>b</li>\n</ul>',
      'a</li>',
      'a<ul><li>n</li></ul></li>',
      '<ul>\n<li>a\n* n\n</li>\n<li id=x>b</li>\n</ul>',
    ],
  ])('%s', (_, text, from, to, result) => {
    expect(edited(text, from, to)).toBe(result);
  });

  it('text after a list stays when the renderer adds notes or blank lines behind it', () => {
    const end = '\n\n{{Nothing}}\n\n[[Category:A]]';
    for (const before of ['a', 'a <ref group="nb">note</ref>']) {
      const list = `${before}\n\n*[[b]]\n*c${end}`;
      expect(edited(list, /<li[^>]*>c/, '<li>new</li>$&')).toBe(list.replace('*c', '*new\n*c'));
    }
  });

  it('a redirect stays one while something is written below it, and goes with its link', () => {
    const redirect = '#REDIRECT [[Oak]]';
    expect(edited(redirect, '</p>', '</p><p>New</p>')).toBe(`${redirect}\nNew`);
    expect(edited(redirect, '</p>', '</p><h2>New</h2>')).toBe(`${redirect}\n== New ==`);
    expect(edited(redirect, /<a.*<\/a>/s, '')).toBe('');
    expect(toWikitext('<p class="redirect"><a href="/oak">Oak</a></p><p>New</p>')).toMatch(
      /^#REDIRECT \[\[.*\]\]\nNew$/,
    );
  });

  it('a note keeps its text when its first reference is removed', () => {
    const noted = 'a <ref name="n">note</ref> b\n\nc<ref name="n" /> d';
    expect(edited(noted, /<sup[\s\S]*?<\/sup>/, '')).toBe('a b\n\nc<ref name="n">note</ref> d');
  });
});
