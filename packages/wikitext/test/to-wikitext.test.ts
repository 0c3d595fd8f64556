/**
 * HTML → wikitext: the result of each element, text stays text, round trips change nothing, and edits change only their part.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { expand, parse, plainText, references, render } from '../src/index.ts';
import { mediawiki } from '../src/mediawiki/index.ts';
import { treeToWikitext } from '../src/to-wikitext/from-tree.ts';
import { toWikitext } from '../src/to-wikitext/index.ts';
import { readExamples } from './examples.ts';
import { expectLinear, isThorough } from './expect-linear.ts';

const page = { path: '/x', title: 'X' };

/** HTML of a page whose links and files all exist; `tracks` adds `data-source`. */
function shown(source: string, tracks = false): string {
  const tree = parse(source, { path: '/x', expanded: true });
  const { links, files: names } = references(tree);
  const pathOf = (title: string) =>
    title.startsWith('/') ? title : `/${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  const pages = new Map(links.map(({ target }) => [target, { path: pathOf(target), title: target }]));
  const files = new Map(
    names.map((name) => [
      name,
      { url: `/files/${encodeURIComponent(name)}`, mime: 'image/png', width: 900, height: 600 },
    ]),
  );
  return render(tree, { pages, files, page, ...(tracks ? { origins: [] } : {}) }).html;
}

/** Normalises HTML that looks the same: white space between blocks, `<strong>` for `<b>`, the last line break of code. */
function seen(html: string): string {
  return html
    .replace(/<(\/?)em>/g, '<$1i>')
    .replace(/<(\/?)strong>/g, '<$1b>')
    .replace(/<([bi])><\/\1>/g, '')
    .replace(/external (?:free|text)/g, 'external')
    .replaceAll('\n</pre>', '</pre>')
    .replace(/(class="reference-text">)\s+|\s+(?=<\/span>\s*<\/li>)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(
      / ?(<\/?(?:p|ul|ol|li|dl|dt|dd|table|tr|td|th|caption|h\d|hr|pre|div|blockquote|figure|figcaption|br|center)\b[^>]*>) ?/g,
      '$1',
    )
    .trim();
}

describe('elements', () => {
  test.each([
    ['headings', '<h2>A</h2><p>b</p><h3>C</h3><p>d</p>', '== A ==\nb\n\n=== C ===\nd'],
    ['paragraphs', '<p>a\n b</p><p>c<br>d</p>', 'a\nb\n\nc<br />d'],
    ['an empty line more', '<p>a</p><p><br>b</p>', 'a\n\n\nb'],
    ['lists in lists', '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>', '* a\n*# b\n* c'],
    ['terms', '<dl><dt>a: b</dt><dd>c</dd></dl>', '; <nowiki>a: b</nowiki>\n: c'],
    ['several paragraphs in an item', '<ul><li><p>a</p><p>b</p></li></ul>', '* a<br />b'],
    ['text behind an inner list', '<ul><li>a<ul><li>b</li></ul>c</li></ul>', '<ul><li>a\n* b\nc</li></ul>'],
    [
      'emphasis',
      '<p><b>a</b> <i>b</i> <b><i>c</i></b> <strong>d</strong></p>',
      "'''a''' ''b'' '''''c''''' '''d'''",
    ],
    ['emphasis beside itself', '<p><i>a</i><b><i>b</i></b></p>', "''a'''b'''''"],
    ['apostrophes beside emphasis', "<p>l'<i>a</i> and <i>a</i>'s</p>", "l'''a'' and ''a''<nowiki/>'s"],
    [
      'pages',
      '<p><a href="/oak">Oak</a> <a href="/oak#Bark">bark</a> <a href="#End">end</a></p>',
      '[[/oak|Oak]] [[/oak#Bark|bark]] [[#End|end]]',
    ],
    ['missing pages', '<p><a class="new" href="/new?title=Ash%20tree">Ash tree</a></p>', '[[Ash tree]]'],
    [
      'links that show nothing or a space',
      '<p><a href="/oak"></a><a href="/oak"> </a></p>',
      '[[/oak|<nowiki/>]][[/oak| ]]',
    ],
    [
      'links of pictures in a gallery, and captions',
      '<ul class="gallery"><li class="gallerybox"><div class="thumb"><a href="/trees"><img src="/files/oak.jpg"></a></div><div class="gallerytext"><p>Oak\n</p></div></li></ul>',
      '<gallery>\nFile:oak.jpg|link=/trees|Oak\n</gallery>',
    ],
    ['letters beside a link', '<p><a href="/oak">oak</a>en</p>', '[[/oak|oak]]<nowiki/>en'],
    [
      'addresses',
      '<p><a href="https://a.example/b">c</a> <a href="https://a.example/">https://a.example/</a></p>',
      '[https://a.example/b c] https://a.example/',
    ],
    ['links that run something', '<p><a href="javascript:alert(1)">a</a></p>', 'a'],
    [
      'tables',
      '<table class="x"><caption>t</caption><tr><th>a</th></tr><tr style="color:red"><td colspan="2">b</td></tr></table>',
      '{| class="x"\n|+t\n!a\n|- style="color:red"\n| colspan="2" |b\n|}',
    ],
    ['blocks in a cell', '<table><tr><td>a<ul><li>b</li></ul></td></tr></table>', '{|\n|a\n* b\n|}'],
    [
      'bars and exclamation marks in a cell',
      '<table><tr><td>a | b | c</td><th>d !! e</th></tr></table>',
      '{|\n|a <nowiki>| b |</nowiki> c\n!d <nowiki>!!</nowiki> e\n|}',
    ],
    [
      'an address with a bar in a cell',
      '<table><tr><td><a href="https://a.example/b|c">d</a></td></tr></table>',
      '{|\n|[https://a.example/b%7Cc d]\n|}',
    ],
    ['a paragraph behind a block of an item', '<ul><li><h3>a</h3><p>b</p></li></ul>', '* <h3>a</h3>b'],
    [
      'text that only its whole line makes a heading',
      '<p>= a <b>b</b> =</p><p>=a</p>',
      "<nowiki>=</nowiki> a '''b''' =\n\n=a",
    ],
    [
      'an address right behind a switch',
      '<p>__TOC__https://a.example/</p>',
      '<nowiki>__TOC__https://a.example/</nowiki>',
    ],
    ['a colon before slashes', '<p>://a</p>', '<nowiki>:</nowiki>//a'],
    ['code', '<pre>a\n  b</pre><p><code>c</code></p>', ' a\n   b\n<code>c</code>'],
    ['code that holds marks', '<pre>[[a]]\n\n{{b}}</pre>', '<pre>[[a]]\n\n{{b}}</pre>'],
    [
      'code in a language',
      '<pre><code class="language-js">a &lt; b\n</code></pre>',
      '<syntaxhighlight lang="js">\na < b\n</syntaxhighlight>',
    ],
    [
      'rules and quotations',
      '<p>a</p><hr><blockquote><p>b</p></blockquote>',
      'a\n----\n<blockquote>\nb\n</blockquote>',
    ],
    ['comments', '<p>a<!-- b --></p>', 'a<!-- b -->'],
    [
      'tags that a page may hold',
      '<p>H<sub>2</sub>O <span style="color:red">r</span> <kbd>k</kbd></p>',
      'H<sub>2</sub>O <span style="color:red">r</span> <kbd>k</kbd>',
    ],
    ['what is a program', '<p>a<script>b</script><style>c</style></p><iframe></iframe>', 'a'],
    ['boxes without a meaning', '<section><div>a</div></section>', '<div>a</div>'],
    [
      'Parsoid’s templates',
      `<p><span typeof="mw:Transclusion" about="#1" data-mw='{"parts":[{"template":{"target":{"wt":"T"},"params":{"1":{"wt":"a"},"b":{"wt":"c"}}}}]}'>x</span><b about="#1">y</b> z</p>`,
      '{{T|a|b=c}} z',
    ],
    [
      'Parsoid’s tags',
      `<p><span typeof="mw:Extension/math" data-mw='{"name":"math","attrs":{},"body":{"extsrc":"x^2"}}'>x</span></p>`,
      '<math>x^2</math>',
    ],
    [
      'Parsoid’s pages, categories and switches',
      '<p><a rel="mw:WikiLink" href="./Oak_tree">Oak tree</a></p><link rel="mw:PageProp/Category" href="./Category:Trees"><meta property="mw:PageProp/notoc">',
      '[[Oak tree]]\n[[Category:Trees]]\n__NOTOC__',
    ],
    [
      'pictures',
      '<figure typeof="mw:File/Thumb" class="mw-halign-left"><a href="/files/oak.jpg"><img src="/files/oak.jpg" width="200" height="100" alt="A"></a><figcaption>An <b>oak</b></figcaption></figure>',
      "[[File:oak.jpg|thumb|left|200px|alt=A|An '''oak''']]",
    ],
    [
      'a figure without a type',
      '<figure><a href="./File:Oak.jpg"><img src="./File:Oak.jpg" width="200"></a><figcaption><p>An <b>oak</b></p></figcaption></figure>',
      "[[File:Oak.jpg|thumb|200px|An '''oak''']]",
    ],
    [
      'a picture of the wiki without a type',
      '<p>An <img src="/files/oak.jpg" alt="oak"> tree</p><figure><p><img src="/files/ash.jpg"></p><figcaption>Ash</figcaption></figure>',
      'An [[File:oak.jpg|alt=oak]] tree\n[[File:ash.jpg|thumb|Ash]]',
    ],
    [
      'a picture that lies beside the document',
      '<figure><img src="img/old%20oak.jpg?x=1"><figcaption><p>An</p><p>oak</p></figcaption></figure><p>a <img src="b.png" width="20" height="30"> <img src="https://example.org/c.png" alt="c"></p>',
      '[[File:old oak.jpg|thumb|<p>An</p><p>oak</p>]]\na [[File:b.png|20x30px]] c',
    ],
    [
      'a picture with both sizes under the name of Parsoid',
      '<p><span typeof="mw:File"><img src="./File:A.jpg" width="100" height="100"></span></p>',
      '[[File:A.jpg|100x100px|link=]]',
    ],
    [
      'a gallery of Parsoid without its data',
      '<ul class="gallery" typeof="mw:Extension/gallery"><li class="gallerybox"><div class="thumb"><span typeof="mw:File"><img src="./File:A.jpg"></span></div><div class="gallerytext"> an  <b>oak</b> </div></li></ul>',
      "<gallery>\nFile:A.jpg|link=|an  '''oak'''\n</gallery>",
    ],
    [
      'two pictures of the wiki in a figure',
      '<figure><img src="/files/a.jpg"><img src="/files/b.jpg"><figcaption>c</figcaption></figure>',
      '<figure>[[File:a.jpg]][[File:b.jpg]]<figcaption>c</figcaption></figure>',
    ],
    [
      'paragraphs, lists and code as caption',
      '<figure typeof="mw:File/Thumb"><a href="/files/oak.jpg"><img src="/files/oak.jpg"></a><figcaption><p>An <b>oak</b></p><p>a | b</p><ul><li>c</li></ul><pre>d\n e</pre></figcaption></figure>',
      "[[File:oak.jpg|thumb|<p>An '''oak'''</p><p><nowiki>a | b</nowiki></p><ul><li>c</li></ul><pre>d\n e</pre>]]",
    ],
    [
      'a figure of something else',
      '<figure><blockquote>a</blockquote><figcaption>b</figcaption></figure>',
      '<figure><blockquote>a</blockquote>\n<figcaption>b</figcaption></figure>',
    ],
    [
      'a paragraph as caption',
      '<figure typeof="mw:File/Thumb"><a href="/files/oak.jpg"><img src="/files/oak.jpg"></a><figcaption>\n<p>An oak</p>\n</figcaption></figure>',
      '[[File:oak.jpg|thumb|An oak]]',
    ],
    [
      'spaces in captions of a gallery',
      '<ul class="gallery"><li class="gallerybox"><div class="thumb"><a href="/files/oak.jpg"><img src="/files/oak.jpg"></a></div><div class="gallerytext">\n<b>a</b> <i>b</i> c</div></li></ul>',
      "<gallery>\nFile:oak.jpg|'''a''' ''b'' c\n</gallery>",
    ],
    [
      'one number of a vector image',
      '<figure typeof="mw:File/Thumb"><a href="/files/a.svg"><img src="/files/a.svg" height="50"></a><figcaption></figcaption></figure>',
      '[[File:a.svg|thumb|x50px]]',
    ],
    [
      'Parsoid’s marks of what is included',
      `<p><meta typeof="mw:Includes/NoInclude">a<meta typeof="mw:Includes/NoInclude/End"> <meta typeof="mw:Includes/IncludeOnly" data-mw='{"src":"&lt;includeonly>b&lt;/includeonly>"}'><meta typeof="mw:Includes/IncludeOnly/End"> <meta typeof="mw:Includes/OnlyInclude">c<meta typeof="mw:Includes/OnlyInclude/End"></p>`,
      '<noinclude>a</noinclude> <includeonly>b</includeonly> <onlyinclude>c</onlyinclude>',
    ],
    [
      'Parsoid’s marks around blocks',
      '<meta typeof="mw:Includes/NoInclude"><ul><li>a</li></ul>\n<meta typeof="mw:Includes/NoInclude/End"><p>b</p>',
      '<noinclude>* a\n</noinclude>\n\nb',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(toWikitext(html).trimEnd()).toBe(wikitext);
  });

  it('notes return to the place of their first use', () => {
    const source =
      'a<ref name="n">\'\'b\'\'</ref> c<ref name="n" /> d<ref group="g">e</ref>\n<references />\n<references group="g" />';
    expect(toWikitext(shown(source))).toBe(source);
  });

  it('a site says which addresses are its pages, its files and other wikis', () => {
    const html =
      '<p><a href="/wiki/Oak_tree">oak</a> <a href="https://w.example/Ash">ash</a> <img src="/f/1" alt="An elm"></p>';
    const wikitext = toWikitext(html, {
      rules: mediawiki().rules,
      target: (href) => /^\/wiki\/(.*)$/.exec(href)?.[1]?.replaceAll('_', ' '),
      interwiki: (href) => (href.startsWith('https://w.example/') ? `w:${href.slice(18)}` : undefined),
      fileName: (src) => (src === '/f/1' ? 'Elm.jpg' : undefined),
    });
    expect(wikitext).toBe('[[Oak tree|oak]] [[w:Ash|ash]] [[File:Elm.jpg|link=|alt=An elm]]');
  });

  it('addresses stay bare where they may become links, but never with a bracket before them', () => {
    const html = '<p>https://a.example/ [https://b.example/ <b>c</b>]</p>';
    expect(toWikitext(html, { keepsAddresses: true })).toBe(
      "https://a.example/ <nowiki>[</nowiki>https://b.example/ '''c''']",
    );
    expect(toWikitext('<p>https://a.example/</p>')).toBe('<nowiki>https://a.example/</nowiki>');
  });

  it('without a dialect, tags and words of every dialect are escaped', () => {
    const html = '<p>&lt;chem>a&lt;/chem> __INHALTSVERZEICHNIS__</p>';
    expect(toWikitext(html)).toBe('&lt;chem>a&lt;/chem> <nowiki>__INHALTSVERZEICHNIS__</nowiki>');
    expect(toWikitext(html, { rules: mediawiki().rules })).toBe('<chem>a</chem> __INHALTSVERZEICHNIS__');
  });

  it('a spaced table has a row on one line where possible, and blocks of a cell on their own', () => {
    const html =
      '<table><tr><th>a</th><th>b</th></tr><tr><td><ul><li>c</li></ul></td><td colspan="2">-1</td></tr><tr><td></td><td>d</td></tr></table>';
    expect(toWikitext(html, { layout: 'airy' })).toBe(
      '{|\n! a !! b\n|-\n|\n* c\n| colspan="2" | -1\n|-\n| || d\n|}',
    );
  });

  it('a tree of another parser is written in the same way', () => {
    const bold = {
      type: 'element' as const,
      name: 'b',
      attributes: {},
      children: [{ type: 'text' as const, value: 'a' }],
    };
    expect(treeToWikitext([bold])).toBe("'''a'''");
  });
});

// Text ----------------------------------------------------------------------------------------------------------------

const looks = [
  '[[x]]',
  '[[',
  ']]',
  '[',
  ']',
  '{{x}}',
  '{{{x}}}',
  '}}',
  "'''x'''",
  "l'''x",
  "'x",
  "x'",
  '<b>x</b>',
  '<ref>x</ref>',
  '&amp;',
  '&lt;b>',
  '* x',
  '# x',
  ': x',
  '; x',
  '= x =',
  '==x==',
  '| x',
  'a|b',
  '||',
  '{| x',
  '|}',
  '|-',
  '|+',
  '!!',
  '! x',
  '----',
  '[https://x.example y]',
  'https://x.example',
  'mailto:a@b.example',
  '__TOC__',
  '~~~~',
  '#REDIRECT [[x]]',
  '<nowiki>',
  '</nowiki>',
  '<!-- x -->',
  ' ',
  'word',
  'x:y',
  '-{x}-',
  ' lead',
];
const places: Readonly<Record<string, (text: string) => string>> = {
  paragraph: (text) => `<p><b>so</b> ${text}</p><p>${text}</p>`,
  emphasis: (text) => `<p>a <i>${text}</i> <b>${text}</b> ${text}</p>`,
  heading: (text) => `<h2>${text}</h2>`,
  item: (text) => `<ul><li>${text}</li><li><b>${text}</b><ol><li>${text}</li></ol></li></ul>`,
  term: (text) => `<dl><dt>${text}</dt><dd>${text}</dd></dl>`,
  cell: (text) =>
    `<table><caption>${text}</caption><tr><th>${text}</th><th>x</th></tr><tr><td>${text}</td><td>${text}</td></tr></table>`,
  link: (text) => `<p><a href="https://example.org/">${text}</a> <a href="/oak">${text}</a></p>`,
  code: (text) => `<p><code>${text}</code></p>`,
  note: (text) => `<div>${text}</div><blockquote><p>${text}</p></blockquote>`,
};

describe('text stays text, whatever it looks like', () => {
  const letters = (text: string) => text.replace(/\s+/g, '');
  test.each(Object.entries(places))('in a %s', (_, html) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...looks), { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.join('').trim();
        fc.pre(text !== '');
        const given = html(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
        const expected = letters(
          html('\u0001')
            .replace(/<[^>]+>/g, ' ')
            .replaceAll('\u0001', () => text),
        );
        for (const layout of ['compact', 'airy'] as const) {
          const tree = parse(toWikitext(given, { layout }), { path: '/a', expanded: true });
          expect(letters(plainText(tree))).toBe(expected);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** A text in two nodes, with little or no wikitext in between. */
const parted: Readonly<Record<string, (one: string, other: string) => string>> = {
  'an unknown element': (one, other) => `<p><i>so</i> ${one}<custom>${other}</custom></p>`,
  'a link that leads nowhere': (one, other) => `<p><i>so</i> ${one}<a href="javascript:x">${other}</a></p>`,
  'a script': (one, other) => `<p><i>so</i> ${one}<script></script>${other}</p>`,
  'emphasis that ends and begins': (one, other) => `<p><i>so</i> <b>${one}</b><strong>${other}</strong></p>`,
  'emphasis of nothing': (one, other) => `<p><i>so</i> ${one}<b><i></i></b>${other}</p>`,
  'the start of emphasis': (one, other) => `<p>${one}<b>${other}</b> so</p>`,
  'the end of emphasis': (one, other) => `<p><b>${one}</b>${other} so</p>`,
  'the start of a link': (one, other) => `<p>${one}<a href="/oak">${other}</a> so</p>`,
  'the end of a link': (one, other) => `<p><a href="https://a.example/">${one}</a>${other} so</p>`,
  'an item': (one, other) => `<ul><li>${one}<custom>${other}</custom></li></ul>`,
  'a heading': (one, other) => `<h2>${one}<i>${other}</i></h2>`,
  'a cell': (one, other) => `<table><tr><td>${one}<b>${other}</b></td><td>x</td></tr></table>`,
  'a line break': (one, other) => `<p>${one}<br>${other}</p>`,
};

describe('text stays text over two nodes', () => {
  const letters = (text: string) => text.replace(/\s+/g, '');
  const written = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  test.each(Object.entries(parted))('and %s', (_, html) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...looks), { minLength: 1, maxLength: 3 }),
        fc.nat(),
        (parts, at) => {
          const text = parts.join('').trim();
          const cut = 1 + (at % Math.max(1, text.length - 1));
          const [one, other] = [text.slice(0, cut), text.slice(cut)];
          fc.pre(one.trim() !== '' && other.trim() !== '');
          const expected = html('\u0001', '\u0002')
            .replace(/<[^>]+>/g, '')
            .replace('\u0001', () => one)
            .replace('\u0002', () => other);
          const source = toWikitext(html(written(one), written(other)));
          expect(letters(plainText(parse(source, { path: '/a', expanded: true }))), source).toBe(
            letters(expected),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

// There and back ------------------------------------------------------------------------------------------------------

const folder = join(import.meta.dirname, 'cases');
const examples = [
  'paragraphs',
  'lists',
  'tables',
  'emphasis',
  'headings',
  'html',
  'links',
  'external-links',
  'files',
  'notes',
  'verbatim',
].flatMap((name) => readExamples(readFileSync(join(folder, `${name}.md`), 'utf8')));

describe('rendered, written and rendered again, a page looks the same', () => {
  it('for nine of ten examples of the language; the HTML of the others lacks information', () => {
    const lost = examples.filter(
      ({ source }) => seen(shown(toWikitext(shown(source)))) !== seen(shown(source)),
    );
    expect(lost.length / examples.length, lost.map(({ title }) => title).join(', ')).toBeLessThan(0.1);
  });

  const words = fc
    .array(fc.constantFrom('oak', 'ash', "it's", 'a:b', '1.', '(x)', 'É'), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(' '));
  const phrase: fc.Arbitrary<string> = fc.oneof(
    words,
    words.map((text) => `''${text}''`),
    words.map((text) => `'''${text}'''`),
    words.map((text) => `'''''${text}'''''`),
    words.map((text) => `[[Oak|${text}]]`),
    words.map((text) => `[https://example.org/a ${text}]`),
    fc.constantFrom(
      '[[Ash]]',
      'https://example.org/b',
      '<code>x</code>',
      '<nowiki>[[x]]</nowiki>',
      '&lt;b>',
      '<ref>note</ref>',
      '[[File:oak.jpg|60px|An oak]]',
      'a<br>b',
    ),
  );
  const line = fc.array(phrase, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
  const block = fc.oneof(
    line,
    line.map((text) => `== ${text.replaceAll('=', '')} ==`),
    fc
      .array(fc.tuple(fc.constantFrom('*', '**', '#', '*#', ':'), line), { minLength: 1, maxLength: 4 })
      .map((items) => items.map(([mark, text]) => `${mark} ${text}`).join('\n')),
    fc.tuple(line, line).map(([term, text]) => `; ${term.replaceAll(':', '')}\n: ${text}`),
    fc
      .array(line, { minLength: 1, maxLength: 4 })
      .map((cells) => `{| class="wikitable"\n! head\n|-\n${cells.map((cell) => `| ${cell}`).join('\n')}\n|}`),
    fc.constantFrom(
      '----',
      ' code\n more',
      '<pre>\n[[x]]\n</pre>',
      '<blockquote>\nquoted\n</blockquote>',
      '<div class="a">\n* b\n</div>',
      '[[File:oak.jpg|thumb|left|An ash]]',
    ),
  );
  const source = fc.array(block, { minLength: 1, maxLength: 6 }).map((list) => list.join('\n\n'));

  it('for any content', () => {
    fc.assert(
      fc.property(source, (text) => {
        const html = shown(text);
        expect(seen(shown(toWikitext(html)))).toBe(seen(html));
      }),
      { numRuns: 300 },
    );
  });

  it('and without an edit its source keeps every byte', () => {
    fc.assert(
      fc.property(
        source,
        fc.constantFrom('', '\n', '<!-- c -->\n', '\n\n\n', '[[Category:A]]\n'),
        (text, more) => {
          const original = { source: `${more}${text}${more}`, html: shown(`${more}${text}${more}`, true) };
          expect(toWikitext(`${original.html}\n`, { original })).toBe(original.source);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('and with one paragraph changed, everything around it does', () => {
    fc.assert(
      fc.property(source, source, (before, after) => {
        const text = `${before}\n\nThe paragraph  that changes.\n\n${after}`;
        const original = { source: text, html: shown(text, true) };
        const html = original.html
          .replace('The paragraph that changes.', 'Changed.')
          .replace('The paragraph  that changes.', 'Changed.');
        expect(toWikitext(html, { original })).toBe(text.replace('The paragraph  that changes.', 'Changed.'));
      }),
      { numRuns: 200 },
    );
  });
});

// Edits ---------------------------------------------------------------------------------------------------------------

describe('an edit changes its own part', () => {
  const source =
    "Intro  ''x''\nmore\n\n<!-- c -->\n== H ==\nText<ref>n</ref>\n*a\n** b  \n* c\n[[Category:X]]\n{|\n|a\n| b\n|}\n{{Kept}}\nEnd\n";
  const html = shown(source, true);
  const edited = (from: string | RegExp, to: string) => {
    const changed = html.replace(from, to);
    expect(changed).not.toBe(html);
    return toWikitext(changed, { original: { source, html } });
  };

  test.each([
    ['a word', 'Intro ', 'Start ', ["Intro  ''x''\nmore", "Start  ''x''\nmore"]],
    ['a note', '>n</span>', '>m</span>', ['Text<ref>n</ref>', 'Text<ref>m</ref>']],
    ['an inner item', /<li[^>]*>b<\/li>/, '<li>d</li>', ['** b  \n', '** d\n']],
    ['an item more', /<li[^>]*>c<\/li>/, '<li>c</li><li>d</li>', ['* c\n', '* c\n* d\n']],
    ['a block more', '<h2', '<p>new</p><h2', ['<!-- c -->\n', '<!-- c -->\nnew\n\n']],
    ['a block less', /<h2.*?<\/h2>/, '', ['== H ==\n', '']],
    ['a table', '>b\n</td>', '>[[z</td>', ['|a\n| b', '|a\n| [[z']],
  ] as const)('%s', (_, from, to, [old, now]) => {
    expect(edited(from, to)).toBe(source.replace(old, now));
  });

  /** HTML of a page with templates, with the places of its elements. */
  function expandedHtml(text: string, bodies: Readonly<Record<string, string>>): string {
    const templates = new Map(Object.entries(bodies));
    const page = { path: '/p', title: 'P' };
    const none = { exists: new Map(), listings: new Map(), now: 0, tracksOrigins: true };
    const expanded = expand(text, { page, templates, ...none });
    const tree = parse(expanded.text, { expanded: true });
    const files = new Map();
    return render(tree, { pages: files, files, page, origins: expanded.origins ?? [] }).html;
  }

  it('and nothing else: calls, references, cells, items and formulas keep their bytes', () => {
    const text =
      '{|\n! Name!!Note\n|-\n|  Oak||{{Word|x}} tall<!-- c -->\n|-\n| Elm || <ref name="heat island">[[Heat]]  source</ref> wide\n|}\n' +
      '* one  {{Word}}\n*two <math>x^2</math> items\n\nA {{Word}} c &nbsp; d<ref name="heat island"/> ends\n';
    const rendered = expandedHtml(text, { Word: "''word''" });
    const edits: [string, string][] = [
      ['Oak', 'Ash'],
      [' tall', ' low'],
      [' wide', ' narrow'],
      ['one ', 'three '],
      [' items', ' things'],
      ['A ', 'B '],
      [' ends', ' goes on'],
    ];
    for (const [old, now] of edits) {
      const changed = rendered.replace(old, now);
      expect(toWikitext(changed, { original: { source: text, html: rendered } })).toBe(
        text.replace(old, now),
      );
    }
  });

  it('a changed word is found in every kind of place, even if it occurs often', () => {
    const text =
      'one two one {{Nothing}} two {{Word|one}} one<!-- two --> two&nbsp;one\n\n== one two one ==\n' +
      '<pre>one(); one(&quot;two&quot;); one();</pre>\n<syntaxhighlight lang="c">\none(); two = one;\none();\n</syntaxhighlight>\n' +
      '; one : two one two\n* one \n** two one\n{|\n|+ two one\n| one || one\n|}\n[[File:a.png|thumb|two one two]]\n' +
      "a<ref>one {{Word}} two one ''one''</ref> <nowiki>one two</nowiki> [[one|two one]] [https://one.org one] '''one'''";
    const original = { source: text, html: expandedHtml(text, { Nothing: '', Word: "''one''" }) };
    // Text of the page, without tags and results of calls.
    const places = original.html.matchAll(/<i data-source="[\d-]+">one<\/i>|<[^>]*>|\b(one|two)\b/g);
    const words = [...places].filter(([, word]) => word !== undefined);
    const ends = words.map(({ 0: word, index }) => {
      const { html } = original;
      const result = toWikitext(`${html.slice(0, index)}new${html.slice(index + word.length)}`, { original });
      expect(result.replace('new', word)).toBe(text);
      return result.indexOf('new');
    });
    expect(new Set(ends).size).toBe(words.length);
    expect(words.length).toBe(41);
  });

  it('typed text stays text where it would be markup', () => {
    const text = 'See [[Oak]] and trees\n\nNext\n';
    const rendered = shown(text, true);
    for (const [old, now] of [
      [' and', 'en and'],
      ['Next', '* Next'],
      ['trees', "''trees''"],
      ['trees', '[[trees]]'],
    ] as const) {
      const changed = rendered.replace(old, now);
      const written = toWikitext(changed, { original: { source: text, html: rendered } });
      expect(seen(shown(written))).toBe(seen(changed.replace(/ data-source="[^"]*"/g, '')));
    }
  });

  it('invisible elements stay when their block is removed', () => {
    const without = edited(/<ul[\s\S]*?<\/ul><\/li>[\s\S]*?<\/ul>/, '');
    expect(without).toContain('[[Category:X]]');
    expect(without).toContain('<!-- c -->');
    expect(without).not.toContain('* c');
  });

  it('a note that is used again keeps its text when its first use is removed', () => {
    const text = 'a<ref name="n">note</ref>\n\nb<ref name="n" />\n\nc';
    const rendered = shown(text, true);
    const gone = rendered.replace(/<p[^>]*>a[\s\S]*?<\/p>/, '');
    expect(toWikitext(gone, { original: { source: text, html: rendered } }).trim()).toBe(
      'b<ref name="n">note</ref>\n\nc',
    );
  });

  it('positions that an editor removes cost nothing', () => {
    const text = `${html.replace(/ data-source="[^"]*"/g, '')}<p>Last</p>`;
    expect(toWikitext(text, { original: { source, html } }).trimEnd()).toBe(`${source}\nLast`);
  });
});

// Bounds --------------------------------------------------------------------------------------------------------------

const hostile: Readonly<Record<string, (count: number) => string>> = {
  'nested boxes': (count) => '<div>'.repeat(count),
  'nested lists': (count) => '<ul><li>a'.repeat(count),
  'nested tables': (count) => '<table><tr><td>'.repeat(count),
  'formatting to reopen': (count) =>
    Array.from({ length: count }, (_, index) => `<p><font color=c${index}>x</p>`).join(''),
  'open emphasis': (count) => '<b><i>a'.repeat(count),
  'emphasis beside apostrophes': (count) => `<p>${"'<i>a</i>'<b>b</b>".repeat(count)}</p>`,
  'text in a table': (count) => `<table>${'x<b>y</b>'.repeat(count)}`,
  attributes: (count) => `<b ${Array.from({ length: count }, (_, index) => `a${index}=b`).join(' ')}>x</b>`,
  links: (count) => '<a href="/a">[[b</a>'.repeat(count),
  brackets: (count) => `<p>${'[['.repeat(count)}</p>`,
  addresses: (count) => `<p>${'http://a.b/c '.repeat(count)}</p>`,
  'white space': (count) => `<p>${' '.repeat(count)}</p>`,
  'white space in a text': (count) => `<p>a${' '.repeat(count)}b</p>`,
  'blank lines in a text': (count) => `<p>a${'\n'.repeat(count)}b</p>`,
  'blank lines of code': (count) => `<pre>a${'\n'.repeat(count)}b</pre>`,
  'apostrophes in bold text': (count) => `<b>${"'".repeat(count)}x</b>`,
  'lines of white space': (count) => `<p>a${' \n'.repeat(count)}</p>`,
  notes: (count) => '<sup class="reference"><a href="#cite_note-1">[1]</a></sup>'.repeat(count),
  'empty paragraphs': (count) => '<p></p>'.repeat(count),
  comments: (count) => '<!--'.repeat(count),
  'end tags': (count) => `${'<div>'.repeat(count)}${'</p></b>'.repeat(count)}`,
  'broken descriptions': (count) => `<p typeof="mw:Transclusion" data-mw='${'{'.repeat(count)}'>x</p>`,
};

function work(html: string): void {
  const original = { source: 'x'.repeat(html.length), html: `${html}<p>y</p>` };
  toWikitext(html);
  toWikitext(html, { original });
}

describe('time grows with the length of the HTML, not faster', () => {
  for (const [name, make] of Object.entries(hostile)) {
    it(name, () => {
      const length = isThorough ? 20_000 : 10_000;
      const count = Math.floor(length / (make(2).length - make(1).length));
      expectLinear(work, make(count), make(count * 4), 160);
    });
  }

  it('a note that is used hundreds of times', () => {
    const made = (count: number) => {
      const source = `${'<ref name="a" />'.repeat(count)}x`;
      return { source, html: shown(source, true) };
    };
    const pages = new Map([100, 400].map((count) => [String(count), made(count)]));
    const edit = (count: string) => {
      const { html, source } = pages.get(count) ?? made(1);
      const at = html.indexOf('cite', html.length >> 1);
      toWikitext(`${html.slice(0, at)}x${html.slice(at)}`, { original: { source, html } });
    };
    expectLinear(edit, '100', '400', 160);
  });

  it('endless nesting ends, and keeps its text', () => {
    for (const tag of ['div', 'ul', 'b', 'span', 'blockquote', 'table'])
      expect(toWikitext(`${`<${tag}>`.repeat(50_000)}deep`)).toContain('deep');
  });
});

// Real documents ------------------------------------------------------------------------------------------------------

const corpus = process.env.COPPICE_CORPUS;
const names = corpus === undefined ? [] : readdirSync(corpus).filter((name) => name.endsWith('.mediawiki'));

describe.skipIf(names.length === 0)('real documents', () => {
  const read = (name: string) => readFileSync(join(corpus ?? '', name), 'utf8');

  it('keep every byte without an edit', () => {
    for (const name of names) {
      const source = read(name);
      expect(
        toWikitext(`${shown(source, true)}\n`, { original: { source, html: shown(source, true) } }),
        name,
      ).toBe(source);
    }
  });

  it('look the same when they are written again', () => {
    const same = names.filter(
      (name) => seen(shown(toWikitext(shown(read(name))))) === seen(shown(read(name))),
    );
    expect(same.length / names.length).toBeGreaterThan(0.9);
  });
});

it.each([
  '<gallery widths="70" heights="40" perrow="3" style="color: red;">\nFile:oak.jpg|Oak\n</gallery>',
  '<gallery mode="nolines" perrow="2">\nFile:oak.jpg\n</gallery>',
  '<gallery heights="200">\nFile:oak.jpg\n</gallery>',
  '<gallery mode="packed">\nFile:oak.jpg\n</gallery>',
])('a gallery keeps the size of its boxes, its rows and its style: %s', (source) => {
  expect(toWikitext(shown(source))).toBe(source);
});
