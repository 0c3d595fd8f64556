import { parseMarkdown } from '@coppice/markdown';
import { withFormulas } from '@coppice/markdown/from-html';
import { parse, plainText } from '@coppice/wikitext';
import fc from 'fast-check';
import type { ElementContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { describe, expect, test } from 'vitest';
import { tidied } from './tidy.ts';
import { toMarkdown } from './to-markdown.ts';
import { toWikitext } from './to-wikitext.ts';

const options = {
  origin: 'https://wiki.example',
  fileName: (url: string) => /^https:\/\/wiki\.example\/files\/1-ab-(.+)$/.exec(url)?.[1],
};
const treeOf = (html: string) => tidied(fromHtml(html, { fragment: true }), options);
function converted(html: string): { wikitext: string; markdown: string } {
  const [one, other] = [treeOf(html), treeOf(html)];
  if (!one || !other) throw new Error('There is nothing in it but words.');
  return { wikitext: toWikitext(one), markdown: toMarkdown(other) };
}

test('a web page keeps its headings, lists, links and emphasis', () => {
  const html = `<meta charset="utf-8"><h1 style="color: red">Oak</h1><div><p>An <b>old</b>&nbsp;<i>tree</i>, <a href="https://example.org/a b">described</a>
   in <a href="https://wiki.example/trees/oak#Old%20age">another page</a>.</p><script>alert(1)</script>
   <ul><li>one<ul><li>inside</li></ul></li><li><p>two</p></li></ul><ol><li>first</li></ol><hr></div><h2>More</h2>tail`;
  const { wikitext, markdown } = converted(html);
  expect(wikitext).toBe(`== Oak ==

An '''old''' ''tree'', [https://example.org/a%20b described] in [[/trees/oak#Old age|another page]].

* one
** inside
* two

# first

----

=== More ===

tail`);
  expect(markdown).toBe(`## Oak

An **old** *tree*, [described](<https://example.org/a b>) in [another page](/trees/oak#Old%20age).

- one
  - inside
- two

1. first

---

### More

tail`);
});

test('Word’s lists become lists, and hidden text is removed', () => {
  const item = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body><!--StartFragment-->
<p class=MsoTitle>Report<o:p></o:p></p><p class=MsoNormal><b>Bold</b> and <span style='font-style:italic'>slanted</span>.<o:p></o:p></p>
${item(1, '·', 'one')}${item(2, 'o', 'inside')}${item(1, '·', 'two')}
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
${item(1, '1.', 'first')}${item(1, '2.', 'second')}<p style="mso-hide:all">secret</p><!--EndFragment--></body></html>`;
  expect(converted(html).wikitext).toBe(`== Report ==

'''Bold''' and ''slanted''.

* one
** inside
* two

# first
# second`);
  expect(converted(html).markdown).toBe(`## Report

**Bold** and *slanted*.

- one
  - inside
- two

1. first
2. second`);
});

test('Google Docs keeps bold text and nested lists', () => {
  const html = `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">plain </span><span style="font-weight:700">bold</span><span style="vertical-align:super">2</span></p><ul><li><p>one</p></li><ul><li><p>inside</p></li></ul><li><p>two</p></li></ul></b><br class="Apple-interchange-newline">`;
  expect(converted(html).wikitext).toBe("plain '''bold'''<sup>2</sup>\n\n* one\n** inside\n* two");
  expect(converted(html).markdown).toBe('plain **bold**<sup>2</sup>\n\n- one\n  - inside\n- two');
});

test('cells of a spreadsheet become a table, and a single cell becomes its text', () => {
  const html = `<style>td {mso-number-format:General}</style><table border=0 cellpadding=0><col width=64><tbody><tr height=20><td>Name</td><td>m</td></tr><tr><td>Oak | ash</td><td align=right>-20</td></tr><tr><td colspan=2>all</td></tr></tbody></table>`;
  expect(converted(html).wikitext).toBe(`{| class="wikitable"
| Name || m
|-
| Oak <nowiki>|</nowiki> ash || -20
|-
| colspan="2" | all
|}`);
  expect(converted(html).markdown).toMatch(/^\| Name +\| m +\|\n\| -+ \| -+ \|\n\| Oak \\\| ash \| -20 \|\n/);
  expect(treeOf('<table><tr><td>20</td></tr></table>')).toBeUndefined();
});

test('a table keeps its caption, its header cells and the content of its cells', () => {
  const html =
    '<table><caption>Trees</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><th>c</th><td><ul><li>d</li><li>e</li></ul></td></tr></tbody></table>';
  expect(converted(html).wikitext).toBe(`{| class="wikitable"
|+ Trees
! a !! b
|-
! c
|
* d
* e
|}`);
});

test('lists, paragraphs, line breaks and programs in cells keep the table and separate the words', () => {
  const html =
    '<table><tr><td>a</td><td>b</td></tr><tr><td><ul><li>one</li><li>two</li></ul></td><td><p>x</p><p>y</p></td></tr><tr><td>p<br>q</td><td><pre>let a;\nlet b;</pre></td></tr></table>';
  expect(converted(html).markdown).toBe(
    '| a | b |\n| - | - |\n| • one<br>• two | x<br>y |\n| p<br>q | `let a;`<br>`let b;` |',
  );
});

test('formulas become formulas in both languages', () => {
  const math =
    '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math></span><span class="katex-html">E=mc2</span></span> holds.</p>';
  const tree = () => {
    const root = fromHtml(math, { fragment: true });
    withFormulas(root, () => undefined);
    return tidied(root, options);
  };
  const [one, other] = [tree(), tree()];
  if (!one || !other) throw new Error('The formula is lost.');
  expect(toMarkdown(other)).toBe('So $E = mc^2$ holds.');
  expect(toWikitext(one)).toBe('So <math>E = mc^2</math> holds.');
});

test('a link around a picture and words is kept for both', () => {
  const picture = '<img src="https://wiki.example/files/1-ab-oak.jpg" alt="An oak">';
  expect(converted(`<p><a href="https://example.org/a|b">${picture} the <b>oak</b></a></p>`)).toEqual({
    wikitext:
      "[[File:oak.jpg|link=https://example.org/a%7Cb|alt=An oak]] [https://example.org/a%7Cb the '''oak''']",
    markdown: '[![An oak](oak.jpg)](https://example.org/a|b) [the **oak**](https://example.org/a|b)',
  });
  const other = '<p><a href="https://example.org/"><img src="https://example.net/ash.png" alt="Ash"></a></p>';
  expect(converted(other)).toEqual({
    wikitext: '[https://example.org/ Ash]',
    markdown: '[Ash](https://example.org/)',
  });
  expect(converted(`<p><a href="/oak">${picture}</a></p>`).wikitext).toBe(
    '[[File:oak.jpg|link=/oak|alt=An oak]]',
  );
});

test('emphasis leaves the spaces at its ends outside, and stops at blocks', () => {
  const html = '<div><b>bold </b>text<i> x</i>y <b><p>one</p><p>two</p></b></div>';
  expect(converted(html)).toEqual({
    wikitext: "'''bold''' text ''x''y\n\none\n\ntwo",
    markdown: '**bold** text *x*y\n\none\n\ntwo',
  });
});

test('an item is one line: inner lists follow its text, and tables follow the list', () => {
  const html =
    '<ol><li><h3>a</h3><ul><li>b<table><tr><td>1</td><td>2</td></tr></table></li></ul>c</li><li><p>d</p><p>e</p></li></ol>';
  expect(converted(html).wikitext).toBe(`# a<br />c
#* b
# d<br />e

{| class="wikitable"
| 1 || 2
|}`);
});

test('an address in text stays one, and a link to a part of this site that is not a page becomes its words', () => {
  const html =
    '<p><b>see</b> https://example.org/a_b, <a href="https://wiki.example/search?text=x">search</a> or <a href="/files/1">1</a></p>';
  expect(converted(html).wikitext).toBe("'''see''' https://example.org/a_b, search or 1");
});

test('pictures of this wiki become its files, others become links, and tracking pixels are removed', () => {
  const html =
    '<p><img src="https://wiki.example/files/1-ab-oak.jpg" alt="An oak"> <img src="https://example.org/ash.png?x" alt=""> <img src="https://spy.example/p.gif" width="1" height="1"></p>';
  expect(converted(html)).toEqual({
    wikitext: '[[File:oak.jpg|alt=An oak]] [https://example.org/ash.png?x ash.png]',
    markdown: '![An oak](oak.jpg) [ash.png](https://example.org/ash.png?x)',
  });
});

test('code keeps its lines and its language', () => {
  const html =
    '<pre><code class="language-js">if (a &lt; b) {\n  [[run]];\n}\n</code></pre><pre>x &amp;amp;\n</pre>';
  expect(converted(html).wikitext).toBe(
    '<syntaxhighlight lang="js">\nif (a < b) {\n  [[run]];\n}\n</syntaxhighlight>\n\n<pre>\nx &amp;amp;\n</pre>',
  );
  expect(converted(html).markdown).toContain('```js\nif (a < b) {\n  [[run]];\n}\n```');
  const coloured = "<p><code>if <i hidden>1</i><b style=\"color: blue\">(a)</b>&nbsp;''x''</code></p>";
  expect(converted(coloured).wikitext).toBe("<code>if (a) <nowiki>''x''</nowiki></code>");
});

test('links that run scripts, or lead nowhere outside their page, become their words', () => {
  for (const href of [
    'javascript:alert(1)',
    '#note',
    'file:///etc/passwd',
    'data:text/html,x',
    '//example.org',
    '',
  ])
    expect(treeOf(`<p><a href="${href}">words</a></p>`), href).toBeUndefined();
});

test.each([
  ['words in boxes and spans', '<div><span style="color: red">only</span></div><div>words</div>'],
  [
    'code out of an editor',
    `<div style="font-family: 'Menlo', monospace; white-space: pre;"><div><b>'''x'''</b></div></div>`,
  ],
  ['nothing', ''],
  ['what is hidden', '<p style="display: none"><b>x</b></p><style>a{}</style>'],
])('there is nothing to convert in %s', (_, html) => {
  expect(treeOf(html)).toBeUndefined();
});

test('endless nesting loses only its structure', () => {
  let tree: ElementContent = { type: 'text', value: 'deep' };
  for (let depth = 0; depth < 20_000; depth++)
    tree = { type: 'element', tagName: depth % 2 ? 'ul' : 'li', properties: {}, children: [tree] };
  for (const write of [toWikitext, toMarkdown])
    expect(
      write(tidied({ type: 'root', children: [tree] }, options) ?? { type: 'root', children: [] }),
    ).toContain('deep');
});

describe('text stays text, whatever it looks like', () => {
  const looks = [
    '[[x]]',
    '{{x}}',
    '{{{x}}}',
    "'''x'''",
    "l'''x",
    '<b>x</b>',
    '&amp;',
    '&lt;b>',
    '* x',
    '# x',
    ': x',
    '; x',
    '= x =',
    '| x',
    '{| x',
    '----',
    '[https://x.example y]',
    '__TOC__',
    '~~~~',
    '#REDIRECT [[x]]',
    '|-',
    '!!',
    '-- x',
    "x'",
    "'x",
    '<nowiki>',
    '</nowiki>',
    '<!-- x -->',
    '_x_',
    '`x`',
    '1. x',
    '> x',
    '[x]: y',
    'a|b',
    '\\',
    'x:y',
    '$x$',
    '$$x$$',
    '==x==',
    'x^y^',
    '^x',
    '~x~',
    '%%x%%',
    '::: note',
    '!!! note',
    '??? note',
    '[^x]',
    '^[x]',
    ':tada:',
    '[TOC]',
    '{#x}',
    '[!note]',
  ];
  const places = {
    paragraph: (text: string) => `<p><b>so</b> ${text}</p><p>${text}</p>`,
    emphasis: (text: string) => `<p>a <i>${text}</i> <b>${text}</b> ${text}</p>`,
    heading: (text: string) => `<h2>${text}</h2>`,
    item: (text: string) => `<ul><li>${text}</li><li><b>${text}</b><ol><li>${text}</li></ol></li></ul>`,
    cell: (text: string) =>
      `<table><tr><th>${text}</th><th>x</th></tr><tr><td>${text}</td><td>${text}</td></tr></table>`,
    link: (text: string) => `<p><a href="https://example.org/">${text}</a></p>`,
    code: (text: string) => `<p><code>${text}</code></p>`,
  };
  const written = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const wordsOf = (wikitext: string) => squeezed(plainText(parse(wikitext, { path: '/a', expanded: true })));
  const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

  test.each(Object.entries(places))('in a %s', (_, html) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...looks, ' ', 'word'), { minLength: 1, maxLength: 4 }),
        (parts) => {
          const text = squeezed(parts.join(''));
          if (text === '') return;
          const tree = treeOf(html(written(text)));
          const again = treeOf(html(written(text)));
          if (!tree || !again) return;
          const expected = squeezed(
            html('\u0001')
              .replace(/<[^>]+>/g, ' ')
              .replaceAll('\u0001', () => ` ${text} `),
          ).replaceAll(' ', '');
          expect(wordsOf(toWikitext(tree)).replaceAll(' ', '')).toBe(expected);
          expect(squeezed(plainText(parseMarkdown(toMarkdown(again)))).replaceAll(' ', '')).toBe(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  const parted = {
    'two boxes': (one: string, other: string) => `<p><i>so</i> ${one}<span>${other}</span></p>`,
    'text and a link without a target': (one: string, other: string) =>
      `<p><i>so</i> ${one}<a href="javascript:x">${other}</a></p>`,
    'text and a link to no page': (one: string, other: string) =>
      `<p><i>so</i> ${one}<a href="/search?text=x">${other}</a></p>`,
    'bold text and bold text': (one: string, other: string) =>
      `<p><i>so</i> <b>${one}</b><b>${other}</b></p>`,
    'text and bold text': (one: string, other: string) => `<p>${one}<b>${other}</b> so</p>`,
    'text and a link': (one: string, other: string) => `<p>${one}<a href="/oak">${other}</a> so</p>`,
    'parts of an item': (one: string, other: string) => `<ul><li>${one}<span>${other}</span></li></ul>`,
    'parts of a cell': (one: string, other: string) =>
      `<table><tr><td>${one}<b>${other}</b></td><td>x</td></tr></table>`,
  };
  test.each(Object.entries(parted))('over %s', (_, html) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...looks), { minLength: 1, maxLength: 3 }),
        fc.nat(),
        (parts, at) => {
          const text = squeezed(parts.join(''));
          const cut = 1 + (at % Math.max(1, text.length - 1));
          const [one, other] = [text.slice(0, cut), text.slice(cut)];
          if (one.trim() === '' || other.trim() === '') return;
          const tree = treeOf(html(written(one), written(other)));
          if (!tree) return;
          const expected = html('\u0001', '\u0002')
            .replace(/<[^>]+>/g, '')
            .replace('\u0001', () => one)
            .replace('\u0002', () => other);
          expect(wordsOf(toWikitext(tree)).replaceAll(' ', '')).toBe(expected.replaceAll(' ', ''));
        },
      ),
      { numRuns: 200 },
    );
  });
});
