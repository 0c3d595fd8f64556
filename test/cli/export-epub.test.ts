/** `coppice export --format epub` of markup that is hard for books: rules of EPUBCheck that readers of books insist on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import { startWiki } from '../support/cli.ts';
import { plant } from '../support/import-source.ts';

const notes = {
  'Percent.md': `# 100 % of it\n\n[TOC]\n\n## 50 % & more\n\n## 50 % & more\n\n## Why "this"?\n\n## ü % ö {#a%b}\n
[[#50 % & more]] [a](#a%b) [b](#a%25b) [c](Other.md#10-%)\n\nNote[^1] again[^1]\n\n[^1]: N % m\n
[bad](<http://exa mple.org/a%zz>) [worse](http://a.example/%zz) <http://[::1]/> [scheme](tel:1)\n`,
  'Other.md': `# Other\n\n## 10 %\n\n<h2 id="x y">a</h2><h2 id="5">b</h2><h2 id="5">c</h2><b id="a:b">d</b> [x](#5) [y](#a:b) [z](#x_y)\n
<ol start="x" reversed><li value="q">a</li></ol>\n<div><li>alone</li></div>\n
<sup><p>p</p></sup> <em><ul><li>x</li></ul></em>\n
<table><thead></thead><tr><th scope="up">x<td colspan="0" rowspan="70000">y</table>\n
<blockquote cite="%%">q</blockquote><del datetime="2020-13-45">d</del> <time datetime="2020-02-31">t</time> <time>soon</time>\n
<details><p>no summary</p></details>\n\n<ruby>a</ruby> <bdo>b</bdo> <p style="float:right:width:1px;color:red">s</p>\n`,
};

/** Children that an element may have, where others are an error. */
const within: Record<string, RegExp> = {
  ...{
    ul: /^li$/,
    ol: /^li$/,
    tr: /^t[dh]$/,
    table: /^(?:caption|t(?:head|body|foot))$/,
    tbody: /^tr$/,
    thead: /^tr$/,
  },
};
const parents: Record<string, RegExp> = {
  li: /^[uo]l$/,
  summary: /^details$/,
  figcaption: /^figure$/,
  rt: /^ruby$/,
};

test('IDs, links, nesting and values of every chapter are valid for e-book readers', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  expect((await wiki.coppice(['import', plant(wiki, notes), '--from', 'markdown'])).err).toBe('');
  const book = join(wiki.folder, 'book.epub');
  expect((await wiki.coppice(['export', '--format', 'epub', '--to', book])).code).toBe(0);
  const chapters = await chaptersOf(readFileSync(book));
  expect(chapters.size).toBeGreaterThan(2);
  let links = 0;
  for (const [path, text] of chapters) {
    const ids = new Set<string>();
    const targets: string[] = [];
    const open: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => {
      const parent = open.at(-1) ?? '';
      expect(name, `${path}: ${name} in ${parent}`).toMatch(within[parent] ?? /./);
      expect(parent, `${path}: ${name} in ${parent}`).toMatch(parents[name] ?? /^/);
      open.push(name);
      const { id, href, start, value, colspan, rowspan, datetime, cite, style, scope } = attributes as Record<
        string,
        string
      >;
      if (id !== undefined) {
        // XML 1.0 §2.3, without colons: Namespaces in XML §3.
        expect(id, path).toMatch(/^[\p{L}_][\p{L}\p{Nd}._-]*$/u);
        expect(ids.has(id), `${path}: ${id}`).toBe(false);
        ids.add(id);
      }
      if (href?.startsWith('#')) targets.push(href.slice(1));
      else if (/^[a-z]+:/.test(href ?? '')) expect(URL.canParse(href ?? ''), href).toBe(true);
      expect(href ?? '', path).not.toMatch(/%(?![\dA-F]{2})/i);
      for (const number of [start, value]) expect(number ?? '0').toMatch(/^-?\d+$/);
      expect(Number(colspan ?? 1)).toBeGreaterThan(0);
      expect(Number(rowspan ?? 1)).toBeLessThan(65_535);
      expect(scope ?? 'row').toMatch(/^(?:row|col)/);
      expect(Number.isNaN(Date.parse(datetime ?? '2020-01-01'))).toBe(false);
      if (name === 'time') expect(datetime).toBeDefined();
      if (cite !== undefined) expect(URL.canParse(cite), cite).toBe(true);
      expect(style ?? '').not.toMatch(/:[^;]*:/);
    });
    parser.on('closetag', () => open.pop());
    parser.write(text).close();
    for (const target of targets) expect([...ids], `${path}: #${target}`).toContain(target);
    links += targets.length;
  }
  // Headings with signs are reached: from the contents, from links, and notes from both sides.
  expect(links).toBeGreaterThan(10);
});

async function chaptersOf(zip: Buffer): Promise<Map<string, string>> {
  const chapters = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (error, archive) => {
      if (error) return reject(error);
      archive.on('end', resolve).on('error', reject);
      archive.on('entry', (entry) => {
        if (!entry.fileName.endsWith('.xhtml')) return archive.readEntry();
        archive.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          const parts: Buffer[] = [];
          stream.on('data', (part: Buffer) => parts.push(part));
          stream.on('end', () => {
            chapters.set(entry.fileName, Buffer.concat(parts).toString('utf8'));
            archive.readEntry();
          });
        });
      });
      archive.readEntry();
    });
  });
  return chapters;
}
