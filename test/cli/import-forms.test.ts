/** `coppice import` of single documents and of archives: .docx, .odt, .csv, .enex, .opml, TiddlyWiki, BookStack, .tar.gz. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { childrenOf, load, markup, pixel } from '../support/import-source.ts';
import { zipOf } from '../support/zip.ts';

async function imported(wiki: TestWiki, name: string, content: string | Buffer): Promise<Certificate> {
  const file = join(wiki.folder, name);
  writeFileSync(file, content);
  const { code, out, err } = await wiki.coppice([
    'import',
    file,
    '--parent',
    `/${name.replaceAll('.', '-')}`,
    '--json',
  ]);
  expect({ name, code, err }).toEqual({ name, code: 0, err: '' });
  return JSON.parse(out);
}

async function tarOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const hashOf = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const picture = pixel.toString('base64');
const officeOf = (name: string) => `http://schemas.openxmlformats.org/officeDocument/2006/${name}`;
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const inWord = `xmlns:w="${word}" xmlns:m="${officeOf('math')}" xmlns:r="${officeOf('relationships')}"`;
const runs = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const styled = (style: string, inner: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inner}</w:p>`;
const relationsOf = (relations: Record<string, string>) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    relations,
  )
    .map(
      ([type, target]) =>
        `<Relationship Id="${type}" Type="${officeOf('relationships')}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
const docx = zipOf([
  {
    name: '[Content_Types].xml',
    content:
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  },
  { name: '_rels/.rels', content: relationsOf({ officeDocument: 'word/document.xml' }) },
  {
    name: 'word/_rels/document.xml.rels',
    content: relationsOf({ styles: 'styles.xml', footnotes: 'footnotes.xml' }),
  },
  {
    name: 'word/styles.xml',
    content: `<w:styles ${inWord}><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  },
  {
    name: 'word/footnotes.xml',
    content: `<w:footnotes ${inWord}><w:footnote w:id="2"><w:p>${runs('By age.')}</w:p></w:footnote></w:footnotes>`,
  },
  { name: 'word/comments.xml', content: `<w:comments ${inWord}/>` },
  {
    name: 'word/document.xml',
    content: `<w:document ${inWord}><w:body>${styled('Title', runs('Oak report'))}${styled('Heading1', `<w:bookmarkStart w:id="0" w:name="_Toc1"/>${runs('Its age')}`)}<w:p>${runs('It is ')}<w:r><w:rPr><w:b/></w:rPr><w:t>old</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>${runs(', see ')}<w:hyperlink w:anchor="_Toc1">${runs('above')}</w:hyperlink>${runs(': ')}<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p></w:body></w:document>`,
  },
]);
const odf =
  'xmlns:office="urn:o" xmlns:text="urn:t" xmlns:style="urn:s" xmlns:fo="urn:f" xmlns:table="urn:tb" xmlns:draw="urn:d" xmlns:xlink="urn:x" xmlns:svg="urn:v"';
const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const odt = zipOf([
  { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
  { name: 'Pictures/a.png', content: pixel },
  { name: 'Object 1/content.xml', content: '<math><mi>E</mi><annotation>words</annotation></math>' },
  {
    name: 'styles.xml',
    content: `<office:document-styles ${odf}><style:style style:name="Emphasis"><style:text-properties fo:font-style="italic"/></style:style></office:document-styles>`,
  },
  {
    name: 'content.xml',
    content: `<office:document-content ${odf}><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="T3"><style:text-properties text:display="none"/></style:style><style:style style:name="T2"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="P1" style:parent-style-name="Title"/><text:list-style style:name="L1"><text:list-level-style-number text:level="2"/></text:list-style><office:text><text:p text:style-name="P1">Elm report</text:p><text:h text:outline-level="2"><text:bookmark text:name="top"/>Its height</text:h><text:p>It is <text:span text:style-name="T3">not </text:span><text:span text:style-name="T1">tall</text:span> <text:span text:style-name="Emphasis">and</text:span> 9 m<text:span text:style-name="T2">2</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By hand.</text:p></text:note-body></text:note>, see <text:a xlink:href="https://example.org/">here</text:a>, <text:a xlink:href="#1.Its height|outline">above</text:a><draw:frame svg:width="2.54cm"><draw:image xlink:href="Pictures/a.png"/><svg:desc>An elm</svg:desc></draw:frame><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p><text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item text:start-value="3"><text:p>a</text:p></text:list-item></text:list></text:list-item></text:list><text:p text:style-name="Preformatted_20_Text">x<text:s text:c="2"/>y</text:p><table:table><table:table-row>${cell('A')}${cell('B')}${cell('C')}</table:table-row><table:table-row>${cell('wide', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('c')}</table:table-row><table:table-row>${cell('same', 'table:number-columns-repeated="3"')}</table:table-row></table:table></office:text></office:document-content>`,
  },
]);

const oakText = String.raw`# Oak report

# Its age {#_Toc1}

It is **old**[^1], see [above](#_Toc1): $\frac{a}{2}$

[^1]: By age.
`;
const elmText = `# Elm report

## Its height {#1.Its-height}

It is **tall** *and* 9 m<sup>2</sup>[^1], see [here](https://example.org/), [above](#1.Its-height)![An elm](/elm-odt/attachments/elm-a.png){width=96}$E$

- one

  3. a

\`\`\`
x  y
\`\`\`

| A | B | C |
| - | - | - |
| wide | | c |
| same | same | same |

[^1]: By hand.
`;

test('single documents and archives of other programs become pages with their texts, pictures and links', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();

  expect(await imported(wiki, 'oak.docx', docx)).toMatchObject({
    kind: 'office',
    recognisedBy: 'it is a document of a word processor',
    comparison: { pages: 1, differing: 0 },
    leftOut: { list: [{ source: 'oak.md', why: 'the content of its elements w:comment' }] },
  });
  expect(await load(wiki, '/oak-docx/oak')).toMatchObject({
    title: 'Oak report',
    content: { body: oakText },
  });

  expect(await imported(wiki, 'elm.odt', odt)).toMatchObject({
    ...{ kind: 'office', links: { lost: 0, dead: 0 } },
    // A wide cell is followed by an empty one.
    comparison: { pages: 1, byKind: { cells: 1 } },
    leftOut: { list: [{ source: 'elm.md', why: 'the content of its elements text:display' }] },
  });
  expect(await load(wiki, '/elm-odt/elm')).toMatchObject({ title: 'Elm report', content: { body: elmText } });
  expect(await markup(wiki, '/elm-odt/elm')).toMatch(/<img[^>]+src="\/files\//);

  await imported(wiki, 'ash.md', '# The ash\n\nText');
  expect((await load(wiki, '/ash-md/ash'))?.title).toBe('The ash');
  await imported(wiki, 'fir.html', '<h1>Fir</h1><p>Text</p>');
  expect((await load(wiki, '/fir-html/fir'))?.title).toBe('Fir');
  await imported(wiki, 'list.csv', 'Name,Height\nOak,"3,5"\n');
  expect(await markup(wiki, '/list-csv/list')).toMatch(/<th>Height<\/th>[\s\S]*<td>3,5<\/td>/);

  const enex = `<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd"><en-export><note><title>A/note</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note><div><en-todo checked="true"/>water</div><div><en-media type="image/png" hash="${hashOf(pixel)}"/><en-media type="image/png" hash="${'0'.repeat(32)}"/></div><a href="evernote:///view/1/s1/2/3/">Plan &amp; more</a><en-crypt hint="h">c2VjcmV0</en-crypt></en-note>]]></content><created>20240305T101112Z</created><tag>garden</tag><resource><data encoding="base64">${picture}</data><mime>image/png</mime><resource-attributes><file-name>leaf.png</file-name></resource-attributes></resource></note><note><title>Plan &amp; more</title><content><![CDATA[<en-note>x</en-note>]]></content></note></en-export>`;
  expect(await imported(wiki, 'notes.enex', enex)).toMatchObject({
    kind: 'evernote',
    links: { lost: 0, dead: 0 },
    approximated: { byConstruct: { 'attachment that the export lacks': 1, 'encrypted text, left out': 1 } },
  });
  expect(await markup(wiki, '/notes-enex/a-note')).toContain('href="/notes-enex/plan-more">Plan &amp; more<');
  expect(await markup(wiki, '/notes-enex/a-note')).not.toContain('c2VjcmV0');
  const note = await load(wiki, '/notes-enex/a-note');
  expect(note).toMatchObject({ title: 'A/note', tags: { tag: ['garden'] } });
  expect(await markup(wiki, '/notes-enex/a-note')).toMatch(/☑ water[\s\S]*<img[^>]+src="\/files\//);

  const opml =
    '<opml version="2.0"><head><title>Plan</title></head><body><outline text="Trees"><outline text="Oak" htmlUrl="https://example.org/" _note="old"/></outline></body></opml>';
  expect(await imported(wiki, 'plan.opml', opml)).toMatchObject({ kind: 'opml' });
  expect(await markup(wiki, '/plan-opml/plan')).toMatch(
    /Trees[\s\S]*<ul>[\s\S]*<a [^>]*href="https:\/\/example\.org\/"[^>]*>Oak<\/a>[\s\S]*old/,
  );

  const tiddlers = JSON.stringify([
    {
      title: 'Oak tree',
      text: "! Bark\n\n''hard'' and //brown// //x//, see [[the elm|Elm]] [img[leaf.png]]\n\n* one\n** two\n\n|!a|!b|\n|c|d|\n\n<<list-links \"[tag[x]]\">> `<<code>>`",
      tags: 'wood [[old trees]]',
    },
    { title: 'Elm', text: 'An elm', type: 'text/markdown' },
    { title: 'leaf.png', type: 'image/png', text: picture },
    { title: '$:/core', text: 'x' },
  ]);
  const store = `<!doctype html><html><!-- TiddlyWiki --><script class="tiddlywiki-tiddler-store" type="application/json">${tiddlers}</script></html>`;
  for (const [name, content] of [
    ['wiki.json', tiddlers],
    ['garden.html', store],
  ] as const) {
    const certificate = await imported(wiki, name, content);
    expect(certificate).toMatchObject({
      kind: 'tiddlywiki',
      numbers: { source: { pages: 2, files: 1 } },
      links: { lost: 0, dead: 0 },
      approximated: { byConstruct: { 'macro <<list-links>>, which stays as it is written': 1 } },
      leftOut: { list: [{ source: '$:/…', why: expect.stringContaining('(1)') }] },
    });
    const path = `/${name.replace('.', '-')}`;
    const oak = await markup(wiki, `${path}/oak-tree`);
    expect(oak).toMatch(
      /<strong>hard<\/strong> and <em>brown<\/em> <em>x<\/em>, see <a [^>]*href="[^"]*\/elm">the elm<\/a>/,
    );
    expect(oak).toMatch(
      /<img[^>]+src="\/files\/[\s\S]*<li>one\s*<ul>\s*<li>two[\s\S]*<th>a<\/th>[\s\S]*<td>d<\/td>/,
    );
    expect((await load(wiki, `${path}/oak-tree`))?.tags.tag).toEqual(['wood', 'old trees']);
  }

  const data = {
    book: {
      ...{ id: 1, name: 'Trees', description_html: '<p>All trees</p>' },
      chapters: [
        {
          id: 2,
          name: 'Tall',
          priority: 1,
          pages: [
            {
              id: 3,
              name: 'Oak',
              html: '<p><a href="[[bsexport:page:4]]">elm</a><img src="[[bsexport:image:5]]"></p>',
              images: [{ id: 5, name: 'leaf.png', file: 'abc.png' }],
              attachments: [
                { id: 6, name: 'Plan', file: 'def.pdf' },
                { id: 7, name: 'Shop', link: 'https://example.org/' },
              ],
            },
          ],
        },
      ],
      pages: [{ id: 4, name: 'Elm', priority: 2, markdown: '**Elm**', tags: [{ name: 'wood', value: '' }] }],
    },
  };
  const book = zipOf([
    { name: 'data.json', content: JSON.stringify(data) },
    { name: 'files/abc.png', content: pixel },
    { name: 'files/def.pdf', content: '%PDF-1.4' },
  ]);
  expect(await imported(wiki, 'book.zip', book)).toMatchObject({
    kind: 'bookstack',
    links: { lost: 0, dead: 0 },
  });
  expect(await markup(wiki, '/book-zip/trees/tall/oak')).toMatch(
    /href="\/book-zip\/trees\/elm">elm<[\s\S]*<img[^>]+src="\/files\/[\s\S]*href="\/files\/[^"]*\.pdf">Plan<[\s\S]*href="https:\/\/example.org\/">Shop</,
  );

  expect(await childrenOf(wiki, '/book-zip/trees')).toEqual(['/book-zip/trees/tall', '/book-zip/trees/elm']);

  const files = {
    'garden/mkdocs.yml': '',
    'garden/docs/a.md': '# A\n\n[b](b.md)',
    'garden/docs/b.md': '# B',
  };
  expect(await imported(wiki, 'site.tar.gz', gzipSync(await tarOf(files)))).toMatchObject({
    kind: 'mkdocs',
    links: { resolved: 1 },
  });
  expect(await imported(wiki, 'plain.tar', await tarOf(files))).toMatchObject({ kind: 'mkdocs' });
  expect(await wiki.coppice(['check'])).toMatchObject({ code: 0 });
});

test('styles, tasks and boxes of other programs keep their meaning, and what only they carry out is named', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const resource = (name: string, data: Buffer, mime: string) =>
    `<resource><data encoding="base64">${data.toString('base64')}</data><mime>${mime}</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`;
  const content =
    '<en-note><ul style="--en-todo:true;"><li style="--en-checked:true;"><div>Done</div></li><li style="--en-checked:false;"><div>Open</div></li></ul><div style="-en-codeblock:true;"><div>a</div><div>  b</div></div><span style="-evernote-highlight:true;">marked</span><div><span style="font-weight: bold; text-decoration: line-through">old</span></div></en-note>';
  const enex = `<?xml version="1.0"?><en-export><note><title>N</title><note-attributes><author>Ann</author><source-url>https://example.org/</source-url></note-attributes><content><![CDATA[${content}]]></content><task><title>Call Bob</title><taskStatus>completed</taskStatus></task>${resource('list.pdf', Buffer.from('%PDF'), 'application/pdf')}</note></en-export>`;
  expect((await imported(wiki, 'n.enex', enex)).comparison).toMatchObject({ pages: 1, differing: 0 });
  const note = (await load(wiki, '/n-enex/n'))?.content.body ?? '';
  for (const part of [
    '- [x] Done\n- [ ] Open',
    '```\na\n  b\n```',
    '<mark>marked</mark>',
    '- [x] Call Bob',
    '|list.pdf]]',
    'source: https://example.org/',
    'author: Ann',
    '~~**old**~~',
  ])
    expect(note).toContain(part);

  const tiddlers = [
    {
      title: 'Start',
      modified: '20240305101112000',
      text: 'OtherTiddler ~NoTiddler [[https://example.org/a]] @@color:red;Red@@ [ext[file|./a.pdf]]\n\n|Trees|c\n|!a|!b|\n|>|x|\n\n"""\none\ntwo\n"""',
    },
    { title: 'OtherTiddler', text: 'x' },
    { title: 'M', type: 'text/markdown', text: '[o](#OtherTiddler)' },
  ];
  const { approximated } = await imported(wiki, 't.json', JSON.stringify(tiddlers));
  expect(approximated.list.map(({ construct }) => construct)).toEqual([
    expect.stringContaining('several columns'),
  ]);
  const start = (await load(wiki, '/t-json/start'))?.content.body ?? '';
  expect(start.slice(start.indexOf('[[Other'))).toBe(
    '[[OtherTiddler]] NoTiddler <https://example.org/a> Red [file](<./a.pdf>)\n\n*Trees*\n\n| a | b |\n| --- | --- |\n| > | x |\n\none\\\ntwo\n',
  );
  expect(start).toContain('2024-03-05T10:11:12Z');
  expect((await load(wiki, '/t-json/m'))?.content.body).toContain('[[OtherTiddler|o]]');

  const opml =
    '<opml version="2.0"><head><title>O</title></head><body><outline text="[x] &lt;b&gt;bold&lt;/b&gt; and &lt;a href=&quot;https://example.org/&quot;&gt;a link&lt;/a&gt;"/><outline text="" title="Feed" htmlUrl="https://a.example/" xmlUrl="https://a.example/feed"/></body></opml>';
  expect((await imported(wiki, 'o.opml', opml)).comparison?.differing).toBe(0);
  expect((await load(wiki, '/o-opml/o'))?.content.body).toContain(
    '- [Feed](<https://a.example/>) (<https://a.example/feed>)',
  );
  expect(await markup(wiki, '/o-opml/o')).toMatch(
    /\[x\] <(?:b|strong)>bold<\/(?:b|strong)> and <a [^>]*>a link<\/a>/,
  );

  expect(await imported(wiki, 's.csv', 'Name;Note\n"A; B";"one\nline"\nC;1,5\n')).toMatchObject({
    kind: 'csv',
  });
  expect((await load(wiki, '/s-csv/s'))?.content.body).toBe(
    '| Name | Note |\n| --- | --- |\n| A; B | one<br>line |\n| C | 1,5 |\n',
  );

  const book = {
    book: {
      id: 1,
      name: 'B',
      cover: 'c.png',
      pages: [
        { id: 2, name: 'P', html: '<p class="callout warning">Take <b>care</b></p>' },
        { id: 3, name: 'Q', html: '' },
      ],
    },
  };
  const bookstack = zipOf([
    { name: 'data.json', content: JSON.stringify(book) },
    { name: 'files/c.png', content: pixel },
  ]);
  const certificate = await imported(wiki, 'b.zip', bookstack);
  expect(certificate).toMatchObject({
    comparison: { differing: 0 },
    leftOut: { list: [{ source: 'files/c.png' }] },
  });
  expect((await load(wiki, '/b-zip/b/p'))?.content.body).toContain('> [!WARNING]\n>\n> Take **care**');

  const vault = await tarOf({
    '.obsidian/app.json': '{}',
    'H.md': '```dataview\nLIST\n```\n![[B.canvas]] `= this.x`',
    'B.canvas': '{}',
  });
  const named = (await imported(wiki, 'v.tar.gz', gzipSync(vault))).approximated.list;
  for (const part of ['dataview', 'canvas', 'plug-in'])
    expect(named.map(({ construct }) => construct).join()).toContain(part);

  const outline = zipOf([
    { name: 'metadata.json', content: '{"exportVersion":1}' },
    { name: 'C.json', content: '{}' },
  ]);
  writeFileSync(join(wiki.folder, 'outline.zip'), outline);
  const refused = await wiki.coppice(['import', join(wiki.folder, 'outline.zip')]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Export it as Markdown') });
});

test('archives with paths outside their folder, and damaged documents, are refused', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const files: [string, Buffer | string][] = [
    ['up.tar', await tarOf({ '../../up.md': 'x' })],
    ['cut.tar.gz', gzipSync(await tarOf({ 'a.md': 'x'.repeat(5000) })).subarray(0, 60)],
    ['cut.docx', zipOf([{ name: 'word/document.xml', content: '<w:document' }])],
    ['cut.enex', '<en-export><note><title>a'],
    ['cut.opml', '<opml><body><outline'],
  ];
  for (const [name, content] of files) {
    const file = join(wiki.folder, name);
    writeFileSync(file, content);
    const { code, out } = await wiki.coppice(['import', file]);
    expect({ name, code, out }).toEqual({ name, code: 1, out: '' });
  }
  expect((await wiki.coppice(['check'])).code).toBe(0);
});
