/** `coppice import` of damaged, odd or malicious sources: each gives a right result, or a message that says what to do. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Certificate } from '#import/certificate.ts';
import { startWiki, type TestWiki } from '../support/cli.ts';
import { pixel, plant } from '../support/import-source.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';

type Bytes = string | Buffer;

interface Odd {
  /** Files of a folder, or the bytes of one file. */
  source: Record<string, Bytes> | Bytes;
  /** Name of the file. */
  name?: string;
  /** Expected paths without the parent, each with a part of its text. */
  pages?: Record<string, string>;
  /** Expected names that are left out, each with a part of the reason. */
  leftOut?: Record<string, string>;
  /** Part of the error message if the whole import is refused. */
  refused?: string;
}

const revision = (id: number, inside: string) =>
  `<revision><id>${id}</id><timestamp>2011-03-0${id}T10:00:00Z</timestamp>${inside}</revision>`;
const by = '<contributor><username>Ada</username></contributor>';
const page = (title: string, ...revisions: string[]) =>
  `<page><title>${title}</title><ns>0</ns><id>1</id>${revisions.join('')}</page>`;
const text = (words: string, id = 1) => revision(id, `${by}<text>${words}</text>`);
const dump = (pages: string, version = '0.11', head = '') =>
  `${head}<mediawiki xmlns="http://www.mediawiki.org/xml/export-${version}/" version="${version}"><siteinfo><sitename>T</sitename></siteinfo>${pages}</mediawiki>`;
const oak = dump(page('Дуб', text('Oak')));
const bzip2 = (input: Bytes) => execFileSync('bzip2', { input });
const sixteen = (xml: string) => Buffer.from(xml, 'utf16le');
const laughs = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh']
  .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(',')}]`)
  .join('\n')}`;
const long = 'Long '.repeat(60).trim();
const zipped = (...entries: [string | Buffer, Bytes][]) =>
  zipOf(entries.map(([name, content]) => ({ name, content })));
const notion = 'a'.repeat(32);

