import { describe, expect, it } from 'vitest';
import { type ExpandContext, expand, type HostFunction, parse, references, render } from '../src/index.ts';
import { mediawiki } from '../src/mediawiki/index.ts';

const page = { title: 'Help:Trees', path: '/trees' };

function expanded(source: string, others: Partial<ExpandContext>): string {
  const empty = { templates: new Map(), exists: new Map(), listings: new Map(), now: 0 };
  return expand(source, { page, ...empty, ...others }).text;
}

describe('rules of MediaWiki', () => {
  const site = mediawiki({
    title: 'Help:Trees',
    interwiki: { w: 'https://en.wikipedia.org/wiki/$1', bad: 'javascript:$1' },
    languages: ['de'],
    server: 'https://wiki.example',
  });
  const named = (source: string) => references(parse(source, { rules: site.rules }));

  it('read namespaces, categories, files, subpages, interwiki and language links', () => {
    const { links, tags, files } = named(
      '[[oak_tree]] [[user talk:ann]] [[:Category:Trees]] [[/Elm]] [[w:Ash]] [[Category:Trees|t]] [[de:Eiche]] [[image:oak.jpg]]',
    );
    expect(links.map(({ target }) => target)).toEqual([
      'Oak tree',
      'User talk:Ann',
      'Category:Trees',
      'Help:Trees/Elm',
      'w:Ash',
    ]);
    expect(tags).toEqual([
      { key: 'category', value: 'Trees' },
      { key: 'language', value: 'de:Eiche' },
    ]);
    expect(files).toEqual(['Oak.jpg']);
  });

  it('read a namespace before an interwiki prefix of the same name', () => {
    const wikipedia = mediawiki({
      namespaces: { 4: 'Wikipedia', 14: 'Category' },
      interwiki: { wikipedia: 'https://en.wikipedia.org/wiki/$1' },
    });
    const tree = parse('[[wikipedia:Tea house]]', { rules: wikipedia.rules });
    const { html } = render(tree, { pages: new Map(), files: new Map(), page, address: wikipedia.address });
    expect(html).toContain('href="/wiki/Wikipedia:Tea_house"');
  });

  it('leave invalid titles as text', () => {
    expect(named('[[a%5bb]] [[../../x]] [[a~~~b]] [[:]]').links).toEqual([]);
    expect(named('[[File:oak.jpg|]] [[File:elm.jpg| ]]').files).toEqual(['Elm.jpg']);
  });

  it('name templates by their whole titles', () => {
    const { templates } = named('{{box}} {{:main page}} {{/sub}} {{user:ann}}');
    expect(templates).toEqual(['Template:Box', 'Main page', 'Help:Trees/sub', 'User:Ann']);
  });

  it('know the words of titles', () => {
    const words = [
      'NAMESPACE',
      'PAGENAME',
      'TALKPAGENAME',
      'NAMESPACENUMBER',
      'NAMESPACE:File:X',
      'ns:10',
      'TALKSPACE:Special:X',
    ];
    const source = words.map((word) => `{{${word}}}`).join(' ');
    expect(expanded(source, { rules: site.rules, word: site.word })).toBe(
      'Help Trees Help talk:Trees 12 File Template ',
    );
    expect(expanded('{{fullurl:oak tree}}', { rules: site.rules, word: site.word })).toBe(
      'https://wiki.example/wiki/Oak_tree',
    );
  });

  it.each([
    [
      '{{PAGENAME:oak#Bark}} {{PAGENAME:Fo&#111;}} {{FULLPAGENAME:w:ash}}{{TALKPAGENAME:Media:X}}',
      'Oak Foo ',
    ],
    ['{{BASEPAGENAME:Help:A/b/c}} {{ROOTPAGENAME:Help:A/b/c}} {{SUBPAGENAME:A/b}}', 'A/b A A/b'],
    ['{{ns:+2}} {{nse:3}} {{ns:99}}|{{ns:00}}|{{ns:none}}', 'User User_talk ||[[:Template:Ns:none]]'],
    [
      '{{localurl:oak|action=edit}} {{fullurl:Media:x#y}}',
      '/index.php?title=Oak&action=edit https://wiki.example/wiki/File:X#y',
    ],
    [
      '{{fullurle:w:ash|a="b"}} {{localurl:<b>}}',
      'https://en.wikipedia.org/wiki/ash?a=&quot;b&quot; {{localurl:<b>}}',
    ],
    [
      '{{#special:userlogin}} {{#speciale:recentchanges/a b}} {{#special:<}}',
      'Special:UserLogin Special:RecentChanges/a_b Special:Badtitle',
    ],
    ['{{#titleparts:user_talk:ann/b/c|2}} {{#titleparts:<a>/b|1}}', 'User talk:Ann/b <a>/b'],
    ['{{#rel2abs:../x}} {{#rel2abs:/x}}', 'x Help:Trees/x'],
    [
      '{{REVISIONDAY:Oak}}|{{w:Ash}} {{server}} {{lc :A}}',
      '|{{w:Ash}} https://wiki.example [[:Template:Lc :A]]',
    ],
    ['{{1x|-{a|b}-}} {{1x|[[a|-{b]]}-}}', '-{a|b}- {{1x|[[a|-{b]]}-}}'],
    ['{{1x|1=\n== a | b}} ==\n}}', '== a | b}} =='],
    ['{{1x|1=a\n== b}}', '{{1x|1=a\n== b}}'],
    ['{{PAGENAME:a\nb}}|{{#titleparts:#}}', '|'],
    ['{{int:hello|Ann}} {{int:none}} {{int:<b>}}', 'Hello Ann! ⧼none⧽ ⧼&lt;b&gt;⧽'],
  ])('answer %s', (source, result) => {
    const templates = new Map<string, string | null>([
      ['Template:1x', '{{{1}}}'],
      ['MediaWiki:Hello', 'Hello $1!'],
    ]);
    const rest = ['Template:Ns:none', 'Template:Lc :A', 'MediaWiki:None', 'MediaWiki:<b>'].map(
      (name) => [name, null] as const,
    );
    const context = { rules: site.rules, word: site.word, server: 'https://wiki.example' };
    expect(expanded(source, { ...context, templates: new Map([...templates, ...rest]) })).toBe(result);
  });

  it('end labels of links at letters beyond z', () => {
    const { html } = render(parse('[[oak]]sé', { rules: site.rules }), {
      pages: new Map(),
      files: new Map(),
      page,
      address: site.address,
    });
    expect(html).toBe('<p><a href="/wiki/Oak">oaks</a>é\n</p>');
  });

  it('write addresses, and none with a dangerous scheme', () => {
    const tree = parse('[[w:Ash#Top|a]] [[bad:alert(1)|b]] [[oak?"x|c]]', { rules: site.rules });
    const { html } = render(tree, { pages: new Map(), files: new Map(), page, address: site.address });
    expect(html).toBe(
      '<p><a href="https://en.wikipedia.org/wiki/Ash#Top">a</a> <a>b</a> <a href="/wiki/Oak%3F%22x">c</a>\n</p>',
    );
  });
});

