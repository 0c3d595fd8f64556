/** Round trips: what came in by an import goes out by an export as it was. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { engines, startWiki, type TestWiki } from '../support/cli.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const notes: Record<string, string> = {
  'Trees/Oak.md':
    '---\ntags: [tree, "hard wood"]\nheight: 30\n---\n\n# Oak\n\nSee [[Elm]], [[Elm#Bark|its bark]] and ![[oak.png]].\n',
  'Trees/Elm.md':
    '# Elm\n\n## Bark\n\nRough, as [[#Bark]] says, unlike [an oak](Oak.md). [Home](../Welcome.md), `[[Oak]]`.\n',
  'Trees/Small Ones/Hazel.md':
    'Beside the [elm](../Elm.md) — *small*.\n\n| a | b |\n|---|---|\n| [[Oak\\|o]] | 2 |\n',
  'Trees/oak.png': pixel,
  'Welcome.md': 'All of [[Trees/Small Ones/Hazel]], and [[Nothing]].\n',
};

const revision = (id: number, by: string, text: string) =>
  `<revision><id>${id}</id><timestamp>2011-03-0${id}T10:00:00Z</timestamp><contributor>${
    /^\d/.test(by) ? `<ip>${by}</ip>` : `<username>${by}</username><id>7</id>`
  }</contributor><comment>No. ${id}</comment><model>wikitext</model><text xml:space="preserve">${text}</text></revision>`;
const dump = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
<siteinfo><sitename>Trees</sitename><namespaces><namespace key="0" /><namespace key="6">File</namespace></namespaces></siteinfo>
<page><title>Oak</title><ns>0</ns><id>1</id>${revision(1, 'Wilma', 'An oak &amp; more.')}${revision(2, '192.0.2.7', 'An [[elm tree]], [[/Leaf]].\n')}</page>
<page><title>Oak/Leaf</title><ns>0</ns><id>2</id>${revision(3, 'Fred', '  Beneath [[Oak]] &lt;b&gt;bold&lt;/b&gt;')}</page>
<page><title>Elm</title><ns>0</ns><id>3</id>${revision(4, 'Fred', 'Rough.')}</page>
<page><title>Elm tree</title><ns>0</ns><id>4</id>${revision(5, 'Fred', '#REDIRECT [[Elm]]')}</page>
<page><title>Template:Box</title><ns>10</ns><id>5</id>${revision(6, 'Wilma', '&lt;b>{{{1}}}&lt;/b>')}</page>
<page><title>File:Oak.png</title><ns>6</ns><id>6</id>${revision(7, 'Wilma', 'A picture.')}
<upload><timestamp>2011-03-07T10:00:00Z</timestamp><contributor><username>Wilma</username><id>7</id></contributor><filename>Oak.png</filename><contents encoding="base64">${pixel}</contents></upload></page>
</mediawiki>`;

describe.each(engines)('on %s', (engine) => {
  test('a vault goes out as it came in', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const vault = plant(wiki, 'vault', notes);
    const certificate = JSON.parse(await succeed(wiki, ['import', vault, '--from', 'obsidian', '--json']));
    const out = join(wiki.folder, 'out');
    await succeed(wiki, ['export', '--format', 'markdown', '--to', out]);
    const texts = textsIn(out);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(notes).sort());
    expect(texts).toEqual(notes);
    const named: { old: string; new: string | null }[] = certificate.links.list;
    expect(named).toContainEqual({ old: '[[Elm#Bark|its bark]]', new: '/trees/elm#bark', count: 1 });
  });

  test('a dump of MediaWiki keeps the text, author and time of every revision, and every upload', async () => {
    await using wiki = await startWiki(engine);
    await wiki.administrator();
    const source = join(wiki.folder, 'trees.xml');
    writeFileSync(source, dump);
    await succeed(wiki, ['import', source]);
    const out = join(wiki.folder, 'out.xml');
    await succeed(wiki, ['export', '--format', 'mediawiki-xml', '--to', out]);
    const [before, after] = [read(dump), read(readFileSync(out, 'utf8'))];
    expect(after.get('File:Oak.png')?.uploads).toEqual([{ filename: 'Oak.png', contents: pixel }]);
    for (const [title, page] of before) {
      // The import made it an address of the page that it leads to, and its certificate says so.
      if (title !== 'Elm tree') expect(after.get(title), title).toEqual(page);
    }

    await using again = await startWiki(engine);
    await again.administrator();
    await succeed(again, ['import', out]);
    const second = join(again.folder, 'second.xml');
    await succeed(again, ['export', '--format', 'mediawiki-xml', '--to', second]);
    expect(read(readFileSync(second, 'utf8'))).toEqual(after);
  });
});

function plant(wiki: TestWiki, name: string, files: Record<string, string>): string {
  const folder = join(wiki.folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith('.png') ? Buffer.from(text, 'base64') : text);
  }
  return folder;
}

function textsIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [
      relative(folder, path),
      readFileSync(path).toString(path.endsWith('.png') ? 'base64' : 'utf8'),
    ]),
  );
}

async function succeed(wiki: TestWiki, args: string[]): Promise<string> {
  const { code, out, err } = await wiki.coppice(args);
  expect(code, err + out).toBe(0);
  return out;
}

interface ReadPage {
  revisions: { text: string; author: string; at: string; comment: string }[];
  uploads: { filename: string; contents: string }[];
}

/** Pages of a dump by title. */
function read(xml: string): Map<string, ReadPage> {
  const pages = new Map<string, ReadPage>();
  let page: ReadPage = { revisions: [], uploads: [] };
  let fields: Record<string, string> = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    text = '';
    if (name === 'page') page = { revisions: [], uploads: [] };
    if (name === 'revision' || name === 'upload') fields = {};
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'title') pages.set(text, page);
    const {
      text: body = '',
      username,
      ip,
      timestamp = '',
      comment = '',
      filename = '',
      contents = '',
    } = fields;
    if (name === 'revision')
      page.revisions.push({ text: body, author: username ?? ip ?? '', at: timestamp, comment });
    else if (name === 'upload') page.uploads.push({ filename, contents });
    else fields[name] = text;
  });
  parser.write(xml).close();
  return pages;
}