const odd: Record<string, Odd> = {
  'a dump without a mark, in UTF-16LE': { source: sixteen(oak), name: 'x.xml', pages: { '/дуб': 'Oak' } },
  'a dump without a mark, in UTF-16BE': {
    source: sixteen(oak).swap16(),
    name: 'x.xml',
    pages: { '/дуб': 'Oak' },
  },
  'a dump in Windows-1252 that says so': {
    source: Buffer.from(
      `<?xml version="1.0" encoding="windows-1252"?>${dump(page('\xc4sche', text('\x80')))}`,
      'latin1',
    ),
    name: 'x.xml',
    pages: { '/asche': '€' },
  },
  'a dump of version 0.3 without namespaces': {
    source:
      '<mediawiki version="0.3"><page><title>Oak</title><id>1</id><revision><timestamp>2011-03-01T10:00:00Z</timestamp><contributor><ip>192.0.2.1</ip></contributor><text xml:space="preserve">An oak</text></revision></page></mediawiki>',
    name: 'x.xml',
    pages: { '/oak': 'An oak' },
  },
  'a dump in bzip2 of several streams': {
    source: Buffer.concat([bzip2(oak.slice(0, 200)), bzip2(oak.slice(200))]),
    name: 'x.xml.bz2',
    pages: { '/дуб': 'Oak' },
  },
  'a dump in gzip of several members': {
    source: Buffer.concat([gzipSync(oak.slice(0, 200)), gzipSync(oak.slice(200))]),
    name: 'x.xml.gz',
    pages: { '/дуб': 'Oak' },
  },
  'a site in Latin-1': {
    source: {
      'index.html': Buffer.from(
        '<meta charset="iso-8859-1"><h1>\xc4</h1><a href="b.html#s 1">x</a>',
        'latin1',
      ),
      'b.html': Buffer.from('\ufeff<h1>B</h1><p id="s 1">\xfc', 'utf16le'),
    },
    pages: { '/home': '[x](', '/b': '\xfc' },
  },
  'a table in an encoding that it does not state': {
    source: Buffer.from('Gr\xf6\xdfe;Preis\n', 'latin1'),
    name: 'x.csv',
    refused: 'x.csv: it is not UTF-8 text; save it as UTF-8',
  },
  'a dump cut between two pages': { source: oak.slice(0, -12), name: 'x.xml', refused: 'incomplete' },
  'a dump cut within a tag': { source: oak.slice(0, -40), name: 'x.xml', refused: 'incomplete' },
  'a dump in gzip that was cut': {
    source: gzipSync(oak).subarray(0, 150),
    name: 'x.xml.gz',
    refused: 'incomplete',
  },
  'a dump with entities of its own': {
    source: dump(
      page('Oak', text('&b;')),
      '0.11',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
    ),
    name: 'x.xml',
    refused: 'not valid XML',
  },
  'a dump with what is hidden': {
    source: dump(
      page(
        'Oak',
        revision(
          1,
          '<contributor deleted="deleted" /><comment deleted="deleted" /><text deleted="deleted" />',
        ),
        text('Seen', 2),
      ),
    ),
    name: 'x.xml',
    pages: { '/oak': 'Seen' },
    leftOut: { Oak: 'the text of 1 revisions is hidden' },
  },
  'titles that only differ in case': {
    source: dump(page('Oak', text('[[OAK]]')) + page('OAK', text('[[Oak]]'))),
    name: 'x.xml',
    pages: { '/oak': '[[/oak-2', '/oak-2': '[[/oak|' },
  },
  'titles that could be paths': {
    source: dump(
      ['..', '/', 'a//b', '🌳🌳', '🌳', 'CON', 'x.md', long, '?', '%2e']
        .map((one) => page(one, text(`T${one}`)))
        .join(''),
    ),
    name: 'x.xml',
    pages: { '/page': 'T', '/🌳🌳': 'T🌳🌳', '/🌳': 'T🌳', '/con': 'TCON' },
  },
  'a page that is in it twice': {
    source: dump(page('Oak', text('First')) + page('Oak', text('Second'))),
    name: 'x.xml',
    pages: { '/oak': 'First' },
    leftOut: { '0:Oak': 'twice' },
  },
  'a zip whose names were written by Windows': {
    source: zipped(
      ['notes\\B\xe4ume.md', '[x](img/B%C3%A4r.md)'].map((one) => Buffer.from(one, 'latin1')) as [
        Buffer,
        Buffer,
      ],
      [Buffer.from('notes\\img\\B\xe4r.md', 'latin1'), 'Bear'],
    ),
    name: 'x.zip',
    pages: { '/baume': '', '/img/bar': 'Bear' },
  },
  'a zip whose names are in the oldest encoding': {
    source: zipped(
      [Buffer.from('B\x84ume.md', 'latin1'), 'Trees'],
      [Buffer.from('Stra\xe1e.md', 'latin1'), 'Street'],
    ),
    name: 'x.zip',
    pages: { '/baume': 'Trees', '/strasse': 'Street' },
  },
  'a zip whose names are in UTF-8 and do not say so': {
    source: zipped([Buffer.from('Bäume.md'), 'Trees'], [Buffer.from('Дуб.md'), 'Oak']),
    name: 'x.zip',
    pages: { '/baume': 'Trees', '/дуб': 'Oak' },
  },
  'a zip with names that lead out': {
    source: zipped(['a.md', 'A'], ['../b.md', 'B']),
    name: 'x.zip',
    refused: 'unsafe',
  },
  'a zip with names that lead out, by Windows': {
    source: zipped(['a.md', 'A'], [Buffer.from('..\\b.md'), 'B']),
    name: 'x.zip',
    refused: 'unsafe',
  },
  'a zip that unpacks to more than it says': {
    source: bomb(),
    name: 'x.zip',
    pages: { '/good': 'Good' },
    leftOut: { 'bomb.md': 'damaged' },
  },
  'a zip of zips': {
    source: zipped([
      'Export-Part-1.zip',
      zipped(
        [`Garden ${notion}.md`, `# Garden\n\n![](Garden%20${notion}/oak.png)`],
        [`Garden ${notion}/oak.png`, pixel],
      ),
    ]),
    name: 'x.zip',
    pages: { '/garden': 'oak.png' },
  },
  'an empty zip': { source: zipped(), name: 'x.zip', refused: 'Give its kind' },
  'an empty file': { source: '', name: 'x.xml', refused: 'Give its kind' },
  'an empty folder': { source: { 'x/.keep': '' }, refused: 'is not a known kind of source' },
  'front matter that is no YAML, or laughs': {
    source: {
      'bad.md': '---\ntitle: "x\n---\nText',
      'laughs.md': `---\n${laughs}\n---\nText`,
      'good.md':
        '---\ntitle: Fine\ndate: 2020-05-01\nlist: [[a, [b]], {c: d}]\nbase: &x {a: 1}\nsame: *x\n---\nText',
    },
    pages: { '/bad': 'title', '/laughs': 'Text', '/good': 'Text' },
    leftOut: { 'bad.md': 'front matter', 'laughs.md': 'front matter' },
  },
  'Markdown in other encodings': {
    source: {
      'latin.md': Buffer.from('B\xe4ume', 'latin1'),
      'mark.md': '\ufeff# Mark\r\n\r\nText\r\n',
      'sixteen.md': Buffer.from('\ufeff# Oak\r\n', 'utf16le'),
    },
    pages: { '/mark': '# Mark\n\nText', '/sixteen': '# Oak\n' },
    leftOut: { 'latin.md': 'save it as UTF-8' },
  },
  'several pages of one folder': {
    source: {
      'trees/index.md': 'Index [r](README.md)',
      'trees/README.md': 'Read me',
      'trees/trees.md': 'Trees',
      'trees.md': 'Beside',
    },
    pages: {
      '/trees': 'Index [r](/trees/readme)',
      '/trees/readme': 'Read me',
      '/trees/trees': 'Trees',
      '/trees-2': 'Beside',
    },
  },
  'names that only differ in case': {
    source: { 'Oak.md': '[a](oak.md) [b](Oak.md)', 'oak.md': 'small' },
    pages: { '/oak': '[a](/oak-2) [b](/oak)', '/oak-2': 'small' },
  },
  'HTML with a base, frames and addresses of its own': {
    source: {
      'index.html': '<frameset cols="1,2"><frame src="menu.html" name="m"><frame src="main.html"></frameset>',
      'menu.html': '<base href="sub/"><a href="oak.html">Oak</a> <a href="#top">Top</a>',
      'main.html': '<a href="./sub/../sub/oak.html?x=1#bark">Oak</a>',
      'sub/oak.html': '<a href="/main.html">Main</a><a href="../menu.html">Menu</a>',
    },
    pages: {
      '/home': '(/main)',
      '/menu': '[Oak](/sub/oak)',
      '/main': '(/sub/oak#bark)',
      '/sub/oak': '[Main](/main)[Menu](/menu)',
    },
  },
  'a space of Confluence with entities': {
    source: {
      'entities.xml': `<?xml version="1.0"?><hibernate-generic><object class="Space" package="x"><id name="id">1</id><property name="key">X</property></object><object class="Page" package="x"><id name="id">2</id><property name="title">Oak &amp; elm</property><property name="contentStatus">current</property></object><object class="BodyContent" package="x"><id name="id">3</id><property name="body"><![CDATA[<p>a&nbsp;b &eacute; &mdash; &unknown; &#x1F333;</p>]]></property><property name="content" class="Page" package="x"><id name="id">2</id></property></object></hibernate-generic>`,
    },
    pages: { '/oak-elm': 'é — \\&unknown; 🌳' },
  },
  'a DokuWiki whose earlier text was cut': {
    source: {
      'data/pages/oak.txt': 'Oak',
      'data/meta/oak.changes': '1300000000\t::1\tC\toak\tada\t\n1400000000\t::1\tE\toak\tada\t\n',
      'data/attic/oak.1300000000.txt.gz': gzipSync('An oak that grew for long').subarray(0, 20),
    },
    pages: { '/oak': 'Oak' },
    leftOut: { 'oak 1300000000': 'damaged', 'conf/acl.auth.php': 'not in the source' },
  },
};