describe('functions of the host', () => {
  const list: HostFunction = ({ arguments: given, outer }) =>
    `${given.map(({ name, value }) => `${name ?? '-'}=${value}`).join(',')};${outer('1')},${outer('kind')},${outer('none')}`;
  const functions = new Map([['#invoke', list]]);

  it('get their arguments and those of the template around them', () => {
    const templates = new Map([['T', '{{#invoke: M | f |{{{1}}}| k = {{lc:V}} }}']]);
    expect(expanded('{{T|a|kind= oak }}', { functions, templates })).toBe('-=M,-=f,-=a,k=v;a,oak,undefined');
  });

  it('have no surrounding template on the page itself', () => {
    expect(expanded('{{#INVOKE:M}}', { functions })).toBe('-=M;undefined,undefined,undefined');
  });

  it('leave a call without a result as written, and are limited like templates', () => {
    expect(expanded('{{#invoke:M|a}}', { functions: new Map([['#invoke', () => undefined]]) })).toBe(
      '{{#invoke:M|a}}',
    );
    const long = new Map<string, HostFunction>([['#invoke', () => 'x'.repeat(100)]]);
    const result = expanded('{{#invoke:M}}', { functions: long, bounds: { expandedLength: 10, calls: 10 } });
    expect(result).not.toContain('xxx');
    expect(result).toContain('longer than 10 characters');
  });
});

describe('tags of the host', () => {
  const rules = {
    ...mediawiki().rules,
    tags: new Map([
      ['chem', 'inline'],
      ['score', 'block'],
    ] as const),
  };
  const shown = (
    source: string,
    tags?: (name: string, attributes: object, body?: string) => string | undefined,
  ) =>
    render(parse(source, { rules, expanded: true }), {
      pages: new Map(),
      files: new Map(),
      page,
      ...(tags ? { tags } : {}),
    }).html;

  it('keep their content from being parsed, and become the HTML of the host', () => {
    const html = shown(
      "a <chem kind=x>''H2O''</chem> b",
      (name, attributes, body) => `<i>${name}${JSON.stringify(attributes)}${body}</i>`,
    );
    expect(html).toBe(`<p>a <i>chem{"kind":"x"}''H2O''</i> b\n</p>`);
  });

  it('stand between paragraphs when they are blocks', () => {
    expect(shown('a\n<score>c</score>\nb', () => '<div></div>')).toBe('<p>a\n</p>\n<div></div>\n<p>b\n</p>');
  });

  it('show their content escaped without a hook, and are text in another dialect', () => {
    expect(shown('<chem><b>x</b></chem>')).toBe('<p>&lt;b&gt;x&lt;/b&gt;\n</p>');
    expect(shown('<other>x</other>')).toBe('<p>&lt;other&gt;x&lt;/other&gt;\n</p>');
  });

  it('keep braces in their content from being expanded', () => {
    expect(expanded('<chem>{{T}}</chem>', { rules })).toBe('<chem>{{T}}</chem>');
  });
});