/** An entry that unpacks to more than the archive declares. */
function bomb(): Buffer {
  const entries: ZipEntry[] = [
    { name: 'good.md', content: 'Good' },
    {
      name: 'bomb.md',
      content: deflateRawSync(Buffer.alloc(5_000_000, 'x')),
      declaredBytes: 10,
      isDeflated: true,
    },
  ];
  return zipOf(entries);
}

let wiki: TestWiki;

beforeAll(async () => {
  wiki = await startWiki();
  await wiki.administrator();
});
afterAll(() => wiki[Symbol.asyncDispose]());

test.each(Object.entries(odd).map(([name, one], number) => ({ ...one, number, is: name })))(
  '$is',
  async (one) => {
    const parent = `/${one.number}`;
    const { code, out, err } = await wiki.coppice(['import', placed(one), '--json', '--parent', parent]);
    const texts = await textsBeneath(parent);
    if (one.refused !== undefined) {
      expect({ code, out, texts }).toEqual({ code: 1, out: '', texts: {} });
      expect(err).toContain(one.refused);
      return;
    }
    expect(err).toBe('');
    const { leftOut, numbers, links } = JSON.parse(out) as Certificate;
    const shown = JSON.stringify({ texts, leftOut });
    for (const [path, part] of Object.entries(one.pages ?? {})) expect(texts[path], shown).toContain(part);
    for (const [name, why] of Object.entries(one.leftOut ?? {}))
      expect(leftOut.list.find(({ source }) => source === name)?.why, shown).toContain(why);
    expect(leftOut.total, shown).toBe(Object.keys(one.leftOut ?? {}).length);
    expect(code, shown).toBe(leftOut.list.some(({ isRefusal }) => isRefusal) ? 1 : 0);
    expect(links, shown).toMatchObject({ lost: 0, dead: 0 });
    const own = Object.values(texts).filter((body) => body !== '{{Children}}\n');
    expect(numbers.result.pages, shown).toBe(own.length);
  },
);

function placed({ source, name = '', number }: Odd & { number: number }): string {
  if (typeof source !== 'string' && !Buffer.isBuffer(source)) return plant(wiki, source, `source-${number}`);
  writeFileSync(join(wiki.folder, name), source);
  return join(wiki.folder, name);
}

/** Texts of the pages beneath `parent`, with paths and links relative to it. */
async function textsBeneath(parent: string): Promise<Record<string, string>> {
  await using open = await wiki.open();
  const pages = await open.store.maintenance.pagesAfter(0, 500);
  const above = `${parent}/`;
  return Object.fromEntries(
    pages
      .filter(({ path }) => path.startsWith(above))
      .map(({ path, content }) => [path.slice(parent.length), content.body.replaceAll(above, '/')]),
  );
}
